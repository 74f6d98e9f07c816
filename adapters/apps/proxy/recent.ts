/** The latest searches of the proxy, in memory, for its page. */
import type { Observer, SearchReport } from '../../../src/observe.ts'
import { said } from '../drop-in/answer/outcome.ts'
import { answerOf, type SearchAnswer } from '../http/answer.ts'

/** A search in the list of the page. */
export interface RecentSearch {
  /** Counts up from 1 while the proxy runs. */
  readonly id: number
  /** When it ended, in milliseconds since 1970. */
  readonly at: number
  /** Absent for a search that passed through. */
  readonly text?: string
  readonly policy?: string
  readonly kind?: SearchAnswer['decision']['kind']
  readonly ms?: number
  /** Its outcome. Absent if the caller left. */
  readonly said?: string
}

/** Everything about one search. */
export interface FoundSearch extends SearchAnswer {
  readonly said?: string
}

/** At least so many hits are shown. */
const shownHits = 10

export interface Recent {
  readonly observe: Observer
  /** Those with a larger id, the latest first, and the largest id of all. */
  after(id: number): { readonly last: number; readonly searches: readonly RecentSearch[] }
  /** Everything about one search; `undefined` if it is no longer kept, or passed through. */
  find(id: number): FoundSearch | undefined
}

/**
 * Keeps the latest searches and forgets the others.
 *
 * @param most how many are kept
 * @param now milliseconds since 1970
 */
export function recentSearches(most: number, now: () => number = Date.now): Recent {
  const kept = new Map<number, { readonly search: RecentSearch; readonly report: SearchReport }>()
  let last = 0
  return {
    observe: {
      onSearch(report) {
        last += 1
        kept.set(last, { search: summary(last, now(), report), report })
        kept.delete(last - most)
      },
    },
    after(id) {
      const searches = [...kept.values()].map(({ search }) => search).filter((search) => search.id > id)
      return { last, searches: searches.reverse() }
    },
    find(id) {
      const { trace, search, outcome } = kept.get(id)?.report ?? {}
      // The proxy fuses more than the page of the caller, so that its next pages fit.
      const hits = trace?.outcome.hits.slice(0, Math.max(shownHits, search?.k ?? 0)) ?? []
      const answer = trace && answerOf({ trace, hits }, { documents: false, details: true, explain: true })
      return answer && { ...answer, ...(outcome && { said: said(outcome) }) }
    },
  }
}

function summary(id: number, at: number, report: SearchReport): RecentSearch {
  const { search, trace, outcome } = report
  return {
    id,
    at,
    ...(search && { text: search.query.text, policy: search.policy }),
    ...(trace && { kind: trace.kind, ms: trace.times.total }),
    ...(outcome && { said: said(outcome) }),
  }
}
