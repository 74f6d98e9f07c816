/** The optimizer: what searches are made with, checked once, and its searches. */
import { z } from 'zod'
import { rankScore } from '../fusion/rank-score.ts'
import { none } from '../policies/none.ts'
import { checkPrompts, checkTexts, noTexts, notServed } from './check-setup.ts'
import { count, having, milliseconds, parseConfig, turns } from './config.ts'
import type { Reranker } from './reranker.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { openDeadline } from './runtime/deadline.ts'
import { type SearchOptions, search } from './search.ts'
import type { FindDocuments, Policy } from './tools.ts'
import type { ChatModel, Fusion, GivenQuery, Query, Retriever, SearchResult } from './types.ts'

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
   * documents.
   */
  readonly documents?: FindDocuments | undefined
  /** Hits a search returns. Default: 10. */
  readonly k?: number | undefined
  /** Hits a leg may have. Default: 100. A search for more than 100 hits asks each leg for at least as many. */
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
   * caller aborted; QuerentError `bad-config` when the query is not one, or when it shows that no chat model serves the
   * policy's prompt, or that hits come without the documents that are read.
   */
  search(query: GivenQuery | string, options?: SearchOptions): Promise<SearchResult>
  /** How many answers of backends came when nobody waited for them any more. */
  readonly dropped: number
  /** Closes the retrievers and the policy. */
  close(): Promise<void>
}

const usualDepth = 100

/** How many hits a leg may have in a search for `k` hits: `depth`, and at least `k` where more than 100 are wanted. */
export const depthFor = (k: number, depth: number = usualDepth): number =>
  k > usualDepth ? Math.max(depth, k) : depth

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
  depth: count.default(usualDepth),
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
  history: turns.optional(),
  filter: z.unknown().optional(),
  k: count.optional(),
})

/**
 * @throws QuerentError `bad-config` that names every wrong option, a prompt of the policy without a chat model, or the
 *   retrievers whose hits come without the documents that are read
 */
export function createOptimizer(options: OptimizerOptions): Optimizer {
  const { k: usual, chat, models, ...settings } = parseConfig(optionsSchema, options, 'createOptimizer')
  const { policy = none(), fusion = rankScore(), clock = systemClock } = settings
  const { retrievers, timeout, legTimeout } = settings
  let unserved: string | undefined
  const modelFor = (prompt: string): ChatModel | undefined => {
    const model = models[prompt] ?? chat
    if (model === undefined) unserved = prompt
    return model
  }
  checkPrompts(policy, modelFor)
  let hasTexts: boolean | undefined = checkTexts([policy, settings.rerank], retrievers, settings.documents)
  let dropped = 0
  const plan = {
    ...{ ...settings, policy, fusion, clock },
    originalTimeout: settings.originalTimeout ?? legTimeout,
    modelFor,
    onDropped: () => void dropped++,
  }

  /** What no option told, the first search shows. */
  function checked(result: SearchResult): SearchResult {
    const { hits, trace } = result
    if (unserved !== undefined && trace.fallback?.code === 'bad-config') throw notServed(unserved)
    if (!hasTexts && hits.length > 0) {
      hasTexts = hits.some(({ document }) => document !== undefined)
      if (!hasTexts) throw noTexts(retrievers)
    }
    return result
  }

  return {
    async search(asked, { k: most, ...watched } = {}) {
      const query = parseConfig(
        querySchema,
        typeof asked === 'string' ? { text: asked } : asked,
        'search',
      ) as Query
      const k = parseConfig(count, most ?? query.k ?? usual, 'search: k')
      const deadline = openDeadline(clock, { parent: watched.signal, ms: timeout, what: 'The search' })
      try {
        const depth = depthFor(k, plan.depth)
        return checked(
          await search(query, depth === plan.depth ? plan : { ...plan, depth }, { ...watched, k, deadline }),
        )
      } finally {
        deadline.cancel()
      }
    },
    get dropped() {
      return dropped
    },
    async close() {
      await Promise.all([policy, ...retrievers].map((one) => one.close?.()))
    },
  }
}
