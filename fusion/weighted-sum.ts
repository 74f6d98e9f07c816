import type { Fusion } from '../src/types.ts'
import { additive } from './common/create-fusion.ts'

/**
 * Weighted CombSUM: Σ w · s over the lists that have the document.
 *
 * Vogt and Cottrell, [Fusion via a linear combination of scores](https://doi.org/10.1023/A:1009980820262), 1999.
 */
export function weightedSum(): Fusion {
  return additive({ name: 'weighted-sum', weighted: true, term: ({ score, weight }) => weight * score })
}
