/** Confidence: the probability that a document is relevant, comparable between queries. The re-ranker's scores are not. */

import { orderOf } from '../../../src/rank.ts'
import { shareOf, titleAndSentence } from './compare-document.ts'
import { featureTable } from './feature-table.ts'
import type { PoolFeatures } from './features.ts'
import type { Retrieved } from './pool.ts'
import { queryFeatures } from './query-features.ts'
import type { Question } from './question.ts'
import type { Steps } from './scoring.ts'

/** Lower logarithms do not differ. */
const lowest = -15

const ofHit = featureTable<ReturnType<typeof seeHit>>({
  'hit: score before the softmax': ({ result, row }) => result.raw[row]!,
  'hit: log probability': ({ result, row }) => Math.max(lowest, result.second[row]!),
  'hit: final score': ({ result, row }) => Math.max(lowest, result.scores[row]!),
  'hit: log probability alone': ({ result, row }) => Math.max(lowest, Math.log(result.probabilities[row]!)),
  'hit: 1/new rank': ({ place }) => 1 / (place + 1),
  'hit: 1/rank of the query alone': ({ standing }) => (standing.rank === 0 ? 0 : 1 / standing.rank),
  'hit: score ÷ first': ({ best, standing }) => (best.first === 0 ? 0 : standing.score / best.first),
  'hit: fused': ({ candidate }) => Math.min(5, candidate.fused),
  'hit: lists': ({ candidate }) => Math.min(10, candidate.high) / 5,
  'hit: covers': ({ share, document }) => share(document.bits),
  'hit: title covers': ({ share, document }) => share(document.titleBits),
  'hit: best sentence covers': ({ share, document }) => share(titleAndSentence(document)),
  'pool: highest score before the softmax': ({ pool }) => pool.highest,
  'pool: covered by the best': ({ pool }) => pool.covered,
  'pool: second score ÷ first': ({ best }) => (best.first === 0 ? 0 : best.second / best.first),
  'pool: other texts were searched': ({ retrieved }) => retrieved.hasOthers,
  'pool: vectors': ({ retrieved }) => retrieved.hasDense,
  'pool: documents': ({ features }) => features.rows / 100,
})

export const confidenceInputs: readonly string[] = [...ofHit.names, ...queryFeatures]

/** A pool with the scores of its documents. */
export interface Scored {
  readonly question: Question
  readonly retrieved: Retrieved
  readonly features: PoolFeatures
  readonly result: Steps
}

/** rows × confidenceInputs */
export function confidenceRows(scored: Scored): Float32Array {
  const { rows, query } = scored.features
  const width = confidenceInputs.length
  const table = new Float32Array(rows * width)
  const pool = seePool(scored)
  pool.order.forEach((row, place) => {
    const next = ofHit.write(table, row * width, seeHit(scored, pool, row, place))
    table.set(query, next)
  })
  return table
}

function seePool({ question, retrieved, features, result }: Scored) {
  const share = shareOf(question)
  return {
    share,
    order: orderOf(result.scores),
    best: retrieved.lexical.first > 0 ? retrieved.lexical : retrieved.dense,
    highest: result.raw.reduce((max, score) => Math.max(max, score), -Infinity),
    covered: features.documents.reduce((max, { bits }) => Math.max(max, share(bits)), 0),
  }
}

function seeHit(scored: Scored, pool: ReturnType<typeof seePool>, row: number, place: number) {
  const { retrieved, features, result } = scored
  const candidate = retrieved.candidates[row]!
  return {
    row,
    place,
    pool,
    retrieved,
    features,
    result,
    candidate,
    best: pool.best,
    share: pool.share,
    standing: retrieved.lexical.first > 0 ? candidate.lexical : candidate.dense,
    document: features.documents[row]!,
  }
}
