/**
 * Judgments from clicks. Users look from the top down and click what looks right, so that a click alone says as much about a
 * place as about a document. The rule here is the simplified dynamic Bayesian network of Chapelle and Zhang (WWW 2009, section
 * 3.2), which needs nothing but counting:
 *
 * - What is shown at or above the lowest click of a search was *examined*; of what is below it nothing is known.
 * - The lowest click *satisfied*: the search ended there. Where it is known how long users stayed, those clicks satisfied that
 *   held them 30 seconds or more (Fox and others, TOIS 2005), and no other.
 * - A document's relevance for a query is the share of the searches that examined it in which it satisfied.
 *
 * A document that was passed over for a lower one thus counts as not relevant (Joachims's "click > skip above", KDD 2002), and
 * one that nobody scrolled to does not count at all. What remains is that only what was shown can be judged: documents that no
 * search brought up look as if they were not there.
 */
import { searchKey } from '../../dedupe.ts'
import type { Query } from '../../types.ts'

export interface Click {
  readonly docid: string
  /** How long the user stayed. */
  readonly seconds?: number
}

/** One search of a user. */
export interface ClickedSearch {
  readonly query: Query
  /** The docids as they were shown, from the top. */
  readonly shown: readonly string[]
  readonly clicks: readonly Click[]
}

export interface ClickJudgments {
  /** Each once, in the order of their first searches; qids that were not given count from `c1` (`cc1` where that was given). */
  readonly queries: readonly (Query & { readonly qid: string })[]
  /** 1 for relevant, 0 for examined and not relevant. Queries without any relevant document are left out. */
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Searches without a click on anything that was shown: they say nothing. */
  readonly unclicked: number
}

/** Satisfied users stay so long. */
const satisfiedSeconds = 30

/** The least relevance of a document that is judged relevant. */
const leastRelevance = 0.5

/** How often a document was examined, and how often it satisfied. */
interface Counts {
  examined: number
  satisfied: number
}

export interface ClickOptions {
  /**
   * Whether, where stays are not known, every click satisfied and not only the lowest: for questions that one document does
   * not answer, whose users go on to the next one because the first was of use. Default: false, the rule as it is.
   */
  readonly everyClick?: boolean | undefined
}

/** Judges by the rule above. Searches of the same words after the same conversation are of one query, or those of one qid. */
export function judgmentsOfClicks(
  searches: Iterable<ClickedSearch>,
  { everyClick = false }: ClickOptions = {},
): ClickJudgments {
  const found = new Map<string, { readonly query: Query; readonly counts: Map<string, Counts> }>()
  let unclicked = 0
  for (const { query, shown, clicks } of searches) {
    const docids = [...new Set(shown)]
    const clicked = clicks.filter(({ docid }) => docids.includes(docid))
    const lowest = Math.max(-1, ...clicked.map(({ docid }) => docids.indexOf(docid)))
    if (lowest === -1) {
      unclicked++
      continue
    }
    const key = query.qid ?? JSON.stringify([searchKey(query.text), query.history])
    const known = found.get(key) ?? { query, counts: new Map<string, Counts>() }
    found.set(key, known)
    const satisfied = satisfying(clicked, everyClick ? undefined : docids[lowest]!)
    for (const docid of docids.slice(0, lowest + 1)) {
      const { examined, satisfied: before } = known.counts.get(docid) ?? { examined: 0, satisfied: 0 }
      known.counts.set(docid, {
        examined: examined + 1,
        satisfied: before + (satisfied.has(docid) ? 1 : 0),
      })
    }
  }
  const given = new Set([...found.values()].map(({ query }) => query.qid))
  const judged = [...found.values()].map(({ query, counts }, place) => ({
    query: { ...query, qid: query.qid ?? newQid(place + 1) },
    grades: new Map([...counts].map(([docid, count]) => [docid, gradeOf(count)])),
  }))
  const useful = judged.filter(({ grades }) => [...grades.values()].includes(1))
  return {
    queries: useful.map(({ query }) => query),
    qrels: new Map(useful.map(({ query, grades }) => [query.qid, grades])),
    unclicked,
  }

  /** Some queries may have been given one like it. */
  function newQid(number: number): string {
    let qid = `c${number}`
    while (given.has(qid)) qid = `c${qid}`
    return qid
  }
}

/** @param only the click that satisfied where stays are not known; without it all did */
function satisfying(clicked: readonly Click[], only: string | undefined): ReadonlySet<string> {
  if (clicked.every(({ seconds }) => seconds === undefined))
    return new Set(only === undefined ? clicked.map(({ docid }) => docid) : [only])
  const long = clicked.filter(({ seconds = 0 }) => seconds >= satisfiedSeconds)
  return new Set(long.map(({ docid }) => docid))
}

const gradeOf = ({ examined, satisfied }: Counts): number => (satisfied / examined >= leastRelevance ? 1 : 0)
