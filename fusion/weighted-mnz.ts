import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * Weighted CombMNZ: Σ s · Σ w over the lists that have the document. The weights do not multiply the scores.
 *
 * Wu and Crestani, [Data fusion with estimated weights](https://doi.org/10.1145/584792.584908), CIKM 2002.
 */
export function weightedMnz(): Fusion {
  return createFusion({
    name: 'weighted-mnz',
    weighted: true,
    score: (entries) => sum(entries.map(({ score }) => score)) * sum(entries.map(({ weight }) => weight)),
  })
}
