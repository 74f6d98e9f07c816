/** The answer to a search: its hits and its decision, and the trace if the client asks for it. Leaves out backends' messages. */

import type { BudgetPart, Document, Hit, NothingFound, SearchResult, Trace } from '../../../src/types.ts'
import { type SecretsOptions, withoutSecrets } from '../../../src/without-secrets.ts'

export interface SearchAnswer {
  readonly hits: readonly AnsweredHit[]
  /** Set if the policy answers questions. */
  readonly answer?: string
  /** The docids of the documents that the answer is based on. */
  readonly citations?: readonly string[]
  /** Set if the policy looked for an answer, and the documents do not tell it. */
  readonly unanswered?: true
  /** What of the budget was spent when the search wanted more. */
  readonly endedBy?: BudgetPart
  /** The probability that at least one hit is relevant. Set if hits have a confidence. */
  readonly answerable?: number
  /** The prompts that failed, which the search went on or fell back without. Absent if none did. */
  readonly failedPrompts?: readonly { readonly prompt: string; readonly code: string }[]
  /** Set if the server relaxes searches, and nothing was found that has all of what was asked for. */
  readonly nothingFound?: NothingFound
  readonly decision: Pick<Trace, 'kind' | 'reason' | 'subQueries'>
  /** Milliseconds. */
  readonly took: number
  /** Whether a part of the search failed or was late. If so, hits may be missing. */
  readonly partial: boolean
  /**
   * Set if the client asked for `explain`. The whole trace, without the filter, the messages of errors and, where documents are not
   * sent, what may quote them: what a model wrote and, except on the page of a proxy, the details of a decision.
   */
  readonly trace?: Trace
}

/** A hit. `provenance`, `fused` and `recency` are set if the client asked for `explain`. */
export interface AnsweredHit
  extends Pick<Hit, 'rank' | 'docid' | 'score' | 'confidence' | 'recency' | 'provenance' | 'fused'> {
  readonly document?: Document
}

interface AnswerOptions extends SecretsOptions {
  readonly explain: boolean
}

export function answerOf(result: SearchResult, options: AnswerOptions): SearchAnswer {
  const { documents, explain } = options
  const {
    hits,
    answer,
    citations,
    unanswered,
    endedBy,
    answerable,
    failedPrompts: failed = [],
    nothingFound,
    trace,
  } = result
  const shown = withoutSecrets(trace, options)
  const { kind, reason, subQueries, partial, times } = shown
  return {
    hits: hits.map(({ rank, docid, score, confidence, document, provenance, fused, recency }) => ({
      rank,
      docid,
      score,
      ...(confidence !== undefined && { confidence }),
      ...(documents && document && { document }),
      ...(explain && provenance && { provenance }),
      ...(explain && fused && { fused }),
      ...(explain && recency !== undefined && { recency }),
    })),
    ...(answer !== undefined && { answer, citations: citations ?? [] }),
    ...(unanswered && { unanswered }),
    ...(endedBy && { endedBy }),
    ...(answerable !== undefined && { answerable }),
    ...(failed.length > 0 && {
      failedPrompts: failed.map(({ prompt, error: { code } }) => ({ prompt, code })),
    }),
    ...(nothingFound && { nothingFound }),
    decision: { kind, reason, subQueries },
    took: Math.round(times.total),
    partial,
    ...(explain && { trace: shown }),
  }
}
