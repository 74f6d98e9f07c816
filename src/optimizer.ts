/**
 * The optimizer: one search from the user's words to fused hits. The promises live here and in `fan-out.ts`: the original
 * query is searched at once, whatever else fails or is late its results are returned, and nothing goes on afterwards.
 */
import { z } from 'zod'
import { rankScore } from '../fusion/rank-score.ts'
import { none } from '../policies/none.ts'
import { type Clock, systemClock } from './clock.ts'
import { count, having, milliseconds, parseConfig } from './config.ts'
import { QuerentError, toError } from './errors.ts'
import { fanOut } from './fan-out.ts'
import type { Reranker } from './rerank/rerank.ts'
import { openScope, untilAborted } from './scope.ts'
import { createTools, type FindDocuments, type Policy, type Tools } from './tools.ts'
import { createRecorder, toFailure, toLegTrace } from './trace.ts'
import type { ChatModel, Fusion, LegTrace, Outcome, Query, Retriever, SearchResult, Step } from './types.ts'

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

export interface SearchOptions {
  /** Ends the search: every leg and the model call are aborted, and the search rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Hits wanted. Default: the query's `k`, then the optimizer's. */
  readonly k?: number | undefined
  /**
   * Told of each step of the trace when it is complete, a request to the retrievers with all of its legs. Steps that were
   * let go of may come after the search has ended. What it throws is dropped: whoever watches cannot end a search.
   */
  readonly onStep?: ((step: Step) => void) | undefined
  /**
   * Told of each leg as soon as its retriever has answered, failed or been late, whatever the others do; the step that all of
   * them make comes behind. What it throws is dropped.
   */
  readonly onLeg?: ((leg: ToldLeg) => void) | undefined
}

/** A leg, and whether it is one of the query as it is (1) or of its sub-queries (2). */
export type ToldLeg = LegTrace & { readonly request: 1 | 2 }

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
  const settings = parseConfig(optionsSchema, options, 'createOptimizer')
  const { retrievers, chat, models, depth, timeout, chatTimeout, legTimeout, norm } = settings
  const { policy = none(), fusion = rankScore(), clock = systemClock } = settings
  let dropped = 0
  const onDropped = (): void => {
    dropped++
  }

  async function search(
    asked: Query | string,
    { signal, k: most, onStep, onLeg }: SearchOptions = {},
  ): Promise<SearchResult> {
    const query = parseConfig(
      querySchema,
      typeof asked === 'string' ? { text: asked } : asked,
      'search',
    ) as Query
    const k = parseConfig(count, most ?? query.k ?? settings.k, 'search: k')
    signal?.throwIfAborted()

    const scope = openScope(clock, { parent: signal, ms: timeout, what: 'The search' })
    const asIs = {
      kind: 'as-is',
      reason: 'the policy did not ask for other words',
      subQueries: [{ text: query.text, stage: 1 }],
    } as const
    const recorder = createRecorder(clock, query, policy.name, asIs, onStep)
    const { filter } = query
    const { tools, rerank } = createTools({
      query,
      k,
      clock,
      signal: scope.signal,
      recorder,
      fusion,
      norm,
      chatTimeout,
      reranker: settings.rerank,
      findDocuments: settings.documents,
      modelFor: (prompt) => models[prompt] ?? chat,
      search: (request, subQueries) =>
        fanOut(retrievers, subQueries, {
          k: depth,
          filter,
          timeout: request === 1 ? (settings.originalTimeout ?? legTimeout) : legTimeout,
          signal: scope.signal,
          clock,
          onLeg: onLeg && ((leg) => onLeg({ request, ...toLegTrace(leg) })),
          onDropped,
        }),
    })

    try {
      const chosen = query.text.trim() === '' ? none() : policy
      const { hits, answer } = await runPolicy(chosen, query, tools, clock).then(
        async (outcome) => ({ ...outcome, hits: await rerank(outcome.hits, outcome.rewritten) }),
        async (thrown: unknown): Promise<Outcome> => {
          signal?.throwIfAborted()
          const original = await none().run(query, tools)
          recorder.fallBack(toFailure(toError(thrown)))
          return original
        },
      )
      signal?.throwIfAborted()
      scope.end()
      const outcome = { hits: hits.slice(0, k), ...(answer === undefined ? {} : { answer }) }
      return { ...outcome, trace: await recorder.finish(outcome) }
    } finally {
      scope.end()
    }
  }

  return {
    search,
    get dropped() {
      return dropped
    },
    async close() {
      await Promise.all(retrievers.map((retriever) => retriever.close?.()))
    },
  }
}

/**
 * The policy's outcome. When the search ends first, its tools let go of everything, so that it comes to an end by
 * itself, perhaps with a part of the legs; one that does not within a turn of the event loop is given up.
 *
 * @throws whatever the policy rejects with; QuerentError `no-hits` when it found nothing and the query as it is did
 */
async function runPolicy(policy: Policy, query: Query, tools: Tools, clock: Clock): Promise<Outcome> {
  const givenUp = new AbortController()
  const giveUp = (): void => void clock.after(0, () => givenUp.abort(tools.signal.reason))
  tools.signal.addEventListener('abort', giveUp, { once: true })
  try {
    // An async function, so that a policy that throws at once is no different from one that rejects.
    const running = (async () => policy.run(query, tools))()
    const outcome = await untilAborted(running, givenUp.signal)
    if (outcome.hits.length > 0) return outcome
    const original = await untilAborted(tools.original(), givenUp.signal)
    if (original.every(({ hits = [] }) => hits.length === 0)) return outcome
    throw new QuerentError('no-hits', `Policy "${policy.name}" found nothing, and the query as it is did`)
  } finally {
    tools.signal.removeEventListener('abort', giveUp)
  }
}
