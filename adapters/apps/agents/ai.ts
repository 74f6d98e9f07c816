/**
 * A search as a tool of the AI SDK, and its re-ranking models as re-rankers. The package `ai` is not needed.
 *
 * @module querent/ai
 */
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { toError } from '../../../src/errors.ts'
import { problemOfError } from '../http/problem.ts'
import { describeSearch, failureText, queryOf, type SearchToolOptions, toolShape } from './search-tool.ts'
import { searchResult } from './tool-results.ts'
import { type FoundBySearch, type SearchInput, searchInput } from './tool-schemas.ts'

export {
  type AiRerankerOptions,
  type AiRerankingModel,
  aiReranker,
} from '../../rerank/ai-sdk.ts'
export type { SearchToolOptions } from './search-tool.ts'
export type { FoundBySearch, SearchInput } from './tool-schemas.ts'

/** A tool in the form of the AI SDK. */
export interface SearchTool {
  readonly description: string
  readonly inputSchema: z.ZodType<SearchInput>
  readonly execute: (
    input: SearchInput,
    options: { readonly abortSignal?: AbortSignal },
  ) => Promise<FoundBySearch>
}

/**
 * Makes a tool for `tools` of `generateText` and `streamText`. A call whose generation is aborted ends its search. If a search
 * fails, the tool throws an error without the words of backends, which the model reads; the error itself is its cause.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function searchTool(options: SearchToolOptions): SearchTool {
  const settings = parseConfig(z.strictObject(toolShape), options, 'searchTool')
  return {
    description: describeSearch(settings.about),
    inputSchema: searchInput(settings),
    async execute(input, { abortSignal: signal }) {
      const query = queryOf(input)
      try {
        const wanted = { signal, answer: false, exclude: input.exclude ?? undefined, documents: true }
        const found = await settings.optimizer.search(query, wanted)
        return searchResult(found, settings.maxText).structuredContent
      } catch (thrown) {
        signal?.throwIfAborted()
        const problem = problemOfError(toError(thrown), query.filter !== undefined)
        throw new Error(failureText(problem), { cause: thrown })
      }
    },
  }
}
