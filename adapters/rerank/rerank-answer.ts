/**
 * What servers answer to `POST /rerank`. Each result has the `index` of a document in the request, and its score:
 *
 * - Cohere (docs.cohere.com/reference/rerank), Jina (api.jina.ai/redoc), vLLM, LiteLLM: `results[].relevance_score`;
 * - Voyage (docs.voyageai.com/reference/reranker-api): `data[].relevance_score`;
 * - TEI (huggingface/text-embeddings-inference, router/src/http/types.rs): a list with `score`.
 */
import { z } from 'zod'
import { QuerentError } from '../../src/errors.ts'

interface Result {
  readonly index: number
  readonly relevance_score?: number | undefined
  readonly score?: number | undefined
}

/** The results, wherever they are. */
export const rerankAnswer: z.ZodType<readonly Result[]> = z.preprocess(
  (answer) => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
    return 'results' in answer ? answer.results : 'data' in answer ? answer.data : answer
  },
  z.array(z.object({ index: z.int(), relevance_score: z.number().optional(), score: z.number().optional() })),
)

/**
 * One score per document, in the order of the request.
 *
 * @throws QuerentError `rerank-failed` unless each document is scored exactly once
 */
export function scoresOf(results: readonly Result[], count: number, what: string): number[] {
  const fail = (reason: string): QuerentError => new QuerentError('rerank-failed', `${what} ${reason}`)
  const scores = new Map<number, number>()
  for (const { index, relevance_score, score } of results) {
    const found = relevance_score ?? score
    if (index < 0 || index >= count) throw fail(`scored a document ${index} of ${count}, counted from 0`)
    if (scores.has(index)) throw fail(`scored document ${index} twice`)
    if (found === undefined) throw fail(`gave document ${index} no score`)
    scores.set(index, found)
  }
  if (scores.size < count) throw fail(`scored ${scores.size} of ${count} documents`)
  return Array.from({ length: count }, (_, index) => scores.get(index)!)
}

/** Whether a server refused a request because it has no `texts`: then it is TEI, which answers 422. */
export const wantsTexts = (error: unknown): boolean => {
  const { cause } = error as { readonly cause?: unknown }
  const { status, message } = (cause ?? {}) as { readonly status?: unknown; readonly message?: unknown }
  return (status === 400 || status === 422) && /\btexts\b/.test(String(message))
}
