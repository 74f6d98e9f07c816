/** What the original query's results say about it: evidence for and against each plan. */
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { RankedList } from '../../../src/types.ts'
import type { PoolFeatures } from '../rerank/features.ts'
import type { Question } from '../rerank/question.ts'
import { coverageFeatures, writeCoverage } from './coverage.ts'
import { seedViewFeatures, type ViewedBridge, writeSeedView } from './seed-view.ts'
import { wordingFeatures, writeWording } from './wording.ts'

export const evidenceFeatures: readonly string[] = [
  ...wordingFeatures,
  ...coverageFeatures,
  ...seedViewFeatures,
]

/** A query after the first request. */
export interface FirstLook {
  /** The query as it was typed. */
  readonly text: string
  readonly question: Question
  /** Of the original query. */
  readonly lists: readonly RankedList[]
  readonly features: Pick<PoolFeatures, 'documents' | 'inQuestion'>
  /** Of the pool's documents, by the seed scorer. */
  readonly seedScores: Float64Array
  /** Best first. */
  readonly bridges: readonly ViewedBridge[]
}

/** The evidence, by `evidenceFeatures`. */
export function evidenceOf(look: FirstLook, lexicon: Lexicon): Float32Array {
  const row = new Float32Array(evidenceFeatures.length)
  writeWording(row, 0, look.text, look.question, lexicon)
  writeCoverage(row, wordingFeatures.length, look)
  writeSeedView(row, wordingFeatures.length + coverageFeatures.length, look)
  return row
}
