/**
 * One search, from the user's words to fused hits. The promises live here and in `fan-out.ts`: the original query is searched
 * at once; whatever else fails or is late, its results are returned; and nothing goes on afterwards.
 */
import { none } from '../policies/none.ts'
import type { FullBudget } from './budget.ts'
import { isQuerentError, QuerentError, toError } from './errors.ts'
import { fanOut, type TimedLeg } from './fan-out.ts'
import { valuesIn } from './field-values.ts'
import type { Observer, Watch } from './observe.ts'
import type { Policy, Tools } from './policy.ts'
import type { Prices } from './prices.ts'
import { onlyHits } from './rank.ts'
import type { DocumentOf } from './reranker.ts'
import type { Clock } from './runtime/clock.ts'
import { type Deadline, onAbort, withDeadline } from './runtime/deadline.ts'
import { createTools, type SearchTools } from './tools.ts'
import { createRecorder, failedPrompts, toFailure, toLegTrace } from './trace.ts'
import type {
  ChatModel,
  FindDocuments,
  Fusion,
  Hit,
  Outcome,
  Query,
  Retriever,
  SearchResult,
} from './types.ts'

export interface SearchOptions {
  /** Ends the search: every leg and the model call are aborted, and the search rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Hits wanted. Default: the query's `k`, then the optimizer's. */
  readonly k?: number | undefined
  /**
   * Docids that are not returned, at most 1,000: documents that the caller has read. As many other hits take their place.
   * Policies may still read them, because a document can lead to the next one. Default: none.
   */
  readonly exclude?: readonly string[] | undefined
  /** `false` for a caller that cannot take an answer: policies that write one return their hits alone. Default: true. */
  readonly answer?: boolean | undefined
  /** Whether hits carry their documents, as far as they can be found. Default: only what retrievers bring. */
  readonly documents?: boolean | undefined
  /** Called with each piece of the answer as it is written. The answer of the result is the authoritative one. */
  readonly onText?: ((piece: string) => void) | undefined
  /** Observes this search, beside the optimizer's own observer. */
  readonly observe?: Observer | undefined
}

/** What a search is made with, checked already: all of it is as `OptimizerOptions` says. */
export interface SearchPlan {
  readonly retrievers: readonly Retriever[]
  readonly policy: Policy
  readonly budget: FullBudget
  readonly fusion: Fusion
  readonly norm?: string | undefined
  /** The chat model that serves a prompt. */
  readonly modelFor: (prompt: string) => ChatModel | undefined
  /** What chat models cost. */
  readonly prices: Prices
  /** Hits with a lower confidence are left out. */
  readonly minConfidence?: number | undefined
  readonly documents?: FindDocuments | undefined
  readonly depth: number
  readonly legTimeout: number
  readonly originalTimeout: number
  readonly clock: Clock
  /** Called when a backend's answer came after it was no longer needed. */
  readonly onDropped?: (() => void) | undefined
}

/** One search of a plan. */
export interface OneSearch extends Omit<SearchOptions, 'observe' | 'exclude'> {
  readonly k: number
  readonly exclude?: ReadonlySet<string>
  /** Of this search alone: it ends with a deadline, or when there are hits. The caller that opened it ends it in any case. */
  readonly deadline: Deadline
  readonly watch?: Watch | undefined
}

/**
 * @throws the retriever's own error when the original query failed on every retriever; the caller's reason when the caller
 *   aborted
 */
export async function search(query: Query, plan: SearchPlan, options: OneSearch): Promise<SearchResult> {
  const { retrievers, policy, depth, clock, onDropped, legTimeout, originalTimeout } = plan
  const {
    deadline,
    signal,
    k,
    exclude = new Set(),
    answer = true,
    documents = false,
    onText,
    watch,
  } = options
  signal?.throwIfAborted()
  watch?.start()

  const recorder = createRecorder(clock, query, policy.name, watch)
  const searchTools = createTools({
    query,
    k: k + exclude.size,
    clock,
    recorder,
    onText,
    answers: answer,
    budget: plan.budget,
    prices: plan.prices,
    signal: deadline.signal,
    fusion: plan.fusion,
    norm: plan.norm,
    modelFor: plan.modelFor,
    findDocuments: plan.documents,
    findValues(wanted, parent) {
      const limit = { parent, ms: legTimeout, what: 'What the index has in its fields' }
      return withDeadline(clock, limit, (signal) => valuesIn(retrievers, wanted, query.filter, signal))
    },
    search: (round, subQueries, filter) =>
      fanOut(retrievers, subQueries, {
        k: depth,
        filter,
        clock,
        onDropped,
        signal: deadline.signal,
        timeout: round === 0 ? originalTimeout : legTimeout,
        onLeg:
          watch &&
          ((leg) => watch.leg({ round, ...toLegTrace(leg) }, (docids) => documentsOf(leg, docids, tools))),
      }),
  })

  const { tools } = searchTools
  const chosen = query.text.trim() === '' ? none() : policy
  let hasFallenBack = false
  const outcome = await runPolicy(chosen, query, tools, deadline.signal, clock).catch(
    async (thrown: unknown): Promise<Outcome> => {
      signal?.throwIfAborted()
      const original = await none().run(query, tools)
      recorder.fallBack(toFailure(toError(thrown)))
      hasFallenBack = true
      return original
    },
  )
  signal?.throwIfAborted()
  const isLate = isQuerentError(deadline.signal.reason, 'deadline')
  const endedBy = isLate ? 'timeout' : (outcome.endedBy ?? searchTools.refused())
  const shown = withoutDocids(outcome.hits, exclude).slice(0, k)
  const { unanswered = !hasFallenBack && searchTools.isAnswered() } = outcome
  const result: Outcome = {
    ...resultOf({ ...outcome, hits: shown }, searchTools, tools, plan.minConfidence),
    ...(answer && unanswered && outcome.answer === undefined && { unanswered: true }),
    ...(endedBy && { endedBy }),
  }
  const hits = documents ? await withDocuments(result.hits, tools) : result.hits
  signal?.throwIfAborted()
  // What is still under way is abandoned: the trace waits for it to end.
  deadline.cancel()
  const trace = await recorder.finish(result)
  const failed = failedPrompts(trace)
  const confidences = shown.flatMap(({ confidence }) => confidence ?? [])
  return {
    hits,
    trace,
    ...(result.answer !== undefined && { answer: result.answer, citations: result.citations ?? [] }),
    ...(result.unanswered && { unanswered: true }),
    ...(endedBy && { endedBy }),
    ...(confidences.length > 0 && { answerable: anyOf(confidences) }),
    ...(failed.length > 0 && { failedPrompts: failed }),
    ...(result.nothingFound && { nothingFound: result.nothingFound }),
  }
}

/** The probability that at least one is relevant, as if they were independent. */
export const anyOf = (confidences: readonly number[]): number =>
  1 - confidences.reduce((none, confidence) => none * (1 - confidence), 1)

/** The hits but these, with ranks that count on. */
const withoutDocids = (hits: readonly Hit[], docids: ReadonlySet<string>): readonly Hit[] =>
  docids.size === 0 ? hits : onlyHits(hits, ({ docid }) => !docids.has(docid))

/** What the caller gets of an outcome. */
function resultOf(
  { hits, answer, citations, strategy, nothingFound }: Outcome,
  { isFound }: SearchTools,
  { answers }: Tools,
  minConfidence = 0,
): Outcome {
  return {
    hits: minConfidence === 0 ? hits : onlyHits(hits, ({ confidence = 1 }) => confidence >= minConfidence),
    ...(answer !== undefined && answers && { answer }),
    ...(citations !== undefined && { citations: [...new Set(citations)].filter(isFound) }),
    ...(strategy !== undefined && { strategy }),
    ...(nothingFound && { nothingFound }),
  }
}

/** Documents of a leg's hits: those that came with it, else those that can be found. */
async function documentsOf(
  { hits = [] }: TimedLeg,
  docids: readonly string[],
  tools: Tools,
): Promise<DocumentOf> {
  const brought = new Map(hits.map(({ docid, document }) => [docid, document]))
  const missing = docids.filter((docid) => brought.get(docid) === undefined)
  const found = missing.length === 0 ? undefined : await tools.documents(missing)
  return (docid) => brought.get(docid) ?? found?.(docid)
}

/** The hits with their documents, as far as they can be found. */
async function withDocuments(hits: readonly Hit[], tools: Tools): Promise<readonly Hit[]> {
  try {
    const documentOf = await tools.documents(hits.map(({ docid }) => docid))
    return hits.map((hit) => {
      const document = hit.document ?? documentOf(hit.docid)
      return document === undefined ? hit : { ...hit, document }
    })
  } catch {
    return hits
  }
}

/**
 * The policy's outcome. When the search ends first, its tools abandon everything, so that the policy comes to an end by
 * itself, perhaps with some of the legs; a policy that does not within a turn of the event loop is given up.
 *
 * @throws the policy's rejection; QuerentError `no-hits` when the policy found nothing and the original query did
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
    if (outcome.answer !== undefined) return { ...outcome, hits: tools.fuse(original) }
    throw new QuerentError('no-hits', `Policy "${policy.name}" found nothing, and the original query did`)
  } finally {
    leave()
  }
}
