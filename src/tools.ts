/** The tools of one search: ask a model, retrieve, fuse, re-rank. */
import { type AskSettings, createAsk, createAskModel } from './ask.ts'
import { createLedger } from './budget.ts'
import { isAsAsked, searchKey } from './dedupe.ts'
import type { Tools } from './policy.ts'
import { inFront, keptInFront } from './reranked-hits.ts'
import type { DocumentOf, RerankTools } from './reranker.ts'
import { type RoundSettings, startRounds } from './rounds.ts'
import { untilAborted } from './runtime/deadline.ts'
import type {
  BudgetPart,
  Contribution,
  Document,
  FieldValues,
  FindDocuments,
  Fusion,
  Hit,
  RankedList,
  ValuesWanted,
} from './types.ts'

export interface ToolSettings extends Omit<AskSettings & RoundSettings, 'ledger'> {
  readonly k: number
  readonly answers: boolean
  readonly fusion: Fusion
  readonly norm: string | undefined
  readonly findDocuments: FindDocuments | undefined
  readonly findValues: (wanted: readonly ValuesWanted[], signal: AbortSignal) => Promise<FieldValues[]>
}

/** The tools of one search, and what the optimizer does after its policy. */
export interface SearchTools {
  readonly tools: Tools
  /** Whether any list of this search has the document. */
  isFound(docid: string): boolean
  /** Whether the last prompt for an answer was answered. */
  isAnswered(): boolean
  /** What of the budget was spent when more was wanted. */
  refused(): BudgetPart | undefined
}

/** Starts round 0 and makes the tools of one search. */
export function createTools(settings: ToolSettings): SearchTools {
  const { query, k, clock, signal, recorder, fusion, norm, budget, search, modelFor } = settings
  const start = clock.now()
  const ledger = createLedger(budget)
  const { original, lists, retrieve, narrow } = startRounds({ query, signal, recorder, ledger, search })
  const askModel = createAskModel({ ...settings, ledger })
  const askWithin = createAsk({ signal, budget, ledger, modelFor }, askModel)
  let isAnswered = false
  const ask: Tools['ask'] = async (prompt, input) => {
    if (prompt.final !== true) return askWithin(prompt, input)
    isAnswered = false
    const output = await askWithin(prompt, input)
    isAnswered = true
    return output
  }
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

  const fuse: Tools['fuse'] = (legs, { k: wanted = k, first = [] } = {}) => {
    const isMoved = first.length > 0
    const answered = legs.filter((leg) => leg.error === undefined)
    const failed = legs.find((leg) => leg.error !== undefined)
    if (failed !== undefined || answered.some(({ incomplete }) => incomplete !== undefined))
      recorder.markPartial()
    if (failed !== undefined && answered.length === 0) throw failed.error
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
    return isMoved ? inFront(fused, first).slice(0, wanted) : fused
  }

  const rerank: Tools['rerank'] = async (reranker, hits, request = {}) => {
    const { question, texts, first = [], k: wanted = k } = request
    const keys = texts && new Set(texts.map(searchKey))
    const asked = question === undefined ? query : { text: question }
    const step = recorder.begin<'rerank'>({
      type: 'rerank',
      pool: 0,
      ...(question !== undefined && { question }),
    })
    try {
      return await recorder.during(step, async () => {
        // Re-rankers do not know lists of the same words under other conditions.
        const known =
          request.lists ??
          lists.filter(({ subQuery }) => isAsAsked(subQuery) && keys?.has(searchKey(subQuery.text)) !== false)
        const needed = reranker.needs?.(asked, known, hits) ?? hits.map(({ docid }) => docid)
        const documentOf = await documents(needed)
        step.pool = needed.filter((docid) => documentOf(docid) !== undefined).length
        const given = reranker.rerank(asked, known, hits, documentOf, rerankTools)
        const reranked = given instanceof Promise ? await untilAborted(given, signal) : given
        const ordered = first.length === 0 ? reranked : keptInFront(reranked, hits, first)
        return ordered.slice(0, wanted).map((hit) => withPlaces(hit, lists))
      })
    } catch {
      return hits
    }
  }

  return {
    isFound: (docid) => lists.some(({ hits }) => hits.some((hit) => hit.docid === docid)),
    isAnswered: () => isAnswered,
    refused: () => ledger.refused,
    tools: {
      signal,
      k,
      budget,
      left: () => {
        const { timeout, askTimeout } = budget
        return { ...ledger.left(), timeout: timeout - (clock.now() - start), askTimeout }
      },
      answers: settings.answers,
      fuse,
      rerank: (...asked) => recorder.follow(rerank(...asked)),
      ask: (prompt, input) => recorder.follow(ask(prompt, input)),
      original: () => original,
      decide: (kind, reason, details) => recorder.decide(kind, reason, details),
      retrieve: (texts, asked) => recorder.follow(retrieve(texts, asked)),
      narrow: (texts, reason) => recorder.follow(narrow(texts, reason)),
      values: (wanted) => recorder.follow(settings.findValues(wanted, signal)),
      filtered: (read, error) => recorder.filter(read, error),
      documents: (docids) => recorder.follow(documents(docids)),
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
