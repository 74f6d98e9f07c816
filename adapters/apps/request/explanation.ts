/** What is said of a search under our key, where that was asked for. */
import type { Hit, Trace } from '../../../src/types.ts'
import type { JsonObject } from './json.ts'

/** The one key under which anything of ours stands. */
export const ownKey = '_querent'

/** Of a hit. */
export const about = ({ rank, score, fused, provenance }: Hit): JsonObject => ({
  rank,
  score,
  ...(fused && { fused }),
  ...(provenance && { provenance }),
})

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
