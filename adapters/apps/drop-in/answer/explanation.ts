/**
 * What Querent reports about a search to a caller that asks for it. Callers may be anyone: of an error they get the code and what
 * it means, and not the message, in which backends write addresses, credentials and documents. Observers get messages.
 */
import { withoutWords } from '../../../../src/errors.ts'
import { toFailure } from '../../../../src/trace.ts'
import type { Failure, Hit, Trace } from '../../../../src/types.ts'
import type { JsonObject } from '../parse/json.ts'
import { AnswerError } from './engine-answer.ts'

/** The only key that Querent adds to answers. */
export const ownKey = '_querent'

/** The report about a hit. */
export const about = ({ rank, score, fused, provenance }: Hit): JsonObject => ({
  rank,
  score,
  ...(fused && { fused }),
  ...(provenance && { provenance }),
})

/** The status of a search without failures. */
export const optimized = 'optimized'

/** The status of a search that Querent did not look at or could not read. */
export const passedThrough = (reason: string): string => `passed through: ${reason}`

/**
 * The status of a search, in one line:
 * `optimized`;
 * `optimized; not re-ranked` if the hits keep the fused order;
 * `optimized in part` if a leg failed or may lack hits;
 * `not optimized` if Querent or the engine failed and the caller got the engine's own answer.
 * An error is told by its code and what that means.
 */
export function whatBecame({ trace, error, notReranked, passed }: Became): string {
  if (passed !== undefined) return passedThrough(passed)
  if (error instanceof AnswerError) return `not optimized: ${error.what}`
  const failure = error === undefined ? trace?.fallback : toFailure(error)
  if (failure !== undefined) return `not optimized: ${inALine(failure)}`
  if (trace === undefined || !trace.partial)
    return notReranked === undefined ? optimized : `${inFusedOrder}${notReranked}`
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const reasons = legs.map(({ error, incomplete }) => (error === undefined ? incomplete : inALine(error)))
  return `optimized in part: ${reasons.find((reason) => reason !== undefined) ?? 'a leg is missing'}`
}

interface Became {
  readonly trace?: Trace
  readonly error?: Error
  readonly notReranked?: string
  readonly passed?: string
}

const inFusedOrder = `${optimized}; not re-ranked: `

/** The status of an `_msearch`, from the statuses of its searches. */
export function whatBecameOfAll(ends: readonly string[]): string {
  const failure = ends.find((end) => end !== optimized && !end.startsWith(inFusedOrder))
  if (failure === undefined) return optimized
  const isSome = ends.some((end) => end.startsWith(optimized))
  return isSome && !failure.startsWith(optimized) ? `${optimized} in part: ${failure}` : failure
}

/** The report about the whole search. `leftOut` are the parts of the caller's context that could not be read. */
export const summary = (
  { policy, kind, reason, subQueries, partial, fallback, times }: Trace,
  leftOut: readonly string[] = [],
): JsonObject => ({
  policy,
  decision: kind,
  // The reason of a fallback repeats the message of its error.
  reason: fallback === undefined ? reason : `fell back to the original query: ${fallback.code}`,
  subQueries,
  partial,
  ...(fallback && { fallback: withoutWords(fallback) }),
  times,
  ...(leftOut.length > 0 && { leftOut }),
})

const inALine = (failure: Failure): string => `${failure.code}: ${withoutWords(failure).message}`
