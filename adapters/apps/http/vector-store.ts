/**
 * `POST /v1/vector_stores/{id}/search` in OpenAI's protocol (`VectorStores.search` of its clients). The server has one index,
 * which every id means.
 */
import { z } from 'zod'
import type { Optimizer } from '../../../src/optimizer.ts'
import type { Document } from '../../../src/types.ts'
import { count, oneObject, queryText } from './kinds.ts'
import { postJson } from './post-json.ts'
import { scoredHits } from './scored-hits.ts'

/** Whether a path is that of the search of a vector store. */
export const isVectorStoreSearch = (pathname: string): boolean =>
  /^\/v1\/vector_stores\/[^/]+\/search$/.test(pathname)

const number = z.number('must be a number').min(0, 'must be 0 or more').max(1, 'must be 1 or less')

/** The body of a request. */
export const vectorStoreRequest = z.object(
  {
    query: z.union(
      [
        queryText,
        z
          .array(queryText)
          .length(1)
          .transform(([only]) => only!),
      ],
      { error: ({ input }) => (input === undefined ? 'is missing' : 'must be one text') },
    ),
    max_num_results: count(50).nullish(),
    // They would be lost: the retrievers take filters in their own language.
    filters: z
      .null('are not taken here: POST /search takes filters in the language of the engine')
      .optional(),
    ranking_options: z.object({ score_threshold: number.nullish() }).nullish(),
  },
  oneObject,
)

export interface ServedSearchOptions {
  /** Its hits have their documents. */
  readonly optimizer: Pick<Optimizer, 'search'>
  /** Bytes of a body. Default: 65,536. */
  readonly limit?: number
  /** Called with the error of a request that failed here. */
  readonly onError?: (error: Error) => void
}

/** Whether the query is rewritten and the hits are re-ranked is the policy's decision: `rewrite_query` and `ranker` are ignored. */
export const vectorStoreHandler = ({ optimizer, limit = 65_536, onError }: ServedSearchOptions) =>
  postJson({
    purpose: 'searching a vector store',
    schema: vectorStoreRequest,
    limit,
    onError,
    async answer({ query, max_num_results, ranking_options }, signal) {
      const k = max_num_results ?? 10
      const { hits, trace } = await optimizer.search({ text: query, k }, { signal, answer: false })
      return {
        object: 'vector_store.search_results.page',
        search_query: trace.subQueries.map(({ text }) => text),
        data: scoredHits(hits, ranking_options?.score_threshold ?? 0).map(({ hit, score }) => ({
          file_id: hit.docid,
          filename: hit.document?.title ?? hit.docid,
          score,
          attributes: attributesOf(hit.document),
          content: [{ type: 'text', text: hit.document?.text ?? '' }],
        })),
        has_more: false,
        next_page: null,
      }
    },
  })

/** OpenAI's limits: 16 texts, numbers and booleans; texts of 512 characters, names of 64. */
function attributesOf(document: Document | undefined): Record<string, string | number | boolean> | null {
  const fitting: [string, string | number | boolean][] = []
  for (const [name, value] of Object.entries(document?.metadata ?? {})) {
    if (name.length > 64) continue
    if (typeof value === 'string') fitting.push([name, value.slice(0, 512)])
    else if (typeof value === 'number' || typeof value === 'boolean') fitting.push([name, value])
  }
  return fitting.length === 0 ? null : Object.fromEntries(fitting.slice(0, 16))
}
