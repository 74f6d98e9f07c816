/** What a search comes to, counted, never a promise, and below it what was done. */
import type { ComponentChildren } from 'preact'
import { filterWords } from '../condition-words.ts'
import { nothingFoundSentence } from '../relax.ts'
import { withoutRepeats } from '../text/search-origin.ts'
import { colorOf } from './marks.tsx'
import { consideredIn, first, type Searched, type Story } from './story.ts'
import type { SearchView } from './view.ts'
import { count, milliseconds } from './words.ts'

export function Headline({ story }: { readonly story: Story }) {
  const { view, hits } = story
  const { phase, filters = [] } = view
  const headline = headlineOf(story)
  if (headline === undefined) return null
  return (
    <section class="headline">
      <h2>{headline}</h2>
      <p class="reason">{phase === 'done' ? <Reason story={story} /> : progressOf(view, hits.length > 0)}</p>
      {filters.length > 0 && (
        <ul aria-label="Filters that were read out of your words">
          {filters.map((filter) => (
            <li key={filter.words}>{filterWords(filter)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Nothing, where a search failed before anything was found. */
function headlineOf(story: Story): ComponentChildren {
  const { view, hits, known } = story
  const isFound = hits.length > 0
  if (view.phase === 'searching') return isFound ? foundAtOnce(view) : 'Searching …'
  if (view.phase === 'failed') return isFound ? 'These are the results of your words alone.' : undefined
  if (view.nothingFound !== undefined) return nothingFoundSentence(view.nothingFound)
  if (!isFound) return 'Nothing was found.'
  if (known.needed.length === 1) return headlineOfOne(story)
  return known.needed.length > 0 ? headlineOfNeeded(story) : headlineOfMoves(story)
}

const foundAtOnce = ({ rounds }: SearchView): string => {
  const legs = rounds[0]!.legs.filter(({ status }) => status === 'ok')
  const hits = legs.reduce((sum, leg) => sum + leg.hits, 0)
  return `Your words found ${count(hits, 'document')} in ${milliseconds(Math.max(...legs.map(({ ms }) => ms)))}.`
}

/** While the search runs. */
function progressOf({ phase, decision, rounds }: SearchView, isFound: boolean): string {
  if (phase === 'failed') return ''
  if (rounds.length > 1)
    return `Sending ${count(rounds.at(-1)!.subQueries.length, 'more search', 'more searches')} …`
  if (decision !== undefined) return 'Ordering them …'
  return isFound ? 'Deciding whether to search for more …' : ''
}

function openingOf({ known: { by, needed }, word }: Story): string {
  const documents = count(needed.length, 'document')
  if (by === 'reader') return `You judged ${documents} relevant.`
  return word === 'needed' ? `The answer needs ${documents}.` : `${documents} are judged relevant.`
}

function headlineOfNeeded(story: Story): ComponentChildren {
  const { counts, before, known, name } = story
  const amount = (found: number): string => (found === known.needed.length ? `all ${found}` : String(found))
  const verb = before.isPolicy ? 'brings' : 'bring'
  const start = `${openingOf(story)} ${before.name} ${verb} ${amount(counts.before)} of them into the first five`
  if (counts.before === counts.after) return `${start}, and so does ${name}.`
  return [`${start}; ${name} brings `, good(amount(counts.after), counts.after > counts.before), '.']
}

function headlineOfOne(story: Story): ComponentChildren {
  const { hits, before, known, name } = story
  const [needed] = known.needed
  const was = before.ranks.get(needed!)
  const is = hits.find(({ docid }) => docid === needed)?.rank
  const place = (rank: number): string => (rank === 1 ? 'first' : `at rank ${rank}`)
  const [put, not] = before.isPolicy ? ['puts', 'does not'] : ['put', 'do not']
  const start = `${openingOf(story)} ${before.name} ${was === undefined ? `${not} find it` : `${put} it ${place(was)}`}`
  if (was === is) return `${start}, and so does ${name}.`
  if (is === undefined) return `${start}; ${name} does not have it among its first ${hits.length}.`
  return [`${start}; ${name} puts it `, good(place(is), was === undefined || is < was), '.']
}

/** Where nothing is known of the documents. */
function headlineOfMoves({ view, hits, counts, before, name }: Story): ComponentChildren {
  const { decision, fallback, reranked } = view
  const top = Math.min(first, hits.length)
  const fresh = counts.risen + counts.added
  const are = fresh === 1 ? 'is' : 'are'
  if (before.isPolicy)
    return `${fresh} of the first ${top} results of ${name} ${are} not among the first five of ${before.name}.`
  if (decision?.kind !== 'as-is' && fallback === undefined)
    return fresh === 0
      ? `The first ${top} results are the same documents.`
      : [good(fresh, true), ` of the first ${top} results ${are} new.`]
  if (reranked === undefined || reranked.kept) return 'Searched unchanged.'
  return counts.moved === 0
    ? `Searched unchanged; the first ${top} results stay where they were.`
    : `Searched unchanged; re-ranking moved ${counts.moved} of the first ${top}.`
}

const good = (words: ComponentChildren, isGood: boolean) => <b class={isGood ? 'good' : ''}>{words}</b>

/** What was searched, in sentences of the kinds of the texts. */
function Reason({ story }: { readonly story: Story }) {
  const { view, searched, counts, before, known, word } = story
  if (view.fallback !== undefined) return null
  const { risen, added } = counts
  const missed = [risen > 0 && `had ${risen} of them further down`, added > 0 && `did not find ${added}`]
  const further = missed.filter(Boolean).join(' and ')
  const isKnown = known.needed.length > 0
  const isUnchanged = searched.length < 2 || view.decision?.kind === 'as-is'
  return (
    <>
      {isUnchanged ? unchangedWords(view) : <Searches searched={searched} />}
      {!isKnown && further !== '' && !before.isPolicy && ` Your words alone ${further}.`}
      {isKnown && known.by !== 'reader' && (
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
