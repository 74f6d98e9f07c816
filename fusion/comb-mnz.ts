import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * CombMNZ: h · Σ s over the h lists that have the document.
 *
 * Fox and Shaw, [Combination of multiple searches](https://trec.nist.gov/pubs/trec2/papers/txt/23.txt), TREC-2, 1993.
 */
export function combMnz(): Fusion {
  return createFusion({
    name: 'comb-mnz',
    score: (entries) => entries.length * sum(entries.map(({ score }) => score)),
  })
}
