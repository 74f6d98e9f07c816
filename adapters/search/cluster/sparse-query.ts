/** The query of the sparse leg: finds documents by learned weights of words. */
import type { WordWeights } from '../../../src/types.ts'
import type { Dialect } from './cluster.ts'
import { searchedText } from './words.ts'

interface SparseSettings {
  readonly field: string
  readonly inference?: string | undefined
  readonly rankFeatures: boolean
}

interface Weighed {
  readonly text: string
  /** Absent: the cluster computes them. */
  readonly weights: WordWeights | undefined
  readonly maxWords: number
}

export function sparseQuery(
  dialect: Dialect,
  { field, inference, rankFeatures }: SparseSettings,
  { text, weights, maxWords }: Weighed,
): object {
  if (weights === undefined)
    return dialect.weighedByCluster({ field, inference, text: searchedText(text, maxWords) })
  // In the name of a feature, a dot would start another field.
  const usable = [...weights].filter(([word]) => !(rankFeatures && word.includes('.')))
  // A `bool` without clauses would match every document.
  if (usable.length === 0) return { match_none: {} }
  const heaviest = usable.sort((a, b) => b[1] - a[1]).slice(0, maxWords)
  return rankFeatures ? sumOfFeatures(field, heaviest) : dialect.weighted(field, Object.fromEntries(heaviest))
}

/** What `neural_sparse` asks of Lucene, in queries of the core: `linear` is the weight in the document, `boost` that in the query. */
function sumOfFeatures(field: string, weights: readonly (readonly [string, number])[]): object {
  const should = weights.map(([word, boost]) => ({
    rank_feature: { field: `${field}.${word}`, linear: {}, boost },
  }))
  return { bool: { should } }
}
