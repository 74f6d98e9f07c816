/**
 * Search in Koa: an endpoint, and a middleware for handlers of one's own. Koa itself is not imported; its types
 * (`@types/koa`) are needed by whoever compiles.
 */
import type { Readable } from 'node:stream'
import type { Context, Next } from 'koa'
import { parseConfig } from '../../../src/config.ts'
import { type BoundSearch, type BoundSearchOptions, createBoundSearch } from './bound-search.ts'
import { readable, webResponse } from './node-request.ts'
import { isPath, ownPath, type SearchEndpointOptions } from './options.ts'
import { createRespond } from './respond.ts'

export type { BoundSearch, BoundSearchOptions } from './bound-search.ts'

declare module 'koa' {
  interface ExtendableContext {
    /** There where `withQuerent` stands before. */
    querent: BoundSearch
  }
}

type Middleware = (context: Context, next: Next) => Promise<void>

export interface SearchRouteOptions extends SearchEndpointOptions<Context> {
  /** The one path that is answered, as `context.path` has it; others go on. Default: `/search`. */
  readonly path?: string | undefined
}

/**
 * The search endpoint: `app.use(searchRoute({ optimizer }))`. See `searchHandler` for what it answers. A body may have been
 * parsed before or not. Below `koa-mount`, which cuts the path, `path` is what is left of it: `/`.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchRoute({ path = '/search', ...options }: SearchRouteOptions): Middleware {
  parseConfig(ownPath, path, 'searchRoute: path')
  const respond = createRespond(options, 'searchRoute')
  return async (context, next) => {
    if (!isPath(context.path, path)) return next()
    const { req, res, originalUrl } = context
    const body: unknown = Reflect.get(context.request, 'body')
    const answer = await webResponse((asked) => respond(asked, context), req, res, { url: originalUrl, body })
    // First the body: with it Koa sets status and headers of its own.
    context.body = await bodyOf(answer)
    context.status = answer.status
    for (const [name, value] of answer.headers) {
      if (name === 'set-cookie') context.append(name, value)
      else context.set(name, value)
    }
  }
}

/** A body of a known length stays one for whoever stands before, the stages of a search are passed on as they come. */
async function bodyOf(answer: Response): Promise<Buffer | Readable | null> {
  if (answer.body === null) return null
  return answer.headers.has('content-length')
    ? Buffer.from(await answer.arrayBuffer())
    : readable(answer.body)
}

/**
 * Gives the middleware after it `context.querent.search(…)`, which searches for the caller and ends when the client goes.
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
