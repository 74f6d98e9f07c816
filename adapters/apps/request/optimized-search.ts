/**
 * One search of an application’s, optimized: the caller’s own request at once, what the policy decides on beside it, and an
 * answer in the engine’s own shape. Whatever of ours fails, the engine’s answer to the caller’s request is what comes back.
 */

import { toError } from '../../../src/errors.ts'
import { createOptimizer, type Optimizer } from '../../../src/optimizer.ts'
import type { Hit, SearchResult, Trace, Turn } from '../../../src/types.ts'
import { compose, ownKey, pageOf } from './compose.ts'
import type { Change, Engine } from './engine.ts'
import { filterPath } from './filter-path.ts'
import { hitTexts, noTexts } from './hit-texts.ts'
import { isObject, type JsonObject } from './json.ts'
import { type Memory, rememberedChat } from './remembered-chat.ts'
import type { SearchSettings } from './settings.ts'
import { AnswerError, type SlotRetriever, slotRetriever } from './slot-retriever.ts'
import { fill } from './slots.ts'
import type { SearchCall, Understood } from './understand.ts'

export interface SearchContext {
  readonly call: SearchCall
  readonly settings: SearchSettings
  readonly memory: Memory
  /** Who asks, as one text: answers that are kept are kept for that one. */
  readonly identity: string
  /** The conversation before the words. */
  readonly history?: readonly Turn[] | undefined
  /** Whether the words were told beside the body, so that it cannot be sent as it is. */
  readonly isTold: boolean
  /** Whether the answer says what was done, under our key. */
  readonly explains: boolean
  readonly signal: AbortSignal
}

/** What comes back. */
export interface Optimized {
  /** The engine’s answer to the caller’s own request, in the form in which the application gets it. */
  readonly own: unknown
  /** Another body in its place; absent where the engine’s own is what the caller gets. */
  readonly body?: JsonObject
  /** What was done; absent where it failed before there was anything to tell. */
  readonly trace?: Trace
  /** Why the answer is the engine’s to the query as it is, where something failed. */
  readonly error?: Error
}

/** @throws what the application would have got without us: the client’s or the connection’s own error */
export async function optimizedSearch(
  understood: Understood,
  engine: Engine,
  context: SearchContext,
): Promise<Optimized> {
  const { settings, call, signal: caller, explains } = context
  const start = performance.now()
  const { page } = understood
  const { reads } = settings
  const texts = reads ? hitTexts(understood.body, understood.fields, settings.texts) : noTexts
  const change = changeOf(understood, texts.ask, context)
  const visible = settings.rerank === undefined ? page.size : page.depth
  const refused = new AbortController()
  const retriever = slotRetriever({ understood, engine: ending(engine, refused), texts, change, visible })
  let found: SearchResult
  try {
    const signal = AbortSignal.any([caller, refused.signal])
    const optimizer = optimizerFor(retriever, understood, context)
    found = await optimizer.search(
      { text: understood.text, ...(context.history && { history: context.history }) },
      { signal, k: page.depth },
    )
  } catch (thrown) {
    caller.throwIfAborted()
    const { first } = retriever
    if (first === undefined) return ownError(thrown)
    return { ...answered(first.body, first.own, first.isChanged), error: toError(thrown) }
  }
  const { trace, hits } = found
  const { first, others } = retriever
  const isReranked = trace.steps.some(
    (step) => step.type === 'rerank' && step.error === undefined && step.pool > 0,
  )
  if (first !== undefined && others.length === 0 && !isReranked) {
    const left = { ...answered(first.body, first.own, first.isChanged), trace }
    return explains ? { ...left, body: { ...(left.body ?? first.body), [ownKey]: summary(trace) } } : left
  }
  const body = compose({
    understood,
    original: first?.body,
    others,
    hits,
    given: (docid) => restored(retriever.given(docid)),
    took: performance.now() - start,
    ...(explains && { about }),
  })
  const full = explains ? { ...body, [ownKey]: summary(trace) } : body
  return { own: first?.own, body: filterPath(full, call.parameters.filter_path), trace }

  /** The answer of request 1, as the caller asked for it. */
  function answered(body: JsonObject, own: unknown, isChanged: boolean): { own: unknown; body?: JsonObject } {
    if (!isChanged) return { own }
    return { own, body: filterPath(pageOf(body, page, texts.restore), call.parameters.filter_path) }
  }

  function restored(given: JsonObject | undefined): JsonObject | undefined {
    return given === undefined ? undefined : texts.restore(given)
  }
}

/** How request 1 differs from the caller’s: undefined where it is the caller’s own. */
function changeOf(
  { body, slots, text, page, url }: Understood,
  ask: (body: JsonObject) => JsonObject,
  { settings, call, isTold }: SearchContext,
): Change | undefined {
  const pooled = settings.rerank !== undefined
  const filled = isTold ? fill(body, slots, text) : body
  const isFiltered = call.parameters.filter_path !== undefined
  if (!pooled && page.from === 0 && !isTold && !isFiltered && ask(filled) === filled) return undefined
  return { url, body: { ...ask(filled), from: 0, size: pooled ? page.depth : page.from + page.size } }
}

/** The optimizer of one request: nothing in it is shared with another caller but what was prepared once. */
function optimizerFor(
  retriever: SlotRetriever,
  { page }: Understood,
  { settings, memory, identity, call }: SearchContext,
): Optimizer {
  const { chat, policy, rerank, fusion, chatTimeout, legTimeout } = settings
  const { from, ...rest } = isObject(call.body) ? call.body : {}
  const key = (): string => JSON.stringify([identity, call.index, call.parameters, rest])
  return createOptimizer({
    retrievers: [retriever],
    policy,
    rerank,
    fusion,
    chat: chat && rememberedChat(chat, memory, key(), page.from === 0),
    depth: page.depth,
    chatTimeout,
    legTimeout,
    // The caller waits for the engine as long as it would have without us.
    timeout: noDeadline,
    originalTimeout: noDeadline,
  })
}

const noDeadline = 2 ** 31 - 1

/** The engine, with an end to the whole search once the caller’s own request has failed: no model need be waited for. */
function ending(engine: Engine, refused: AbortController): Engine {
  return {
    ...engine,
    async search(change, options) {
      try {
        const answer = await engine.search(change, options)
        const isRefused = change !== undefined && answer.status === 400
        if (answer.status >= 400 && !isRefused) refused.abort(new AnswerError(answer))
        return answer
      } catch (error) {
        refused.abort(error)
        throw error
      }
    },
  }
}

/** An error that the engine answered with is what the application gets; any other was thrown at it. */
function ownError(thrown: unknown): Optimized {
  if (thrown instanceof AnswerError) return { own: thrown.answer.own, error: thrown }
  throw thrown
}

const about = ({ rank, score, fused, provenance }: Hit): JsonObject => ({
  rank,
  score,
  ...(fused && { fused }),
  ...(provenance && { provenance }),
})

/** What is said of a search under our key. */
const summary = ({ policy, kind, reason, subQueries, partial, fallback, times }: Trace): JsonObject => ({
  policy,
  decision: kind,
  reason,
  subQueries,
  partial,
  ...(fallback && { fallback }),
  times,
})
