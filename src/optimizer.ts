/** The optimizer: checks once what searches are made with, and runs them. */
import { z } from 'zod'
import { normNames } from '../fusion/common/normalize.ts'
import { rankScore } from '../fusion/rank-score.ts'
import { none } from '../policies/none.ts'
import { type Budget, budgetOf, budgetSchema } from './budget.ts'
import { checkPrompts, checkTexts, noTexts, notServed } from './check-setup.ts'
import { count, having, milliseconds, parseConfig, turns } from './config.ts'
import { toError } from './errors.ts'
import { firstFound } from './first-found.ts'
import { type RecencyOptions, type RelaxOptions, recencySchema, relaxSchema } from './last-steps.ts'
import { type Observer, watchSearch } from './observe.ts'
import type { Policy } from './policy.ts'
import { checkPrices, type Prices, pricesSchema } from './prices.ts'
import type { Reranker } from './reranker.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { closeAll } from './runtime/close-all.ts'
import { openDeadline } from './runtime/deadline.ts'
import { type SearchOptions, search } from './search.ts'
import type { ChatModel, FindDocuments, Fusion, GivenQuery, Query, Retriever, SearchResult } from './types.ts'
import { withRecency } from './with-recency.ts'
import { withRelaxing } from './with-relaxing.ts'
import { withRerank } from './with-rerank.ts'

export interface OptimizerOptions {
  /** Where to search: at least one; names must differ. */
  readonly retrievers: readonly Retriever[]
  /** Decides what is searched. Default: `none()`, the original query alone. */
  readonly policy?: Policy | undefined
  /** Fuses the lists. Default: `rankScore()`. */
  readonly fusion?: Fusion | undefined
  /** Score normalization before the fusion, a name of `fusion/normalize`. Default: the method's own. */
  readonly norm?: string | undefined
  /** The chat model for every prompt that has none in `models`. */
  readonly chat?: ChatModel | undefined
  /** Chat models by prompt name. */
  readonly models?: Readonly<Record<string, ChatModel>> | undefined
  /** Re-orders the hits of the policy; see `withRerank`. Default: none, the policy's order stays. */
  readonly rerank?: Reranker | undefined
  /**
   * Leaves out hits whose `confidence` is lower, from 0 to 1. Hits without a confidence stay, for example those of a search whose
   * re-ranking failed. Default: none are left out.
   */
  readonly minConfidence?: number | undefined
  /**
   * Where a search finds nothing: one more request that gives up some of what was asked for, first how words are spelled, then how many
   * of them a document has. `nothingFound` of the result says why, and what its hits have. `true`: filters hold. Default: false.
   */
  readonly relax?: boolean | RelaxOptions | undefined
  /** New documents first, where queries ask for what is new. The last step of a search. Default: age does not count. */
  readonly recency?: RecencyOptions | undefined
  /**
   * Finds the documents that policies and re-ranking read, if hits come without them. Default: the retrievers that can find
   * documents, such as BM25 in the process, are asked.
   */
  readonly documents?: FindDocuments | undefined
  /** Hits that a search returns. Default: 10. */
  readonly k?: number | undefined
  /** The maximum number of hits of a leg. Default: 100. A search for more than 100 hits asks each leg for at least as many. */
  readonly depth?: number | undefined
  /**
   * What a search may cost: the ceiling for policies that declare what they need, and the budget of those that declare
   * nothing. Default: no ceiling, and the defaults of `Budget`.
   */
  readonly budget?: Budget | undefined
  /** What a million tokens of a chat model cost in dollars, by its name: for `usd` in traces and in `budget`. Default: none. */
  readonly prices?: Prices | undefined
  /** Milliseconds that a retriever has for a request. Default: 2000. */
  readonly legTimeout?: number | undefined
  /** Milliseconds that a retriever has for the original query. Default: `legTimeout`. */
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
   * @throws the retriever's own error if the original query failed on every retriever; the caller's reason if the caller
   * aborted; QuerentError `bad-config` for a wrong query or option, and if the first search shows that a prompt has no chat
   * model, or that hits come without the documents that are read
   */
  search(query: GivenQuery | string, options?: SearchOptions): Promise<SearchResult>
  /** How many answers of backends came after they were no longer needed. */
  readonly dropped: number
  /**
   * Closes the retrievers, the policy and the re-ranker. It ends when all have ended.
   *
   * @throws the error of the first of them that could not be closed: of the policy, then of the re-ranker, then of the retrievers
   */
  close(): Promise<void>
}

const usualDepth = 100

/** The depth of a leg in a search for `k` hits: `depth`, and at least `k` if `k` is above 100. */
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
  norm: z.enum(normNames, `must be one of ${normNames.join(', ')}`).optional(),
  chat: having<ChatModel>('a chat model', 'complete').optional(),
  models: z.record(z.string(), having<ChatModel>('a chat model', 'complete')).default({}),
  rerank: having<Reranker>('a re-ranker', 'rerank').optional(),
  fastPath: z.never('is gone: every decision of the local policy is fast now').optional(),
  sparing: z.never('is gone: every decision of the local policy is fast now').optional(),
  minConfidence: z.number().min(0).max(1).optional(),
  relax: relaxSchema.optional(),
  recency: recencySchema.optional(),
  documents: z.custom<FindDocuments>((value) => typeof value === 'function', 'must be a function').optional(),
  k: count.default(10),
  depth: count.default(usualDepth),
  budget: budgetSchema.optional(),
  prices: pricesSchema.default({}),
  legTimeout: milliseconds.default(2000),
  originalTimeout: milliseconds.optional(),
  observe: having<Observer>('an observer').optional(),
  clock: having<Clock>('a clock', 'now', 'after').optional(),
})

/** Documents that a caller does not want. Each makes the lists of a search one hit longer. */
const docids = z.array(z.string()).max(1000)

/** Other fields are dropped: a trace holds only what its schema knows. */
const querySchema = z.object({
  qid: z.string().optional(),
  text: z.string(),
  history: turns.optional(),
  filter: z.unknown().optional(),
  intent: z.string().optional(),
  k: count.optional(),
})

/**
 * @throws QuerentError `bad-config` that names every wrong option, a prompt of the policy that has no chat model, a chat model
 *   without a price beside a budget in dollars, or the retrievers whose hits come without the documents that are read
 */
export function createOptimizer(options: OptimizerOptions): Optimizer {
  const {
    k: usual,
    chat,
    models,
    rerank,
    relax,
    recency,
    ...settings
  } = parseConfig(optionsSchema, options, 'createOptimizer')
  const { policy: decider = none(), fusion = rankScore(), clock = systemClock } = settings
  const ranked = rerank === undefined ? decider : withRerank(decider, rerank)
  const policy = withRecency(withRelaxing(ranked, relax, rerank), recency)
  const { retrievers, legTimeout } = settings
  const budget = budgetOf(
    parseConfig(budgetSchema, policy.budget ?? {}, `Policy "${policy.name}": budget`),
    settings.budget,
  )
  const documents = settings.documents ?? finderIn(retrievers)
  let unserved: string | undefined
  const modelFor = (prompt: string): ChatModel | undefined => {
    const model = models[prompt] ?? chat
    if (model === undefined) unserved = prompt
    return model
  }
  checkPrompts(policy, modelFor)
  checkPrices(budget, [chat, ...Object.values(models), ...(rerank?.models ?? [])], settings.prices)
  let hasTexts: boolean | undefined = checkTexts([policy], retrievers, documents)
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

  /** Mistakes that only a search can show. */
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
    async search(
      given,
      { k: wanted, exclude: unwanted = [], observe, signal, answer, documents, onText } = {},
    ) {
      const query = parseConfig(
        querySchema,
        typeof given === 'string' ? { text: given } : given,
        'search',
      ) as Query
      const k = parseConfig(count, wanted ?? query.k ?? usual, 'search: k')
      const exclude = new Set(parseConfig(docids, unwanted, 'search: exclude'))
      const deadline = openDeadline(clock, { parent: signal, ms: budget.timeout, what: 'The search' })
      const watch = watchSearch([settings.observe, observe], { query, policy: policy.name, k })
      try {
        const depth = depthFor(k + exclude.size, plan.depth)
        const deep = depth === plan.depth ? plan : { ...plan, depth }
        const options = { signal, answer, documents, onText, k, exclude, deadline, watch }
        const run = () => search(query, deep, options)
        const result = checked(await (watch === undefined ? run() : watch.around(run)))
        watch?.end({ trace: result.trace })
        return result
      } catch (thrown) {
        watch?.end({ error: toError(thrown), ...(signal?.aborted && { aborted: true }) })
        throw thrown
      } finally {
        deadline.cancel()
      }
    },
    get dropped() {
      return dropped
    },
    close: () => closeAll([policy, ...retrievers]),
  }
}

/** Asks the retrievers that can find documents. */
function finderIn(retrievers: readonly Retriever[]): FindDocuments | undefined {
  const finders = retrievers.filter(({ documents }) => documents !== undefined)
  if (finders.length === 0) return undefined
  return firstFound(finders.map((retriever) => (docids, options) => retriever.documents!(docids, options)))
}
