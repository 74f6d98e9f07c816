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

const ofHit = featureTable<ReturnType<typeof seePool> & ReturnType<typeof seeHit>>({
  'hit: score before the softmax': ({ raw, row }) => raw[row]!,
  'hit: log probability': ({ second, row }) => Math.max(lowest, second[row]!),
  'hit: final score': ({ scores, row }) => Math.max(lowest, scores[row]!),
  'hit: log probability alone': ({ probabilities, row }) => Math.max(lowest, Math.log(probabilities[row]!)),
  'hit: 1/new rank': ({ place }) => 1 / (place + 1),
  'hit: 1/rank of the query alone': ({ standing }) => (standing.rank === 0 ? 0 : 1 / standing.rank),
  'hit: score ÷ first': ({ best, standing }) => (best.first === 0 ? 0 : standing.score / best.first),
  'hit: fused': ({ candidate }) => Math.min(5, candidate.fused),
  'hit: lists': ({ candidate }) => Math.min(10, candidate.high) / 5,
  'hit: covers': ({ share, document }) => share(document.bits),
  'hit: title covers': ({ share, document }) => share(document.titleBits),
  'hit: best sentence covers': ({ share, document }) => share(titleAndSentence(document)),
  'pool: highest score before the softmax': ({ highest }) => highest,
  'pool: covered by the best': ({ covered }) => covered,
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
    const next = ofHit.write(table, row * width, { ...pool, ...seeHit(scored, row, place) })
    table.set(query, next)
  })
  return table
}

function seePool({ question, retrieved, features, result }: Scored) {
  const share = shareOf(question)
  return {
    ...result,
    retrieved,
    features,
    share,
    order: orderOf(result.scores),
    best: retrieved.lexical.first > 0 ? retrieved.lexical : retrieved.dense,
    highest: result.raw.reduce((max, score) => Math.max(max, score), -Infinity),
    covered: features.documents.reduce((max, { bits }) => Math.max(max, share(bits)), 0),
  }
}

function seeHit({ retrieved, features }: Scored, row: number, place: number) {
  const candidate = retrieved.candidates[row]!
  const standing = retrieved.lexical.first > 0 ? candidate.lexical : candidate.dense
  return { row, place, candidate, standing, document: features.documents[row]! }
}
