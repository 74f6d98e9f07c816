import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { majority } from './common/majority.ts'

/**
 * Weighted Condorcet: as `condorcet`, with w votes for each list.
 *
 * Montague and Aslam, [Condorcet fusion for improved retrieval](https://doi.org/10.1145/584792.584881), CIKM 2002.
 */
export function weightedCondorcet(): Fusion {
  return createFusion({ name: 'weighted-condorcet', ranks: true, weighted: true, score: majority })
}
