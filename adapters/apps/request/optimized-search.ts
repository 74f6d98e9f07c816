/**
 * One search of an application’s, optimized: the caller’s own request at once, what the policy decides on beside it, and an
 * answer in the engine’s own shape. Whatever of ours fails, the engine’s answer to the caller’s request is what comes back.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../../src/clock.ts'
import { QuerentError, toError } from '../../../src/errors.ts'
import { openScope } from '../../../src/scope.ts'
import { type SearchPlan, search } from '../../../src/search.ts'
import { mostSubQueries } from '../../../src/tools.ts'
import type { Hit, SearchResult, Trace, Turn } from '../../../src/types.ts'
import { AnswerError } from './answer-error.ts'
import { compose, pageOf } from './compose.ts'
import type { Engine } from './engine.ts'
import { about, ownKey, summary } from './explanation.ts'
import { filterPath } from './filter-path.ts'
import { firstRequest } from './first-request.ts'
import { isEmpty } from './found.ts'
import { hitTexts, noTexts } from './hit-texts.ts'
import { type JsonObject, without } from './json.ts'
import { type Memory, rememberedChat } from './remembered-chat.ts'
import { resilientEngine } from './resilient-engine.ts'
import type { SearchSettings } from './settings.ts'
import { type FirstAnswer, type SlotRetriever, slotRetriever } from './slot-retriever.ts'
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
  /** Whether the caller’s own search is on its way already. Default: false. */
  readonly isSent?: boolean
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
  const { settings, call, signal: caller, explains, isTold, isSent = false } = context
  const start = performance.now()
  const { page } = understood
  const texts = settings.reads ? hitTexts(understood.body, understood.fields, settings.texts) : noTexts
  const isPooled = settings.rerank !== undefined
  const scope = openScope(systemClock, { parent: caller, ms: noDeadline, what: 'The search' })
  const retriever = slotRetriever({
    understood,
    engine: resilientEngine(engine, settings.limits),
    texts,
    request: firstRequest(call, understood, isTold, texts, isPooled),
    isReranked: isPooled,
    signal: caller,
    onFailed: (error) => scope.end(toError(error)),
  })
  // On its way first: what is prepared here takes its time while the engine works.
  void retriever.original()
  try {
    if (!isSent) await nextTurn()
    const found = await search(
      { text: understood.text, ...(context.history && { history: context.history }) },
      planOf(retriever, understood, context),
      { scope, signal: caller, k: mostFused(understood) },
    )
    // Sub-queries may be faster; what is counted and aggregated comes with the caller’s own search.
    return answered(await retriever.original(), found)
  } catch (thrown) {
    caller.throwIfAborted()
    return retriever.original().then((first) => ({ ...asAsked(first), error: toError(thrown) }), ended)
  } finally {
    scope.end()
  }

  /** The fused hits in the engine’s shape; the engine’s own answer where the query was left alone. */
  function answered(first: FirstAnswer, { trace, hits }: SearchResult): Optimized {
    // Its hits have no place among those of others, and none of them may be lost.
    if (first.hits.some(({ score }) => Number.isNaN(score)))
      throw new QuerentError('bad-list', 'The engine gave hits of the query as it is no score')
    if (isLeftAlone(first, { trace, hits })) {
      const left = { trace, ...asAsked(first) }
      return explains ? { ...left, body: { ...(left.body ?? first.body), [ownKey]: summary(trace) } } : left
    }
    if (hits.length > 0 && hits.every(({ docid }) => retriever.given(docid) === undefined))
      throw new QuerentError('no-hits', `No list has what policy "${trace.policy}" found`)
    const body = compose({
      understood,
      original: first.body,
      others: retriever.others,
      hits,
      own: retriever.isCut || tookPart(first.hits, hits) ? first.all : [],
      isReranked: isReranked(trace),
      given(docid) {
        const given = retriever.given(docid)
        return given && texts.restore(given)
      },
      took: performance.now() - start,
      ...(explains && { about }),
    })
    const shown = filterPath(body, call.parameters.filter_path)
    return { own: first.own, body: explains ? { ...shown, [ownKey]: summary(trace) } : shown, trace }
  }

  /** The engine’s answer to the caller’s own request, as the caller asked for it. */
  function asAsked({ own, body, isChanged }: FirstAnswer): { own: unknown; body?: JsonObject } {
    if (!isChanged) return { own }
    return { own, body: filterPath(pageOf(body, page, texts.restore), call.parameters.filter_path) }
  }

  /** What the application gets where its own search failed: the error that the engine answered with, or that was thrown. */
  function ended(thrown: unknown): Optimized {
    caller.throwIfAborted()
    if (thrown instanceof AnswerError) return { own: thrown.answer.own, error: thrown }
    throw thrown
  }

  /** Whether the hits are those of the caller’s own request in their order. */
  function isLeftAlone(first: FirstAnswer, { trace, hits }: SearchResult): boolean {
    if (isReranked(trace)) return false
    if (trace.kind !== 'as-is' && !retriever.others.every(isEmpty)) return false
    // A policy that orders the first page anew has nothing to say of those behind it.
    if (page.from > 0 && !isPooled) return true
    return isSameOrder(hits, first.hits)
  }
}

/** Whether the hits of one list have a place in the fused one: a policy may leave out what its words are no good for. */
function tookPart(list: readonly Hit[], fused: readonly Hit[]): boolean {
  const docids = new Set(fused.map(({ docid }) => docid))
  return list.every(({ docid }) => docids.has(docid))
}

/** Whether the fused hits are those of one list, in which a hit may stand twice. */
function isSameOrder(fused: readonly Hit[], list: readonly Hit[]): boolean {
  const docids = list.map(({ docid }) => docid)
  const once = fused.length === list.length ? docids : [...new Set(docids)]
  return fused.length === once.length && fused.every(({ docid }, place) => docid === once[place])
}

/** Legs may have other hits of one group, of which one is shown. */
const mostFused = ({ body, page: { depth } }: Understood): number =>
  body.collapse === undefined ? depth : depth * (mostSubQueries + 1)

const isReranked = ({ steps }: Trace): boolean =>
  steps.some((step) => step.type === 'rerank' && step.error === undefined && step.pool > 0)

/** What one request is searched with: nothing in it is shared with another caller but what was prepared once. */
function planOf(
  retriever: SlotRetriever,
  { page, body, url }: Understood,
  { settings, memory, identity, call }: SearchContext,
): SearchPlan {
  const { chat, policy, rerank, fusion, chatTimeout, legTimeout } = settings
  const key = (): string =>
    JSON.stringify([identity, call.index, url, without(body, 'from')], withLongNumbers)
  const model = chat && rememberedChat(chat, memory, key(), page.from === 0)
  return {
    retrievers: [retriever],
    modelFor: () => model,
    depth: page.depth,
    // The caller waits for the engine as long as it would have without us.
    originalTimeout: noDeadline,
    clock: systemClock,
    ...{ policy, rerank, fusion, chatTimeout, legTimeout },
  }
}

/** Clients may know numbers that JSON.stringify does not. */
const withLongNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value

const noDeadline = Number.POSITIVE_INFINITY
