import type { Fusion } from '../src/types.ts'
import { additive } from './common/create-fusion.ts'

/**
 * CombSUM: Σ s over the lists that have the document.
 *
 * Fox and Shaw, [Combination of multiple searches](https://trec.nist.gov/pubs/trec2/papers/txt/23.txt), TREC-2, 1993.
 */
export function combSum(): Fusion {
  return additive({ name: 'comb-sum', term: ({ score }) => score })
}
