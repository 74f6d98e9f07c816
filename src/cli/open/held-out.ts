/** The queries that `querent train --report` trains on, and those it measures with. */
import { leastQueries } from '../../../policies/local/training/check-training-data.ts'
import type { IndexedCollection } from '../../../policies/local/training/train-on-indexes.ts'
import { QuerentError } from '../../errors.ts'
import { holdOutTogether, type Split } from '../../training/data/hold-out.ts'
import { relevantOf } from '../../training/data/relevant-docs.ts'
import type { Query } from '../../types.ts'
import { count } from '../output/count.ts'

/**
 * Collections in two parts that share no relevant document and no conversation, also where several collections are judged over
 * the same documents. Empty collections are left out.
 */
export interface HeldOut {
  readonly train: readonly IndexedCollection[]
  readonly test: readonly IndexedCollection[]
}

/**
 * Holds out about a fifth of the judged queries of each corpus.
 *
 * @throws QuerentError `unusable-judgments` if no query can be held out, or too few are left to train on
 */
export function holdOutQueries(collections: readonly IndexedCollection[], seed: number): HeldOut {
  const splitOf = new Map<IndexedCollection, Split<Query>>()
  for (const corpus of new Set(collections.map(corpusOf))) {
    const together = collections.filter((collection) => corpusOf(collection) === corpus)
    const splits = holdOutTogether(together.map(judgedOf), seed)
    together.forEach((collection, place) => void splitOf.set(collection, splits[place]!))
  }
  const parts = collections.map((collection) => {
    const { train, heldOut } = splitOf.get(collection)!
    return { train: { ...collection, queries: train }, test: { ...collection, queries: heldOut } }
  })
  const hasQueries = ({ queries }: IndexedCollection): boolean => queries.length > 0
  const train = parts.map((part) => part.train).filter(hasQueries)
  const test = parts.map((part) => part.test).filter(hasQueries)
  if (test.length === 0)
    throw new QuerentError('unusable-judgments', 'No query can be held out for --report', {
      remedy: 'All queries share relevant documents or a conversation. Train without --report.',
    })
  const left = countQueries(train)
  if (left < leastQueries)
    throw new QuerentError(
      'unusable-judgments',
      `--report would leave ${count(left, 'query', 'queries')} to train on`,
      { remedy: `At least ${leastQueries} are needed. Judge more queries, or train without --report.` },
    )
  return { train, test }
}

const corpusOf = ({ index }: IndexedCollection): string => index.manifest.corpus

/** Its queries with a relevant document. */
function judgedOf({ queries, qrels }: IndexedCollection): Pick<IndexedCollection, 'queries' | 'qrels'> {
  return { queries: queries.filter(({ qid }) => relevantOf(qrels.get(qid ?? '')).length > 0), qrels }
}

export const countQueries = (collections: readonly IndexedCollection[]): number =>
  collections.reduce((sum, { queries }) => sum + queries.length, 0)
