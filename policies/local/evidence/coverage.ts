/** Features of how much of a question the first documents already say, and of how peaked the scores of their list are. */
import type { RankedList } from '../../../src/types.ts'
import { checkRow } from '../rerank/check-row.ts'
import type { PoolDocument } from '../rerank/compare-document.ts'
import type { PoolFeatures } from '../rerank/features.ts'
import type { Question } from '../rerank/question.ts'

/** A query with the documents that it found. */
interface Covered {
  readonly question: Question
  /** Of the original query; the first one's scores count. */
  readonly lists: readonly RankedList[]
  readonly features: Pick<PoolFeatures, 'documents' | 'inQuestion'>
}

export const coverageFeatures = [
  'coverage: first document',
  'coverage: best of five',
  'coverage: best sentence of five',
  'coverage: ten together less the best',
  'coverage: second document adds',
  'coverage: names in one document',
  'coverage: title in the question',
  'coverage: question less that title',
  'scores: second ÷ first',
  'scores: fifth ÷ first',
  'scores: tenth ÷ first',
  'scores: first ÷ weight of the question',
  'scores: entropy',
] as const

/** The number of documents of the pool that are read for coverage. */
const near = 5
const far = 10

export function writeCoverage(
  row: Float32Array,
  at: number,
  { question, lists, features: { documents, inQuestion } }: Covered,
): void {
  const share = (bits: number): number => question.weigh(bits & question.all) / question.total
  const highest = (some: readonly PoolDocument[], of: (document: PoolDocument) => number): number =>
    some.reduce((best, document) => Math.max(best, of(document)), 0)
  const [first, second] = documents
  const nearest = documents.slice(0, near)
  const top = documents.slice(0, far)
  const best = highest(nearest, ({ bits }) => share(bits))
  const union = top.reduce((all, { bits }) => all | bits, 0)
  const names = question.weigh(question.inNames)
  const titled = inQuestion.some(({ title }) => title === 0)
  const scores = (lists[0]?.hits ?? []).slice(0, far).map(({ score }) => score)
  const ratio = (place: number): number => (scores[0]! > 0 ? (scores[place] ?? 0) / scores[0]! : 0)
  const values = [
    first === undefined ? 0 : share(first.bits),
    best,
    highest(nearest, ({ bestSentence, sentenceBits, titleBits }) =>
      share(titleBits | (bestSentence < 0 ? 0 : sentenceBits[bestSentence]!)),
    ),
    share(union) - best,
    first === undefined || second === undefined ? 0 : share(second.bits & ~first.bits),
    names === 0 ? 0 : highest(top, ({ bits }) => question.weigh(bits & question.inNames) / names),
    titled ? 1 : 0,
    titled ? share(question.all & ~first!.titleBits) : 1,
    ratio(1),
    ratio(near - 1),
    ratio(far - 1),
    (scores[0] ?? 0) / question.total,
    entropyOf(scores),
  ]
  checkRow('coverageFeatures', coverageFeatures, values.length)
  row.set(values, at)
}

/** The entropy of the scores' shares, from 0 (one score has it all) to 1 (all are equal). Scores below 0 count as 0. */
function entropyOf(scores: readonly number[]): number {
  const positive = scores.map((score) => Math.max(0, score))
  const sum = positive.reduce((total, score) => total + score, 0)
  if (sum === 0 || scores.length < 2) return 0
  const nats = positive.reduce(
    (total, score) => total - (score > 0 ? (score / sum) * Math.log(score / sum) : 0),
    0,
  )
  return nats / Math.log(scores.length)
}
