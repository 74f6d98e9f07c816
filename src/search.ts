/**
 * One search, from the user's words to fused hits. The promises live here and in `fan-out.ts`: the original query is searched
 * at once, whatever else fails or is late its results are returned, and nothing goes on afterwards.
 */

import { none } from '../policies/none.ts'
import { QuerentError, toError } from './errors.ts'
import { fanOut } from './fan-out.ts'
import type { Reranker } from './reranker.ts'
import type { Clock } from './runtime/clock.ts'
import { type Deadline, onAbort } from './runtime/deadline.ts'
import { createTools, type FindDocuments, type Policy, type Tools } from './tools.ts'
import { createRecorder, toFailure, toLegTrace } from './trace.ts'
import type { ChatModel, Fusion, LegTrace, Outcome, Query, Retriever, SearchResult, Step } from './types.ts'

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

/** What a search is made with. Checked already: all of it is as `OptimizerOptions` says. */
export interface SearchPlan {
  readonly retrievers: readonly Retriever[]
  readonly policy: Policy
  readonly fusion: Fusion
  readonly norm?: string | undefined
  /** The chat model that serves a prompt. */
  readonly modelFor: (prompt: string) => ChatModel | undefined
  readonly rerank?: Reranker | undefined
  readonly documents?: FindDocuments | undefined
  readonly depth: number
  readonly chatTimeout: number
  readonly legTimeout: number
  readonly originalTimeout: number
  readonly clock: Clock
  /** Called when a backend's answer came after nobody waited for it any more. */
  readonly onDropped?: (() => void) | undefined
}

/**
 * @param deadline of this search alone: it ends with a deadline, or when there are hits; whoever opened it ends it in any case
 * @throws the retriever's own error when the original query failed on every retriever; the caller's reason when the caller
 *   aborted
 */
export async function search(
  query: Query,
  plan: SearchPlan,
  { deadline, signal, k, onStep, onLeg }: SearchOptions & { readonly k: number; readonly deadline: Deadline },
): Promise<SearchResult> {
  const { retrievers, policy, fusion, norm, modelFor, depth, clock, onDropped } = plan
  const { chatTimeout, legTimeout, originalTimeout } = plan
  signal?.throwIfAborted()

  const asIs = {
    kind: 'as-is',
    reason: 'the policy did not ask for other words',
    subQueries: [{ text: query.text, stage: 1 }],
  } as const
  const recorder = createRecorder(clock, query, policy.name, asIs, onStep)
  // Here and elsewhere what is spread comes last: in front of other properties, it takes Node 20 up to 30 µs.
  const searchTools = createTools({
    signal: deadline.signal,
    reranker: plan.rerank,
    findDocuments: plan.documents,
    search: (request, subQueries) =>
      fanOut(retrievers, subQueries, {
        timeout: request === 1 ? originalTimeout : legTimeout,
        onLeg: onLeg && ((leg) => onLeg({ request, ...toLegTrace(leg) })),
        ...{ k: depth, filter: query.filter, signal: deadline.signal, clock, onDropped },
      }),
    ...{ query, k, clock, recorder, fusion, norm, chatTimeout, modelFor },
  })

  const { tools, rerank } = searchTools
  const chosen = query.text.trim() === '' ? none() : policy
  const { hits, answer } = await runPolicy(chosen, query, tools, deadline.signal, clock).then(
    async (outcome) =>
      plan.rerank === undefined
        ? outcome
        : { ...outcome, hits: await rerank(outcome.hits, outcome.rewritten) },
    async (thrown: unknown): Promise<Outcome> => {
      signal?.throwIfAborted()
      const original = await none().run(query, tools)
      recorder.fallBack(toFailure(toError(thrown)))
      return original
    },
  )
  signal?.throwIfAborted()
  // What is still under way is let go of: the trace waits for it. To tell nobody would take 50 µs.
  if (searchTools.isIdle) deadline.release()
  else deadline.cancel()
  const answered = answer === undefined ? undefined : { answer }
  const outcome = { hits: hits.slice(0, k), ...answered }
  return { hits: outcome.hits, trace: await recorder.finish(outcome), ...answered }
}

/**
 * The policy's outcome. When the search ends first, its tools let go of everything, so that it comes to an end by
 * itself, perhaps with a part of the legs; one that does not within a turn of the event loop is given up.
 *
 * @throws whatever the policy rejects with; QuerentError `no-hits` when it found nothing and the query as it is did
 */
async function runPolicy(
  policy: Policy,
  query: Query,
  tools: Tools,
  signal: AbortSignal,
  clock: Clock,
): Promise<Outcome> {
  let leave = (): void => {}
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(toError(signal.reason))
    leave = onAbort(signal, () => void clock.after(0, giveUp))
  })
  try {
    const outcome = await Promise.race([policy.run(query, tools), givenUp])
    if (outcome.hits.length > 0) return outcome
    const original = await Promise.race([tools.original(), givenUp])
    if (original.every(({ hits = [] }) => hits.length === 0)) return outcome
    throw new QuerentError('no-hits', `Policy "${policy.name}" found nothing, and the query as it is did`)
  } finally {
    leave()
  }
}
