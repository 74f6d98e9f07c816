/**
 * Trust: whether the re-ranker's order is better than the order it was given. It compares both orders and looks at what the
 * re-ranker is sure of. On product names, duplicates and long requests the given order is often better.
 */

import { orderOf } from '../../../src/rank.ts'
import { checkRow } from './check-row.ts'
import { lengthOf } from './document-features.ts'
import type { PoolFeatures } from './features.ts'
import type { Retrieved } from './pool.ts'
import { queryFeatures } from './query-features.ts'
import type { Question } from './question.ts'
import type { Steps } from './scoring.ts'

const compared = [
  'orders: same first',
  'orders: rank of the new first',
  'orders: new rank of the first',
  'orders: shared among five',
  'orders: shared among ten',
  'orders: distance among ten',
  'scores: lead of the new first',
  'scores: lead over the given first',
  'scores: lead of the fifth over the tenth',
  'scores: probability of the first alone',
  'scores: probability of the given first alone',
  'scores: entropy alone',
  'given: second score ÷ first',
  'given: last score ÷ first',
  'given: lists',
  'given: other texts were searched',
  'given: vectors',
  'given: documents',
  'documents: without a title',
  'documents: repeated titles',
  'documents: length',
  'documents: new first covers',
  'documents: given first covers',
  'documents: best sentence of the new first covers',
  'documents: best sentence of the given first covers',
] as const

export const trustInputs: readonly string[] = [...queryFeatures, ...compared]

/** A pool with its given order and its new scores. */
export interface Judged {
  /** The docids in the given order. They may be fewer or more than the pool's. */
  readonly given: readonly string[]
  readonly question: Question
  readonly retrieved: Retrieved
  readonly features: PoolFeatures
  readonly result: Pick<Steps, 'scores' | 'probabilities'>
}

/** The inputs of trust, by `trustInputs`, for a pool that is not empty. */
export function trustRow({ given, question, retrieved, features, result }: Judged): Float32Array {
  const { scores, probabilities } = result
  const { documents, titlePhrases, rows } = features
  const order = orderOf(scores)
  const before = givenOrder(given, retrieved)
  const placeOf = new Map(before.map((row, place) => [row, place]))
  const [first, old] = [order[0]!, before[0]!]
  const shared = (count: number): number =>
    order.slice(0, count).filter((row) => placeOf.get(row)! < count).length / count
  const distance = order
    .slice(0, 10)
    .reduce((sum, row, place) => sum + Math.min(10, Math.abs(placeOf.get(row)! - place)), 0)
  const at = (place: number): number => scores[order[Math.min(place, rows - 1)]!]!
  const entropy = probabilities.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0)
  const best = retrieved.lexical.first > 0 ? retrieved.lexical : retrieved.dense
  const repeated = new Map<number, number>()
  const nearest = before.slice(0, 10)
  const top = nearest.map((row) => titlePhrases[row]!)
  for (const phrase of top) if (phrase !== -1) repeated.set(phrase, (repeated.get(phrase) ?? 0) + 1)
  const share = (bits: number): number => question.weigh(bits & question.all) / question.total
  const sentence = (row: number): number => {
    const { bestSentence, sentenceBits, titleBits } = documents[row]!
    return share(titleBits | (bestSentence < 0 ? 0 : sentenceBits[bestSentence]!))
  }
  const length = nearest.reduce((sum, row) => sum + lengthOf(documents[row]!.read.text), 0)
  const values = [
    first === old ? 1 : 0,
    1 / (placeOf.get(first)! + 1),
    1 / (order.indexOf(old) + 1),
    shared(5),
    shared(10),
    distance / 100,
    Math.min(10, at(0) - at(1)),
    Math.min(10, at(0) - scores[old]!),
    Math.min(10, at(4) - at(9)),
    probabilities[first]!,
    probabilities[old]!,
    entropy / Math.log(Math.max(2, rows)),
    best.first === 0 ? 0 : best.second / best.first,
    best.first === 0 ? 0 : best.last / best.first,
    Math.min(20, retrieved.lists) / 10,
    retrieved.hasOthers ? 1 : 0,
    retrieved.hasDense ? 1 : 0,
    rows / 100,
    top.filter((phrase) => phrase === -1).length / 10,
    [...repeated.values()].reduce((sum, count) => sum + count - 1, 0) / 10,
    Math.log1p(length / nearest.length) / 5,
    share(documents[first]!.bits),
    share(documents[old]!.bits),
    sentence(first),
    sentence(old),
  ]
  checkRow('compared', compared, values.length)
  const row = new Float32Array(trustInputs.length)
  row.set(features.query)
  row.set(values, features.query.length)
  return row
}

/** The rows of the pool in the given order. Rows that are not given follow, in the pool's order. */
function givenOrder(given: readonly string[], { candidates }: Retrieved): number[] {
  const rowOf = new Map(candidates.map(({ docid }, row) => [docid, row]))
  const rows = given.flatMap((docid) => rowOf.get(docid) ?? [])
  return [...new Set([...rows, ...candidates.keys()])]
}
