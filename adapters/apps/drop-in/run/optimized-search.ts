/**
 * Optimizes one search of an application. Querent sends the caller's own request at once, and the policy's sub-queries beside it.
 * The answer has the engine's own format. If any part of Querent fails, the caller gets the engine's answer to the caller's
 * request.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { combMax } from '../../../../fusion/comb-max.ts'
import { none } from '../../../../policies/none.ts'
import type { FullBudget } from '../../../../src/budget.ts'
import { QuerentError, toError } from '../../../../src/errors.ts'
import { type Watch, watchSearch } from '../../../../src/observe.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { deadlineError, openDeadline } from '../../../../src/runtime/deadline.ts'
import { type SearchPlan, search } from '../../../../src/search.ts'
import { toFailure } from '../../../../src/trace.ts'
import type { Hit, Query, SearchResult, Trace, Turn } from '../../../../src/types.ts'
import { isByAge } from '../../../../src/with-recency.ts'
import { withRerank } from '../../../../src/with-rerank.ts'
import type { Cache } from '../../../cache/cache.ts'
import { cachedChat } from '../../../cache/cached-chat.ts'
import { compose, listOfAll, pageOf } from '../answer/compose.ts'
import { AnswerError, hitsOf, identity, isEmpty } from '../answer/engine-answer.ts'
import { filterPath } from '../answer/filter-path.ts'
import { about, type Ended, outcomeOf, ownKey, summary, unanswered, whyKept } from '../answer/outcome.ts'
import { fieldsAround } from '../parse/clauses.ts'
import { type JsonObject, without } from '../parse/json.ts'
import type { RewritableSearch, SearchCall } from '../parse/parse-search.ts'
import { fetchPlanOf, kindOf, noteHits } from '../plan/fetch-plan.ts'
import { firstRequest } from '../plan/first-request.ts'
import { hitTexts, noTexts, withField } from '../plan/hit-texts.ts'
import { listKey } from '../plan/leg-body.ts'
import { withEngine } from '../rank/with-engine.ts'
import { callerValues, shownHits, wordScores } from './added-searches.ts'
import type { CallerEngine } from './caller-engine.ts'
import { certainFor } from './parse-with-mapping.ts'
import type { SearchSettings } from './prepare-settings.ts'
import { resilientEngine, withinTime } from './resilient-engine.ts'
import type { Pages } from './shadow.ts'
import { type FirstAnswer, type SlotRetriever, slotRetriever } from './slot-retriever.ts'

export interface SearchContext {
  readonly call: SearchCall
  readonly settings: SearchSettings
  /** Completions for the next pages of a search. */
  readonly memory: Cache
  /** The caller, as one string. Kept completions are used for this caller only. */
  readonly identity: string
  /** The conversation before the query. It may end with the query. */
  readonly history?: readonly Turn[] | undefined
  /** Parts of the caller's context that could not be read, each with the reason. */
  readonly leftOut?: readonly string[] | undefined
  /** Who gets pages of both lists: the caller, as the draft knows them. Absent: the page is the optimized one. */
  readonly interleavedFor?: string | undefined
  /** Whether the caller passed the query text next to the body. Then the body cannot be sent unchanged. */
  readonly isTold: boolean
  /** Whether the answer reports what Querent did, under its key. */
  readonly explains: boolean
  /** The caller's `x-opaque-id`, for observers. */
  readonly opaqueId?: string | undefined
  readonly signal: AbortSignal
}

/**
 * The result of an optimized search: `outcomeOf` says what became of it. It `passed` after all if the engine reported types of its
 * fields in which other text does not belong, or refused the caller's own search.
 */
export interface Optimized extends Ended {
  /** The engine's answer to the caller's own request, in the form that the application receives. */
  readonly own: unknown
  /** A body that replaces the engine's. Absent if the caller gets the engine's own body. */
  readonly body?: JsonObject
  /** The status of the engine's own answer, with an `error` or a refusal. */
  readonly status?: number
  /** What the caller sees, and would see without Querent. Absent if that is the same. */
  readonly pages?: Pages
}

/** Ends a search whose query text turns out to be a condition. The message is the reason. */
class IsCondition extends Error {}

/** @throws the error that the application would get without Querent: the client's or the connection's own */
export async function optimizedSearch(
  understood: RewritableSearch,
  engine: CallerEngine,
  context: SearchContext,
): Promise<Optimized> {
  const { settings, leftOut = [] } = context
  const history = withoutLast(context.history, understood.text)
  const query = { text: understood.text, ...(history && { history }) }
  const watch = watchSearch([settings.observe], {
    query,
    policy: settings.policy.name,
    k: understood.page.size,
  })
  const run = (): Promise<Optimized> => optimize(query, understood, engine, context, watch)
  const whose = { index: context.call.index, opaqueId: context.opaqueId }
  try {
    const result = await (watch === undefined ? run() : watch.around(run))
    const { own: _own, body: _body, passed: _passed, kept: _kept, pages: _pages, ...report } = result
    watch?.end({ ...report, ...whose, outcome: outcomeOf(result), ...(leftOut.length > 0 && { leftOut }) })
    return result
  } catch (thrown) {
    const error = toError(thrown)
    const isAborted = context.signal?.aborted
    watch?.end({ error, ...whose, ...(isAborted ? { aborted: true } : { outcome: unanswered(error) }) })
    throw thrown
  }
}

async function optimize(
  query: Query,
  understood: RewritableSearch,
  engine: CallerEngine,
  context: SearchContext,
  watch: Watch | undefined,
): Promise<Optimized> {
  const { settings, call, signal: caller, explains, isTold, interleavedFor } = context
  const start = performance.now()
  const { body, page, ranking, fields, slots } = understood
  const searched = fields.length > 0 ? fields : slots.flatMap((path) => fieldsAround(body, path))
  const { recency } = settings
  const isAged = recency !== undefined && isByAge(recency, understood.text)
  const read = settings.reads ? hitTexts(body, searched, settings.texts, settings.leaves) : noTexts
  const texts = isAged ? withField(read, body, recency.field) : read
  const isPooled = settings.rerank !== undefined || isAged
  const deadline = openDeadline(systemClock, { parent: caller, ms: noDeadline, what: 'The search' })
  const kind = kindOf(call.index, body)
  const reach = fetchPlanOf(body, page, settings.weights.get(kind), isPooled)
  const resilient = resilientEngine(engine, settings.limits)
  let checked: Promise<RewritableSearch> | undefined
  /** Asks for unknown field kinds once they matter. Ends the search if the query text turns out to be a condition. */
  function certain(): Promise<RewritableSearch> {
    if (checked !== undefined) return checked
    checked = certainFor(understood, call, context, resilient).then((one) => {
      if ('reason' in one) throw new IsCondition(one.reason)
      return one
    })
    checked.catch((error: unknown) => deadline.cancel(toError(error)))
    return checked
  }
  const retriever = slotRetriever({
    understood,
    certain,
    engine: resilient,
    texts,
    request:
      interleavedFor === undefined
        ? firstRequest(call, understood, isTold, texts, isPooled, reach)
        : firstRequest(call, understood, isTold, texts, true, { ...reach, pool: page.depth }),
    reach,
    reachAfter: (hits) => fetchPlanOf(body, page, noteHits(settings.weights, kind, hits), isPooled),
    isReranked: isPooled,
    values: callerValues(understood, {
      identity: context.identity,
      index: call.index,
      engine: resilient,
      kept: settings.values,
    }),
    legTimeout: settings.legTimeout,
    signal: caller,
    onFailed: (error) => deadline.cancel(toError(error)),
  })
  const given = (docid: string) => retriever.given(docid)?.hit
  const withOrder =
    settings.rerank &&
    withEngine(settings.rerank, {
      ranking,
      weight: settings.engineWeight,
      wordScores: wordScores(understood, given, resilient, {
        signal: deadline.signal,
        timeout: settings.legTimeout,
      }),
    })
  // Send the request first: the engine works while Querent prepares the rest.
  const answers = retriever.original()
  let stopTimer = (): void => {}
  // If the engine does not answer, Querent asks it for nothing else.
  answers.then(
    () => {
      if (deadline.signal.aborted) return
      const ms = settings.budget.timeout
      stopTimer = systemClock.after(ms, () => deadline.cancel(deadlineError('What Querent adds', ms)))
      // Re-ranking needs the field kinds.
      if (isPooled) void certain()
    },
    () => {},
  )
  try {
    await nextTurn()
    const found = await search(query, planOf(retriever, understood, withOrder?.reranker, context), {
      deadline,
      signal: caller,
      k: maxFusedHits(understood, settings.budget),
      answer: false,
      watch,
    })
    // Sub-queries may be faster. Totals and aggregations come with the caller's own search.
    const first = await retriever.original()
    if (first.failure !== undefined) return leftAlone(first, found.trace)
    await (isPooled ? certain() : checked)
    return await answered(first, found)
  } catch (thrown) {
    caller.throwIfAborted()
    return retriever.original().then((first) => {
      if (thrown instanceof IsCondition)
        return explained(first, { ...asAsked(first), passed: thrown.message })
      const error = first.failure ?? toError(thrown)
      return explained(first, { ...asAsked(first), error, status: first.status })
    }, ended)
  } finally {
    stopTimer()
    deadline.cancel()
  }

  /** The fused hits in the engine's format, or the engine's own answer if the query was left alone. */
  async function answered(first: FirstAnswer, { trace, hits }: SearchResult): Promise<Optimized> {
    if (first.all === undefined)
      throw new QuerentError('bad-list', "The beginning of the caller's own list is not known")
    // Hits without a score cannot be fused, and none of them may be lost.
    if (first.hits.some(({ score }) => Number.isNaN(score)))
      throw new QuerentError('bad-list', 'The engine gave hits of the query as it is no score')
    if (isLeftAlone(first, { trace, hits })) return leftAlone(first, trace)
    if (hits.length > 0 && hits.every(({ docid }) => retriever.given(docid) === undefined))
      throw new QuerentError('no-hits', `No list has what policy "${trace.policy}" found`)
    const lists = { understood, hits, own: first.all, given }
    const draft =
      interleavedFor === undefined
        ? undefined
        : (await import('../answer/interleaved.ts')).interleaved(lists, [interleavedFor, call.index])
    const merged = { ...lists, hits: draft?.hits ?? hits }
    const list = listOfAll(merged).map(({ hit }) => retriever.given(hit.docid)!)
    const { whole, behind } = await withinTime(caller, settings.legTimeout, 'What is shown', (asking) =>
      shownHits(understood, list, first.isCut, resilient, asking),
    )
    const composed = compose({
      ...merged,
      behind,
      original: first.body,
      // An interleaved page is the engine's answer but for its hits.
      others: draft === undefined ? retriever.others : [],
      isLogarithmic:
        draft === undefined && isReranked(trace) && !hits.some(isByRank) && ranking.factors.length === 0,
      whole(docid) {
        const hit = whole(retriever.given(docid)!)
        return hit && restored(hit)
      },
      took: performance.now() - start,
      ...(explains && {
        about: (hit: Hit) => ({
          ...about(hit),
          ...withOrder?.about(hit.docid),
          ...draft?.about(hit.docid),
        }),
      }),
    })
    const shown = list.slice(page.from, page.from + page.size).map(({ hit }) => hit)
    const [before, after] = [
      hitsOf(ownPage(first), noDocument).map(({ given }) => given),
      [...shown, ...behind],
    ]
    const isKept = isSame(after.map(identity), before.map(identity))
    const titleOf = (hit: JsonObject) => texts.documentOf(identity(hit), hit)?.title
    const { answer, ...interleaved } = draft?.said(composed, shown) ?? { answer: composed }
    return explained(first, {
      own: first.own,
      body: filterPath(answer, call.parameters.filter_path),
      trace,
      ...interleaved,
      ...(isKept ? { kept: whyKept(understood, trace) } : { pages: { before, after, titleOf } }),
    })
  }

  /** The result, with a report under Querent's key if that is wanted. */
  function explained(first: FirstAnswer, result: Optimized): Optimized {
    const { trace, interleaved } = result
    const nothingFound = trace?.outcome.nothingFound
    // Nobody should take them for what was asked for.
    if (!explains && nothingFound?.shown === undefined) return result
    const whole = () => ({
      ...summary(outcomeOf(result), trace, context.leftOut),
      ...(interleaved && { interleaved }),
    })
    const report = explains ? whole() : { nothingFound }
    return { ...result, body: { ...(result.body ?? first.body), [ownKey]: report } }
  }

  /** The engine's answer to the caller's own request. */
  function leftAlone(first: FirstAnswer, found: Trace): Optimized {
    // A policy that needs no hits of request 1 does not notice that it failed.
    const isUnnoticed = first.failure !== undefined && found.fallback === undefined
    const trace: Trace = isUnnoticed ? { ...found, kind: 'as-is', fallback: toFailure(first.failure) } : found
    return explained(first, { trace, kept: whyKept(understood, trace), ...asAsked(first) })
  }

  /** The engine's answer to the caller's own request, cut to what the caller asked for. */
  function asAsked(first: FirstAnswer): { own: unknown; body?: JsonObject } {
    const { own, isChanged } = first
    if (!isChanged) return { own }
    return { own, body: filterPath(ownPage(first, restored), call.parameters.filter_path) }
  }

  /** The same, whatever is done to each hit. */
  function ownPage({ body, from }: FirstAnswer, restore = (hit: JsonObject) => hit): JsonObject {
    return pageOf(body, { from: page.from - from, size: page.size }, restore)
  }

  /** A hit without the parts that Querent requested in addition. */
  function restored(hit: JsonObject): JsonObject {
    const own = texts.restore(hit)
    return understood.isBare ? bare(own) : own
  }

  /** What the application gets if its own search failed: the engine's error answer, or the thrown error. */
  function ended(thrown: unknown): Optimized {
    caller.throwIfAborted()
    if (!(thrown instanceof AnswerError)) throw thrown
    const { own, status } = thrown.answer
    // The engine refuses the caller's own search, as it would without Querent: nobody's failure but the caller's.
    return isOfCaller(status) ? { own, status, passed: thrown.what } : { own, status, error: thrown }
  }

  /** Whether the hits are those of the caller's own request, in the same order. */
  function isLeftAlone(first: FirstAnswer, { trace, hits }: SearchResult): boolean {
    if (isReranked(trace)) return false
    if ((trace.kind !== 'as-is' || isFiltered(trace)) && !retriever.others.every(isEmpty)) return false
    // A policy that reorders the first page does not order the hits behind it.
    if (page.from > 0 && !isPooled && trace.outcome.nothingFound === undefined) return true
    return isSameOrder(hits, first.hits)
  }
}

/** The conversation before the query. Chat servers' lists of messages end with the query itself. */
function withoutLast(history: readonly Turn[] | undefined, query: string): readonly Turn[] | undefined {
  const last = history?.at(-1)
  return last?.role === 'user' && last.text.trim() === query.trim() ? history?.slice(0, -1) : history
}

const noDocument = (): undefined => undefined

/** Whether an error answer concerns the request, its credentials or its rate, and not the engine's health. */
const isOfCaller = (status: number): boolean => status >= 400 && status < 500

/** Whether the fused hits are those of one list. The list may contain a hit twice. */
function isSameOrder(fused: readonly Hit[], list: readonly Hit[]): boolean {
  const docids = docidsOf(list)
  return isSame(docidsOf(fused), fused.length === list.length ? docids : [...new Set(docids)])
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((docid, place) => docid === others[place])

const docidsOf = (hits: readonly Hit[]): string[] => hits.map(({ docid }) => docid)

/** With `collapse`, legs may have different hits of a group, of which the answer shows one. */
const maxFusedHits = ({ body, page: { depth } }: RewritableSearch, { subQueries }: FullBudget): number =>
  body.collapse === undefined ? depth : depth * (subQueries + 1)

const isReranked = ({ steps }: Trace): boolean =>
  steps.some((step) => step.type === 'rerank' && step.error === undefined && step.pool > 0)

/** Whether its score is one over its rank, less with age. */
const isByRank = ({ recency }: Hit): boolean => recency !== undefined

/** Whether hits that pass a filter of the words stand first. */
const isFiltered = ({ steps }: Trace): boolean =>
  steps.some((step) => step.type === 'filter' && step.read.some(({ dropped }) => dropped === undefined))

/** The plan of one search. It shares nothing with other callers except what was prepared once. */
function planOf(
  retriever: SlotRetriever,
  understood: RewritableSearch,
  rerank: Reranker | undefined,
  { settings, memory, identity, call }: SearchContext,
): SearchPlan {
  const { page, fixed, ranking } = understood
  const { chat, budget, prices, legTimeout } = settings
  const hasFactors = ranking.factors.length > 0
  // Without a re-ranker, the engine's scores keep what ranks beside the words.
  const fusion = hasFactors && rerank === undefined ? combMax() : settings.fusion
  // Hits of other words must not be shown, or cannot be ranked by what else ranks: only the first list can be reordered.
  const decider = fixed !== undefined || (hasFactors && rerank !== undefined) ? none() : settings.policy
  // A second sample would make the pages parts of two different lists. Without a cache of the application's, page 1 asks anew.
  const model =
    chat &&
    cachedChat(chat, memory, {
      scope: listKey(identity, call.index, understood),
      fresh: page.from === 0 && settings.cache === undefined,
    })
  return {
    retrievers: [retriever],
    modelFor: () => model,
    depth: page.depth,
    // The caller waits for the engine as long as it would without Querent.
    originalTimeout: noDeadline,
    clock: systemClock,
    policy: settings.finished(rerank === undefined ? decider : withRerank(decider, rerank), rerank),
    budget,
    prices,
    fusion,
    legTimeout,
  }
}

/** A hit in the form of `stored_fields: _none_`. */
const bare = (hit: JsonObject): JsonObject => without(hit, '_id', '_routing', '_ignored', '_source')

const noDeadline = Number.POSITIVE_INFINITY
