/** The features of a name in a document as the next text to search. */

import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import type { Name } from '../../../src/text/parse-text.ts'
import { kinOf, type PoolDocument } from '../rerank/compare-document.ts'
import { featureTable } from '../rerank/feature-table.ts'
import { queryFeatures } from '../rerank/query-features.ts'
import type { Question } from '../rerank/question.ts'

/** Small words that relate a name to the text: its maker, its place, its kin. */
const prepositions = ['by', 'of', 'in', 'and', 'to', 'with', 'from', 'the', 'at'] as const

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

const table = featureTable<ReturnType<typeof seeBridge>>({
  'seed: probability': ({ seed }) => seed.probability,
  'seed: log probability': ({ seed }) => Math.max(-10, Math.log(seed.probability)) / 5,
  'seed: place': ({ seed }) => 1 / (seed.place + 1),
  'seed: named in the query': ({ seed }) => seed.isNamed,
  'rest of the query in its sentence': ({ own, share }) => share(own.bits),
  'rest of the query around it': ({ around, share }) => share(around.bits),
  'kin of the rest in its sentence': ({ own, share }) => share(own.kin),
  'kin of the rest around it': ({ around, share }) => share(around.kin),
  'nearness of a word of the rest before it': ({ nearness }) => nearness,
  '1/ordinal': ({ ordinal }) => 1 / ordinal,
  '1/sentence': ({ name }) => 1 / (1 + name.sentence),
  words: ({ name }) => Math.min(5, name.end - name.start) / 5,
  'weight of its words': ({ words }) => Math.min(30, words.weight) / 30,
  'one word': ({ name }) => name.end - name.start === 1,
  'before a small word': ({ isBeforeSmall }) => isBeforeSmall,
  'has a number': ({ words }) => words.hasNumber,
  'is a title': ({ titles, name }) => titles.has(name.phrase),
  'is rare in the pool': ({ size, count }) => Math.log(size / count) / Math.log(Math.max(2, size)),
  'seeds with it': ({ seeds }) => seeds / 3,
  'shares words with the query': ({ words }) => words.inQuestion,
  'shares words with the seed’s title': ({ words }) => words.inTitle,
  ...Object.fromEntries(
    prepositions.map((word) => [
      `after “${word}”`,
      ({ before }: { readonly before: string }) => before === word,
    ]),
  ),
  'in the first sentence': ({ name }) => name.sentence === 0,
  'names in its text': ({ text }) => Math.min(60, text.names.length) / 20,
  'query: who': ({ ofQuery }) => ofQuery('query: who'),
  'query: where': ({ ofQuery }) => ofQuery('query: where'),
  'query: compares': ({ ofQuery }) => ofQuery('query: compares'),
  'query: words': ({ question }) => question.text.words.length / 20,
  'query: names': ({ question }) => question.names.length / 3,
})

export const bridgeFeatures = table.names

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
}

/** A heuristic estimate of a name's worth, and its features: only the best names need them. */
export interface BridgeRow {
  readonly strength: number
  /** @param seeds the number of seeds that contain the name */
  features(seeds: number): Float32Array
}

/** @param ordinal among the seed's names that are not in the question, from 1 */
export function bridgeRow(name: Name, ordinal: number, seed: BridgeSeed, context: BridgeContext): BridgeRow {
  const found = findBridge(name, ordinal, seed, context)
  const { share, own, around } = found
  return {
    strength: seed.probability * (0.1 + share(own.kin) + share(around.kin) + 0.2 / ordinal),
    features(seeds) {
      const row = new Float32Array(bridgeFeatures.length)
      table.write(row, 0, seeBridge(found, seeds))
      return row
    },
  }
}

type Found = ReturnType<typeof findBridge>

function findBridge(name: Name, ordinal: number, seed: BridgeSeed, context: BridgeContext) {
  const { text } = seed.document.read
  const { start, end, sentence } = name
  const first = text.sentences[sentence]!
  const last = text.sentences[sentence + 1]!
  return {
    context,
    name,
    ordinal,
    seed,
    text,
    first,
    last,
    own: bitsIn(first, last),
    around: bitsIn(Math.max(first, start - near), Math.min(last, end + near)),
    share: (bits: number): number => context.question.weigh(seed.rest & bits) / context.question.total,
  }

  /** The words of the question that occur between two places, outside the name, and those with kin there. */
  function bitsIn(from: number, to: number): { readonly bits: number; readonly kin: number } {
    let bits = 0
    let kin = 0
    for (let place = from; place < to; place++) {
      if (place >= start && place < end) continue
      bits |= seed.document.wordBits[place]!
      kin |= seed.kin[place]!
    }
    return { bits, kin }
  }
}

function seeBridge(
  { context, name, ordinal, seed, text, first, last, own, around, share }: Found,
  seeds: number,
) {
  const { question, lexicon, query, titles, nameCounts, size } = context
  const { start, end, phrase } = name
  const words = { weight: 0, hasNumber: false, inQuestion: false, inTitle: false }
  for (let place = start; place < end; place++) {
    const stem = text.stems[place]!
    const weight = lexicon.weight(stem)
    words.weight += weight
    if (lexicon.flags(text.words[place]!) & Flag.number) words.hasNumber = true
    if (seed.document.wordBits[place] !== 0) words.inQuestion = true
    if (weight > 0 && seed.document.read.title.contentStems.includes(stem)) words.inTitle = true
  }
  const next = end < last ? text.words[end] : undefined
  return {
    name,
    ordinal,
    seed,
    seeds,
    text,
    own,
    around,
    share,
    question,
    titles,
    size,
    words,
    before: start > first ? lexicon.text(lexicon.lower(text.words[start - 1]!)) : '',
    count: nameCounts.get(phrase) ?? 1,
    isBeforeSmall:
      next !== undefined && !(lexicon.flags(next) & (Flag.capitalized | Flag.stopWord | Flag.number)),
    ofQuery: (feature: string): number => query[queryFeatures.indexOf(feature)]!,
    nearness: nearness(),
  }

  function nearness(): number {
    for (let place = start - 1; place >= Math.max(first, start - nearBefore); place--)
      if (seed.kin[place]! & seed.rest) return 1 / (start - place)
    return 0
  }
}
