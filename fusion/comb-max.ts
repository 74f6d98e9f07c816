import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'

/**
 * CombMAX: the largest score over the lists that have the document.
 *
 * Fox and Shaw, [Combination of multiple searches](https://trec.nist.gov/pubs/trec2/papers/txt/23.txt), TREC-2, 1993.
 */
export function combMax(): Fusion {
  return createFusion({
    name: 'comb-max',
    score: (entries) => Math.max(...entries.map(({ score }) => score)),
  })
}
