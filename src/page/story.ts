/** A search as a story: the list before, the list after, what was searched between them, and what can be counted. */
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import type { Considered } from '../../policies/local/decision/considered.ts'
import { originOf } from '../text/search-origin.ts'
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
interface Before {
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

export type Story = ReturnType<typeof storyOf>
/** A text with its label, its origin, and what it found. */
export type Searched = Story['searched'][number]

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

/**
 * @param name what searched
 * @param other the search to compare with, which may know more titles. Default: the first request of this one
 */
export function storyOf(view: SearchView, known: KnownDocuments, name = 'Querent', other?: Other) {
  const { rounds, fused, reranked, text, history, phase } = view
  const isOver = phase === 'done'
  const texts = rounds.slice(1).flatMap(({ subQueries }) => subQueries.map(({ text }) => text))
  const votes = new Set(reranked && fused ? fused.texts.map(({ text }) => text) : texts)
  const labeled = [...new Set(texts)].filter((text) => votes.has(text))
  function labelOf({ text, round }: Pick<SubQuery, 'text' | 'round'>): Label {
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
  const documents = [...view.hits, ...(other?.view.hits ?? [])]
  const titles = new Map([
    ...Object.entries({ ...other?.view.titles, ...view.titles }),
    ...documents.flatMap(({ docid, document }) =>
      document?.title ? [[docid, document.title] as const] : [],
    ),
  ])
  const ofWords = ranksOfWords(view)
  const original = [...ofWords].slice(0, page).map(([docid, rank]) => ({ docid, rank, score: 0 }))
  const hits: readonly AnsweredHit[] = view.hits.length > 0 || isOver ? view.hits : original
  const before: Before =
    other === undefined || other.view.phase === 'searching'
      ? { name: yourWords, isPolicy: false, ranks: ofWords }
      : { name: other.name, isPolicy: other.name !== yourWords, ranks: ranksOfSearch(other.view, view) }
  return {
    view,
    name,
    before,
    known,
    /** How the page calls documents that are known to be needed. */
    word: known.by === 'reader' || known.needed.length > mostNeeded ? 'relevant' : 'needed',
    counts: countsOf(hits, before, known.needed),
    /** What a reader sees: the hits or, before they have come, those of the user's words. */
    hits,
    /** The user's words, then the texts whose lists were fused. */
    searched: all.filter(({ label }) => label.mark !== '+'),
    /** Texts that were searched only for documents to re-rank. */
    extras: all.filter(({ label }) => label.mark === '+'),
    /** The searches that had a document among their first ten, those for re-ranking aside, or else the one that had it highest. */
    foundBy(docid: string) {
      const ranked = all.map((one) => ({ one, rank: bestRank(one.legs, docid) }))
      const high = ranked.filter(({ one, rank }) => rank <= page && one.label.mark !== '+')
      const best = Math.min(...ranked.map(({ rank }) => rank))
      const highest = ranked.filter(({ rank }) => rank === best && rank < Number.POSITIVE_INFINITY)
      return (high.length > 0 ? high : highest.slice(0, 1)).map(({ one }) => one)
    },
    labelOf,
    titleOf: (docid: string): string => titles.get(docid) ?? docid,
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

/**
 * The first of the list before, and those further down that came up or are needed: as many rows as the list after has, if
 * possible. `isFar`: ranks are left out in front of it.
 */
export function beforeRows(
  { ranks }: Pick<Before, 'ranks'>,
  after: readonly string[],
  needed: readonly string[],
) {
  const ordered = [...ranks].toSorted(([, one], [, other]) => one - other)
  const wanted = new Set([...after, ...needed])
  const rowsAt = (top: number) => ordered.filter(([docid, rank]) => rank <= top || wanted.has(docid))
  const most = Math.max(after.length, first)
  let top = most
  while (top > first && rowsAt(top).length > most) top--
  return rowsAt(top).map(([docid, rank], at, rows) => ({
    docid,
    rank,
    isFar: at > 0 && rank > rows[at - 1]![1] + 1,
  }))
}

/** What can be counted of a search. */
export function countsOf(
  hits: readonly AnsweredHit[],
  { ranks }: Pick<Before, 'ranks'>,
  needed: readonly string[],
) {
  const top = hits.slice(0, first)
  const place = (docid: string): number => ranks.get(docid) ?? Number.POSITIVE_INFINITY
  return {
    /** How many of the documents that are known to be needed the first five had and have. */
    before: needed.filter((docid) => place(docid) <= first).length,
    after: needed.filter((docid) => top.some((hit) => hit.docid === docid)).length,
    /** How many of the first five had been further down, and how many not there at all. */
    risen: top.filter(({ docid }) => place(docid) > first && ranks.has(docid)).length,
    added: top.filter(({ docid }) => !ranks.has(docid)).length,
    /** How many of the first five stand at another place. */
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
