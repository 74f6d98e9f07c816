/**
 * What a policy works with: ask a model, retrieve, fuse. Bound to one search: its trace, its signal and its budget.
 * Only this file writes steps into traces and enforces what a search may cost.
 */

import { notServed } from './check-setup.ts'
import { searchKey, withoutRepeats } from './dedupe.ts'
import { QuerentError, toError } from './errors.ts'
import type { TimedLeg } from './fan-out.ts'
import { type Prompt, runPrompt, type Usage } from './prompt.ts'
import type { DocumentOf, Reranker } from './reranker.ts'
import type { Clock } from './runtime/clock.ts'
import { openDeadline, untilAborted } from './runtime/deadline.ts'
import { type Recorder, toFailure, toLegTrace } from './trace.ts'
import type {
  ChatModel,
  Considered,
  Contribution,
  Document,
  Fusion,
  Hit,
  Leg,
  Outcome,
  Query,
  RankedList,
  SubQuery,
} from './types.ts'

/** A decision procedure: a plain async function that reads as its paper's algorithm. */
export interface Policy {
  readonly name: string
  /** Whether it looks at documents; `true` where it is of no use without them. Default: it may. */
  readonly reads?: boolean
  /** The names of all prompts that it asks: that each has a chat model is checked before the first search. */
  readonly prompts?: readonly string[]
  /**
   * Decides, retrieves and fuses. When it rejects, or is late, the caller gets the original query's results.
   */
  run(query: Query, tools: Tools): Promise<Outcome>
  /** Ends what it keeps open, its threads for one. */
  close?(): Promise<void>
}

export interface Tools {
  /** Aborts when the search is over, for whatever reason: a policy’s own work ends with it. */
  readonly signal: AbortSignal
  /** How many hits the caller wants. */
  readonly k: number
  /** Whether what the policy comes back with is re-ranked, so that lists that do not vote are of use too. */
  readonly reranks: boolean
  /** Runs a prompt on the model that serves it, within the deadline of chat models. */
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input): Promise<Output>
  /** Request 1: the legs of the original query. They have been under way since the search began. */
  original(): Promise<readonly Leg[]>
  /**
   * Decides on these sub-queries, for the reason that the trace gives, and searches them: request 2. The original
   * query among them is answered by request 1; repeats are searched once; none at all means the query as it is.
   *
   * @throws QuerentError `too-deep` the second time, and above 15 sub-queries, those beside them included: a third request
   *   does not exist.
   */
  retrieve(
    subQueries: readonly SubQuery[],
    reason: string,
    options?: DecisionOptions,
  ): Promise<readonly Leg[]>
  /**
   * The documents of these docids, as far as they can be had: from the hits that came so far, else from where the optimizer
   * was told to find them.
   */
  documents(docids: readonly string[]): Promise<DocumentOf>
  /**
   * Merges the legs that have an answer; the result is labelled partial if one has not, or not all. As many hits as the caller wants,
   * or as re-ranking looks at, whichever is more.
   *
   * @throws the first leg's own error if none has.
   */
  fuse(legs: readonly Leg[]): readonly Hit[]
}

interface DecisionOptions {
  /** What the decision was chosen from, for the trace. */
  readonly considered?: Considered
  /** Searched in the same request, for re-ranking to choose from: no part of the decision, nor of what comes back. */
  readonly beside?: readonly SubQuery[]
}

/** 3 sub-queries of stage 1 and 12 of stage 2: the defaults of a policy are the limit for all. */
export const mostSubQueries = 15
const mostAsks = 8
/** Fused hits that a re-ranker sees which does not say how many it wants. */
const usualWindow = 100

export interface ToolSettings {
  readonly query: Query
  readonly k: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly fusion: Fusion
  readonly norm: string | undefined
  readonly chatTimeout: number
  readonly modelFor: (prompt: string) => ChatModel | undefined
  readonly search: (request: 1 | 2, subQueries: readonly SubQuery[]) => Promise<TimedLeg[]>
  readonly reranker: Reranker | undefined
  readonly findDocuments: FindDocuments | undefined
}

/** Finds documents by docid: one a docid, in their order, `undefined` where there is none. */
export type FindDocuments = (
  docids: readonly string[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly (Document | undefined)[]>

/** The tools of one search, and what the optimizer does after its policy. */
export interface SearchTools {
  readonly tools: Tools
  /**
   * The hits re-ranked, with the lists of all requests; as they are where that fails, which the trace says.
   *
   * @param rewritten what documents are compared with in place of the query
   */
  rerank(hits: readonly Hit[], rewritten?: string): Promise<readonly Hit[]>
  /** Whether nothing is under way: no tool works, and the policy never took the signal for work of its own. */
  readonly isIdle: boolean
}

/** Starts request 1 and gives the tools of one search. */
export function createTools(settings: ToolSettings): SearchTools {
  const { query, k, clock, signal, recorder, fusion, norm, modelFor, chatTimeout, reranker } = settings
  const wanted = reranker === undefined ? k : Math.max(k, reranker.window ?? usualWindow)
  const answered: RankedList[] = []
  const known = new Map<string, Document>()
  const original: SubQuery = { text: query.text, stage: 1 }
  const first = request(1, [original])
  let retrieved = false
  let isSignalTaken = false
  let asks = 0

  /** One request to all retrievers, noted in the trace. */
  function request(number: 1 | 2, subQueries: readonly SubQuery[]): Promise<TimedLeg[]> {
    const step = recorder.begin({
      type: 'retrieve',
      request: number,
      startMs: recorder.elapsed(),
      ms: 0,
      legs: [],
    })
    const work = settings.search(number, subQueries).then((legs) => {
      step.ms = recorder.elapsed() - step.startMs
      step.legs = legs.map(toLegTrace)
      recorder.end(step)
      for (const leg of legs) if (leg.error === undefined) answered.push(leg)
      return legs
    })
    return recorder.follow(work)
  }

  /** Runs the prompt within the deadline, noted in the trace whatever comes of it. */
  async function ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input): Promise<Output> {
    signal.throwIfAborted()
    if (++asks > mostAsks)
      throw new QuerentError('too-deep', `A policy asked a model more than ${mostAsks} times`)
    const model = modelFor(prompt.name)
    if (model === undefined) throw notServed(prompt.name)
    const usage: Usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    const step = recorder.begin({
      type: 'ask',
      prompt: prompt.name,
      model: model.name,
      startMs: recorder.elapsed(),
      ms: 0,
      ...usage,
    })
    const deadline = openDeadline(clock, {
      parent: signal,
      ms: chatTimeout,
      what: `Chat model "${model.name}"`,
    })
    try {
      return await untilAborted(runPrompt(prompt, input, model, usage, deadline.signal), deadline.signal)
    } catch (thrown) {
      step.error = toFailure(toError(thrown))
      throw thrown
    } finally {
      deadline.cancel()
      Object.assign(step, usage)
      step.ms = recorder.elapsed() - step.startMs
      recorder.end(step)
    }
  }

  /** Decides on the sub-queries and searches them, but for the original, which is under way. */
  async function retrieve(
    subQueries: readonly SubQuery[],
    reason: string,
    { considered, beside = [] }: DecisionOptions = {},
  ): Promise<readonly Leg[]> {
    signal.throwIfAborted()
    if (retrieved) throw new QuerentError('too-deep', 'A policy retrieved twice')
    retrieved = true
    const key = searchKey(query.text)
    const wanted = withoutRepeats(subQueries).map((subQuery) =>
      searchKey(subQuery.text) === key ? original : subQuery,
    )
    const others = wanted.filter((subQuery) => subQuery !== original)
    const searched =
      beside.length === 0
        ? others
        : withoutRepeats([original, ...others, ...beside]).filter((one) => one !== original)
    if (searched.length > mostSubQueries) {
      throw new QuerentError(
        'too-deep',
        `A policy wanted ${searched.length} sub-queries; ${mostSubQueries} is the limit`,
      )
    }
    const asked = others.length < wanted.length || wanted.length === 0
    const kind = others.length === 0 ? 'as-is' : wanted.length === 1 ? 'rewrite' : 'decompose'
    recorder.decide({ kind, reason, subQueries: wanted.length === 0 ? [original] : wanted }, considered)
    const [one, two] = await Promise.all([
      asked ? first : [],
      searched.length > 0 ? request(2, searched) : [],
    ])
    const decided = new Set(others.map(({ text }) => text))
    return [...one, ...two.filter(({ subQuery }) => decided.has(subQuery.text))]
  }

  async function documents(docids: readonly string[]): Promise<DocumentOf> {
    for (const { hits } of answered)
      for (const { docid, document } of hits) if (document !== undefined) known.set(docid, document)
    const missing = docids.filter((docid) => !known.has(docid))
    if (missing.length > 0 && settings.findDocuments !== undefined) {
      const found = await untilAborted(settings.findDocuments(missing, { signal }), signal)
      for (const [place, docid] of missing.entries()) {
        const document = found[place]
        if (document !== undefined) known.set(docid, document)
      }
    }
    return (docid) => known.get(docid)
  }

  async function rerank(hits: readonly Hit[], rewritten?: string): Promise<readonly Hit[]> {
    const question = rewritten === undefined ? query : { text: rewritten }
    if (reranker === undefined || hits.length === 0) return hits
    const step = recorder.begin({
      type: 'rerank',
      startMs: recorder.elapsed(),
      ms: 0,
      pool: 0,
      ...(rewritten !== undefined && { question: rewritten }),
    })
    try {
      const needed = reranker.needs?.(question, answered) ?? hits.map(({ docid }) => docid)
      const documentOf = await documents(needed)
      step.pool = needed.filter((docid) => documentOf(docid) !== undefined).length
      const given = reranker.rerank(question, answered, hits, documentOf)
      const reranked = given instanceof Promise ? await untilAborted(given, signal) : given
      return reranked.slice(0, k).map((hit) => withPlaces(hit, answered))
    } catch (thrown) {
      step.error = toFailure(toError(thrown))
      return hits
    } finally {
      step.ms = recorder.elapsed() - step.startMs
      recorder.end(step)
    }
  }

  const tools: Tools = {
    get signal() {
      isSignalTaken = true
      return signal
    },
    k,
    reranks: reranker !== undefined,
    ask: (prompt, input) => recorder.follow(ask(prompt, input)),
    original: () => first,

    retrieve: (subQueries, reason, options) => recorder.follow(retrieve(subQueries, reason, options)),
    documents: (docids) => recorder.follow(documents(docids)),

    fuse(legs) {
      const lists = legs.filter((leg) => leg.error === undefined)
      const failed = legs.find((leg) => leg.error !== undefined)
      if (failed !== undefined || lists.some(({ incomplete }) => incomplete !== undefined))
        recorder.markPartial()
      if (failed !== undefined && lists.length === 0) throw failed.error
      const startMs = recorder.elapsed()
      const chosen = norm === undefined ? {} : { norm }
      const fused = fusion.fuse(lists, { k: wanted, provenance: true, ...chosen })
      const step = recorder.begin({
        type: 'fuse',
        method: fusion.name,
        startMs,
        ms: recorder.elapsed() - startMs,
        lists: lists.map(({ retriever, subQuery }) => ({ retriever, subQuery })),
        hits: fused.length,
        ...chosen,
      })
      recorder.end(step)
      return fused
    },
  }
  return {
    tools,
    rerank: (hits, rewritten) => recorder.follow(rerank(hits, rewritten)),
    get isIdle() {
      return recorder.isSettled && !isSignalTaken
    },
  }
}

/** A hit that no voting list has, with its places in the lists that brought it. */
function withPlaces(hit: Hit, lists: readonly RankedList[]): Hit {
  if (hit.provenance !== undefined) return hit
  const provenance = lists.flatMap(({ retriever, subQuery, hits }): Contribution[] => {
    const place = hits.findIndex(({ docid }) => docid === hit.docid)
    return place === -1 ? [] : [{ retriever, subQuery, rank: place + 1, score: hits[place]!.score }]
  })
  return { ...hit, provenance }
}
