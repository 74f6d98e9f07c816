/** A search as a story: the list before, the list after, what was searched between them, and what can be counted. */
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import type { Considered } from '../../policies/local/considered.ts'
import { type Origin, originOf } from '../text/search-origin.ts'
import type { SubQuery } from '../types.ts'
import { type Label, labelsOf } from './labels.ts'
import type { LegView, SearchView } from './view.ts'

/** The list that hits are compared with. */
export interface Before {
  readonly name: string
  readonly ranks: ReadonlyMap<string, number>
}

export interface Searched {
  readonly subQuery: SubQuery
  readonly label: Label
  readonly origin: Origin
  readonly legs: readonly LegView[]
}

export interface Story {
  /** What a reader sees: the hits or, before they have come, those of the user's words. */
  readonly hits: readonly AnsweredHit[]
  /** The user's words, then the texts whose lists were fused. */
  readonly searched: readonly Searched[]
  /** Texts that were searched only for documents to re-rank. */
  readonly extras: readonly Searched[]
  /** The searches that had a document among their first ten, those for re-ranking aside, or else the one that had it highest. */
  foundBy(docid: string): readonly Searched[]
  titleOf(docid: string): string
}

const page = 10
/** How many results count in a sentence. */
export const first = 5

/** @param other the search beside this one, which may know more titles */
export function storyOf(view: SearchView, other?: SearchView): Story {
  const { rounds, fused, reranked, text, history, phase } = view
  const isOver = phase === 'done'
  const labelOf = labelsOf(rounds, reranked && fused?.texts)
  const asked = { text, history, plan: consideredIn(view)?.plans[0]?.plan }
  // Which of the others vote is known at the end.
  const all = (isOver ? rounds : rounds.slice(0, 1)).flatMap(({ round, subQueries, legs }) =>
    subQueries.map((subQuery) => ({
      subQuery: { ...subQuery, round },
      label: labelOf({ ...subQuery, round }),
      origin: originOf({ ...subQuery, round }, asked),
      legs: legs.filter((leg) => keyOf(leg.subQuery) === keyOf(subQuery)),
    })),
  )
  const known = [...view.hits, ...(other?.hits ?? [])]
  const titles = new Map([
    ...Object.entries({ ...other?.titles, ...view.titles }),
    ...known.flatMap(({ docid, document }) => (document?.title ? [[docid, document.title] as const] : [])),
  ])
  const original = [...ranksOfWords(view)].slice(0, page)
  return {
    hits:
      view.hits.length > 0 || isOver
        ? view.hits
        : original.map(([docid, rank]) => ({ docid, rank, score: 0 })),
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
    titleOf: (docid) => titles.get(docid) ?? docid,
  }
}

const keyOf = ({ text, where }: SubQuery): string => JSON.stringify([text, where])

const bestRank = (legs: readonly LegView[], docid: string): number =>
  Math.min(...legs.map(({ ranks }) => ranks.get(docid) ?? Number.POSITIVE_INFINITY))

/** The ranks of the first request. Lists of several retrievers are put in one order as rank-score fusion does. */
export function ranksOfWords({ rounds: [round] }: SearchView): ReadonlyMap<string, number> {
  const [only, ...others] = round?.legs.filter(({ status }) => status === 'ok') ?? []
  if (only === undefined || others.length === 0) return only?.ranks ?? new Map()
  const sums = new Map<string, number>()
  for (const { ranks } of [only, ...others])
    for (const [docid, rank] of ranks) sums.set(docid, (sums.get(docid) ?? 0) + 1 / rank)
  const order = [...sums].toSorted(([, one], [, another]) => another - one)
  return new Map(order.map(([docid], at) => [docid, at + 1]))
}

/** The list of another search. Nothing but its words is searched where nothing is split or re-ranked: then all ranks are known. */
export const ranksOfSearch = (view: SearchView, beside: SearchView): ReadonlyMap<string, number> =>
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
  { ranks }: Before,
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
  /** How many documents are known to be needed, and how many of them the first five had and have. */
  readonly needed: number
  readonly before: number
  readonly after: number
  /** How many of the first five had been further down, and how many not there at all. */
  readonly risen: number
  readonly added: number
  /** How many of the first five stand at another place. */
  readonly moved: number
}

export function countsOf(hits: readonly AnsweredHit[], { ranks }: Before, needed: readonly string[]): Counts {
  const top = hits.slice(0, first)
  const place = (docid: string): number => ranks.get(docid) ?? Number.POSITIVE_INFINITY
  return {
    needed: needed.length,
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
