/** Sub-queries of the second stage: what the first documents mention, with the words of the question that they do not answer. */
import { byCodeUnit } from '../../src/rank.ts'
import type { PoolDocument } from '../../src/rerank/pool.ts'
import type { Question } from '../../src/rerank/question.ts'
import { isCapitalized, isNumber, isStopWord, type Lexicon } from '../../src/text/lexicon.ts'
import { type Name, phraseOf } from '../../src/text/read.ts'

export interface Bridge {
  /** The phrase that is looked up. */
  readonly name: string
  readonly phrase: number
  /** The words of the question that neither the seed nor the titles that it names have. */
  readonly unanswered: string
  /** Which seed, from 0. */
  readonly seed: number
  readonly features: Float32Array
}

export const bridgeFeatures = [
  'seed: probability',
  'seed: place',
  'seed: named in the query',
  'rest of the query in its sentence',
  'rest of the query around it',
  'kin of the rest in its sentence',
  'kin of the rest around it',
  'nearness of a word of the rest before it',
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
  'query: who',
  'query: compares',
  'query: words',
  'query: names',
] as const

const months = new Set(
  'january february march april may june july august september october november december'.split(' '),
)
const near = 6

export interface BridgeContext {
  readonly question: Question
  readonly lexicon: Lexicon
  /** The phrases of the titles of the pool. */
  readonly titles: ReadonlySet<number>
  /** In how many documents of the pool a name stands, and how many there are. */
  readonly nameCounts: ReadonlyMap<number, number>
  readonly size: number
  /** Words of the question in titles that it mentions. */
  readonly mentionedBits: number
  readonly mentioned: (seed: number) => boolean
  readonly who: number
  readonly compares: number
}

/** All names that the seeds mention and the question does not, each from where it fits best. Most of `most` a seed. */
export function bridgesOf(
  seeds: readonly PoolDocument[],
  probabilities: ArrayLike<number>,
  context: BridgeContext,
): Bridge[] {
  const { question, lexicon } = context
  const best = new Map<number, Bridge & { strength: number }>()
  const seen = new Map<number, Set<number>>()
  seeds.forEach((document, seed) => {
    const { text, name: own } = document.read
    const ownPhrase = own.length === 0 ? -1 : lexicon.phrase(own, 0, own.length)
    const rest = question.all & ~document.titleBits
    const unanswered = wordsOf(question, question.all & ~document.bits & ~context.mentionedBits, lexicon)
    let ordinal = 0
    for (const name of text.names) {
      if (name.phrase === ownPhrase || !isNews(name, document)) continue
      ordinal++
      const { start, end, sentence, phrase } = name
      const from = seen.get(phrase) ?? new Set()
      seen.set(phrase, from.add(seed))
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
      const count = context.nameCounts.get(phrase) ?? 1
      let at = 0
      const put = (value: number): void => {
        features[at++] = value
      }
      put(probabilities[seed]!)
      put(1 / (seed + 1))
      put(context.mentioned(seed) ? 1 : 0)
      put(question.weigh(rest & own.bits) / question.total)
      put(question.weigh(rest & around.bits) / question.total)
      put(question.weigh(rest & own.kin) / question.total)
      put(question.weigh(rest & around.kin) / question.total)
      put(distance)
      put(1 / ordinal)
      put(1 / (1 + sentence))
      put(Math.min(5, content) / 5)
      put(Math.min(30, weight) / 30)
      put(content === 1 ? 1 : 0)
      put(isBeforeSmall ? 1 : 0)
      put(numbers)
      put(context.titles.has(phrase) ? 1 : 0)
      put(Math.log(context.size / count) / Math.log(Math.max(2, context.size)))
      put(0)
      put(shared)
      put(ofTitle)
      put(context.who)
      put(context.compares)
      put(question.text.words.length / 20)
      put(question.names.length / 3)
      const strength = probabilities[seed]! * (0.1 + features[5]! + features[6]! + 0.2 / ordinal)
      const known = best.get(phrase)
      if (known !== undefined && known.strength >= strength) continue
      best.set(phrase, {
        name: phraseOf(text.words, start, end, lexicon),
        phrase,
        unanswered,
        seed,
        features,
        strength,
      })
    }
  })
  const found = [...best.values()].sort((a, b) => b.strength - a.strength || byCodeUnit(a.name, b.name))
  for (const { features, phrase } of found) features[17] = seen.get(phrase)!.size / 3
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
    return bit !== 0 ? bit : (question.prefixes.get(lexicon.prefix(text.words[place]!)) ?? 0)
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

/** The words of the question that have one of these stems, each once, in its order. */
export function wordsOf(question: Question, bits: number, lexicon: Lexicon): string {
  const words: string[] = []
  let left = bits
  question.text.words.forEach((word, place) => {
    const bit = question.bitOf(question.text.stems[place]!)
    if ((left & bit) === 0) return
    left &= ~bit
    words.push(lexicon.text(word))
  })
  return words.join(' ')
}
