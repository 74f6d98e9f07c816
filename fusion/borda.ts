import type { Fusion } from '../src/types.ts'
import { bordaPoints } from './common/borda-points.ts'
import { createFusion } from './common/create-fusion.ts'

/**
 * Borda count: with C documents in the union of the lists, rank r of a list is worth C − r + 1 points. The documents missing
 * from a list of n share its remaining points, (C − n + 1) / 2 each, so an empty list gives every document the same.
 *
 * Aslam and Montague, [Models for metasearch](https://doi.org/10.1145/383952.384007), SIGIR 2001.
 */
export function borda(): Fusion {
  return createFusion({ name: 'borda', ranks: true, score: bordaPoints })
}
