/** A page before the proxy that lists its latest searches and explains each of them. */
import { z } from 'zod'
import { count, parseConfig } from '../../../src/config.ts'
import type { Observer } from '../../../src/observe.ts'
import { createGuard, type GuardOptions, guardShape } from '../http/guard.ts'
import { jsonResponse } from '../http/json-response.ts'
import { pageResponse } from '../http/page-response.ts'
import { problem, problemResponse } from '../http/problem.ts'
import { readOnly } from '../http/read-only.ts'
import { type RecentSearch, recentSearches } from './recent.ts'
import { pathOf } from './request-url.ts'

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
