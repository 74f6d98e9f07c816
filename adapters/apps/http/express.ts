/**
 * Search in Express 5 and 4: a route to mount, and a middleware for your own handlers. This file imports only the types of
 * Express, so you need `@types/express` to compile.
 *
 * @module querent/express
 */
import type { NextFunction, Request, Response } from 'express'
import { parseConfig } from '../../../src/config.ts'
import { type BoundSearch, type BoundSearchOptions, createBoundSearch } from './bound-search.ts'
import { sendResponse, webResponse } from './node-request.ts'
import { isPath, ownPath, type SearchEndpointOptions } from './options.ts'
import { createPlayground, type PlaygroundOptions } from './playground.ts'
import { createRespond } from './respond.ts'

export type { BoundSearch, BoundSearchOptions } from './bound-search.ts'

declare global {
  namespace Express {
    interface Request {
      /** Set in all handlers after `withQuerent`. */
      querent: BoundSearch
    }
  }
}

type WebRequest = globalThis.Request
type WebResponse = globalThis.Response
/** @inline */
type Handler = (request: Request, response: Response, next: NextFunction) => void

export interface SearchRouteOptions extends SearchEndpointOptions<Request> {
  /**
   * The only path that the route answers, relative to where it is mounted. Other requests go to the next handler. Default: `/`.
   */
  readonly path?: string | undefined
}

/**
 * The search endpoint. Mount it with `app.use('/search', searchRoute({ optimizer }))`, or as the handler of a route with
 * `app.all('/search', searchRoute({ optimizer }))`. For its answers see `searchHandler`. Works with and without a body parser
 * before it.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchRoute({ path = '/', ...options }: SearchRouteOptions): Handler {
  parseConfig(ownPath, path, 'searchRoute: path')
  return routeAt(path, createRespond(options, 'searchRoute'))
}

export interface PlaygroundRouteOptions extends PlaygroundOptions<Request> {
  /**
   * The only path that the route answers, relative to where it is mounted. Other requests go to the next handler. Default: `/`.
   */
  readonly path?: string | undefined
}

/**
 * The page to look at searches: `app.use('/playground', playgroundRoute({ optimizer }))`. See `playgroundHandler`.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function playgroundRoute({ path = '/', ...options }: PlaygroundRouteOptions): Handler {
  parseConfig(ownPath, path, 'playgroundRoute: path')
  return routeAt(path, createPlayground(options, 'playgroundRoute'))
}

/** Answers one path. */
function routeAt(
  path: string,
  respond: (webRequest: WebRequest, request: Request) => Promise<WebResponse>,
): Handler {
  const route: Handler = (request, response, next) => {
    const { originalUrl, body } = request
    if (!isPath(request.path, path) && !isHandlerOf(request, route)) return next()
    webResponse((webRequest) => respond(webRequest, request), request, response, { url: originalUrl, body })
      .then((answer) => sendResponse(answer, response))
      .catch(next)
  }
  return route
}

/** Whether Express has already matched the path. `route` may belong to an earlier handler that passed the request on. */
function isHandlerOf({ route }: Request, handler: Handler): boolean {
  const stack: readonly { readonly handle: unknown }[] = route?.stack ?? []
  return stack.some(({ handle }) => handle === handler)
}

/**
 * Gives the handlers after it `request.querent.search(…)`, which searches for the caller and ends when the client disconnects.
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
