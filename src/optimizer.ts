/** The optimizer: what searches are made with, checked once, and its searches. */
import { z } from 'zod'
import { rankScore } from '../fusion/rank-score.ts'
import { none } from '../policies/none.ts'
import { type Clock, systemClock } from './clock.ts'
import { count, having, milliseconds, parseConfig } from './config.ts'
import type { Reranker } from './rerank/rerank.ts'
import { openScope } from './scope.ts'
import { type SearchOptions, search } from './search.ts'
import type { FindDocuments, Policy } from './tools.ts'
import type { ChatModel, Fusion, Query, Retriever, SearchResult } from './types.ts'

export interface OptimizerOptions {
  /** Where to search: at least one; names must differ. */
  readonly retrievers: readonly Retriever[]
  /** What decides. Default: `none()`, the query as it is. */
  readonly policy?: Policy | undefined
  /** How lists are merged. Default: `rankScore()`. */
  readonly fusion?: Fusion | undefined
  /** Score normalisation before the fusion, a name of `fusion/normalize`. Default: the method's own. */
  readonly norm?: string | undefined
  /** The chat model that serves every prompt without one of its own. */
  readonly chat?: ChatModel | undefined
  /** Prompt name → the chat model that serves it. */
  readonly models?: Readonly<Record<string, ChatModel>> | undefined
  /** Orders the fused hits anew, after any policy. Default: none, the fused order stays. */
  readonly rerank?: Reranker | undefined
  /**
   * Finds the texts that policies and re-ranking read, where hits come without them. Default: hits bring their own
   * documents, or there are none.
   */
  readonly documents?: FindDocuments | undefined
  /** Hits a search returns. Default: 10. */
  readonly k?: number | undefined
  /** Hits a leg may have, whatever `k` is. Default: 100. */
  readonly depth?: number | undefined
  /** Milliseconds for a whole search. Default: 5000. */
  readonly timeout?: number | undefined
  /** Milliseconds for a prompt, repair included. Default: 3000. */
  readonly chatTimeout?: number | undefined
  /** Milliseconds a retriever has for a request. Default: 2000. */
  readonly legTimeout?: number | undefined
  /** Milliseconds a retriever has for the query as it is. Default: `legTimeout`. */
  readonly originalTimeout?: number | undefined
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock | undefined
}

export interface Optimizer {
  /**
   * Searches. Never rejects because of a rewriter, a sub-query or one of several backends: then the original query's
   * results are returned, and `trace.fallback` and `trace.partial` say so.
   *
   * @throws the retriever's own error when the original query failed on every retriever; the caller's reason when the
   * caller aborted; QuerentError `bad-config` when the query is not one.
   */
  search(query: Query | string, options?: SearchOptions): Promise<SearchResult>
  /** How many answers of backends came when nobody waited for them any more. */
  readonly dropped: number
  /** Closes the retrievers. */
  close(): Promise<void>
}

const optionsSchema = z.strictObject({
  retrievers: z
    .array(having<Retriever>('a retriever', 'retrieve'))
    .min(1)
    .refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'two retrievers have the same name',
    ),
  policy: having<Policy>('a policy', 'run').optional(),
  fusion: having<Fusion>('a fusion method', 'fuse').optional(),
  norm: z.string().optional(),
  chat: having<ChatModel>('a chat model', 'complete').optional(),
  models: z.record(z.string(), having<ChatModel>('a chat model', 'complete')).default({}),
  rerank: having<Reranker>('a re-ranker', 'rerank').optional(),
  documents: z.custom<FindDocuments>((value) => typeof value === 'function', 'must be a function').optional(),
  k: count.default(10),
  depth: count.default(100),
  timeout: milliseconds.default(5000),
  chatTimeout: milliseconds.default(3000),
  legTimeout: milliseconds.default(2000),
  originalTimeout: milliseconds.optional(),
  clock: having<Clock>('a clock', 'now', 'after').optional(),
})

/** What is more than this is left behind: a trace has room for what it knows. */
const querySchema = z.object({
  qid: z.string().optional(),
  text: z.string(),
  history: z.array(z.object({ role: z.enum(['user', 'agent']), text: z.string() })).optional(),
  filter: z.unknown().optional(),
  k: count.optional(),
})

/**
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function createOptimizer(options: OptimizerOptions): Optimizer {
  const { k: usual, chat, models, ...settings } = parseConfig(optionsSchema, options, 'createOptimizer')
  const { policy = none(), fusion = rankScore(), clock = systemClock } = settings
  const { retrievers, timeout, legTimeout } = settings
  let dropped = 0
  const plan = {
    ...{ ...settings, policy, fusion, clock },
    originalTimeout: settings.originalTimeout ?? legTimeout,
    modelFor: (prompt: string) => models[prompt] ?? chat,
    onDropped: () => void dropped++,
  }

  return {
    async search(asked, { k: most, ...watched } = {}) {
      const query = parseConfig(
        querySchema,
        typeof asked === 'string' ? { text: asked } : asked,
        'search',
      ) as Query
      const k = parseConfig(count, most ?? query.k ?? usual, 'search: k')
      const scope = openScope(clock, { parent: watched.signal, ms: timeout, what: 'The search' })
      try {
        return await search(query, plan, { ...watched, k, scope })
      } finally {
        scope.end()
      }
    },
    get dropped() {
      return dropped
    },
    async close() {
      await Promise.all(retrievers.map((retriever) => retriever.close?.()))
    },
  }
}
