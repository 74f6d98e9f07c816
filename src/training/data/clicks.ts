/**
 * Derives judgments from clicks. Users scan results from the top, so a click depends on the rank of a document as well as on
 * its relevance.
 *
 * A log that has searches without a click, too, and enough searches of the same queries, says what was shown in vain: its documents are
 * judged by `position-model.ts`. Other logs are judged by the simplified dynamic Bayesian network of Chapelle and Zhang (WWW 2009,
 * section 3.2), which only needs counts:
 *
 * - All documents at or above the lowest click of a search were *examined*. Documents below it are unknown.
 * - The lowest click *satisfied* the user, since the search ended there. If the log has dwell times, exactly the clicks of
 *   30 seconds or more satisfied the user (Fox and others, TOIS 2005).
 * - A document's relevance for a query is the fraction of its examinations in which it satisfied the user.
 *
 * A document that the user skipped for a lower one thus counts as not relevant (Joachims's "click > skip above", KDD 2002), so that
 * any other order looks better than the one that was shown. A document below the lowest click does not count at all. One bias remains
 * in both: only documents that were shown can be judged.
 */
import { searchKey } from '../../dedupe.ts'
import type { Query } from '../../types.ts'
import { positionModel } from './position-model.ts'

export interface Click {
  readonly docid: string
  /** The dwell time. */
  readonly seconds?: number
}

/** One logged search of a user. */
export interface ClickedSearch {
  readonly query: Query
  /** The docids shown to the user, best first. */
  readonly shown: readonly string[]
  readonly clicks: readonly Click[]
}

export interface ClickJudgments {
  /**
   * Each query once, in the order of its first search. Queries without qid are numbered from `c1` (`cc1` if the log contains
   * `c1`).
   */
  readonly queries: readonly (Query & { readonly qid: string })[]
  /** 1 for relevant, 0 for examined but not relevant. Queries without a relevant document are omitted. */
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Number of searches without a click on a shown document. */
  readonly unclicked: number
  /** How often users look at each rank, from the first, which has 1. Absent if the log says too little. */
  readonly examination?: readonly number[]
}

/** The shortest dwell time of a satisfied user. */
const satisfiedSeconds = 30

/** The lowest relevance of a document that is judged relevant. */
const leastRelevance = 0.5

/** With fewer searches of queries that were searched as often as this, ranks cannot be told from documents. Querent's values. */
const [leastSearches, leastRepeated] = [100, 3]

/** A search of a query: what was shown, each document once, and what was clicked of it. */
interface Searched {
  readonly docids: readonly string[]
  readonly clicked: readonly Click[]
}

/** How often a document was examined, and how often it satisfied the user. */
interface Counts {
  readonly examined: number
  readonly satisfied: number
}

export interface ClickOptions {
  /**
   * If dwell times are missing, count every click as satisfying, not only the lowest. For questions that need several
   * documents: their users continue after a useful document. Default: false, the paper's rule.
   */
  readonly everyClick?: boolean | undefined
}

/**
 * Applies the rule above. Searches with the same qid belong to one query. Without qid, the same words after the same
 * conversation do.
 */
export function judgmentsOfClicks(
  searches: Iterable<ClickedSearch>,
  { everyClick = false }: ClickOptions = {},
): ClickJudgments {
  const byQuery = new Map<string, { readonly query: Query; readonly searched: Searched[] }>()
  let unclicked = 0
  for (const { query, shown, clicks } of searches) {
    const docids = [...new Set(shown)]
    const clicked = clicks.filter(({ docid }) => docids.includes(docid))
    if (clicked.length === 0) unclicked++
    const key = query.qid ?? JSON.stringify([searchKey(query.text), query.history])
    const entry = byQuery.get(key) ?? { query, searched: [] }
    byQuery.set(key, entry)
    entry.searched.push({ docids, clicked })
  }
  const queries = [...byQuery.values()].filter(({ searched }) =>
    searched.some(({ clicked }) => clicked.length > 0),
  )
  const repeated = queries.filter(({ searched }) => searched.length >= leastRepeated)
  const isEnough = repeated.reduce((sum, { searched }) => sum + searched.length, 0) >= leastSearches
  const model =
    unclicked > 0 && isEnough ? positionModel(queries.map(({ searched }) => searched.map(listOf))) : undefined
  const usedQids = new Set(queries.map(({ query }) => query.qid))
  const judged = queries.map(({ query, searched }, place) => {
    const relevance = model?.relevance[place] ?? satisfaction(searched, everyClick)
    return {
      query: { ...query, qid: query.qid ?? newQid(place + 1) },
      grades: new Map(Array.from(relevance, ([docid, one]) => [docid, one >= leastRelevance ? 1 : 0])),
    }
  })
  const useful = judged.filter(({ grades }) => [...grades.values()].includes(1))
  return {
    queries: useful.map(({ query }) => query),
    qrels: new Map(useful.map(({ query, grades }) => [query.qid, grades])),
    unclicked,
    ...(model && { examination: model.examination }),
  }

  /** Skips qids that the log already uses. */
  function newQid(number: number): string {
    let qid = `c${number}`
    while (usedQids.has(qid)) qid = `c${qid}`
    return qid
  }
}

/** What the position-based model reads. Every click counts, or those that satisfied if the log has dwell times. */
const listOf = ({ docids, clicked }: Searched) => ({ docids, clicked: satisfying(clicked, undefined) })

/** The share of its examinations in which each document satisfied the user. */
function satisfaction(searched: readonly Searched[], everyClick: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, Counts>()
  for (const { docids, clicked } of searched) {
    const lowest = Math.max(-1, ...clicked.map(({ docid }) => docids.indexOf(docid)))
    const satisfied = satisfying(clicked, everyClick ? undefined : docids[lowest])
    for (const docid of docids.slice(0, lowest + 1)) {
      const { examined, satisfied: before } = counts.get(docid) ?? { examined: 0, satisfied: 0 }
      counts.set(docid, { examined: examined + 1, satisfied: before + (satisfied.has(docid) ? 1 : 0) })
    }
  }
  return new Map(Array.from(counts, ([docid, { examined, satisfied }]) => [docid, satisfied / examined]))
}

/** @param only the satisfying click if dwell times are missing; if absent, every click satisfies */
function satisfying(clicked: readonly Click[], only: string | undefined): ReadonlySet<string> {
  if (clicked.every(({ seconds }) => seconds === undefined))
    return new Set(only === undefined ? clicked.map(({ docid }) => docid) : [only])
  const long = clicked.filter(({ seconds = 0 }) => seconds >= satisfiedSeconds)
  return new Set(long.map(({ docid }) => docid))
}
