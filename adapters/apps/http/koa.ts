/**
 * Search in Koa: an endpoint, and a middleware for your own handlers. This file imports only the types of Koa, so you need
 * `@types/koa` to compile.
 *
 * @module querent/koa
 */
import { Readable } from 'node:stream'
import type { Context, Next } from 'koa'
import { parseConfig } from '../../../src/config.ts'
import { type BoundSearch, type BoundSearchOptions, createBoundSearch } from './bound-search.ts'
import { readable, webResponse } from './node-request.ts'
import { isPath, ownPath, type SearchEndpointOptions } from './options.ts'
import { createPlayground, type PlaygroundOptions } from './playground.ts'
import { createRespond } from './respond.ts'

export type { BoundSearch, BoundSearchOptions } from './bound-search.ts'

declare module 'koa' {
  interface ExtendableContext {
    /** Set in all middleware after `withQuerent`. */
    querent: BoundSearch
  }
}

/** @inline */
type Middleware = (context: Context, next: Next) => Promise<void>

export interface SearchRouteOptions extends SearchEndpointOptions<Context> {
  /**
   * The only path that the route answers, compared with `context.path`. Other requests go on to the next middleware. Default:
   * `/search`.
   */
  readonly path?: string | undefined
}

/**
 * The search endpoint: `app.use(searchRoute({ optimizer }))`. For its answers see `searchHandler`. Works with and without a body
 * parser before it. `koa-mount` cuts its prefix off the path: below it, set `path` to the rest, such as `/`.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchRoute({ path = '/search', ...options }: SearchRouteOptions): Middleware {
  parseConfig(ownPath, path, 'searchRoute: path')
  return routeAt(path, createRespond(options, 'searchRoute'))
}

export interface PlaygroundRouteOptions extends PlaygroundOptions<Context> {
  /**
   * The only path that the route answers, compared with `context.path`. Other requests go on to the next middleware. Default:
   * `/playground`.
   */
  readonly path?: string | undefined
}

/**
 * The page to look at searches: `app.use(playgroundRoute({ optimizer }))`. See `playgroundHandler`.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function playgroundRoute({ path = '/playground', ...options }: PlaygroundRouteOptions): Middleware {
  parseConfig(ownPath, path, 'playgroundRoute: path')
  return routeAt(path, createPlayground(options, 'playgroundRoute'))
}

/** Answers one path. */
function routeAt(
  path: string,
  respond: (request: Request, context: Context) => Promise<Response>,
): Middleware {
  return async (context, next) => {
    if (!isPath(context.path, path)) return next()
    const { req, res, originalUrl } = context
    const body: unknown = Reflect.get(context.request, 'body')
    const answer = await webResponse((webRequest) => respond(webRequest, context), req, res, {
      url: originalUrl,
      body,
    })
    // The body comes first: when it is set, Koa sets a status and headers too.
    context.body = await bodyOf(answer)
    if (context.body instanceof Readable) leaveQuietly(context)
    context.status = answer.status
    for (const [name, value] of answer.headers) {
      if (name === 'set-cookie') context.append(name, value)
      else context.set(name, value)
    }
  }
}

/** Buffers a body of known length, so middleware before this one can read it. Streams the stages of a search. */
async function bodyOf(answer: Response): Promise<Buffer | Readable | null> {
  if (answer.body === null) return null
  return answer.headers.has('content-length')
    ? Buffer.from(await answer.arrayBuffer())
    : readable(answer.body)
}

/** Koa reports as an error of the application that a client leaves before a stream has ended. Clients may leave. */
function leaveQuietly(context: Context): void {
  const { onerror } = context
  context.onerror = (error: NodeJS.ErrnoException | null) => {
    if (error?.code !== 'ERR_STREAM_PREMATURE_CLOSE') onerror.call(context, error as Error)
  }
}

/**
 * Gives the middleware after it `context.querent.search(…)`, which searches for the caller and ends when the client disconnects.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function withQuerent(options: BoundSearchOptions<Context>): Middleware {
  const bind = createBoundSearch(options, 'withQuerent')
  return (context, next) => {
    context.querent = bind(context, context.res)
    return next()
  }
}
