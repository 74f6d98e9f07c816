/** The tools of one search: ask a model, retrieve, fuse, re-rank. */
import { type AskSettings, createAsk, createAskModel } from './ask.ts'
import { createLedger } from './budget.ts'
import type { Tools } from './policy.ts'
import type { DocumentOf, Reranker, RerankTools } from './reranker.ts'
import { type RoundSettings, startRounds } from './rounds.ts'
import { untilAborted } from './runtime/deadline.ts'
import type { Contribution, Document, FindDocuments, Fusion, Hit, RankedList } from './types.ts'

/** Fused hits that a re-ranker sees if it does not say how many it wants. */
const defaultWindow = 100

export interface ToolSettings extends Omit<AskSettings & RoundSettings, 'ledger'> {
  readonly k: number
  readonly answers: boolean
  readonly fusion: Fusion
  readonly norm: string | undefined
  readonly reranker: Reranker | undefined
  readonly findDocuments: FindDocuments | undefined
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
  const { query, k, signal, recorder, fusion, norm, reranker, budget, search, modelFor } = settings
  const ledger = createLedger(budget)
  const { original, lists, retrieve } = startRounds({ query, signal, recorder, ledger, search })
  const askModel = createAskModel({ ...settings, ledger })
  const ask = createAsk({ signal, budget, ledger, modelFor }, askModel)
  const rerankTools: RerankTools = { signal, ask: askModel }
  const known = new Map<string, Document>()

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
    const step = recorder.begin<'rerank'>({
      type: 'rerank',
      pool: 0,
      ...(rewritten !== undefined && { question: rewritten }),
    })
    try {
      return await recorder.during(step, async () => {
        const needed = reranker.needs?.(question, lists, hits) ?? hits.map(({ docid }) => docid)
        const documentOf = await documents(needed)
        step.pool = needed.filter((docid) => documentOf(docid) !== undefined).length
        const given = reranker.rerank(question, lists, hits, documentOf, rerankTools)
        const reranked = given instanceof Promise ? await untilAborted(given, signal) : given
        return reranked.slice(0, k).map((hit) => withPlaces(hit, lists))
      })
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
      original: () => original,
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
