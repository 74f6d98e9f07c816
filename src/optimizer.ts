/** The optimizer: what searches are made with, checked once, and its searches. */
import { z } from 'zod'
import { rankScore } from '../fusion/rank-score.ts'
import { none } from '../policies/none.ts'
import { type Budget, budgetOf, budgetSchema } from './budget.ts'
import { checkPrompts, checkTexts, noTexts, notServed } from './check-setup.ts'
import { count, having, milliseconds, parseConfig, turns } from './config.ts'
import { toError } from './errors.ts'
import { type Observer, watchSearch } from './observe.ts'
import type { Policy } from './policy.ts'
import type { Reranker } from './reranker.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { openDeadline } from './runtime/deadline.ts'
import { type SearchOptions, search } from './search.ts'
import type {
  ChatModel,
  Document,
  FindDocuments,
  Fusion,
  GivenQuery,
  Query,
  Retriever,
  SearchResult,
} from './types.ts'

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
  /**
   * What a search may cost: the ceiling for policies that declare what they need, and the budget of those that declare
   * nothing. Default: no ceiling, and the defaults of `Budget`.
   */
  readonly budget?: Budget | undefined
  /** Milliseconds a retriever has for a request. Default: 2000. */
  readonly legTimeout?: number | undefined
  /** Milliseconds a retriever has for the query as it is. Default: `legTimeout`. */
  readonly originalTimeout?: number | undefined
  /** Observes all searches. */
  readonly observe?: Observer | undefined
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
  budget: budgetSchema.optional(),
  legTimeout: milliseconds.default(2000),
  originalTimeout: milliseconds.optional(),
  observe: having<Observer>('an observer').optional(),
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
  const { retrievers, legTimeout } = settings
  const budget = budgetOf(
    parseConfig(budgetSchema, policy.budget ?? {}, `Policy "${policy.name}": budget`),
    settings.budget,
  )
  const documents = settings.documents ?? finderOf(retrievers)
  let unserved: string | undefined
  const modelFor = (prompt: string): ChatModel | undefined => {
    const model = models[prompt] ?? chat
    if (model === undefined) unserved = prompt
    return model
  }
  checkPrompts(policy, modelFor)
  let hasTexts: boolean | undefined = checkTexts([policy, settings.rerank], retrievers, documents)
  let dropped = 0
  const plan = {
    ...settings,
    policy,
    budget,
    fusion,
    documents,
    clock,
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
    async search(given, { k: wanted, observe, ...options } = {}) {
      const query = parseConfig(
        querySchema,
        typeof given === 'string' ? { text: given } : given,
        'search',
      ) as Query
      const k = parseConfig(count, wanted ?? query.k ?? usual, 'search: k')
      const deadline = openDeadline(clock, { parent: options.signal, ms: budget.timeout, what: 'The search' })
      const watch = watchSearch([settings.observe, observe], { query, policy: policy.name })
      try {
        const depth = depthFor(k, plan.depth)
        const deep = depth === plan.depth ? plan : { ...plan, depth }
        const result = checked(await search(query, deep, { ...options, k, deadline, watch }))
        watch?.end({ trace: result.trace })
        return result
      } catch (thrown) {
        watch?.end({ error: toError(thrown) })
        throw thrown
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

/** Asks the retrievers that can find documents, each for what those before it did not find. */
function finderOf(retrievers: readonly Retriever[]): FindDocuments | undefined {
  const finders = retrievers.filter(({ documents }) => documents !== undefined)
  if (finders.length === 0) return undefined
  return async (docids, options) => {
    const found = new Map<string, Document>()
    for (const retriever of finders) {
      const missing = docids.filter((docid) => !found.has(docid))
      if (missing.length === 0) break
      const documents = await retriever.documents!(missing, options)
      for (const [place, docid] of missing.entries()) {
        const document = documents[place]
        if (document !== undefined) found.set(docid, document)
      }
    }
    return docids.map((docid) => found.get(docid))
  }
}
