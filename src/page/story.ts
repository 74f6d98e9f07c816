/** A search as a story: the list before, the list after, what was searched between them, and what can be counted. */
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import type { Considered } from '../../policies/local/considered.ts'
import { type Origin, originOf } from '../text/search-origin.ts'
import type { SubQuery } from '../types.ts'
import type { Grades } from './judgments.ts'
import type { LegView, SearchView } from './view.ts'

/** What is known of the documents, by whom, and what takes a judgment of the reader. */
export interface KnownDocuments {
  readonly by: 'sample' | 'reader' | 'judgments'
  /** The docids that are needed. */
  readonly needed: readonly string[]
  readonly grades: Grades
  /** `undefined` takes a judgment back. */
  readonly onJudge?: ((docid: string, grade: number | undefined) => void) | undefined
}

/** The search that a search is compared with. */
export interface Other {
  readonly name: string
  readonly view: SearchView
}

/** The list that hits are compared with. */
export interface Before {
  readonly name: string
  /** Whether a policy found it, and not the words of the user alone. */
  readonly isPolicy: boolean
  readonly ranks: ReadonlyMap<string, number>
}

/** Refers to a searched text, so that the parts of the page can refer to each other. */
export interface Label {
  /** `Q` for the user's words, numbers in the order of searching, `+` for what only adds documents to re-rank. */
  readonly mark: string
  /** A color of the style sheet: 0 for the user's words and for `+`, else 1 to 8. Marks tell apart what has the same color. */
  readonly color: number
}

const colors = 8

export interface Searched {
  readonly subQuery: SubQuery
  readonly label: Label
  readonly origin: Origin
  readonly legs: readonly LegView[]
}

export interface Story {
  readonly view: SearchView
  /** The name of what searched. */
  readonly name: string
  readonly before: Before
  readonly known: KnownDocuments
  /** How the page calls documents that are known to be needed. */
  readonly word: 'needed' | 'relevant'
  readonly counts: Counts
  /** What a reader sees: the hits or, before they have come, those of the user's words. */
  readonly hits: readonly AnsweredHit[]
  /** The user's words, then the texts whose lists were fused. */
  readonly searched: readonly Searched[]
  /** Texts that were searched only for documents to re-rank. */
  readonly extras: readonly Searched[]
  /** The searches that had a document among their first ten, those for re-ranking aside, or else the one that had it highest. */
  foundBy(docid: string): readonly Searched[]
  labelOf(subQuery: Pick<SubQuery, 'text' | 'round'>): Label
  titleOf(docid: string): string
}

/** What shows a document of a search. */
export interface OfDocument {
  readonly docid: string
  readonly story: Story
}

const page = 10
/** How many results count in a sentence. */
export const first = 5

/** An answer does not need more documents than that; judgments for the most thorough reader may be more. */
const mostNeeded = 5

export const yourWords = 'Your words alone'

/** @param other the search to compare with, which may know more titles. Default: the first request of this one */
export function storyOf(
  view: SearchView,
  known: KnownDocuments,
  name = 'Querent',
  other?: Other | undefined,
): Story {
  const { rounds, fused, reranked, text, history, phase } = view
  const isOver = phase === 'done'
  const texts = rounds.slice(1).flatMap(({ subQueries }) => subQueries.map(({ text }) => text))
  const votes = new Set(reranked && fused ? fused.texts.map(({ text }) => text) : texts)
  const labeled = [...new Set(texts)].filter((text) => votes.has(text))
  const labelOf: Story['labelOf'] = ({ text, round }) => {
    if (round === 0) return { mark: 'Q', color: 0 }
    const place = labeled.indexOf(text)
    return place < 0 ? { mark: '+', color: 0 } : { mark: String(place + 1), color: (place % colors) + 1 }
  }
  const asked = { text, history, plan: consideredIn(view)?.plans[0]?.plan }
  // Which of the others vote is known at the end.
  const all = (isOver ? rounds : rounds.slice(0, 1)).flatMap(({ subQueries, legs }) =>
    subQueries.map((subQuery) => ({
      subQuery,
      label: labelOf(subQuery),
      origin: originOf(subQuery, asked),
      legs: legs.filter((leg) => keyOf(leg.subQuery) === keyOf(subQuery)),
    })),
  )
  const titles = new Map([
    ...Object.entries({ ...other?.view.titles, ...view.titles }),
    ...[...view.hits, ...(other?.view.hits ?? [])].flatMap(({ docid, document }) =>
      document?.title ? [[docid, document.title] as const] : [],
    ),
  ])
  const ofWords = ranksOfWords(view)
  const original = [...ofWords].slice(0, page).map(([docid, rank]) => ({ docid, rank, score: 0 }))
  const hits = view.hits.length > 0 || isOver ? view.hits : original
  const before =
    other === undefined || other.view.phase === 'searching'
      ? { name: yourWords, isPolicy: false, ranks: ofWords }
      : { name: other.name, isPolicy: other.name !== yourWords, ranks: ranksOfSearch(other.view, view) }
  return {
    view,
    name,
    before,
    known,
    word: known.by === 'reader' || known.needed.length > mostNeeded ? 'relevant' : 'needed',
    counts: countsOf(hits, before, known.needed),
    hits,
    searched: all.filter(({ label }) => label.mark !== '+'),
    extras: all.filter(({ label }) => label.mark === '+'),
    foundBy(docid) {
      const ranked = all
        .map((searched) => ({ searched, rank: bestRank(searched.legs, docid) }))
        .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
      const high = ranked.filter(({ searched: { label }, rank }) => rank <= page && label.mark !== '+')
      const [best] = ranked.toSorted((one, another) => one.rank - another.rank)
      return (high.length > 0 || best === undefined ? high : [best]).map(({ searched }) => searched)
    },
    labelOf,
    titleOf: (docid) => titles.get(docid) ?? docid,
  }
}

const keyOf = ({ text, where }: SubQuery): string => JSON.stringify([text, where])

const bestRank = (legs: readonly LegView[], docid: string): number =>
  Math.min(...legs.map(({ ranks }) => ranks.get(docid) ?? Number.POSITIVE_INFINITY))

/** The ranks of the first request. Lists of several retrievers are put in one order as rank-score fusion does. */
function ranksOfWords({ rounds: [round] }: SearchView): ReadonlyMap<string, number> {
  const [only, ...others] = round?.legs.filter(({ status }) => status === 'ok') ?? []
  if (only === undefined || others.length === 0) return only?.ranks ?? new Map()
  const sums = new Map<string, number>()
  for (const { ranks } of [only, ...others])
    for (const [docid, rank] of ranks) sums.set(docid, (sums.get(docid) ?? 0) + 1 / rank)
  const order = [...sums].toSorted(([, one], [, another]) => another - one)
  return new Map(order.map(([docid], at) => [docid, at + 1]))
}

/** The list of another search. Nothing but its words is searched where nothing is split or re-ranked: then all ranks are known. */
const ranksOfSearch = (view: SearchView, beside: SearchView): ReadonlyMap<string, number> =>
  view.rounds.length === 1 && view.reranked === undefined
    ? new Map([...ranksOfWords(beside), ...ranksOfWords(view)])
    : new Map(view.hits.map(({ docid, rank }) => [docid, rank]))

/** A row of the list before. */
export interface BeforeRow {
  readonly docid: string
  readonly rank: number
  /** Whether ranks are left out in front of it. */
  readonly isFar: boolean
}

/** The first of the list before, and those further down that came up or are needed: as many rows as the list after has, if possible. */
export function beforeRows(
  { ranks }: Pick<Before, 'ranks'>,
  after: readonly string[],
  needed: readonly string[],
): BeforeRow[] {
  const ordered = [...ranks]
    .map(([docid, rank]) => ({ docid, rank }))
    .toSorted((one, other) => one.rank - other.rank)
  const wanted = new Set([...after, ...needed])
  const rowsAt = (top: number): BeforeRow[] => {
    const far = ordered.filter(({ docid, rank }) => rank > top && wanted.has(docid))
    return [
      ...ordered.filter(({ rank }) => rank <= top).map((row) => ({ ...row, isFar: false })),
      ...far.map((row, at) => ({ ...row, isFar: row.rank > (far[at - 1]?.rank ?? top) + 1 })),
    ]
  }
  const most = Math.max(after.length, first)
  for (let top = most; top > first; top--) {
    const rows = rowsAt(top)
    if (rows.length <= most) return rows
  }
  return rowsAt(first)
}

/** What can be counted of a search. */
export interface Counts {
  /** How many of the documents that are known to be needed the first five had and have. */
  readonly before: number
  readonly after: number
  /** How many of the first five had been further down, and how many not there at all. */
  readonly risen: number
  readonly added: number
  /** How many of the first five stand at another place. */
  readonly moved: number
}

export function countsOf(
  hits: readonly AnsweredHit[],
  { ranks }: Pick<Before, 'ranks'>,
  needed: readonly string[],
): Counts {
  const top = hits.slice(0, first)
  const place = (docid: string): number => ranks.get(docid) ?? Number.POSITIVE_INFINITY
  return {
    before: needed.filter((docid) => place(docid) <= first).length,
    after: needed.filter((docid) => top.some((hit) => hit.docid === docid)).length,
    risen: top.filter(({ docid }) => place(docid) > first && ranks.has(docid)).length,
    added: top.filter(({ docid }) => !ranks.has(docid)).length,
    moved: top.filter(({ docid, rank }) => place(docid) !== rank).length,
  }
}

/** The details of a decision have a form of each policy's own: here that of the local policy. */
export function consideredIn({ trace }: SearchView): Considered | undefined {
  const step = trace?.steps.findLast((one) => one.type === 'decide')
  const details = step?.details as Partial<Considered> | undefined
  return Array.isArray(details?.plans) && typeof details.cost === 'number'
    ? (details as Considered)
    : undefined
}
