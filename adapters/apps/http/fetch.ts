/**
 * Search by HTTP for whatever speaks the web's own `Request` and `Response`: Hono, Bun, Deno, Workers, Next.js. Nothing of
 * Node is imported here, nor by what is imported here.
 */
import { parseConfig } from '../../../src/config.ts'
import { asAsked } from './json-response.ts'
import { isPath, ownPath, type SearchEndpointOptions } from './options.ts'
import { problem, problemResponse } from './problem.ts'
import { createRespond } from './respond.ts'

export type { AnsweredHit, SearchAnswer } from './answer.ts'
export type { SearchEndpointOptions, Searcher, SearcherOf } from './options.ts'
export type { SearchParameters } from './parameters.ts'
export type { Place, Problem } from './problem.ts'
export type { SearchEvent } from './stream.ts'

export interface SearchHandlerOptions extends SearchEndpointOptions<Request> {
  /** The one path that is answered; others are 404. Default: `/search`. */
  readonly path?: string | undefined
}

/**
 * Makes the handler. It answers `GET /search?q=…&k=…` and `POST /search` with `SearchParameters` in JSON by a
 * `SearchAnswer`, or by a line for each `SearchEvent` where `accept: application/x-ndjson` or `?stream=1` asks for it;
 * what goes wrong is a `Problem`. It never rejects. A request that is aborted ends its search.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchHandler({
  path = '/search',
  ...options
}: SearchHandlerOptions): (request: Request) => Promise<Response> {
  parseConfig(ownPath, path, 'searchHandler: path')
  const respond = createRespond(options, 'searchHandler')
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (isPath(pathname, path)) return respond(request, request)
    const nothing = problem('not-found', `There is nothing at ${pathname}: try ${path}`)
    return asAsked(request, problemResponse(nothing))
  }
}
