/** The features of a document given a seed that mentions it, shares names with it, or covers what it leaves open. */
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { PoolDocument } from './compare-document.ts'
import { checkRow } from './feature-table.ts'
import type { Mention } from './mentions.ts'
import type { Question } from './question.ts'

export const pathFeatures = [
  'link: kind',
  'link: words',
  'link: rest of the query in its sentence',
  'link: rest of the query around it',
  'link: 1/ordinal',
  'link: 1/sentence',
  'shared names',
  'shared names: rarest',
  'shared names: best sentence',
  'shared names: is the title',
  'linked back',
  'adds to the seed',
  'both cover',
  'best sentence on what the seed lacks',
  'best sentence on the rest',
  'seed covers',
  'rest of the query in title',
  'same title as the seed',
  'seed: best sentence',
  'seed: links',
  'both named in the query',
  'seed named in the query',
  'title in seed',
  'title in the seed’s best sentence',
  'title in seed or query',
  'seed’s title in document',
  'seed’s new words in document',
  'found from the seed: 1/rank',
  'shared names: on what the seed lacks',
  'shared names: kin on what the seed lacks',
  'best kin on what the seed lacks',
  'mention: kin of the rest of the query',
] as const

/** The first mention of a document in a seed. */
export interface Link {
  readonly mention: Mention
  /** The position among the documents that the seed mentions, from 1. */
  readonly ordinal: number
}

export interface Seed {
  readonly index: number
  /** Index among the seeds. */
  readonly place: number
  readonly document: PoolDocument
  /** The question without the seed's title, as bits. */
  readonly rest: number
  /** The documents of the pool that the seed's text mentions. */
  readonly links: ReadonlyMap<number, Link>
  /** Whether the question mentions the seed's title. */
  readonly inQuery: boolean
  readonly has: (stem: number) => boolean
  readonly bestHas: (stem: number) => boolean
  /** The stems of the seed's best sentence that are not in the question. */
  readonly news: readonly number[]
  readonly newsWeight: number
  /** The phrases of the seed's names that are not in the question. */
  readonly names: ReadonlySet<number>
}

/** A name that several documents of the pool contain. */
export interface SharedName {
  readonly phrase: number
  readonly sentence: number
  /** From 0, if all documents have it, to 1. */
  readonly rarity: number
}

export interface PathContext {
  readonly question: Question
  readonly lexicon: Lexicon
  /** The names of a document that others have too, in the order of its text. */
  readonly sharedNames: (index: number) => readonly SharedName[]
  /** For each document, the first sentence that mentions each seed, by the seed's place. */
  readonly back: (index: number) => readonly (number | undefined)[]
  readonly inQuery: readonly boolean[]
  /** Best rank of a document in a list of a sub-query made from the seed. */
  readonly foundFrom: (index: number, seed: number) => number | undefined
  /** The phrase of each document's title; -1 without a title. */
  readonly titlePhrases: readonly number[]
  /** Whether the current document contains a stem. */
  readonly has: (stem: number) => boolean
}

const linkFeatures = pathFeatures.filter((name) => name.startsWith('link:')).length
const windowWords = 6

/** Writes the features of the path from a seed to document `index` into `row`, starting at `at`. */
export function writePathFeatures(
  row: Float32Array,
  at: number,
  seed: Seed,
  index: number,
  document: PoolDocument,
  context: PathContext,
): void {
  const { question, lexicon } = context
  const { weigh, total } = question
  const { rest } = seed
  const restWeight = weigh(rest) || 1
  const link = seed.links.get(index)
  let next = at
  if (link === undefined) {
    row.fill(0, at, at + linkFeatures)
    next += linkFeatures
  } else {
    const { mention, ordinal } = link
    row[next++] = 4 - mention.kind
    row[next++] = Math.min(5, mention.end - mention.start)
    row[next++] = weigh(rest & seed.document.sentenceBits[mention.sentence]!) / total
    row[next++] = weigh(rest & bitsAround(seed.document, mention)) / total
    row[next++] = 1 / ordinal
    row[next++] = 1 / (1 + mention.sentence)
  }

  let shared = 0
  let rarest = 0
  let bestShared = 0
  let sharedLacking = 0
  let sharedKin = 0
  const lacking = question.all & ~seed.document.bits
  let isTitle = 0
  for (const { phrase, sentence, rarity } of context.sharedNames(index)) {
    if (!seed.names.has(phrase)) continue
    shared++
    rarest = Math.max(rarest, rarity)
    bestShared = Math.max(bestShared, weigh(document.sentenceBits[sentence]!) / total)
    sharedLacking = Math.max(sharedLacking, weigh(document.sentenceBits[sentence]! & lacking))
    sharedKin = Math.max(sharedKin, weigh(document.sentenceKin[sentence]! & lacking))
  }
  if (seed.names.has(context.titlePhrases[index]!)) isTitle = 1
  row[next++] = Math.min(3, shared)
  row[next++] = rarest
  row[next++] = bestShared
  row[next++] = isTitle

  const backSentence = context.back(index)[seed.place]
  row[next++] =
    backSentence === undefined ? 0 : 0.2 + weigh(rest & document.sentenceBits[backSentence]!) / total

  row[next++] = weigh(document.bits & lacking) / total
  row[next++] = weigh(seed.document.bits | document.bits) / total
  let onLacking = 0
  let onRest = 0
  let kinLacking = 0
  for (const bits of document.differentBits) {
    onLacking = Math.max(onLacking, weigh(bits & lacking))
    onRest = Math.max(onRest, weigh(bits & rest))
  }
  for (const kin of document.differentKin) kinLacking = Math.max(kinLacking, weigh(kin & lacking))
  row[next++] = onLacking / total
  row[next++] = onRest / restWeight

  row[next++] = weigh(seed.document.bits) / total
  row[next++] = weigh(rest & document.titleBits) / total
  const titlePhrase = context.titlePhrases[index]!
  row[next++] = titlePhrase >= 0 && titlePhrase === context.titlePhrases[seed.index] ? 1 : 0
  const { bestSentence, sentenceBits } = seed.document
  row[next++] = bestSentence < 0 ? 0 : weigh(sentenceBits[bestSentence]!) / total
  row[next++] = Math.min(1, seed.links.size / 20)
  row[next++] = context.inQuery[index] && seed.inQuery ? 1 : 0
  row[next++] = seed.inQuery ? 1 : 0

  let inSeed = 0
  let inBest = 0
  let inEither = 0
  const titleStems = document.read.title.contentStems
  for (let place = 0; place < titleStems.length; place++) {
    const stem = titleStems[place]!
    const inQuestion = document.titleStemBits[place] !== 0
    if (!inQuestion && !seed.has(stem)) continue
    const weight = lexicon.weight(stem)
    inEither += weight
    if (inQuestion) continue
    inSeed += weight
    if (seed.bestHas(stem)) inBest += weight
  }
  const titleWeight = document.titleWeight || 1
  row[next++] = inSeed / titleWeight
  row[next++] = inBest / titleWeight
  row[next++] = inEither / titleWeight
  let seedTitle = 0
  const seedStems = seed.document.read.title.contentStems
  for (let place = 0; place < seedStems.length; place++)
    if (context.has(seedStems[place]!)) seedTitle += lexicon.weight(seedStems[place]!)
  row[next++] = seedTitle / (seed.document.titleWeight || 1)
  let news = 0
  for (let place = 0; place < seed.news.length; place++)
    if (context.has(seed.news[place]!)) news += lexicon.weight(seed.news[place]!)
  row[next++] = news / (seed.newsWeight || 1)
  row[next++] = 1 / (context.foundFrom(index, seed.index) ?? Infinity)
  row[next++] = sharedLacking / total
  row[next++] = sharedKin / total
  row[next++] = kinLacking / total
  row[next++] =
    link === undefined ? 0 : weigh(seed.document.sentenceKin[link.mention.sentence]! & rest) / total
  checkRow('pathFeatures', pathFeatures, next - at)
}

/** The stems of the question within six words of a mention, in any sentence. */
function bitsAround({ wordBits }: PoolDocument, { start, end }: Mention): number {
  let bits = 0
  const last = Math.min(wordBits.length, end + windowWords)
  for (let place = Math.max(0, start - windowWords); place < last; place++)
    if (place < start || place >= end) bits |= wordBits[place]!
  return bits
}
