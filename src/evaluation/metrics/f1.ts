import type { Measure } from './judgments.ts'
import { precision } from './precision.ts'
import { recall } from './recall.ts'

/**
 * F1: the harmonic mean of precision and recall, `2PR / (P + R)` (van Rijsbergen, 1979), as in ranx. Range 0 to 1; 0 if both
 * are 0. Ungraded and negatively graded documents are not relevant.
 */
export const f1: Measure = (ranking, grades, options = {}) => {
  const p = precision(ranking, grades, options)
  const r = recall(ranking, grades, options)
  return p + r > 0 ? (2 * p * r) / (p + r) : 0
}
