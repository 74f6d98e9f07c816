/**
 * The evidence for and against each plan: what kind of question it is, and what the seed scorer and the bridge scorer think of the
 * original query's first documents.
 */
import { softmax } from '../../../src/learn/softmax.ts'
import { orderOf } from '../../../src/rank.ts'
import { isQuestion } from '../../../src/text/is-question.ts'
import type { Query } from '../../../src/types.ts'
import { shareOf, titleAndSentence } from '../rerank/compare-document.ts'
import { featureTable } from '../rerank/feature-table.ts'
import type { PoolFeatures } from '../rerank/features.ts'
import type { Question } from '../rerank/question.ts'
import { contextFeatures, contextOf } from './query-context.ts'

/** A query after the first request. */
export interface FirstLook {
  readonly query: Query
  readonly question: Question
  readonly features: Pick<PoolFeatures, 'query' | 'documents' | 'inQuestion'>
  /** Of the pool's documents, by the seed scorer. */
  readonly seedScores: Float64Array
  /** Best first. */
  readonly bridges: readonly {
    readonly score: number
    /** The seed's row in the pool. */
    readonly seed: number
    /** The words of the question that its seed leaves unanswered. */
    readonly unanswered: string
  }[]
}

/** The score of a bridge that does not exist: below those of most that do. */
const noBridge = -10

/** What the scorers think of the first documents. */
const seeds = featureTable<ReturnType<typeof seeSeeds>>({
  'seeds: first probability': ({ probability }) => probability(0),
  'seeds: second probability': ({ probability }) => probability(1),
  'seeds: third probability': ({ probability }) => probability(2),
  'seeds: entropy': ({ probabilities }) =>
    probabilities.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0) /
    Math.log(Math.max(2, probabilities.length)),
  'seeds: first score': ({ score }) => score(0) / 10,
  'seeds: lead of the first': ({ score }) => (score(0) - score(1)) / 5,
  'seeds: first covers': ({ first, share }) => (first === undefined ? 0 : share(first.bits)),
  'seeds: best sentence of the first covers': ({ first, share }) =>
    first === undefined || first.bestSentence < 0 ? 0 : share(titleAndSentence(first)),
  'seeds: first two cover': ({ first, second, share }) => share((first?.bits ?? 0) | (second?.bits ?? 0)),
  'seeds: 1/rank of the first': ({ order }) => (order.length === 0 ? 0 : 1 / (order[0]! + 1)),
  'seeds: title of the first in the question': ({ isTitled }) => isTitled(0),
  'seeds: title of the second in the question': ({ isTitled }) => isTitled(1),
  'bridges: first score': ({ bridgeScore }) => bridgeScore(0) / 10,
  'bridges: second score': ({ bridgeScore }) => bridgeScore(1) / 10,
  'bridges: third score': ({ bridgeScore }) => bridgeScore(2) / 10,
  'bridges: first probability': ({ bridges }) =>
    softmax(Float64Array.from(bridges, ({ score }) => score))[0] ?? 0,
  'bridges: likely ones': ({ bridges }) => bridges.filter(({ score }) => score > 0).length / 10,
  'bridges: first is from the first seed': ({ bridges, order }) =>
    bridges[0] !== undefined && bridges[0].seed === order[0],
  'bridges: unanswered words': ({ bridges }) =>
    (bridges[0]?.unanswered.split(' ').filter(Boolean).length ?? 0) / 10,
})

function seeSeeds({ question, features: { documents, inQuestion }, seedScores, bridges }: FirstLook) {
  const probabilities = softmax(seedScores)
  const order = orderOf(seedScores)
  return {
    probabilities,
    order,
    bridges,
    share: shareOf(question),
    first: documents[order[0] ?? -1],
    second: documents[order[1] ?? -1],
    score: (place: number): number => seedScores[order[place]!] ?? 0,
    probability: (place: number): number => probabilities[order[place] ?? -1] ?? 0,
    isTitled: (place: number): boolean => inQuestion.some(({ title }) => title === order[place]),
    bridgeScore: (place: number): number => bridges[place]?.score ?? noBridge,
  }
}

export const evidenceFeatures: readonly string[] = [...contextFeatures, ...seeds.names]

/** The evidence, by `evidenceFeatures`. */
export function evidenceOf(look: FirstLook): Float32Array {
  const row = new Float32Array(evidenceFeatures.length)
  row.set(contextOf(look.features.query, isQuestion(look.query.text)))
  seeds.write(row, contextFeatures.length, seeSeeds(look))
  return row
}
