import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { majority } from './common/majority.ts'

/**
 * Condorcet: a document beats another if more lists rank it above the other than below. An absent document is below all
 * present ones, and a list that has neither does not vote. The score is the number of documents that it beats minus the
 * number of documents that beat it (Copeland's score).
 *
 * The score gives the majority's order if there is one. If majorities form a cycle, it still gives one order, the same for
 * every order of the lists, whereas the order of the paper's sort, and of ranx's, is arbitrary. The cost is quadratic in the
 * size of the union.
 *
 * Montague and Aslam, [Condorcet fusion for improved retrieval](https://doi.org/10.1145/584792.584881), CIKM 2002.
 */
export function condorcet(): Fusion {
  return createFusion({ name: 'condorcet', ranks: true, score: majority })
}
