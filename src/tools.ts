/** The tools of one search: ask a model, retrieve, fuse, re-rank. */
import { createLedger, type FullBudget } from './budget.ts'
import { notServed } from './check-setup.ts'
import { searchKey, withoutRepeats } from './dedupe.ts'
import type { TimedLeg } from './fan-out.ts'
import type { RetrieveRequest, SearchText, Tools } from './policy.ts'
import { type Prompt, runPrompt, type Usage } from './prompt.ts'
import type { DocumentOf, Reranker } from './reranker.ts'
import type { Clock } from './runtime/clock.ts'
import { openDeadline, untilAborted } from './runtime/deadline.ts'
import { type Recorder, toLegTrace } from './trace.ts'
import type {
  ChatModel,
  Contribution,
  Document,
  FindDocuments,
  Fusion,
  Hit,
  Leg,
  Query,
  RankedList,
  SubQuery,
} from './types.ts'

/** Fused hits that a re-ranker sees if it does not say how many it wants. */
const defaultWindow = 100

export interface ToolSettings {
  readonly query: Query
  readonly k: number
  readonly answers: boolean
  readonly budget: FullBudget
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly fusion: Fusion
  readonly norm: string | undefined
  readonly modelFor: (prompt: string) => ChatModel | undefined
  readonly search: (round: number, subQueries: readonly SubQuery[], filter: unknown) => Promise<TimedLeg[]>
  readonly reranker: Reranker | undefined
  readonly findDocuments: FindDocuments | undefined
  /** Called with each piece of an answer as it is written. */
  readonly onText: ((piece: string) => void) | undefined
}

/** The tools of one search, and what the optimizer does after its policy. */
export interface SearchTools {
  readonly tools: Tools
  /**
   * Re-ranks hits with the lists of all rounds. If that fails they keep their order, and the trace says why.
   *
   * @param rewritten the text to compare documents with in place of the query
   */
  rerank(hits: readonly Hit[], rewritten?: string): Promise<readonly Hit[]>
  /** Whether any list of this search has the document. */
  isFound(docid: string): boolean
}

/** Starts round 0 and makes the tools of one search. */
export function createTools(settings: ToolSettings): SearchTools {
  const { query, k, clock, signal, recorder, fusion, norm, modelFor, reranker, budget } = settings
  const ledger = createLedger(budget)
  const lists: RankedList[] = []
  const known = new Map<string, Document>()
  const original: SubQuery = { text: query.text, round: 0 }
  const first = request(0, [original], query.filter)
  /** The request that searched a text, by the text's search key. */
  const searched = new Map([[searchKey(query.text), { subQuery: original, legs: first }]])

  /** One request to all retrievers. */
  function request(
    round: number,
    subQueries: readonly SubQuery[],
    filter: unknown,
    reason?: string,
  ): Promise<TimedLeg[]> {
    return recorder.during<'retrieve', TimedLeg[]>(
      { type: 'retrieve', round, ...(reason !== undefined && { reason }), subQueries, legs: [] },
      () => settings.search(round, subQueries, filter),
      (step, legs) => {
        step.legs = legs.map(toLegTrace)
        for (const leg of legs) if (leg.error === undefined) lists.push(leg)
      },
    )
  }

  async function ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input): Promise<Output> {
    signal.throwIfAborted()
    ledger.ask()
    const model = modelFor(prompt.name)
    if (model === undefined) throw notServed(prompt.name)
    const usage: Usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    return recorder.during<'ask', Output>(
      { type: 'ask', prompt: prompt.name, model: model.name, ...usage },
      async (step) => {
        const what = `Chat model "${model.name}"`
        const deadline = openDeadline(clock, { parent: signal, ms: budget.askTimeout, what })
        try {
          const asked = { model, usage, signal: deadline.signal, onText: settings.onText }
          return await untilAborted(runPrompt(prompt, input, asked), deadline.signal)
        } finally {
          deadline.cancel()
          Object.assign(step, usage)
        }
      },
    )
  }

  async function retrieve(
    given: readonly SearchText[],
    { reason, beside = [], filter = query.filter }: RetrieveRequest,
  ): Promise<readonly Leg[]> {
    signal.throwIfAborted()
    // Under another filter the same words are another search.
    const answers =
      filter === query.filter
        ? searched
        : new Map<string, { subQuery: SubQuery; legs: Promise<TimedLeg[]> }>()
    const asked = withoutRepeats(given)
    const wanted = asked.length === 0 ? [original] : asked
    const all = withoutRepeats([...wanted, ...beside])
    const missing = all.filter(({ text }) => !answers.has(searchKey(text)))
    if (missing.length > 0) {
      const round = ledger.round(missing.length)
      const subQueries = missing.map(({ text, from }) => ({
        text,
        round,
        ...(from !== undefined && { from }),
      }))
      const legs = request(round, subQueries, filter, reason)
      for (const subQuery of subQueries) answers.set(searchKey(subQuery.text), { subQuery, legs })
    }
    const searches = all.map(({ text }) => answers.get(searchKey(text))!)
    const decided = searches.slice(0, wanted.length).map(({ subQuery }) => subQuery)
    recorder.retrieved(decided, reason)
    // All of them are awaited: re-ranking reads the lists of the texts beside the decision, too.
    const byRound = new Map(searches.map(({ subQuery, legs }) => [subQuery.round, legs]))
    const rounds = [...byRound].sort(([one], [other]) => one - other).map(([, legs]) => legs)
    const legs = (await Promise.all(rounds)).flat()
    const texts = new Set(decided.map(({ text }) => text))
    return legs.filter(({ subQuery }) => texts.has(subQuery.text))
  }

  async function documents(docids: readonly string[]): Promise<DocumentOf> {
    for (const { hits } of lists)
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

  const fuse: Tools['fuse'] = (legs, { k: most, first = [] } = {}) => {
    const answered = legs.filter((leg) => leg.error === undefined)
    const failed = legs.find((leg) => leg.error !== undefined)
    if (failed !== undefined || answered.some(({ incomplete }) => incomplete !== undefined))
      recorder.markPartial()
    if (failed !== undefined && answered.length === 0) throw failed.error
    const wanted = most ?? (reranker === undefined ? k : Math.max(k, reranker.window ?? defaultWindow))
    const chosen = norm === undefined ? {} : { norm }
    const fused = recorder.fuse(
      {
        type: 'fuse',
        method: fusion.name,
        lists: answered.map(({ retriever, subQuery }) => ({ retriever, subQuery })),
        ...chosen,
      },
      () => fusion.fuse(answered, { provenance: true, ...chosen, ...(first.length === 0 && { k: wanted }) }),
    )
    return first.length === 0 ? fused : inFront(fused, first).slice(0, wanted)
  }

  async function rerank(hits: readonly Hit[], rewritten?: string): Promise<readonly Hit[]> {
    if (reranker === undefined || hits.length === 0) return hits
    const question = rewritten === undefined ? query : { text: rewritten }
    try {
      return await recorder.during<'rerank', readonly Hit[]>(
        { type: 'rerank', pool: 0, ...(rewritten !== undefined && { question: rewritten }) },
        async (step) => {
          const needed = reranker.needs?.(question, lists) ?? hits.map(({ docid }) => docid)
          const documentOf = await documents(needed)
          step.pool = needed.filter((docid) => documentOf(docid) !== undefined).length
          const given = reranker.rerank(question, lists, hits, documentOf)
          const reranked = given instanceof Promise ? await untilAborted(given, signal) : given
          return reranked.slice(0, k).map((hit) => withPlaces(hit, lists))
        },
      )
    } catch {
      return hits
    }
  }

  return {
    rerank: (hits, rewritten) => recorder.follow(rerank(hits, rewritten)),
    isFound: (docid) => lists.some(({ hits }) => hits.some((hit) => hit.docid === docid)),
    tools: {
      signal,
      k,
      budget,
      answers: settings.answers,
      reranks: reranker !== undefined,
      fuse,
      ask: (prompt, input) => recorder.follow(ask(prompt, input)),
      original: () => first,
      decide: (kind, reason, details) => recorder.decide(kind, reason, details),
      retrieve: (texts, asked) => recorder.follow(retrieve(texts, asked)),
      documents: (docids) => recorder.follow(documents(docids)),
    },
  }
}

/** These docids first, then the others in their order. */
export function inFront(hits: readonly Hit[], first: readonly string[]): Hit[] {
  const byDocid = new Map(hits.map((hit) => [hit.docid, hit]))
  const front = [...new Set(first)].flatMap((docid) => byDocid.get(docid) ?? [])
  const isFront = new Set(front)
  return [...front, ...hits.filter((hit) => !isFront.has(hit))].map((hit, place) => ({
    ...hit,
    rank: place + 1,
    score: 1 / (place + 1),
    fused: hit.fused ?? { rank: hit.rank, score: hit.score },
  }))
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
