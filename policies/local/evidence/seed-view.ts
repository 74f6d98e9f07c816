/** Features of what the seed scorer and the bridge scorer think of the first documents. */
import { softmax } from '../../../src/learn/softmax.ts'
import { orderOf } from '../../../src/rank.ts'
import { checkRow } from '../rerank/check-row.ts'
import type { PoolFeatures } from '../rerank/features.ts'
import type { Question } from '../rerank/question.ts'

export const seedViewFeatures = [
  'seeds: first probability',
  'seeds: second probability',
  'seeds: third probability',
  'seeds: entropy',
  'seeds: first score',
  'seeds: lead of the first',
  'seeds: first covers',
  'seeds: best sentence of the first covers',
  'seeds: first two cover',
  'seeds: 1/rank of the first',
  'seeds: title of the first in the question',
  'seeds: title of the second in the question',
  'bridges: first score',
  'bridges: second score',
  'bridges: third score',
  'bridges: first probability',
  'bridges: likely ones',
  'bridges: first is from the first seed',
  'bridges: unanswered words',
] as const

export interface ViewedBridge {
  readonly score: number
  /** The seed's row in the pool. */
  readonly seed: number
  /** The words of the question that its seed leaves unanswered. */
  readonly unanswered: string
}

interface Viewed {
  readonly question: Question
  readonly features: Pick<PoolFeatures, 'documents' | 'inQuestion'>
  /** Of the pool's documents, by the seed scorer. */
  readonly seedScores: Float64Array
  /** Best first. */
  readonly bridges: readonly ViewedBridge[]
}

export function writeSeedView(
  row: Float32Array,
  at: number,
  { question, features: { documents, inQuestion }, seedScores: scores, bridges }: Viewed,
): void {
  const probabilities = softmax(scores)
  const order = orderOf(scores)
  const share = (bits: number): number => question.weigh(bits & question.all) / question.total
  const seeds = order.map((place) => documents[place]!)
  const probability = (place: number): number => probabilities[order[place] ?? -1] ?? 0
  const [first, second] = seeds
  const entropy = probabilities.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0)
  const titled = (place: number): number => (inQuestion.some(({ title }) => title === order[place]) ? 1 : 0)
  const score = (place: number): number => bridges[place]?.score ?? noScore
  const likely = softmax(Float64Array.from(bridges, (bridge) => bridge.score))
  const values = [
    probability(0),
    probability(1),
    probability(2),
    entropy / Math.log(Math.max(2, scores.length)),
    (scores[order[0]!] ?? 0) / 10,
    ((scores[order[0]!] ?? 0) - (scores[order[1]!] ?? 0)) / 5,
    first === undefined ? 0 : share(first.bits),
    first === undefined || first.bestSentence < 0
      ? 0
      : share(first.titleBits | first.sentenceBits[first.bestSentence]!),
    share((first?.bits ?? 0) | (second?.bits ?? 0)),
    order.length === 0 ? 0 : 1 / (order[0]! + 1),
    titled(0),
    titled(1),
    score(0) / 10,
    score(1) / 10,
    score(2) / 10,
    likely[0] ?? 0,
    bridges.filter((bridge) => bridge.score > 0).length / 10,
    bridges[0] !== undefined && bridges[0].seed === order[0] ? 1 : 0,
    (bridges[0]?.unanswered.split(' ').filter(Boolean).length ?? 0) / 10,
  ]
  checkRow('seedViewFeatures', seedViewFeatures, values.length)
  row.set(values, at)
}

/** The score of a bridge that does not exist: below those of most that do. */
const noScore = -10
