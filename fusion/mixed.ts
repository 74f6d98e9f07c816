import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * Mixed: √h · Σ w · s over the h lists that have the document.
 *
 * Wu and Crestani, [Data fusion with estimated weights](https://doi.org/10.1145/584792.584908), CIKM 2002.
 */
export function mixed(): Fusion {
  return createFusion({
    name: 'mixed',
    weighted: true,
    score: (entries) => Math.sqrt(entries.length) * sum(entries.map(({ score, weight }) => weight * score)),
  })
}
