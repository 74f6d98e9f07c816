/**
 * Re-ranking by a language model: one listwise prompt, in which each candidate stands with the document that led to it, as in
 * BridgeRAG (arXiv 2604.03384). The paper judges one candidate at a time; here one prompt has all of them.
 *
 * @module querent/rerank/llm
 */
import { z } from 'zod'
import { count, having, parseConfig } from '../../src/config.ts'
import { runPrompt } from '../../src/prompt.ts'
import { rerankedHits } from '../../src/reranked-hits.ts'
import type { DocumentOf, Reranker, RerankTools } from '../../src/reranker.ts'
import type { ChatModel, Document, Query, RankedList } from '../../src/types.ts'
import { within } from '../models/with-timeout.ts'
import { bestSentence, bridgesOf } from './bridge.ts'
import { candidatesOf, firstDocids } from './candidates.ts'
import { type Passage, rankPrompt } from './rank-prompt.ts'

export interface LlmRerankerOptions {
  /** The model that is asked, `openaiChat({ … })` of `querent/models` for example. */
  readonly chat: ChatModel
  /** How many of the fused hits are re-ranked, 100 at most. The others follow in fused order. Default: 20. */
  readonly window?: number | undefined
  /** Characters of a document that are shown. Default: 600. */
  readonly maxCharacters?: number | undefined
  /** Milliseconds for the model's answer, a second attempt included. Default: 3,000. */
  readonly timeout?: number | undefined
}

const optionsSchema = z.strictObject({
  chat: having<ChatModel>('a chat model', 'complete'),
  window: count.max(100).default(20),
  maxCharacters: count.default(600),
  timeout: z.number().positive().default(3000),
})

/**
 * Makes a re-ranker. Documents that the model does not name follow in fused order. If the model fails, is late, or twice names no
 * document, the search keeps the fused order. The prompt is a step of the trace.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function llmReranker(options: LlmRerankerOptions): Reranker {
  const { chat, window, maxCharacters, timeout } = parseConfig(optionsSchema, options, 'llmReranker')

  return {
    reads: true,
    waits: true,
    models: [chat],
    window,
    needs(_query, lists, fused) {
      const docids = firstDocids(fused, window)
      const bridges = bridgesOf(lists)
      return [...new Set([...docids, ...docids.flatMap((docid) => bridges.get(docid)?.docid ?? [])])]
    },
    async rerank(query, lists, fused, documentOf, tools = {}) {
      const candidates = candidatesOf(fused, documentOf, window)
      if (candidates.length === 0 || query.text.trim() === '') return fused
      const passages = passagesOf(candidates, query, lists, documentOf)
      const input = { question: query.text, history: query.history ?? [], passages, maxCharacters }
      const { ask = askAlone(tools.signal) } = tools
      const places = await ask(rankPrompt, input, chat, timeout)
      return rerankedHits(
        fused,
        places.map((place, index) => ({ docid: candidates[place]!.docid, score: 1 / (index + 1) })),
      )
    },
  }
}

function passagesOf(
  candidates: readonly Document[],
  { text: question }: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
): Passage[] {
  const bridges = bridgesOf(lists)
  return candidates.map((document) => {
    const bridge = bridges.get(document.docid)
    const from = bridge && documentOf(bridge.docid)
    if (from === undefined) return { document }
    const sentence = bestSentence(from, [question, bridge!.subQuery])
    return { document, bridge: { document: from, sentence } }
  })
}

/** Asks outside of a search, without a trace. */
const askAlone =
  (signal: AbortSignal | undefined): NonNullable<RerankTools['ask']> =>
  (prompt, input, model, timeout) =>
    within(`Chat model "${model.name}"`, { timeout, signal }, (ending) =>
      runPrompt(prompt, input, {
        model,
        usage: { attempts: 0, tokens: { prompt: 0, completion: 0 } },
        signal: ending,
        onText: undefined,
      }),
    )
