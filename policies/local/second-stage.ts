/** What the first stage's documents suggest to search for: names that they mention, best first. */
import { featuresOf, firstInputs } from '../../src/rerank/features.ts'
import type { Question } from '../../src/rerank/question.ts'
import { readQuestion } from '../../src/rerank/question.ts'
import { type DocumentOf, readPool } from '../../src/rerank/rerank.ts'
import { checkInputs } from '../../src/rerank/rerank-section.ts'
import { prepareMean } from '../../src/rerank/scoring.ts'
import type { Scorer } from '../../src/scorer.ts'
import { softmax } from '../../src/softmax.ts'
import { isCapitalized, isNumber, type Lexicon } from '../../src/text/lexicon.ts'
import { phraseOf } from '../../src/text/read.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'
import { bridgeFeatures, bridgesOf } from './bridges.ts'

/** What the second stage was trained to. Plain JSON, both. */
export interface SecondStageModels {
  /** Who of the first stage's documents is probably relevant, by `firstInputs`. */
  readonly seeds: Scorer
  /** Whose name leads to a relevant document, by `bridgeFeatures`. */
  readonly bridges: Scorer
}

/** A name worth looking up. */
export interface ScoredBridge {
  readonly name: string
  /** The words of the question that the name's document and the titles in the question leave unanswered; may be empty. */
  readonly unanswered: string
  /** The docid of the document that mentions it. */
  readonly seed: string
  /** Of the scorer, less a penalty for each earlier bridge of the same seed. */
  readonly score: number
  /** The scorer's own value. */
  readonly rawScore: number
  readonly seedProbability: number
  /** Of the seed among the seeds, from 0. */
  readonly place: number
  /** Of the bridge by `bridgeFeatures`. */
  readonly features: Float32Array
}

export interface SecondStage {
  /** Names in the question, neighbours joined; in its order. */
  readonly names: readonly string[]
  /** Best first, each name once. */
  readonly bridges: readonly ScoredBridge[]
  /** The first stage's documents with their probabilities of relevance, most probable first. */
  readonly seeds: readonly { readonly docid: string; readonly probability: number }[]
  /** The features of the question, by `queryFeatures`. */
  readonly query: Float32Array
}

/** What a bridge loses for every better one from the same seed, so that one seed's names do not take all places. */
const repeatPenalty = 0.25

/** @throws QuerentError `bad-config` where the models were trained on other features */
export function prepareSecondStage(
  { seeds, bridges }: SecondStageModels,
  reader: Reader,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf) => SecondStage {
  checkInputs('decision.seeds', seeds, firstInputs)
  checkInputs('decision.bridges', bridges, bridgeFeatures)
  const scoreSeeds = prepareMean([seeds])
  const scoreBridges = prepareMean([bridges])

  return (query, lists, documentOf) => {
    reader.begin()
    const { lexicon } = reader
    const question = readQuestion(query, lexicon)
    const names = namesOf(question, lexicon)
    const { retrieved, reads } = readPool(query, lists, documentOf, reader)
    const features = featuresOf(question, retrieved, reads, lexicon)
    const docidOf = (row: number): string => retrieved.candidates[row]!.docid
    if (reads.length === 0) return { names, bridges: [], seeds: [], query: features.query }
    const probabilities = softmax(scoreSeeds(features.first, reads.length))
    const found = bridgesOf(question, features, probabilities, lexicon)
    const scores = scoreBridges(rowsOf(found), found.length)
    return {
      names,
      bridges: spread(found, scores).map(([index, score]): ScoredBridge => {
        const { name, unanswered, seed, place, features } = found[index]!
        const seedProbability = probabilities[seed]!
        const rawScore = scores[index]!
        return { name, unanswered, seed: docidOf(seed), score, rawScore, seedProbability, place, features }
      }),
      seeds: Array.from(probabilities, (probability, row) => ({ docid: docidOf(row), probability })).sort(
        (a, b) => b.probability - a.probability,
      ),
      query: features.query,
    }
  }
}

/** The features of bridges in one array. */
export function rowsOf(bridges: readonly { readonly features: Float32Array }[]): Float32Array {
  const rows = new Float32Array(bridges.length * bridgeFeatures.length)
  bridges.forEach(({ features }, index) => {
    rows.set(features, index * bridgeFeatures.length)
  })
  return rows
}

/** Best first, where each bridge of a seed makes the next one of that seed less welcome. */
function spread(bridges: readonly { readonly seed: number }[], scores: Float64Array): [number, number][] {
  const left = new Set(bridges.keys())
  const used = new Map<number, number>()
  const order: [number, number][] = []
  while (left.size > 0) {
    let best = -1
    let highest = -Infinity
    for (const index of left) {
      const score = scores[index]! - repeatPenalty * (used.get(bridges[index]!.seed) ?? 0)
      if (score > highest) [best, highest] = [index, score]
    }
    left.delete(best)
    const { seed } = bridges[best]!
    used.set(seed, (used.get(seed) ?? 0) + 1)
    order.push([best, highest])
  }
  return order
}

/** Names in a question, each once. */
export function namesOf(question: Question, lexicon: Lexicon): string[] {
  const { words } = question.text
  return [
    ...new Set(namePlaces(question, lexicon).map(([start, end]) => phraseOf(words, start, end, lexicon))),
  ]
}

/**
 * Where they stand, as [first word, word after the last one]; those that stand side by side, or with one capitalised word
 * between them, are one.
 */
export function namePlaces({ text }: Question, lexicon: Lexicon): (readonly [number, number])[] {
  const joined: [number, number][] = []
  for (const { start, end } of text.names) {
    const last = joined.at(-1)
    const isNext =
      last !== undefined &&
      (start <= last[1] ||
        (start === last[1] + 1 && lexicon.flags(text.words[last[1]]!) & (isCapitalized | isNumber)))
    if (isNext) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
