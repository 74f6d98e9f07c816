import type { Fusion } from '../src/types.ts'
import { bordaPoints } from './common/borda-points.ts'
import { createFusion } from './common/create-fusion.ts'

/**
 * Weighted Borda count: Σ w · points, with the points of `borda`.
 *
 * Aslam and Montague, [Models for metasearch](https://doi.org/10.1145/383952.384007), SIGIR 2001.
 */
export function weightedBorda(): Fusion {
  return createFusion({ name: 'weighted-borda', ranks: true, weighted: true, score: bordaPoints })
}
