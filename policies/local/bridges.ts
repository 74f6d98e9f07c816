/** Sub-queries of the second stage: what the first documents mention, with the words of the question that they do not answer. */
import { byCodeUnit } from '../../src/rank.ts'
import type { PoolFeatures } from '../../src/rerank/features.ts'
import type { PoolDocument } from '../../src/rerank/pool.ts'
import { queryFeatures } from '../../src/rerank/query-features.ts'
import type { Question } from '../../src/rerank/question.ts'
import { orderOf } from '../../src/rerank/scoring.ts'
import { isCapitalized, isNumber, isStopWord, type Lexicon } from '../../src/text/lexicon.ts'
import { type Name, phraseOf } from '../../src/text/read.ts'
import { noCues, type ReadCues } from './cues.ts'
import { wordsOf } from './words.ts'

export interface Bridge {
  /** The phrase that is looked up. */
  readonly name: string
  readonly phrase: number
  /** The words of the question that neither the seed nor the titles that it names have. */
  readonly unanswered: string
  /** Where the name stands in the text of its seed. */
  readonly from: Name
  /** The row of the seed in the pool, and its place among the seeds, from 0. */
  readonly seed: number
  readonly place: number
  readonly features: Float32Array
}

/** Small words that tell what a name is to the text: its maker, its place, its kin. */
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

const seedsWithIt = bridgeFeatures.indexOf('seeds with it')

const months = new Set(
  'january february march april may june july august september october november december'.split(' '),
)
const near = 6

/** Seeds are the documents that are most probably relevant, and some of those that the question names. */
const likelySeeds = 6
const namedSeeds = 3

/** Bridges of a question that are scored. */
const mostBridges = 40

/**
 * The names that the first documents mention and the question does not, each from where it fits best; at most 40, the
 * best-looking first.
 *
 * @param probabilities of relevance, one a document of the pool
 */
export function bridgesOf(
  question: Question,
  { documents, nameCounts, inQuestion, titlePhrases, query }: PoolFeatures,
  probabilities: ArrayLike<number>,
  lexicon: Lexicon,
  readCues: ReadCues = noCues,
): Bridge[] {
  const order = orderOf(probabilities)
  const named = new Set(inQuestion.map(({ title }) => title))
  const fully = new Set(inQuestion.filter(({ kind }) => kind < 3).map(({ title }) => title))
  const rows = [
    ...new Set([
      ...order.slice(0, likelySeeds),
      ...order.filter((row) => fully.has(row)).slice(0, namedSeeds),
    ]),
  ]
  const titles = new Set(titlePhrases)
  const size = documents.length
  const mentionedBits = inQuestion.reduce((bits, mention) => {
    let all = bits
    for (let place = mention.start; place < mention.end; place++)
      all |= question.bitOf(question.text.stems[place]!)
    return all
  }, 0)
  const who = query[queryFeatures.indexOf('query: who')]!
  const where = query[queryFeatures.indexOf('query: where')]!
  const compares = query[queryFeatures.indexOf('query: compares')]!
  const best = new Map<number, Bridge & { strength: number }>()
  const seen = new Map<number, Set<number>>()
  rows.forEach((row, seed) => {
    const document = documents[row]!
    const { text, name: own } = document.read
    const ownPhrase = own.length === 0 ? -1 : lexicon.phrase(own, 0, own.length)
    const rest = question.all & ~document.titleBits
    const unanswered = wordsOf(question, question.all & ~document.bits & ~mentionedBits, lexicon)
    let ordinal = 0
    for (const name of text.names) {
      if (name.phrase === ownPhrase || !isNews(name, document)) continue
      ordinal++
      const { start, end, sentence, phrase } = name
      seen.set(phrase, (seen.get(phrase) ?? new Set()).add(seed))
      const features = new Float32Array(bridgeFeatures.length)
      const first = text.sentences[sentence]!
      const last = text.sentences[sentence + 1]!
      const own = bitsIn(document, first, last, start, end)
      const around = bitsIn(document, Math.max(first, start - near), Math.min(last, end + near), start, end)
      let distance = 0
      for (let place = start - 1; place >= Math.max(first, start - 8); place--) {
        if (kinOf(document, place) & rest) {
          distance = 1 / (start - place)
          break
        }
      }
      let weight = 0
      let numbers = 0
      let shared = 0
      let ofTitle = 0
      for (let place = start; place < end; place++) {
        const stem = text.stems[place]!
        weight += lexicon.weight(stem)
        if (lexicon.flags(text.words[place]!) & isNumber) numbers = 1
        if (question.bitOf(stem) !== 0) shared = 1
        if (lexicon.weight(stem) > 0 && document.read.title.matter.includes(stem)) ofTitle = 1
      }
      const content = end - start
      const next = text.words[end]
      const isBeforeSmall =
        end < last && next !== undefined && !(lexicon.flags(next) & (isCapitalized | isStopWord | isNumber))
      const count = nameCounts.get(phrase) ?? 1
      let at = 0
      const put = (value: number): void => {
        features[at++] = value
      }
      put(probabilities[row]!)
      put(Math.max(-10, Math.log(probabilities[row]!)) / 5)
      put(1 / (seed + 1))
      put(named.has(row) ? 1 : 0)
      put(question.weigh(rest & own.bits) / question.total)
      put(question.weigh(rest & around.bits) / question.total)
      put(question.weigh(rest & own.kin) / question.total)
      put(question.weigh(rest & around.kin) / question.total)
      put(distance)
      const cues = readCues(text, start, end, sentence)
      put(cues.best)
      put(cues.worst)
      put(cues.sum)
      put(1 / ordinal)
      put(1 / (1 + sentence))
      put(Math.min(5, content) / 5)
      put(Math.min(30, weight) / 30)
      put(content === 1 ? 1 : 0)
      put(isBeforeSmall ? 1 : 0)
      put(numbers)
      put(titles.has(phrase) ? 1 : 0)
      put(Math.log(size / count) / Math.log(Math.max(2, size)))
      put(0)
      put(shared)
      put(ofTitle)
      const before = start > first ? lexicon.text(lexicon.lower(text.words[start - 1]!)) : ''
      for (const word of prepositions) put(before === word ? 1 : 0)
      put(sentence === 0 ? 1 : 0)
      put(Math.min(60, text.names.length) / 20)
      put(who)
      put(where)
      put(compares)
      put(question.text.words.length / 20)
      put(question.names.length / 3)
      const strength =
        probabilities[row]! *
        (0.1 +
          question.weigh(rest & own.kin) / question.total +
          question.weigh(rest & around.kin) / question.total +
          0.2 / ordinal)
      const known = best.get(phrase)
      if (known !== undefined && known.strength >= strength) continue
      best.set(phrase, {
        name: phraseOf(text.words, start, end, lexicon),
        phrase,
        unanswered,
        from: name,
        seed: row,
        place: seed,
        features,
        strength,
      })
    }
  })
  const found = [...best.values()]
    .sort((a, b) => b.strength - a.strength || byCodeUnit(a.name, b.name))
    .slice(0, mostBridges)
  for (const { features, phrase } of found) features[seedsWithIt] = seen.get(phrase)!.size / 3
  return found

  /** Whether it says something that the question does not, and is no date. */
  function isNews({ start, end }: Name, { read: { text } }: PoolDocument): boolean {
    if (end - start === 1 && lexicon.flags(text.words[start]!) & isNumber) return false
    let news = false
    let isDate = true
    for (let place = start; place < end; place++) {
      const word = text.words[place]!
      if (lexicon.flags(word) & isStopWord) continue
      if (question.bitOf(text.stems[place]!) === 0) news = true
      if (!months.has(lexicon.text(lexicon.lower(word))) && !(lexicon.flags(word) & isNumber)) isDate = false
    }
    return news && !isDate
  }

  /** A word of the question with the same stem, or that begins with the same five letters. */
  function kinOf({ read: { text } }: PoolDocument, place: number): number {
    const bit = question.bitOf(text.stems[place]!)
    return bit !== 0 ? bit : question.prefixBit(lexicon.prefix(text.words[place]!))
  }

  function bitsIn(
    document: PoolDocument,
    first: number,
    last: number,
    start: number,
    end: number,
  ): { bits: number; kin: number } {
    let bits = 0
    let kin = 0
    for (let place = first; place < last; place++) {
      if (place >= start && place < end) continue
      bits |= question.bitOf(document.read.text.stems[place]!)
      kin |= kinOf(document, place)
    }
    return { bits, kin }
  }
}
