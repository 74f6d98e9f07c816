/** What a search comes to, counted, never a promise, and below it what was done. */
import type { ComponentChildren } from 'preact'
import { filterWords } from '../condition-words.ts'
import { Reason } from './reason.tsx'
import { type Before, type Counts, first, type Story } from './story.ts'
import type { SearchView } from './view.ts'
import { count, milliseconds } from './words.ts'

export interface HeadlineProps {
  readonly view: SearchView
  readonly story: Story
  readonly before: Before
  readonly counts: Counts
  /** The name of what searched. Default: Querent. */
  readonly name?: string | undefined
  /** The docids that are needed, and how the page calls them. */
  readonly needed: readonly string[]
  readonly word: 'needed' | 'relevant'
}

export function Headline(props: HeadlineProps) {
  const { view, story } = props
  const headline = headlineOf(props)
  if (headline === undefined) return null
  return (
    <section class="headline">
      <h2>{headline}</h2>
      <p class="reason">
        {view.phase === 'done' ? <Reason {...props} /> : progressOf(view, story.hits.length > 0)}
      </p>
      {view.filters !== undefined && view.filters.length > 0 && (
        <ul aria-label="Filters that were read out of your words">
          {view.filters.map((filter) => (
            <li key={filter.words}>{filterWords(filter)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Nothing, where a search failed before anything was found. */
function headlineOf(props: HeadlineProps): ComponentChildren {
  const { view, story, needed } = props
  const isFound = story.hits.length > 0
  if (view.phase === 'searching') return isFound ? foundAtOnce(view) : 'Searching …'
  if (view.phase === 'failed') return isFound ? 'These are the results of your words alone.' : undefined
  if (!isFound) return 'Nothing was found.'
  if (needed.length === 1) return headlineOfOne(props)
  return needed.length > 0 ? headlineOfNeeded(props) : headlineOfMoves(props)
}

const foundAtOnce = ({ rounds }: SearchView): string => {
  const legs = rounds[0]!.legs.filter(({ status }) => status === 'ok')
  const hits = legs.reduce((sum, leg) => sum + (leg.hits ?? 0), 0)
  return `Your words found ${count(hits, 'document')} in ${milliseconds(Math.max(...legs.map(({ ms = 0 }) => ms)))}.`
}

/** While the search runs. */
function progressOf({ phase, decision, rounds }: SearchView, isFound: boolean): string {
  if (phase === 'failed') return ''
  if (rounds.length > 1)
    return `Sending ${count(rounds.at(-1)!.subQueries.length, 'more search', 'more searches')} …`
  if (decision !== undefined) return 'Ordering them …'
  return isFound ? 'Deciding whether to search for more …' : ''
}

/** Names of other policies are quoted; the user's words are several. */
const isPolicy = ({ name }: Before): boolean => name.startsWith('“')

const openingOf = ({ needed: { length }, word }: HeadlineProps): string => {
  const documents = count(length, 'document')
  if (word === 'needed') return `The answer needs ${documents}.`
  return `${documents} ${length === 1 ? 'is' : 'are'} judged relevant.`
}

function headlineOfNeeded(props: HeadlineProps): ComponentChildren {
  const { counts, before, needed, name = 'Querent' } = props
  const amount = (found: number): string => (found === needed.length ? `all ${found}` : String(found))
  const verb = isPolicy(before) ? 'brings' : 'bring'
  const start = `${openingOf(props)} ${before.name} ${verb} ${amount(counts.before)} of them into the first five`
  if (counts.before === counts.after) return `${start}, and so does ${name}.`
  return (
    <>
      {start}; {name} brings <b class={counts.after > counts.before ? 'good' : ''}>{amount(counts.after)}</b>.
    </>
  )
}

function headlineOfOne(props: HeadlineProps): ComponentChildren {
  const { story, before, needed, name = 'Querent' } = props
  const was = before.ranks.get(needed[0]!)
  const is = story.hits.find(({ docid }) => docid === needed[0])?.rank
  const place = (rank: number): string => (rank === 1 ? 'first' : `at rank ${rank}`)
  const [put, not] = isPolicy(before) ? ['puts', 'does not'] : ['put', 'do not']
  const start = `${openingOf(props)} ${before.name} ${was === undefined ? `${not} find it` : `${put} it ${place(was)}`}`
  if (was === is) return `${start}, and so does ${name}.`
  if (is === undefined) return `${start}; ${name} does not have it among its first ${story.hits.length}.`
  return (
    <>
      {start}; {name} puts it <b class={is < (was ?? Number.POSITIVE_INFINITY) ? 'good' : ''}>{place(is)}</b>.
    </>
  )
}

/** Where nothing is known of the documents. */
function headlineOfMoves({ view, story, counts, before, name }: HeadlineProps): ComponentChildren {
  const { decision, fallback, reranked } = view
  const top = Math.min(first, story.hits.length)
  const fresh = counts.risen + counts.added
  const are = fresh === 1 ? 'is' : 'are'
  if (isPolicy(before)) {
    return `${fresh} of the first ${top} results of ${name} ${are} not among the first five of ${before.name}.`
  }
  if (decision?.kind !== 'as-is' && fallback === undefined)
    return fresh === 0 ? (
      `The first ${top} results are the same documents.`
    ) : (
      <>
        <b class="good">{fresh}</b> of the first {top} results {are} new.
      </>
    )
  if (reranked === undefined || reranked.kept) return 'Searched unchanged.'
  return counts.moved === 0
    ? `Searched unchanged; the first ${top} results stay where they were.`
    : `Searched unchanged; re-ranking moved ${counts.moved} of the first ${top}.`
}
