/** The latest searches of the proxy, in memory, for its page. */
import { codeOf } from '../../../src/errors.ts'
import type { Observer, SearchReport } from '../../../src/observe.ts'
import { AnswerError } from '../drop-in/answer/engine-answer.ts'
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
  readonly partial?: boolean
  /** Why the search passed through unchanged, why the engine's own answer was returned, or why there was no answer. */
  readonly why?: string
}

/** At least so many hits are shown. */
const shownHits = 10

export interface Recent {
  readonly observe: Observer
  /** Those with a larger id, the latest first, and the largest id of all. */
  after(id: number): { readonly last: number; readonly searches: readonly RecentSearch[] }
  /** Everything about one search; `undefined` if it is no longer kept, or passed through. */
  find(id: number): SearchAnswer | undefined
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
      const { trace, search } = kept.get(id)?.report ?? {}
      // The proxy fuses more than the page of the caller, so that its next pages fit.
      const hits = trace?.outcome.hits.slice(0, Math.max(shownHits, search?.k ?? 0)) ?? []
      return trace && answerOf({ trace, hits }, { documents: false, details: true, explain: true })
    },
  }
}

function summary(id: number, at: number, report: SearchReport): RecentSearch {
  const { search, trace } = report
  const why = whyOf(report)
  return {
    id,
    at,
    ...(search && { text: search.query.text, policy: search.policy }),
    ...(trace && { kind: trace.kind, ms: trace.times.total, partial: trace.partial }),
    ...(why !== undefined && { why }),
  }
}

function whyOf({ error, aborted, passedThrough, status }: SearchReport): string | undefined {
  if (aborted === true) return 'The caller left'
  if (passedThrough !== undefined || error === undefined) return passedThrough
  // An error's own message may have addresses and credentials.
  const code = error instanceof AnswerError ? error.what : (codeOf(error) ?? error.name)
  const what = status === undefined ? 'The engine gave no answer' : "The engine's own answer was returned"
  return `${what}: ${code}`
}
