/**
 * What Querent reports about a search to a caller that asks for it. Callers may be anyone: of an error they get the code and what
 * it means, and not the message, in which backends write addresses, credentials and documents. Observers get messages.
 */
import { withoutWords } from '../../../../src/errors.ts'
import type { SearchOutcome } from '../../../../src/observe.ts'
import type { Hit, Trace } from '../../../../src/types.ts'
import type { JsonObject } from '../parse/json.ts'

/** The only key that Querent adds to answers. */
export const ownKey = '_querent'

/** The report about a hit. */
export const about = ({ rank, score, fused, provenance }: Hit): JsonObject => ({
  rank,
  score,
  ...(fused && { fused }),
  ...(provenance && { provenance }),
})

/** The report about the whole search. `leftOut` are the parts of the caller's context that could not be read. */
export const summary = (
  outcome: SearchOutcome,
  trace: Trace | undefined,
  leftOut: readonly string[] = [],
): JsonObject => ({
  outcome,
  ...(trace && decisionIn(trace)),
  ...(leftOut.length > 0 && { leftOut }),
})

const decisionIn = ({ policy, kind, reason, subQueries, partial, fallback, times }: Trace): JsonObject => ({
  policy,
  decision: kind,
  // The reason of a fallback repeats the message of its error.
  reason: fallback === undefined ? reason : `fell back to the original query: ${fallback.code}`,
  subQueries,
  partial,
  ...(fallback && { fallback: withoutWords(fallback) }),
  times,
})
