import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * CombANZ: the mean score over the lists that have the document. A score of 0 counts, as in ranx.
 *
 * Fox and Shaw, [Combination of multiple searches](https://trec.nist.gov/pubs/trec2/papers/txt/23.txt), TREC-2, 1993.
 */
export function combAnz(): Fusion {
  return createFusion({
    name: 'comb-anz',
    score: (entries) => sum(entries.map(({ score }) => score)) / entries.length,
  })
}
