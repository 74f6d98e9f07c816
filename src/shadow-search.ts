/** What would have changed in searches whose callers got the engine's own answers: a line of the log for each. */
import type { SearchOutcome } from './observe.ts'
import type { DecisionKind } from './types.ts'

/** A line of the log. Docids are those of the engine; with several indices in one answer, `index/docid`. */
export interface ShadowSearch extends Partial<ListChange> {
  /** When the optimized search had ended: ISO 8601. */
  readonly at: string
  /** A hash of the words and the index; of the body, where no words were found. */
  readonly qid: string
  readonly index?: string | undefined
  /** What the caller would have got. `shed`: it was not made, for the load. */
  readonly outcome: SearchOutcome['kind'] | 'shed'
  /** Why. What the caller wrote is left out. */
  readonly reason?: string | undefined
  readonly decision?: DecisionKind | undefined
  /** The first ten docids of the page, best first, without Querent and with it. Absent if nothing would have changed. */
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  /** Milliseconds until the caller had the engine's answer. */
  readonly engineMs: number
  /** Requests to the engine for the optimized search. Those of an `_msearch` are divided among its searches. */
  readonly requests: number
  /** Milliseconds of the optimized search, as long as the caller would have waited. Absent if it was not understood. */
  readonly optimizedMs?: number
  readonly subQueries?: number
  /** Prompts, and tokens of all of them and their completions. */
  readonly asks?: number
  readonly tokens?: number
  readonly usd?: number | undefined
  /** The words of the search, and the titles of the hits, if they may be logged. */
  readonly words?: string | undefined
  readonly titles?: Readonly<Record<string, string>> | undefined
}

export interface ListChange {
  /** The share of hits that both lists have. */
  readonly overlap: number
  /**
   * From 0 (the same list) to 1 (no common hit): the sum of the differences of rank by its maximum, where a hit that a list lacks stands
   * behind its last. Spearman's footrule with location parameter k + 1 (Fagin, Kumar and Sivakumar, SIAM Journal on Discrete
   * Mathematics 17, 2003, section 3.3).
   */
  readonly displacement: number
  /** The docids that came in and went out. */
  readonly in: readonly string[]
  readonly out: readonly string[]
}

/** How many hits are compared. */
export const comparedHits = 10

/** Compares two lists of docids, best first. The shorter one counts as if as long as the other. */
export function listChange(before: readonly string[], after: readonly string[]): ListChange {
  const k = Math.max(before.length, after.length)
  if (k === 0) return { overlap: 1, displacement: 0, in: [], out: [] }
  const [old, recent] = [before, after].map((list) => new Map(list.map((docid, place) => [docid, place])))
  const all = new Set([...before, ...after])
  const places = [...all].map((docid) => Math.abs((old!.get(docid) ?? k) - (recent!.get(docid) ?? k)))
  return {
    overlap: before.filter((docid) => recent!.has(docid)).length / k,
    displacement: places.reduce((sum, one) => sum + one, 0) / (k * (k + 1)),
    in: after.filter((docid) => !old!.has(docid)),
    out: before.filter((docid) => !recent!.has(docid)),
  }
}
