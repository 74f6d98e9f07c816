/** The features of a name in a document as the next text to search. */

import { Flag, type Lexicon } from '../../src/text/lexicon.ts'
import type { Name } from '../../src/text/parse-text.ts'
import type { ReadCues } from './cues.ts'
import { checkRow } from './rerank/check-row.ts'
import { kinOf, type PoolDocument } from './rerank/compare-document.ts'
import { queryFeatures } from './rerank/query-features.ts'
import type { Question } from './rerank/question.ts'

/** Small words that relate a name to the text: its maker, its place, its kin. */
const prepositions = ['by', 'of', 'in', 'and', 'to', 'with', 'from', 'the', 'at'] as const

export const bridgeFeatures = [
  'seed: probability',
  'seed: log probability',
  'seed: place',
  'seed: named in the query',
  'rest of the query in its sentence',
  'rest of the query around it',
  'kin of the rest in its sentence',
  'kin of the rest around it',
  'nearness of a word of the rest before it',
  'best cue',
  'worst cue',
  'cues',
  '1/ordinal',
  '1/sentence',
  'words',
  'weight of its words',
  'one word',
  'before a small word',
  'has a number',
  'is a title',
  'is rare in the pool',
  'seeds with it',
  'shares words with the query',
  'shares words with the seed’s title',
  ...prepositions.map((word) => `after “${word}”`),
  'in the first sentence',
  'names in its text',
  'query: who',
  'query: where',
  'query: compares',
  'query: words',
  'query: names',
] as const

/** The features of a question that bridges also have. */
const ofQuery = (['query: who', 'query: where', 'query: compares'] as const).map((name) =>
  queryFeatures.indexOf(name),
)

/** How many words on each side count as around a name, and how far before a name a word of the question counts as near. */
const near = 6
const nearBefore = 8

/** A document whose names are candidates for bridges. */
export interface BridgeSeed {
  readonly document: PoolDocument
  readonly probability: number
  /** Index among the seeds, from 0. */
  readonly place: number
  /** Whether the question names the document. */
  readonly isNamed: boolean
  /** The question without the seed's title, as bits. */
  readonly rest: number
  /** For every word of its text, the word of the question with the same stem, or with the same first five letters, as a bit. */
  readonly kin: Int32Array
}

/** `kin` of a document. */
export function kinIn(
  { read: { text }, wordBits }: PoolDocument,
  question: Question,
  lexicon: Lexicon,
): Int32Array {
  return wordBits.map((bit, place) => kinOf(bit, text.words[place]!, question, lexicon))
}

export interface BridgeContext {
  readonly question: Question
  readonly lexicon: Lexicon
  /** The features of the question. */
  readonly query: Float32Array
  /** The phrases of the pool's titles. */
  readonly titles: ReadonlySet<number>
  /** How many documents of the pool contain each name, and how many documents the pool has. */
  readonly nameCounts: ReadonlyMap<number, number>
  readonly size: number
  readonly readCues: ReadCues
}

/** A heuristic estimate of a name's worth, and its features: only the best names need them. */
export interface BridgeRow {
  readonly strength: number
  /** @param seeds the number of seeds that contain the name */
  features(seeds: number): Float32Array
}

/**
 * @param ordinal among the seed's names that are not in the question, from 1
 */
export function bridgeRow(
  name: Name,
  ordinal: number,
  { document, probability, place: seedPlace, isNamed, rest, kin: kinOf }: BridgeSeed,
  { question, lexicon, query, titles, nameCounts, size, readCues }: BridgeContext,
): BridgeRow {
  const { wordBits } = document
  const { text, title } = document.read
  const { start, end, sentence, phrase } = name
  const first = text.sentences[sentence]!
  const last = text.sentences[sentence + 1]!
  const own = bitsIn(first, last)
  const around = bitsIn(Math.max(first, start - near), Math.min(last, end + near))
  const share = (bits: number): number => question.weigh(rest & bits) / question.total
  return {
    strength: probability * (0.1 + share(own.kin) + share(around.kin) + 0.2 / ordinal),
    features,
  }

  function features(seeds: number): Float32Array {
    const words = wordsOfName()
    const cues = readCues(text, start, end, sentence)
    const before = start > first ? lexicon.text(lexicon.lower(text.words[start - 1]!)) : ''
    const count = nameCounts.get(phrase) ?? 1
    const row = Float32Array.of(
      probability,
      Math.max(-10, Math.log(probability)) / 5,
      1 / (seedPlace + 1),
      isNamed ? 1 : 0,
      share(own.bits),
      share(around.bits),
      share(own.kin),
      share(around.kin),
      nearness(),
      cues.best,
      cues.worst,
      cues.sum,
      1 / ordinal,
      1 / (1 + sentence),
      Math.min(5, end - start) / 5,
      Math.min(30, words.weight) / 30,
      end - start === 1 ? 1 : 0,
      isBeforeSmall() ? 1 : 0,
      words.hasNumber ? 1 : 0,
      titles.has(phrase) ? 1 : 0,
      Math.log(size / count) / Math.log(Math.max(2, size)),
      seeds / 3,
      words.inQuestion ? 1 : 0,
      words.inTitle ? 1 : 0,
      ...prepositions.map((word) => (before === word ? 1 : 0)),
      sentence === 0 ? 1 : 0,
      Math.min(60, text.names.length) / 20,
      ...ofQuery.map((feature) => query[feature]!),
      question.text.words.length / 20,
      question.names.length / 3,
    )
    checkRow('bridgeFeatures', bridgeFeatures, row.length)
    return row
  }

  /** The words of the question that occur between two places, outside the name, and those with kin there. */
  function bitsIn(from: number, to: number): { readonly bits: number; readonly kin: number } {
    let bits = 0
    let kin = 0
    for (let place = from; place < to; place++) {
      if (place >= start && place < end) continue
      bits |= wordBits[place]!
      kin |= kinOf[place]!
    }
    return { bits, kin }
  }

  function nearness(): number {
    for (let place = start - 1; place >= Math.max(first, start - nearBefore); place--)
      if (kinOf[place]! & rest) return 1 / (start - place)
    return 0
  }

  function wordsOfName(): {
    readonly weight: number
    readonly hasNumber: boolean
    readonly inQuestion: boolean
    readonly inTitle: boolean
  } {
    const found = { weight: 0, hasNumber: false, inQuestion: false, inTitle: false }
    for (let place = start; place < end; place++) {
      const stem = text.stems[place]!
      const weight = lexicon.weight(stem)
      found.weight += weight
      if (lexicon.flags(text.words[place]!) & Flag.number) found.hasNumber = true
      if (wordBits[place] !== 0) found.inQuestion = true
      if (weight > 0 && title.contentStems.includes(stem)) found.inTitle = true
    }
    return found
  }

  function isBeforeSmall(): boolean {
    const next = text.words[end]
    return (
      end < last &&
      next !== undefined &&
      !(lexicon.flags(next) & (Flag.capitalized | Flag.stopWord | Flag.number))
    )
  }
}
