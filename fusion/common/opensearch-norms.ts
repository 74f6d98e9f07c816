/** The normalizations of OpenSearch's normalization processor, in 32-bit floats. */
import { f32, sum32 } from './float32.ts'
import type { Norm } from './normalize.ts'
import { rangeOf } from './range.ts'

/** The smallest normalized score of a hit, so that a hit differs from a missing one, which counts as 0. */
const minScoreOfHit = f32(0.001)

export const boundModes = ['apply', 'clip', 'ignore'] as const
type BoundMode = (typeof boundModes)[number]

export interface LowerBound {
  readonly mode: BoundMode
  readonly minScore: number
}

export interface UpperBound {
  readonly mode: BoundMode
  readonly maxScore: number
}

/**
 * (s − min) / (max − min). 0 becomes 0.001, and equal scores become 1. A lower (upper) bound replaces min (max): with `apply`,
 * for the scores above (below) it; with `clip`, for all, and scores beyond it become 0.001 (1); with `ignore`, for none.
 */
export function minMax(lowerBounds?: readonly LowerBound[], upperBounds?: readonly UpperBound[]): Norm {
  return (scores, list) => {
    const floats = scores.map(f32)
    const [min, max] = rangeOf(floats)
    const lower = lowerBounds?.[list]
    const upper = upperBounds?.[list]
    return floats.map((score) => {
      if (max === min) return 1
      const low = lower === undefined ? min : lowEnd(lower, score, min, max)
      const high = upper === undefined ? max : highEnd(upper, score, min, max)
      if (lower?.mode === 'clip' && score < low) return minScoreOfHit
      if (upper?.mode === 'clip' && score > high) return 1
      const normalized = high === low ? 1 : f32(f32(score - low) / f32(high - low))
      return normalized === 0 ? minScoreOfHit : normalized
    })
  }
}

function lowEnd({ mode, minScore }: LowerBound, score: number, min: number, max: number): number {
  const bound = f32(minScore)
  if (mode === 'apply') return max > bound && score > bound ? bound : min
  return mode === 'clip' && max >= bound ? bound : min
}

function highEnd({ mode, maxScore }: UpperBound, score: number, min: number, max: number): number {
  const bound = f32(maxScore)
  if (mode === 'apply') return min < bound && score < bound ? bound : max
  return mode === 'clip' && min <= bound ? bound : max
}

/** s / √Σ s², or 0 if the root is 0. */
export const l2: Norm = (scores) => {
  const floats = scores.map(f32)
  const length = f32(Math.sqrt(sum32(floats.map((score) => f32(score * score)))))
  return floats.map((score) => (length === 0 ? 0 : f32(score / length)))
}

/** (s − μ) / σ with the sample deviation σ, or 0.001 if that is not positive. A score equal to μ becomes the list's largest. */
export const zScore: Norm = (scores) => {
  const floats = scores.map(f32)
  const [min, max] = rangeOf(floats)
  const exactMean = floats.reduce((total, score) => total + score, 0) / floats.length
  const squares = floats.reduce((total, score) => total + (score - exactMean) ** 2, 0)
  const mean = f32(exactMean)
  const deviation = f32(floats.length === 1 ? 0 : Math.sqrt(squares / (floats.length - 1)))
  return floats.map((score) => {
    if (score === mean) return max
    if (deviation === 0) return min
    const normalized = f32(f32(score - mean) / deviation)
    return normalized <= 0 ? minScoreOfHit : normalized
  })
}
