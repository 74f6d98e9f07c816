/** The queries that `querent train --report` trains on, and those it measures with. */
import { leastQueries } from '../../../policies/local/training/check-training-data.ts'
import type { IndexedCollection } from '../../../policies/local/training/train-on-indexes.ts'
import { QuerentError } from '../../errors.ts'
import { holdOut } from '../../training/data/hold-out.ts'
import { relevantOf } from '../../training/data/relevant-docs.ts'
import { count } from '../output/count.ts'

/** Collections in two parts that share no relevant document and no conversation. Empty collections are left out. */
export interface HeldOut {
  readonly train: readonly IndexedCollection[]
  readonly test: readonly IndexedCollection[]
}

/**
 * Holds out about a fifth of the judged queries of each collection.
 *
 * @throws QuerentError `cannot-teach` if no query can be held out, or too few are left to train on
 */
export function holdOutQueries(collections: readonly IndexedCollection[], seed: number): HeldOut {
  const parts = collections.map((collection) => {
    const { queries, qrels } = collection
    const judged = queries.filter(({ qid }) => relevantOf(qrels.get(qid ?? '')).length > 0)
    const { train, heldOut } = holdOut(judged, qrels, seed)
    return { train: { ...collection, queries: train }, test: { ...collection, queries: heldOut } }
  })
  const hasQueries = ({ queries }: IndexedCollection): boolean => queries.length > 0
  const train = parts.map((part) => part.train).filter(hasQueries)
  const test = parts.map((part) => part.test).filter(hasQueries)
  if (test.length === 0)
    throw new QuerentError('cannot-teach', 'No query can be held out for --report', {
      remedy: 'All queries share relevant documents or a conversation. Train without --report.',
    })
  const left = countQueries(train)
  if (left < leastQueries)
    throw new QuerentError(
      'cannot-teach',
      `--report would leave ${count(left, 'query', 'queries')} to train on`,
      {
        remedy: `At least ${leastQueries} are needed. Judge more queries, or train without --report.`,
      },
    )
  return { train, test }
}

export const countQueries = (collections: readonly IndexedCollection[]): number =>
  collections.reduce((sum, { queries }) => sum + queries.length, 0)
