/** The search that a middleware offers to handlers. It belongs to one request. */
import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import type { SearchOptions } from '../../../src/search.ts'
import type { GivenQuery, SearchResult } from '../../../src/types.ts'
import { clientSignal } from './node-request.ts'
import { endpointShape, type SearcherOf, searcherFor } from './options.ts'

export interface BoundSearchOptions<Context> {
  /** The searcher for all callers, or a function that returns the searcher for the caller of a request. */
  readonly optimizer: SearcherOf<Context>
}

export interface BoundSearch {
  /**
   * Searches for the caller of this request. The search ends when the client disconnects, or when your own signal aborts.
   *
   * @throws what `Optimizer.search` throws; QuerentError `aborted` if the client has disconnected
   */
  search(query: GivenQuery | string, options?: SearchOptions): Promise<SearchResult>
}

/**
 * @param where the function that received the options
 * @throws QuerentError `bad-config`
 */
export function createBoundSearch<Context>(
  options: BoundSearchOptions<Context>,
  where: string,
): (context: Context, outgoing: ServerResponse) => BoundSearch {
  parseConfig(z.strictObject({ optimizer: endpointShape.optimizer }), options, where)
  return (context, outgoing) => {
    const gone = clientSignal(outgoing)
    return {
      async search(query, searchOptions = {}) {
        const { signal } = searchOptions
        const searcher = await searcherFor(options.optimizer, context)
        return searcher.search(query, {
          ...searchOptions,
          signal: signal === undefined ? gone : AbortSignal.any([gone, signal]),
        })
      },
    }
  }
}
