import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { majority } from './common/majority.ts'

/**
 * Condorcet: a document beats another where more lists have it above the other than below; to be absent is to be below
 * all, and a list that has neither does not vote. The score is how many documents are beaten less by how many it is beaten.
 *
 * That (Copeland's) score orders as majority does wherever majority is an order, and where it runs in circles it still gives
 * one order, the same for every order of the lists. The paper's sort, and ranx's, leave circles to chance. Its cost grows
 * with the square of the union.
 *
 * Montague and Aslam, [Condorcet fusion for improved retrieval](https://doi.org/10.1145/584792.584881), CIKM 2002.
 */
export function condorcet(): Fusion {
  return createFusion({ name: 'condorcet', ranks: true, score: majority })
}
