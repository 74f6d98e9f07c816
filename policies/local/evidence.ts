/**
 * What the original query's results say about it: evidence for and against each plan. It is in the query's wording, in how much of the
 * question the first documents cover, and in what the seed scorer and the bridge scorer think of them.
 */
import { softmax } from '../../src/learn/softmax.ts'
import { orderOf } from '../../src/rank.ts'
import { auxiliaries, questionWords } from '../../src/text/english.ts'
import { isQuestion } from '../../src/text/is-question.ts'
import { Flag, type Lexicon } from '../../src/text/lexicon.ts'
import type { Query, RankedList } from '../../src/types.ts'
import { type PoolDocument, shareOf, titleAndSentence } from './rerank/compare-document.ts'
import { featureTable } from './rerank/feature-table.ts'
import type { PoolFeatures } from './rerank/features.ts'
import type { Question } from './rerank/question.ts'

/** A query after the first request. */
export interface FirstLook {
  readonly query: Query
  readonly question: Question
  /** Of the original query; the first one's scores count. */
  readonly lists: readonly RankedList[]
  readonly features: Pick<PoolFeatures, 'documents' | 'inQuestion'>
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

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const asking = new Set(questionWords)
const helping = new Set(auxiliaries)
const relating = setOf('who whom whose which that where')
const prepositions = setOf('of in on at by for from to with about between during under after before into')
const comparing = setOf(
  'or both same first older younger earlier later more less than between longer larger bigger taller shorter',
)

/** A plain question and a chain of facts differ in their wording, before anything is searched. */
const wording = featureTable<ReturnType<typeof seeWording>>({
  'wording: words': ({ lower }) => lower.length / 20,
  'wording: content words': ({ question }) => question.text.contentStems.length / 10,
  'wording: names': ({ question }) => question.names.length / 3,
  'wording: question words': ({ number }) => number((word) => asking.has(word)) / 2,
  'wording: place of the question word': ({ asks, count }) => (asks === -1 ? 1 : asks / count),
  'wording: question word inside': ({ asks }) => asks > 0,
  'wording: begins with a question word': ({ asks }) => asks === 0,
  'wording: begins with an auxiliary': ({ lower }) => helping.has(lower[0] ?? ''),
  'wording: "of the"': ({ lower, number }) =>
    number((word, place) => word === 'of' && lower[place + 1] === 'the') / 2,
  'wording: possessives': ({ text }) => (text.match(/\p{L}['’]s\b/gu)?.length ?? 0) / 2,
  'wording: relative clauses': ({ number }) => number((word, place) => place > 1 && relating.has(word)) / 2,
  'wording: prepositions': ({ share }) => share((word) => prepositions.has(word)),
  'wording: comparisons': ({ number }) => number((word) => comparing.has(word)) / 2,
  'wording: ends with a question mark': ({ text }) => '?？؟'.includes(text.trimEnd().at(-1) ?? ' '),
  'wording: is a question': ({ text }) => isQuestion(text),
  'wording: lower case': ({ text }) => !/\p{Lu}/u.test(text),
  'wording: small words': ({ share, isFlagged }) => share((_, place) => isFlagged(place, Flag.stopWord)),
  'wording: numbers': ({ share, isFlagged }) => share((_, place) => isFlagged(place, Flag.number)),
  'wording: other scripts': ({ share }) => share((word) => !/^[\p{Script=Latin}\p{N}]/u.test(word)),
})

function seeWording({ query: { text }, question }: FirstLook, lexicon: Lexicon) {
  const { words } = question.text
  const lower = [...words].map((word) => lexicon.text(lexicon.lower(word)))
  const count = Math.max(1, lower.length)
  const number = (holds: (word: string, place: number) => boolean): number => lower.filter(holds).length
  return {
    text,
    question,
    lower,
    count,
    asks: lower.findIndex((word) => asking.has(word)),
    number,
    share: (holds: Parameters<typeof number>[0]): number => number(holds) / count,
    isFlagged: (place: number, flag: number): boolean => (lexicon.flags(words[place]!) & flag) !== 0,
  }
}

/** The number of documents of the pool that are read for coverage. */
const near = 5
const far = 10

/** How much of the question the first documents say, and how peaked the scores of their list are. */
const coverage = featureTable<ReturnType<typeof seeCoverage>>({
  'coverage: first document': ({ first, share }) => (first === undefined ? 0 : share(first.bits)),
  'coverage: best of five': ({ best }) => best,
  'coverage: best sentence of five': ({ top, highest, share }) =>
    highest(top.slice(0, near), (document) => share(titleAndSentence(document))),
  'coverage: ten together less the best': ({ top, best, share }) =>
    share(top.reduce((all, { bits }) => all | bits, 0)) - best,
  'coverage: second document adds': ({ first, second, share }) =>
    first === undefined || second === undefined ? 0 : share(second.bits & ~first.bits),
  'coverage: names in one document': ({ top, highest, names, question }) =>
    names === 0 ? 0 : highest(top, ({ bits }) => question.weigh(bits & question.inNames) / names),
  'coverage: title in the question': ({ isTitled }) => isTitled,
  'coverage: question less that title': ({ isTitled, first, question, share }) =>
    isTitled ? share(question.all & ~first!.titleBits) : 1,
  'scores: second ÷ first': ({ ratio }) => ratio(1),
  'scores: fifth ÷ first': ({ ratio }) => ratio(near - 1),
  'scores: tenth ÷ first': ({ ratio }) => ratio(far - 1),
  'scores: first ÷ weight of the question': ({ scores, question }) => (scores[0] ?? 0) / question.total,
  'scores: entropy': ({ scores }) => entropyOf(scores),
})

function seeCoverage({ question, lists, features: { documents, inQuestion } }: FirstLook) {
  const share = shareOf(question)
  const highest = (some: readonly PoolDocument[], of: (document: PoolDocument) => number): number =>
    some.reduce((best, document) => Math.max(best, of(document)), 0)
  const scores = (lists[0]?.hits ?? []).slice(0, far).map(({ score }) => score)
  return {
    question,
    share,
    highest,
    scores,
    first: documents[0],
    second: documents[1],
    top: documents.slice(0, far),
    best: highest(documents.slice(0, near), ({ bits }) => share(bits)),
    names: question.weigh(question.inNames),
    isTitled: inQuestion.some(({ title }) => title === 0),
    ratio: (place: number): number => (scores[0]! > 0 ? (scores[place] ?? 0) / scores[0]! : 0),
  }
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

export const evidenceFeatures: readonly string[] = [...wording.names, ...coverage.names, ...seeds.names]

/** The evidence, by `evidenceFeatures`. */
export function evidenceOf(look: FirstLook, lexicon: Lexicon): Float32Array {
  const row = new Float32Array(evidenceFeatures.length)
  const covered = wording.write(row, 0, seeWording(look, lexicon))
  seeds.write(row, coverage.write(row, covered, seeCoverage(look)), seeSeeds(look))
  return row
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
