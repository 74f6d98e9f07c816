import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'

/**
 * CombMIN: the smallest score over the lists that have the document.
 *
 * Fox and Shaw, [Combination of multiple searches](https://trec.nist.gov/pubs/trec2/papers/txt/23.txt), TREC-2, 1993.
 */
export function combMin(): Fusion {
  return createFusion({
    name: 'comb-min',
    score: (entries) => Math.min(...entries.map(({ score }) => score)),
  })
}
