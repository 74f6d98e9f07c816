import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'

/**
 * CombMED: the median score over the lists that have the document. The median of an even number of scores is the mean of the
 * middle two.
 *
 * Fox and Shaw, [Combination of multiple searches](https://trec.nist.gov/pubs/trec2/papers/txt/23.txt), TREC-2, 1993.
 */
export function combMed(): Fusion {
  return createFusion({ name: 'comb-med', score: (entries) => median(entries.map(({ score }) => score)) })
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
