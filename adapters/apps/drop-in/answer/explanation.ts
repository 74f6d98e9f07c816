/** What Querent reports about a search under its key, if the caller asks for it. */
import type { Hit, Trace } from '../../../../src/types.ts'
import type { JsonObject } from '../json.ts'

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
 * `not optimized` if Querent failed and the caller got the engine's own answer.
 */
export function whatBecame({ trace, error, notReranked, passed }: Became): string {
  if (passed !== undefined) return passedThrough(passed)
  const failure = error ?? trace?.fallback
  if (failure !== undefined) return `not optimized: ${failure.message}`
  if (trace === undefined || !trace.partial)
    return notReranked === undefined ? optimized : `${inFusedOrder}${notReranked}`
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const reasons = legs.map(({ error, incomplete }) => error?.message ?? incomplete)
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

/** The report about the whole search. */
export const summary = ({
  policy,
  kind,
  reason,
  subQueries,
  partial,
  fallback,
  times,
}: Trace): JsonObject => ({
  policy,
  decision: kind,
  reason,
  subQueries,
  partial,
  ...(fallback && { fallback }),
  times,
})
