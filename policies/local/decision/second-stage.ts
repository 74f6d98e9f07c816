/** What the first documents say: the names in them that may be worth a search, best first, and the inputs of the decision. */

import { prepareScorer, type Scorer } from '../../../src/learn/scorer.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { mean } from '../../../src/learn/statistics.ts'
import { orderOf } from '../../../src/rank.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import { phraseOf } from '../../../src/text/parse-text.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { firstInputs } from '../rerank/features.ts'
import { viewPool } from '../rerank/pool-cache.ts'
import type { Question } from '../rerank/question.ts'
import { checkInputs } from '../rerank/rerank-section.ts'
import { bridgeFeatures } from './bridge-features.ts'
import { bridgesOf } from './bridges.ts'
import { evidenceOf } from './evidence.ts'

/** The trained models of the second stage. Plain JSON. */
export interface SecondStageModels {
  /** Scores the first stage's documents by relevance, from `firstInputs`. */
  readonly seeds: Scorer
  /** Scores names by whether they lead to a relevant document, from `bridgeFeatures`. */
  readonly bridges: Scorer
}

/** A name worth looking up. */
export interface ScoredBridge {
  readonly name: string
  /** The words of the question that neither the name's document nor the titles in the question answer; may be empty. */
  readonly unanswered: string
  /** The docid of the document that mentions the name. */
  readonly seed: string
  /** The score of `bridges`, comparable among the bridges of one query. */
  readonly score: number
}

export interface SecondStage {
  /** Names in the question, in its order. Neighbors are joined. */
  readonly names: readonly string[]
  /** Best first, each name once. */
  readonly bridges: readonly ScoredBridge[]
  /** What the original query's results say about it, by `evidenceFeatures`. */
  readonly evidence: Float32Array
}

/** @throws QuerentError `bad-config` if the models were trained on other features */
export function prepareSecondStage(
  { seeds, bridges }: SecondStageModels,
  reader: Reader,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf) => SecondStage {
  checkInputs('decision.seeds', seeds, firstInputs)
  checkInputs('decision.bridges', bridges, bridgeFeatures)
  const scoreSeeds = prepareScorer(seeds)
  const scoreBridges = prepareScorer(bridges)

  return (query, lists, documentOf) => {
    reader.begin()
    const { lexicon } = reader
    const { question, retrieved, reads, features } = viewPool(query, lists, documentOf, reader)
    const names = namesOf(question, lexicon)
    const seedScores = centered(scoreSeeds(features.first, reads.length))
    const found = reads.length === 0 ? [] : bridgesOf(question, features, softmax(seedScores), lexicon)
    const scores = centered(scoreBridges(rowsOf(found), found.length))
    const ranked = orderOf(scores).map((index) => ({ ...found[index]!, score: scores[index]! }))
    return {
      names,
      bridges: ranked.map(({ name, unanswered, seed, score }): ScoredBridge => {
        return { name, unanswered, seed: retrieved.candidates[seed]!.docid, score }
      }),
      evidence: evidenceOf({ query, question, features, seedScores, bridges: ranked }),
    }
  }
}

/** Makes their mean 0. The scorers learned from lists, where only differences count: how high all scores of a query are misleads. */
function centered(scores: Float64Array): Float64Array {
  const middle = mean(scores)
  return scores.map((score) => score - middle)
}

/** The features of the bridges in one array. */
export function rowsOf(bridges: readonly { readonly features: Float32Array }[]): Float32Array {
  const rows = new Float32Array(bridges.length * bridgeFeatures.length)
  bridges.forEach(({ features }, index) => {
    rows.set(features, index * bridgeFeatures.length)
  })
  return rows
}

/** The names in a question, each once. */
function namesOf(question: Question, lexicon: Lexicon): string[] {
  const { words } = question.text
  return [
    ...new Set(namePlaces(question, lexicon).map(([start, end]) => phraseOf(words, start, end, lexicon))),
  ]
}

/** The names as [first word, word after the last]; joined where at most one capitalized word is between them. */
export function namePlaces({ text }: Question, lexicon: Lexicon): (readonly [number, number])[] {
  const joined: [number, number][] = []
  for (const { start, end } of text.names) {
    const last = joined.at(-1)
    const isNext =
      last !== undefined &&
      (start <= last[1] ||
        (start === last[1] + 1 && lexicon.flags(text.words[last[1]]!) & (Flag.capitalized | Flag.number)))
    if (isNext) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
