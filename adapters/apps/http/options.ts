/** The options of a search endpoint, the same in all frameworks. */
import { z } from 'zod'
import { count, having } from '../../../src/config.ts'
import type { Optimizer } from '../../../src/optimizer.ts'

/** An optimizer, or a wrapper with the same `search`. */
export type Searcher = Pick<Optimizer, 'search'>

/**
 * The searcher for all callers, or a function that returns the searcher for one caller, with that caller's credentials, tenant
 * and filter. The function is called for each search, so no caller gets the searcher of another.
 */
export type SearcherOf<Context> = Searcher | ((context: Context) => Searcher | Promise<Searcher>)

/** `Context` is the request as the framework knows it: a `Request`, Express's request, Koa's context. */
export interface SearchEndpointOptions<Context> {
  /** See `SearcherOf`. A function may throw a `Response`, such as a 401, which becomes the answer. */
  readonly optimizer: SearcherOf<Context>
  /**
   * Whether a client may send a filter, which goes to the retrievers unchanged. Or a function that makes the filter from the
   * client's (`undefined` if it sent none). Default: false, which refuses a filter with 400. A filter is written in the language
   * of the engine, and could ask for more than you intend.
   */
  readonly filter?: boolean | ((asked: unknown, context: Context) => unknown) | undefined
  /**
   * Whether hits include their documents, if the optimizer's hits have them. Default: false. Indexed documents often hold more
   * than users may see. The application looks up by docid what it shows.
   */
  readonly documents?: boolean | undefined
  /** Whether clients may ask for the provenance of hits and the trace. Default: true. */
  readonly explain?: boolean | undefined
  /** The largest `k`. Default: 100. */
  readonly maxHits?: number | undefined
  /** Maximum size of a body in bytes. Default: 65,536. */
  readonly limit?: number | undefined
  /** Called with the errors of backends, and with every error whose answer has a status of 500 or above. Errors are unchanged. */
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

/** The path of an endpoint: absolute, and without a slash at its end, except `/` itself. */
export const ownPath = z.string().regex(/^\/(.*[^/])?$/, 'must begin with a slash and not end with one')

/** Whether a request has this path, with or without a slash at its end. */
export const isPath = (path: string, own: string): boolean => path === own || path === `${own}/`

/** The searcher for this caller. */
export async function searcherFor<Context>(
  optimizer: SearcherOf<Context>,
  context: Context,
): Promise<Searcher> {
  return typeof optimizer === 'function' ? optimizer(context) : optimizer
}
