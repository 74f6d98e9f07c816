/** What is said of a search under our key, where that was asked for. */
import type { Hit, Trace } from '../../../../src/types.ts'
import type { JsonObject } from '../json.ts'

/** The one key under which anything of ours stands. */
export const ownKey = '_querent'

/** Of a hit. */
export const about = ({ rank, score, fused, provenance }: Hit): JsonObject => ({
  rank,
  score,
  ...(fused && { fused }),
  ...(provenance && { provenance }),
})

/** Said of a search of which nothing failed. */
export const optimized = 'optimized'

/** Said of a search that was not looked at, or could not be read. */
export const passedThrough = (reason: string): string => `passed through: ${reason}`

/**
 * What became of a search, in a line: `optimized`; `optimized; not re-ranked` where the hits keep the fused order; `optimized
 * in part` where a leg failed or may have left out hits; `not optimized` where something of ours failed and the engine's own
 * answer was given.
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

/** The same of the searches of an `_msearch`, as one. */
export function whatBecameOfAll(ends: readonly string[]): string {
  const failure = ends.find((end) => end !== optimized && !end.startsWith(inFusedOrder))
  if (failure === undefined) return optimized
  const isSome = ends.some((end) => end.startsWith(optimized))
  return isSome && !failure.startsWith(optimized) ? `${optimized} in part: ${failure}` : failure
}

/** Of the whole search. */
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
