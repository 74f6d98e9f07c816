/** The features of a single document: its ranks in the lists, and what its title and text share with the question. */
import { countBits } from '../../../src/runtime/bits.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedText } from '../../../src/text/parse-text.ts'
import { checkRow } from './check-row.ts'
import type { PoolDocument } from './compare-document.ts'
import type { Mention } from './mentions.ts'
import type { Candidate, Retrieved } from './pool.ts'
import type { Question } from './question.ts'

export const documentFeatures = [
  'lexical score ÷ best',
  'lexical 1/rank',
  'lexical ln rank',
  'lexical best 1/rank of stage 1',
  'lexical best 1/rank of stage 2',
  'dense score − best',
  'dense 1/rank',
  'dense ln rank',
  'dense best 1/rank of stage 1',
  'dense best 1/rank of stage 2',
  'fused ÷ best',
  'share of lists with it in the first 10',
  'title ∩ query ÷ query',
  'title ∩ query ÷ title',
  'words of the title mentioned',
  'kind of the mention',
  'share of title words in query',
  'title is mentioned',
  'title ∩ names ÷ names',
  'like the first documents',
  'query in document',
  'best sentence',
  'first sentence',
  'neighbours kept',
  'names’ words in document',
  'names in document',
  'prefixes in document',
  'same title',
  'length',
  'sentences',
  'year in first sentence',
  'born',
  'looks like a person',
  'last answer in document',
  'last question in document',
  'questions in document',
] as const

export interface DocumentContext {
  readonly question: Question
  readonly retrieved: Retrieved
  readonly lexicon: Lexicon
  /** The highest fused sum of the pool. */
  readonly bestFused: number
  /** For each document of the pool, its longest mention in the question. */
  readonly mentioned: readonly (Mention | undefined)[]
  /** For each document, the number of documents in the pool with its title. */
  readonly sameTitle: readonly number[]
  /** For each document, its similarity to the first documents. */
  readonly likeness: ArrayLike<number>
  /** Whether the current document contains a stem. */
  readonly has: (stem: number) => boolean
}

/** The rank, for its logarithm, of a document that is not in a list. */
const absent = 300

/**
 * Longer texts count as texts of this length: of the documents that the networks learned from, 99 % are shorter. What a network knows of
 * length would otherwise go on without limit, and put any short page above a long manual.
 */
const longest = { words: 400, sentences: 20 }

/** The length of a text in words, as the networks see it. */
const lengthOf = ({ words }: Pick<ParsedText, 'words'>): number => Math.min(longest.words, words.length)

/** Writes the features of document `index` of the pool into `row`, starting at `at`. */
export function writeDocumentFeatures(
  row: Float32Array,
  at: number,
  index: number,
  document: PoolDocument,
  candidate: Candidate,
  context: DocumentContext,
): void {
  const { question, retrieved } = context
  const { lexical, dense } = candidate
  const { read, bits, titleBits, sentenceBits, bestSentence, titleWeight } = document
  const { total, weigh } = question
  const mention = context.mentioned[index]
  const { text, title } = read
  let next = at
  const put = (value: number): void => {
    row[next++] = value
  }
  const inverse = (rank: number): number => (rank === 0 ? 0 : 1 / rank)
  const best = retrieved.lexical.first || 1
  put(lexical.rank === 0 ? 0 : lexical.score / best)
  put(inverse(lexical.rank))
  put(Math.log(lexical.rank || absent))
  put(inverse(lexical.stageOne))
  put(inverse(lexical.stageTwo))
  const scale = retrieved.dense.first - retrieved.dense.last || 1
  put(!retrieved.hasDense ? 0 : dense.rank === 0 ? -1 : (dense.score - retrieved.dense.first) / scale)
  put(inverse(dense.rank))
  put(retrieved.hasDense ? Math.log(dense.rank || absent) : 0)
  put(inverse(dense.stageOne))
  put(inverse(dense.stageTwo))
  put(candidate.fused / context.bestFused)
  put(candidate.high / retrieved.lists)

  put(weigh(titleBits) / total)
  put(titleWeight === 0 ? 0 : weigh(titleBits) / titleWeight)
  put(mention === undefined ? 0 : Math.min(5, mention.end - mention.start))
  put(mention?.kind ?? 0)
  put(title.contentStems.length === 0 ? 0 : countBits(titleBits) / title.contentStems.length)
  put(mention === undefined ? 0 : 1)
  const namesWeight = weigh(question.inNames)
  put(namesWeight === 0 ? 0 : weigh(titleBits & question.inNames) / namesWeight)

  put(context.likeness[index]!)
  put(weigh(bits) / total)
  put(bestSentence < 0 ? 0 : weigh(sentenceBits[bestSentence]!) / total)
  put(sentenceBits.length === 0 ? 0 : weigh(sentenceBits[0]!) / total)
  put(neighborsKept(document, question))
  put(namesWeight === 0 ? 0 : weigh(bits & question.inNames) / namesWeight)
  const { names } = question
  put(names.length === 0 ? 0 : names.filter((name) => (name & bits) === name).length / names.length)
  put(prefixesIn(document, question))

  put(Math.log(1 + context.sameTitle[index]!))
  put(Math.log(1 + lengthOf(text)) / 5)
  put((Math.min(longest.sentences, text.sentences.length) - 1) / 10)
  put(read.hasYear ? 1 : 0)
  put(read.hasBirth ? 1 : 0)
  put(read.isPerson ? 1 : 0)

  put(shareIn(question.agent, context))
  put(shareIn(question.user, context))
  put(shareIn(question.users, context))
  checkRow('documentFeatures', documentFeatures, next - at)
}

/** The share of the stems, by weight, that the document contains. */
function shareIn(stems: Int32Array, { has, lexicon }: DocumentContext): number {
  let all = 0
  let found = 0
  for (const stem of stems) {
    const weight = lexicon.weight(stem)
    all += weight
    if (has(stem)) found += weight
  }
  return all === 0 ? 0 : found / all
}

/** The share of the question's pairs of neighboring words that are also neighbors in the document. */
function neighborsKept({ wordBits }: PoolDocument, { neighbors }: Question): number {
  if (neighbors.length === 0) return 0
  let before = 0
  const found = new Set<number>()
  for (let place = 0; place < wordBits.length; place++) {
    const bit = wordBits[place]!
    if (bit !== 0 && before !== 0 && neighbors.includes(before | bit)) found.add(before | bit)
    before = bit
  }
  return found.size / neighbors.length
}

/** The share of the question, by weight, that the document contains if words match by their first five letters. */
const prefixesIn = ({ bits, kin }: PoolDocument, question: Question): number =>
  bits === question.all ? 1 : question.weigh(bits | kin) / question.total
