/** A page before the proxy that lists its latest searches and explains each of them. */
import { z } from 'zod'
import { count, parseConfig } from '../../../src/config.ts'
import { type Observer, type SearchReport, said } from '../../../src/observe.ts'
import { failedPrompts } from '../../../src/trace.ts'
import { answerOf, type SearchAnswer } from '../http/answer.ts'
import { createGuard, type GuardOptions, guardShape } from '../http/guard.ts'
import { jsonResponse } from '../http/json-response.ts'
import { pageResponse } from '../http/page-response.ts'
import { problem, problemResponse } from '../http/problem.ts'
import { readOnly } from '../http/read-only.ts'
import { pathOf } from './route.ts'

export interface InspectOptions extends GuardOptions {
  /** How many searches are kept in memory. Default: 100. */
  readonly searches?: number | undefined
}

/** The answer to `?after=<id>`. */
export interface RecentSearches {
  /** The id of the latest search, 0 before the first. Smaller than `after` if the proxy was started again. */
  readonly last: number
  /** Those that came after it, the latest first. */
  readonly searches: readonly RecentSearch[]
}

export interface Inspect {
  readonly observe: Observer
  /** The answer for the URL of the page; `undefined` for all others. Never rejects. */
  answer(url: string): ((request: Request) => Promise<Response>) | undefined
}

const schema = z.strictObject({ ...guardShape, searches: count.default(100) })

export const inspectPath = '/_querent/inspect'

/** @throws QuerentError `bad-config` that names the wrong option */
export function createInspect(options: InspectOptions): Inspect {
  const { searches, ...guard } = parseConfig(schema, options, 'proxy: inspect')
  const recent = recentSearches(searches)
  const refuse = createGuard(guard)

  async function respond(request: Request): Promise<Response> {
    return refuse(request) ?? readOnly(request, () => read(new URL(request.url).searchParams))
  }

  function read(parameters: URLSearchParams): Response | Promise<Response> {
    const [after, id] = [parameters.get('after'), parameters.get('id')]
    if (after !== null) return jsonResponse(recent.after(Number(after)) satisfies RecentSearches)
    if (id === null) return pageResponse({ kind: 'proxy' })
    const found = recent.find(Number(id))
    if (found !== undefined) return jsonResponse(found)
    return problemResponse(problem('not-found', 'The proxy no longer keeps this search'))
  }

  return {
    observe: recent.observe,
    answer: (url) => (pathOf(url) === inspectPath ? respond : undefined),
  }
}

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
      const answer =
        trace &&
        answerOf(
          { trace, hits, failedPrompts: failedPrompts(trace) },
          { documents: false, details: true, explain: true },
        )
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
