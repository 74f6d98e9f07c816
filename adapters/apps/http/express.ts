/**
 * Search in Express, 5 and 4: a route to mount, and a middleware for handlers of one's own. Express itself is not imported;
 * its types (`@types/express`) are needed by whoever compiles.
 */
import type { NextFunction, Request, Response } from 'express'
import { parseConfig } from '../../../src/config.ts'
import { type BoundSearch, type BoundSearchOptions, createBoundSearch } from './bound-search.ts'
import { sendResponse, webResponse } from './node-request.ts'
import { isPath, ownPath, type SearchEndpointOptions } from './options.ts'
import { createRespond } from './respond.ts'

export type { BoundSearch, BoundSearchOptions } from './bound-search.ts'

declare global {
  namespace Express {
    interface Request {
      /** There where `withQuerent` stands before. */
      querent: BoundSearch
    }
  }
}

type Handler = (request: Request, response: Response, next: NextFunction) => void

export interface SearchRouteOptions extends SearchEndpointOptions<Request> {
  /** The one path that is answered, below where the route is mounted; others go on. Default: `/`. */
  readonly path?: string | undefined
}

/**
 * The search endpoint: `app.use('/search', searchRoute({ optimizer }))`, or as the handler of a route,
 * `app.all('/search', searchRoute({ optimizer }))`. See `searchHandler` for what it answers. A body may have been parsed
 * before or not.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchRoute({ path = '/', ...options }: SearchRouteOptions): Handler {
  parseConfig(ownPath, path, 'searchRoute: path')
  const respond = createRespond(options, 'searchRoute')
  const route: Handler = (request, response, next) => {
    const { originalUrl, body } = request
    if (!isPath(request.path, path) && !isHandlerOf(request, route)) return next()
    webResponse((asked) => respond(asked, request), request, response, { url: originalUrl, body })
      .then((answer) => sendResponse(answer, response))
      .catch(next)
  }
  return route
}

/** Whether Express has matched the path already. `route` may be that of a handler which has passed the request on. */
function isHandlerOf({ route }: Request, handler: Handler): boolean {
  const stack: readonly { readonly handle: unknown }[] = route?.stack ?? []
  return stack.some(({ handle }) => handle === handler)
}

/**
 * Gives the handlers after it `request.querent.search(…)`, which searches for the caller and ends when the client goes.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function withQuerent(options: BoundSearchOptions<Request>): Handler {
  const bind = createBoundSearch(options, 'withQuerent')
  return (request, response, next) => {
    request.querent = bind(request, response)
    next()
  }
}
