/** What the first stage's documents suggest to search for: names that they mention, best first. */

import type { Scorer } from '../../src/learn/scorer.ts'
import { softmax } from '../../src/learn/softmax.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import { isQuestion } from '../../src/text/is-question.ts'
import { Flag, type Lexicon } from '../../src/text/lexicon.ts'
import { phraseOf } from '../../src/text/parse-text.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'
import { bridgeFeatures } from './bridge-features.ts'
import { bridgesOf } from './bridges.ts'
import { type Cues, prepareCues } from './cues.ts'
import { contextOf } from './query-context.ts'
import { featuresOf, firstInputs } from './rerank/features.ts'
import type { Question } from './rerank/question.ts'
import { readQuestion } from './rerank/question.ts'
import { readPool } from './rerank/rerank.ts'
import { checkInputs } from './rerank/rerank-section.ts'
import { orderOf, prepareMean } from './rerank/scoring.ts'

/** What the second stage was trained to. Plain JSON, both. */
export interface SecondStageModels {
  /** What the words beside a name say. */
  readonly cues: Cues
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
  /** Of the scorer: comparable among the bridges of one query. */
  readonly score: number
}

export interface SecondStage {
  /** Names in the question, neighbors joined; in its order. */
  readonly names: readonly string[]
  /** Best first, each name once. */
  readonly bridges: readonly ScoredBridge[]
  /** What is known of the question, by `contextFeatures`. */
  readonly query: Float32Array
}

/** @throws QuerentError `bad-config` where the models were trained on other features */
export function prepareSecondStage(
  { cues, seeds, bridges }: SecondStageModels,
  reader: Reader,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf) => SecondStage {
  checkInputs('decision.seeds', seeds, firstInputs)
  checkInputs('decision.bridges', bridges, bridgeFeatures)
  const cuesFor = prepareCues(cues)
  const scoreSeeds = prepareMean([seeds])
  const scoreBridges = prepareMean([bridges])

  return (query, lists, documentOf) => {
    reader.begin()
    const { lexicon } = reader
    const question = readQuestion(query, lexicon)
    const names = namesOf(question, lexicon)
    const { retrieved, reads } = readPool(query, lists, documentOf, reader)
    const features = featuresOf(question, retrieved, reads, lexicon)
    const context = contextOf(features.query, isQuestion(query.text))
    if (reads.length === 0) return { names, bridges: [], query: context }
    const probabilities = softmax(scoreSeeds(features.first, reads.length))
    const found = bridgesOf(question, features, probabilities, lexicon, cuesFor(question, lexicon))
    const scores = scoreBridges(rowsOf(found), found.length)
    return {
      names,
      bridges: orderOf(scores).map((index): ScoredBridge => {
        const { name, unanswered, seed } = found[index]!
        const { docid } = retrieved.candidates[seed]!
        return { name, unanswered, seed: docid, score: scores[index]! }
      }),
      query: context,
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

/** Names in a question, each once. */
function namesOf(question: Question, lexicon: Lexicon): string[] {
  const { words } = question.text
  return [
    ...new Set(namePlaces(question, lexicon).map(([start, end]) => phraseOf(words, start, end, lexicon))),
  ]
}

/**
 * Where they stand, as [first word, word after the last one]; those that stand side by side, or with one capitalized word
 * between them, are one.
 */
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
