/** The answer to a search: its hits and its decision, and the trace if the client asks for it. Leaves out backends' messages. */

import { redacted } from '../../../src/errors.ts'
import type {
  BudgetPart,
  Document,
  Hit,
  LegTrace,
  NothingFound,
  SearchResult,
  Step,
  Trace,
} from '../../../src/types.ts'

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

interface AnswerOptions {
  readonly documents: boolean
  readonly explain: boolean
  /** Whether the details of a decision are sent, which have words of documents. Default: as `documents`. */
  readonly details?: boolean
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

/**
 * Removes from a trace what the client must not see: the filter, which may be the application's, and the messages of errors, in
 * which backends write addresses, credentials and documents. Where documents are not sent, what may quote them is not either.
 */
function withoutSecrets(trace: Trace, options: AnswerOptions): Trace {
  const { query, fallback, steps, reason } = trace
  const { filter: _, ...rest } = query
  return {
    ...trace,
    query: rest,
    reason: fallback === undefined ? reason : `without Querent: ${fallback.code}`,
    ...(fallback && { fallback: redacted(fallback) }),
    steps: steps.map((step) => stepWithoutSecrets(step, options)),
  }
}

function stepWithoutSecrets(step: Step, options: AnswerOptions): Step {
  if (step.type === 'retrieve') return { ...step, legs: step.legs.map(legWithoutSecrets) }
  const shown = withoutQuotes(step, options)
  return 'error' in shown && shown.error !== undefined ? { ...shown, error: redacted(shown.error) } : shown
}

type OtherStep = Exclude<Step, { readonly type: 'retrieve' }>

/** Removes what a model wrote, and a policy's own account of its decision: the local policy's has words of documents. */
function withoutQuotes(step: OtherStep, { documents, details = documents }: AnswerOptions): OtherStep {
  if (step.type === 'ask' && !documents) {
    const { output: _, ...rest } = step
    return rest
  }
  if (step.type === 'decide' && !details) {
    const { details: _, ...rest } = step
    return rest
  }
  return step
}

function legWithoutSecrets({ error, incomplete, ...leg }: LegTrace): LegTrace {
  return {
    ...leg,
    ...(incomplete !== undefined && { incomplete: 'hits may be missing' }),
    ...(error && { error: redacted(error) }),
  }
}
