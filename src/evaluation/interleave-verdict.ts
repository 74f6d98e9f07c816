/**
 * What clicks on interleaved pages say. A query of a caller is won by the side that brought more of its clicked hits, and the wins are
 * counted (Chapelle and others, TOIS 2012). Pages and repetitions of a query count together, since they show the same draft.
 */
import type { InterleavedHits } from '../observe.ts'
import { groupBy } from '../runtime/group-by.ts'
import type { DecisionKind } from '../types.ts'
import { queriesNeeded, shareInterval, signTest } from './sign-test.ts'
import type { Side } from './team-draft.ts'

/** One logged page. */
export interface LoggedPage extends InterleavedHits {
  /** What else clicks may call the search. */
  readonly opaqueId?: string | undefined
  readonly index: string
  readonly decision: DecisionKind
  /** Milliseconds since 1970. */
  readonly time: number
}

export interface ClickedHit {
  /** One of the names of the search. */
  readonly queryId: string
  /** The ids of the hit, the likeliest first. */
  readonly docids: readonly string[]
}

/** Who won how many queries. */
export interface Preference {
  readonly querent: number
  readonly engine: number
  /** Queries for which both sides brought as many of the clicked hits. */
  readonly even: number
  /** The share of the decided queries that Querent won, with its interval at 95 %. One half if none is decided. */
  readonly share: number
  readonly low: number
  readonly high: number
  /** The two-sided p-value of the sign test. */
  readonly p: number
  /** Who wins at a level of 0.05. Absent: nobody yet. */
  readonly winner?: Side
  /** How many more decided queries would show such a share with a power of 0.8. Infinite for a half. */
  readonly missing: number
}

export interface InterleaveVerdict {
  readonly all: Preference
  /** By index and decision, those with the most pages first. */
  readonly groups: readonly (Preference & Pick<LoggedPage, 'index' | 'decision'>)[]
  /** Interleaved queries, clicked or not. */
  readonly queries: number
  /** Clicks on searches that are not in the log, or on hits that no side brought. */
  readonly uncounted: number
  /** Milliseconds between the first page and the last. */
  readonly duration: number
}

export function interleaveVerdict(
  pages: readonly LoggedPage[],
  clicks: Iterable<ClickedHit>,
): InterleaveVerdict {
  const named = pages.flatMap((page) =>
    Array.from(new Set([page.qid, page.queryId, page.opaqueId]), (name) => ({ name, page })),
  )
  const byName = groupBy(named, ({ name }) => name)
  /** By the query the clicked hits, each once, with the side that brought it. */
  const clicked = new Map<string, Map<string, Side>>()
  let uncounted = 0
  for (const { queryId, docids } of clicks) {
    const found = docids.flatMap((docid) =>
      (byName.get(queryId) ?? []).flatMap(({ page: { qid, engine, querent } }) => {
        if (engine.includes(docid)) return { qid, docid, side: 'engine' as const }
        return querent.includes(docid) ? { qid, docid, side: 'querent' as const } : []
      }),
    )[0]
    if (found === undefined) uncounted++
    else clicked.set(found.qid, (clicked.get(found.qid) ?? new Map()).set(found.docid, found.side))
  }
  const leads = new Map(Array.from(clicked, ([qid, sides]) => [qid, leadOf([...sides.values()])]))
  const preferenceIn = (some: readonly LoggedPage[]): Preference =>
    preferenceOf([...new Set(some.map(({ qid }) => qid))].flatMap((qid) => leads.get(qid) ?? []))
  const kinds = groupBy(pages, ({ index, decision }) => `${decision} ${index}`)
  const times = pages.map(({ time }) => time).sort((one, other) => one - other)
  return {
    all: preferenceIn(pages),
    groups: [...kinds.values()]
      .sort((one, other) => other.length - one.length)
      .map((some) => ({ index: some[0]!.index, decision: some[0]!.decision, ...preferenceIn(some) })),
    queries: new Set(pages.map(({ qid }) => qid)).size,
    uncounted,
    duration: (times.at(-1) ?? 0) - (times[0] ?? 0),
  }
}

/** By how many clicked hits Querent leads. */
export const leadOf = (sides: readonly Side[]): number =>
  sides.reduce((lead, side) => lead + (side === 'querent' ? 1 : -1), 0)

/** @param leads one for each query with clicks */
export function preferenceOf(leads: readonly number[]): Preference {
  const querent = leads.filter((lead) => lead > 0).length
  const engine = leads.filter((lead) => lead < 0).length
  const decided = querent + engine
  const share = decided === 0 ? 0.5 : querent / decided
  const p = signTest(querent, engine)
  return {
    ...{ querent, engine, even: leads.length - decided, share, ...shareInterval(querent, engine), p },
    ...(p < 0.05 && { winner: share > 0.5 ? 'querent' : 'engine' }),
    // A win more for each side: two wins of two say little of the share (Laplace's rule).
    missing: Math.max(0, queriesNeeded((querent + 1) / (decided + 2)) - decided),
  }
}
