/**
 * Search over HTTP for everything that uses the web's `Request` and `Response`: Hono, Bun, Deno, Workers, Next.js. Neither this
 * file nor its imports use Node's modules.
 *
 * @module querent/fetch
 */
import { parseConfig } from '../../../src/config.ts'
import { asAsked } from './json-response.ts'
import { isPath, ownPath, type SearchEndpointOptions } from './options.ts'
import { createPlayground, type PlaygroundOptions } from './playground.ts'
import { problem, problemResponse } from './problem.ts'
import { createRespond } from './respond.ts'

export type { AnsweredHit, SearchAnswer } from './answer.ts'
export type { GuardOptions, HostOptions } from './guard.ts'
export type { SearchEndpointOptions, Searcher, SearcherOf } from './options.ts'
export type { SearchParameters } from './parameters.ts'
export type { PlaygroundOptions } from './playground.ts'
export type { Problem, WrongPart } from './problem.ts'
export type { FoundHit, SearchEvent } from './stream.ts'

export interface SearchHandlerOptions extends SearchEndpointOptions<Request> {
  /** The only path that the handler answers. Other paths get a 404. Default: `/search`. */
  readonly path?: string | undefined
}

/**
 * Creates the search handler. It answers `GET /search?q=…&k=…` and `POST /search`, whose body is `SearchParameters` in JSON. The
 * answer is a `SearchAnswer`. With `accept: application/x-ndjson` or `?stream=1` it is one line for each `SearchEvent`. The
 * answer to a failed request is a `Problem`. The handler never rejects. If the request is aborted, its search ends.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchHandler({
  path = '/search',
  ...options
}: SearchHandlerOptions): (request: Request) => Promise<Response> {
  parseConfig(ownPath, path, 'searchHandler: path')
  return onlyAt(path, createRespond(options, 'searchHandler'))
}

export interface PlaygroundHandlerOptions extends PlaygroundOptions<Request> {
  /** The only path that the handler answers. Other paths get a 404. Default: `/playground`. */
  readonly path?: string | undefined
}

/**
 * Creates the handler of a page to look at searches: what was decided and why, what each leg found, what share each list has in
 * each hit, what re-ranking moved, the answer while it is written, and times. The page searches by POST to its own path. It
 * loads nothing from elsewhere. By default it answers only under the names of this machine.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function playgroundHandler({
  path = '/playground',
  ...options
}: PlaygroundHandlerOptions): (request: Request) => Promise<Response> {
  parseConfig(ownPath, path, 'playgroundHandler: path')
  return onlyAt(path, createPlayground(options, 'playgroundHandler'))
}

/** Answers one path. */
function onlyAt(
  path: string,
  respond: (request: Request, context: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (isPath(pathname, path)) return respond(request, request)
    const nothing = problem('not-found', `There is nothing at ${pathname}: try ${path}`)
    return asAsked(request, problemResponse(nothing))
  }
}
