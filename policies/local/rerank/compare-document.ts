/** Compares a document with the question: which of the question's stems stand where. */
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Question } from './question.ts'

/** A document of the pool, compared with the question. */
export interface PoolDocument {
  readonly read: ParsedDocument
  /** The question's stems in the document, in its title, and in each sentence of its text. */
  readonly bits: number
  readonly titleBits: number
  /** The bit of each content stem of its title; 0 if the question does not have it. */
  readonly titleStemBits: Int32Array
  /** The question's stems that share their first five letters with a word of the document. */
  readonly kin: number
  readonly sentenceBits: Int32Array
  /** The same, and the question's stems that share their first five letters with a word of the sentence. */
  readonly sentenceKin: Int32Array
  /** The different numbers above 0 of both. */
  readonly differentBits: readonly number[]
  readonly differentKin: readonly number[]
  /** The bit of every word of its text; 0 if the question does not have it. */
  readonly wordBits: Int32Array
  /** The sentence that shares most with the question; -1 without a text. */
  readonly bestSentence: number
  readonly titleWeight: number
}

/** The share of the question, by weight, that these stems are. */
export const shareOf =
  ({ weigh, all, total }: Question) =>
  (bits: number): number =>
    weigh(bits & all) / total

/** The question's stems in the title or in the best sentence. */
export const titleAndSentence = ({ titleBits, sentenceBits, bestSentence }: PoolDocument): number =>
  titleBits | (bestSentence < 0 ? 0 : sentenceBits[bestSentence]!)

/** The bit of a word if it has one, otherwise of a word of the question with the same first five letters. */
export const kinOf = (bit: number, word: number, question: Question, lexicon: Lexicon): number =>
  bit !== 0 ? bit : question.prefixBit(lexicon.prefix(word))

export function compareDocument(read: ParsedDocument, question: Question, lexicon: Lexicon): PoolDocument {
  const { text, title } = read
  const count = text.sentences.length - 1
  const sentenceBits = new Int32Array(Math.max(0, count))
  const sentenceKin = new Int32Array(Math.max(0, count))
  const wordBits = new Int32Array(text.stems.length)
  let bits = 0
  let allKin = 0
  let bestSentence = -1
  let best = -1
  for (let sentence = 0; sentence < count; sentence++) {
    let set = 0
    let kin = 0
    const end = text.sentences[sentence + 1]!
    for (let place = text.sentences[sentence]!; place < end; place++) {
      const bit = question.bitOf(text.stems[place]!)
      const near = question.prefixBit(lexicon.prefix(text.words[place]!))
      wordBits[place] = bit
      set |= bit
      kin |= bit !== 0 ? bit : near
      allKin |= near
    }
    sentenceBits[sentence] = set
    sentenceKin[sentence] = kin
    bits |= set
    const weight = question.weigh(set)
    if (weight > best) {
      best = weight
      bestSentence = sentence
    }
  }
  const titleStemBits = new Int32Array(title.contentStems.length)
  let titleBits = 0
  let titleWeight = 0
  title.contentStems.forEach((stem, place) => {
    const bit = question.bitOf(stem)
    titleStemBits[place] = bit
    titleBits |= bit
    titleWeight += lexicon.weight(stem)
  })
  for (const word of title.words) allKin |= question.prefixBit(lexicon.prefix(word))
  return {
    read,
    bits: bits | titleBits,
    titleBits,
    titleStemBits,
    kin: allKin,
    sentenceBits,
    sentenceKin,
    differentBits: different(sentenceBits),
    differentKin: different(sentenceKin),
    wordBits,
    bestSentence,
    titleWeight,
  }
}

function different(sets: Int32Array): readonly number[] {
  const found: number[] = []
  for (const set of sets) if (set !== 0 && !found.includes(set)) found.push(set)
  return found
}
