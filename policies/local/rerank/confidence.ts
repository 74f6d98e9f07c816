/** Confidence: the probability that a document is relevant, comparable between queries. The re-ranker's scores are not. */

import { orderOf } from '../../../src/rank.ts'
import { checkRow } from './check-row.ts'
import type { PoolFeatures } from './features.ts'
import type { Retrieved } from './pool.ts'
import { queryFeatures } from './query-features.ts'
import type { Question } from './question.ts'
import type { Steps } from './scoring.ts'

const own = [
  'hit: score before the softmax',
  'hit: log probability',
  'hit: final score',
  'hit: log probability alone',
  'hit: 1/new rank',
  'hit: 1/rank of the query alone',
  'hit: score ÷ first',
  'hit: fused',
  'hit: lists',
  'hit: covers',
  'hit: title covers',
  'hit: best sentence covers',
  'pool: highest score before the softmax',
  'pool: covered by the best',
  'pool: second score ÷ first',
  'pool: other texts were searched',
  'pool: vectors',
  'pool: documents',
] as const

export const confidenceInputs: readonly string[] = [...own, ...queryFeatures]

/** A pool with the scores of its documents. */
export interface Scored {
  readonly question: Question
  readonly retrieved: Retrieved
  readonly features: PoolFeatures
  readonly result: Steps
}

/** rows × confidenceInputs */
export function confidenceRows({ question, retrieved, features, result }: Scored): Float32Array {
  const { scores, second, probabilities, raw } = result
  const { documents, rows } = features
  const width = confidenceInputs.length
  const table = new Float32Array(rows * width)
  const share = (bits: number): number => question.weigh(bits & question.all) / question.total
  const best = retrieved.lexical.first > 0 ? retrieved.lexical : retrieved.dense
  const highest = raw.reduce((max, score) => Math.max(max, score), -Infinity)
  const covered = documents.reduce((max, { bits }) => Math.max(max, share(bits)), 0)
  orderOf(scores).forEach((row, place) => {
    const { bits, titleBits, sentenceBits, bestSentence } = documents[row]!
    const { fused, high, lexical, dense } = retrieved.candidates[row]!
    const standing = retrieved.lexical.first > 0 ? lexical : dense
    const values = [
      raw[row]!,
      Math.max(lowest, second[row]!),
      Math.max(lowest, scores[row]!),
      Math.max(lowest, Math.log(probabilities[row]!)),
      1 / (place + 1),
      standing.rank === 0 ? 0 : 1 / standing.rank,
      best.first === 0 ? 0 : standing.score / best.first,
      Math.min(5, fused),
      Math.min(10, high) / 5,
      share(bits),
      share(titleBits),
      share(titleBits | (bestSentence < 0 ? 0 : sentenceBits[bestSentence]!)),
      highest,
      covered,
      best.first === 0 ? 0 : best.second / best.first,
      retrieved.hasOthers ? 1 : 0,
      retrieved.hasDense ? 1 : 0,
      rows / 100,
    ]
    checkRow('own', own, values.length)
    table.set(values, row * width)
    table.set(features.query, row * width + values.length)
  })
  return table
}

/** Lower logarithms do not differ. */
const lowest = -15
