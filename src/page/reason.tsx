/** What was searched, in sentences of the kinds of the texts. */
import type { ComponentChildren } from 'preact'
import { withoutRepeats } from '../text/search-origin.ts'
import { colorOf } from './marks.tsx'
import { consideredIn, type Searched, type Story } from './story.ts'
import type { SearchView } from './view.ts'

export function Reason({ story }: { readonly story: Story }) {
  const { view, searched, counts, before, known, word } = story
  if (view.fallback !== undefined) return null
  const { risen, added } = counts
  const isCounted = known.needed.length === 0 && risen + added > 0 && !before.isPolicy
  const isUnchanged = searched.length < 2 || view.decision?.kind === 'as-is'
  return (
    <>
      {isUnchanged ? unchangedWords(view) : <Searches searched={searched} />}
      {isCounted && ` Your words alone ${furtherWords(risen, added)}.`}
      {known.needed.length > 0 && known.by !== 'reader' && (
        <span class="soft">
          {' '}
          Judgments{known.by === 'sample' && ', which come with the sample,'} say which documents are {word}.
        </span>
      )}
    </>
  )
}

function unchangedWords(view: SearchView): string {
  if (view.policy === 'local' || consideredIn(view) !== undefined)
    return 'Unchanged: no other way of searching was expected to find more.'
  return view.policy === 'none'
    ? 'Unchanged: nothing but your words was searched.'
    : `Unchanged: the policy “${view.policy}” searched no other words.`
}

function furtherWords(risen: number, added: number): string {
  if (added === 0) return `had ${risen} of them further down`
  return `${risen === 0 ? '' : `had ${risen} of them further down and `}did not find ${added}`
}

function Searches({ searched }: { readonly searched: readonly Searched[] }) {
  const of = (origin: Searched['origin']) => searched.filter((one) => one.origin === origin)
  const clause = (origin: Searched['origin'], wordsOf: (all: readonly Searched[]) => string) => {
    const all = of(origin)
    return all.length === 0 ? [] : [[`${wordsOf(all)} (`, names(all), ')']]
  }
  const own: readonly ComponentChildren[] = [
    ...clause('name', (all) => `${amountOf(all, 'the name', 'names')} in your question`),
    ...clause('part', (all) => `${amountOf(all, 'a part', 'parts')} of your question`),
    ...(of('keywords').length > 0 ? ['your key words'] : []),
    ...clause('conversation', () => 'your question with words of the conversation'),
    ...clause('model', () => 'searches written for your question'),
  ]
  const found = of('found').length > 0 ? of('found') : of('found with more')
  return (
    <>
      Searched {joined(own.length > 0 ? own : ['your words'])}
      {found.length > 0 && [
        ', found ',
        names(found),
        ` in the first results, and searched ${found.length === 1 ? 'that' : 'those'} too`,
      ]}
      .
    </>
  )
}

const amountOf = ({ length }: readonly Searched[], one: string, many: string): string => {
  if (length === 1) return one
  return length === 2 ? `both ${many}` : `${length} ${many}`
}

const names = (all: readonly Searched[]): ComponentChildren =>
  joined(
    all.map(({ subQuery, label }) => (
      <span key={subQuery.text} class="name" style={colorOf(label)}>
        {withoutRepeats(subQuery.text)}
      </span>
    )),
  )

/** With commas and a last “and”. */
const joined = (all: readonly ComponentChildren[]): ComponentChildren =>
  all.map((one, at) => [at === 0 ? '' : at === all.length - 1 ? ' and ' : ', ', one])
