/** The tools of one search: ask a model, retrieve, fuse, re-rank. */
import { type AskSettings, createAsk, createAskModel } from './ask.ts'
import { createLedger } from './budget.ts'
import type { Tools } from './policy.ts'
import type { DocumentOf, Reranker, RerankTools } from './reranker.ts'
import { type RoundSettings, startRounds } from './rounds.ts'
import { untilAborted } from './runtime/deadline.ts'
import type {
  Contribution,
  Document,
  FieldValues,
  FindDocuments,
  Fusion,
  Hit,
  Outcome,
  RankedList,
  ValuesWanted,
} from './types.ts'

/** Fused hits that a re-ranker sees if it does not say how many it wants. */
const defaultWindow = 100

export interface ToolSettings extends Omit<AskSettings & RoundSettings, 'ledger'> {
  readonly k: number
  readonly answers: boolean
  readonly fusion: Fusion
  readonly norm: string | undefined
  readonly reranker: Reranker | undefined
  readonly fastPath: boolean
  readonly findDocuments: FindDocuments | undefined
  readonly findValues: (wanted: readonly ValuesWanted[], signal: AbortSignal) => Promise<FieldValues[]>
}

/** The tools of one search, and what the optimizer does after its policy. */
export interface SearchTools {
  readonly tools: Tools
  /**
   * Re-ranks the outcome's hits with the lists of all rounds. If that fails they keep their order, and the trace says why.
   */
  rerank(outcome: Outcome): Promise<readonly Hit[]>
  /** Whether any list of this search has the document. */
  isFound(docid: string): boolean
}

/** Starts round 0 and makes the tools of one search. */
export function createTools(settings: ToolSettings): SearchTools {
  const { query, k, signal, recorder, fusion, norm, reranker, budget, search, modelFor } = settings
  const ledger = createLedger(budget)
  const { original, lists, retrieve, narrow } = startRounds({ query, signal, recorder, ledger, search })
  const askModel = createAskModel({ ...settings, ledger })
  const ask = createAsk({ signal, budget, ledger, modelFor }, askModel)
  const rerankTools: RerankTools = {
    signal,
    ask: (prompt, input, model, timeout) => recorder.follow(askModel(prompt, input, model, timeout)),
  }
  const known = new Map<string, Document>()

  async function documents(docids: readonly string[]): Promise<DocumentOf> {
    for (const { hits } of lists)
      for (const { docid, document } of hits) if (document !== undefined) known.set(docid, document)
    const missing = docids.filter((docid) => !known.has(docid))
    if (missing.length > 0 && settings.findDocuments !== undefined) {
      const found = await untilAborted(settings.findDocuments(missing, { signal }), signal).catch(
        (thrown: unknown) => {
          // The texts that are there can be read without the others.
          if (signal.aborted || missing.length === docids.length) throw thrown
          return []
        },
      )
      for (const [place, docid] of missing.entries()) {
        const document = found[place]
        if (document !== undefined) known.set(docid, document)
      }
    }
    return (docid) => known.get(docid)
  }

  const fuse: Tools['fuse'] = (legs, { k: most, first = [], ahead } = {}) => {
    const isMoved = first.length > 0 || ahead !== undefined
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
      () => fusion.fuse(answered, { provenance: true, ...chosen, ...(!isMoved && { k: wanted }) }),
    )
    return isMoved ? inFront(fused, [...first, ...docidsIn(fused, ahead)]).slice(0, wanted) : fused
  }

  async function rerank({ hits, rewritten, ahead }: Outcome): Promise<readonly Hit[]> {
    if (reranker === undefined || hits.length === 0) return hits
    const question = rewritten === undefined ? query : { text: rewritten }
    const step = recorder.begin<'rerank'>({
      type: 'rerank',
      pool: 0,
      ...(rewritten !== undefined && { question: rewritten }),
    })
    try {
      return await recorder.during(step, async () => {
        // Re-rankers do not know lists of the same words under conditions.
        const known = lists.filter(({ subQuery }) => subQuery.where === undefined)
        const needed = reranker.needs?.(question, known, hits) ?? hits.map(({ docid }) => docid)
        const documentOf = await documents(needed)
        step.pool = needed.filter((docid) => documentOf(docid) !== undefined).length
        const given = reranker.rerank(question, known, hits, documentOf, rerankTools)
        const reranked = given instanceof Promise ? await untilAborted(given, signal) : given
        const ordered = ahead === undefined ? reranked : aheadOf(reranked, hits, ahead)
        return ordered.slice(0, k).map((hit) => withPlaces(hit, lists))
      })
    } catch {
      return hits
    }
  }

  return {
    rerank: (outcome) => recorder.follow(rerank(outcome)),
    isFound: (docid) => lists.some(({ hits }) => hits.some((hit) => hit.docid === docid)),
    tools: {
      signal,
      k,
      budget,
      answers: settings.answers,
      reranks: reranker !== undefined,
      fastPath: settings.fastPath,
      fuse,
      ask: (prompt, input) => recorder.follow(ask(prompt, input)),
      original: () => original,
      decide: (kind, reason, details) => recorder.decide(kind, reason, details),
      retrieve: (texts, asked) => recorder.follow(retrieve(texts, asked)),
      narrow: (texts) => recorder.follow(narrow(texts)),
      values: (wanted) => recorder.follow(settings.findValues(wanted, signal)),
      filtered: (read, error) => recorder.filter(read, error),
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

const docidsIn = (hits: readonly Hit[], docids: ReadonlySet<string> = new Set()): string[] =>
  hits.flatMap(({ docid }) => (docids.has(docid) ? docid : []))

/** The re-ranked hits, but first those of `ahead`; those that re-ranking left out follow them in the given order. */
function aheadOf(reranked: readonly Hit[], given: readonly Hit[], ahead: ReadonlySet<string>): Hit[] {
  const known = new Set(reranked.map(({ docid }) => docid))
  const all = [...reranked, ...given.filter(({ docid }) => ahead.has(docid) && !known.has(docid))]
  return inFront(all, docidsIn(all, ahead))
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
