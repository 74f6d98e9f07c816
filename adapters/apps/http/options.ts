/** What a search endpoint is made with, whichever framework it stands in. */
import { z } from 'zod'
import { count, having } from '../../../src/config.ts'
import type { Optimizer } from '../../../src/optimizer.ts'

/** What searches: an optimizer, or whatever stands before one and searches as it does. */
export type Searcher = Pick<Optimizer, 'search'>

/**
 * What searches for all callers, or a function that gives what searches for this one: with its credentials, its tenant,
 * its filter. It is called for each search, so that no caller gets what belongs to another.
 */
export type SearcherOf<Context> = Searcher | ((context: Context) => Searcher | Promise<Searcher>)

/** `Context` is the request as the framework knows it: a `Request`, Express's request, Koa's context. */
export interface SearchEndpointOptions<Context> {
  /** See `SearcherOf`. A function may throw a `Response`, which is then the answer: 401, say. */
  readonly optimizer: SearcherOf<Context>
  /**
   * Whether a client may send a filter, which is passed to the retrievers as it is; or a function that makes the filter of
   * what the client sent (`undefined` where it sent none). Default: false, a filter is refused with 400, since it is written
   * in the engine's own language and could ask for more than was meant.
   */
  readonly filter?: boolean | ((asked: unknown, context: Context) => unknown) | undefined
  /**
   * Whether hits come with their documents, where the optimizer's hits have them. Default: false, since what is indexed is
   * often more than what is shown: the application looks up by docid what it shows.
   */
  readonly documents?: boolean | undefined
  /** Whether those who ask for it are told why: the hits' provenance and the trace. Default: true. */
  readonly explain?: boolean | undefined
  /** The largest `k`. Default: 100. */
  readonly maxHits?: number | undefined
  /** Bytes that a body may have. Default: 65,536. */
  readonly limit?: number | undefined
  /** Told of backends' own errors, and of all that is answered with a status of 500 or above, as they were thrown. */
  readonly onError?: ((error: Error, context: Context) => void) | undefined
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

export const endpointShape = {
  optimizer: z.union([
    having<Searcher>('an optimizer', 'search'),
    z.custom<(context: never) => Searcher>(isFunction, 'or a function that gives one'),
  ]),
  filter: z
    .union([z.boolean(), z.custom<(asked: unknown, context: never) => unknown>(isFunction)], {
      error: 'must be true, false or a function',
    })
    .default(false),
  documents: z.boolean().default(false),
  explain: z.boolean().default(true),
  maxHits: count.default(100),
  limit: count.default(65_536),
  onError: z.custom<(error: Error, context: never) => void>(isFunction, 'must be a function').optional(),
}

/** Where an endpoint stands: an absolute path without a slash at its end, but for `/` itself. */
export const ownPath = z.string().regex(/^\/(.*[^/])?$/, 'must begin with a slash and not end with one')

/** Whether a request's path is that one, be it with a slash at its end. */
export const isPath = (asked: string, own: string): boolean => asked === own || asked === `${own}/`

/** What searches for this caller. */
export async function searcherFor<Context>(
  optimizer: SearcherOf<Context>,
  context: Context,
): Promise<Searcher> {
  return typeof optimizer === 'function' ? optimizer(context) : optimizer
}
