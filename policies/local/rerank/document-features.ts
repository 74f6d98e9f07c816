/** The features of a single document: its ranks in the lists, and what its title and text share with the question. */
import { countBits } from '../../../src/runtime/bits.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { PoolDocument } from './compare-document.ts'
import { featureTable } from './feature-table.ts'
import type { Mention } from './mentions.ts'
import type { Candidate, Retrieved } from './pool.ts'
import type { Question } from './question.ts'

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

const inverse = (rank: number): number => (rank === 0 ? 0 : 1 / rank)

const table = featureTable<ReturnType<typeof see>>({
  'lexical score ÷ best': ({ lexical, retrieved }) =>
    lexical.rank === 0 ? 0 : lexical.score / (retrieved.lexical.first || 1),
  'lexical 1/rank': ({ lexical }) => inverse(lexical.rank),
  'lexical ln rank': ({ lexical }) => Math.log(lexical.rank || absent),
  'lexical best 1/rank of stage 1': ({ lexical }) => inverse(lexical.stageOne),
  'lexical best 1/rank of stage 2': ({ lexical }) => inverse(lexical.stageTwo),
  'dense score − best': ({ dense, retrieved: { hasDense, dense: best } }) => {
    if (!hasDense) return 0
    return dense.rank === 0 ? -1 : (dense.score - best.first) / (best.first - best.last || 1)
  },
  'dense 1/rank': ({ dense }) => inverse(dense.rank),
  'dense ln rank': ({ dense, retrieved }) => (retrieved.hasDense ? Math.log(dense.rank || absent) : 0),
  'dense best 1/rank of stage 1': ({ dense }) => inverse(dense.stageOne),
  'dense best 1/rank of stage 2': ({ dense }) => inverse(dense.stageTwo),
  'fused ÷ best': ({ candidate, context }) => candidate.fused / context.bestFused,
  'share of lists with it in the first 10': ({ candidate, retrieved }) => candidate.high / retrieved.lists,
  'title ∩ query ÷ query': ({ titled, question }) => titled / question.total,
  'title ∩ query ÷ title': ({ titled, document }) =>
    document.titleWeight === 0 ? 0 : titled / document.titleWeight,
  'words of the title mentioned': ({ mention }) =>
    mention === undefined ? 0 : Math.min(5, mention.end - mention.start),
  'kind of the mention': ({ mention }) => mention?.kind ?? 0,
  'share of title words in query': ({ document: { titleBits, read } }) =>
    read.title.contentStems.length === 0 ? 0 : countBits(titleBits) / read.title.contentStems.length,
  'title is mentioned': ({ mention }) => mention !== undefined,
  'title ∩ names ÷ names': ({ document, ofNames }) => ofNames(document.titleBits),
  'like the first documents': ({ context, index }) => context.likeness[index]!,
  'query in document': ({ document, share }) => share(document.bits),
  'best sentence': ({ document: { bestSentence, sentenceBits }, share }) =>
    bestSentence < 0 ? 0 : share(sentenceBits[bestSentence]!),
  'first sentence': ({ document: { sentenceBits }, share }) =>
    sentenceBits.length === 0 ? 0 : share(sentenceBits[0]!),
  'neighbours kept': ({ document, question }) => neighborsKept(document, question),
  'names’ words in document': ({ document, ofNames }) => ofNames(document.bits),
  'names in document': ({ document: { bits }, question: { names } }) =>
    names.length === 0 ? 0 : names.filter((name) => (name & bits) === name).length / names.length,
  // The share of the question, by weight, that is there if words match by their first five letters.
  'prefixes in document': ({ document: { bits, kin }, question, share }) =>
    bits === question.all ? 1 : share(bits | kin),
  'same title': ({ context, index }) => Math.log(1 + context.sameTitle[index]!),
  length: ({ text }) => Math.log(1 + Math.min(longest.words, text.words.length)) / 5,
  sentences: ({ text }) => (Math.min(longest.sentences, text.sentences.length) - 1) / 10,
  'year in first sentence': ({ document }) => document.read.hasYear,
  born: ({ document }) => document.read.hasBirth,
  'looks like a person': ({ document }) => document.read.isPerson,
  'last answer in document': ({ question, context }) => shareIn(question.agent, context),
  'last question in document': ({ question, context }) => shareIn(question.user, context),
  'questions in document': ({ question, context }) => shareIn(question.users, context),
})

export const documentFeatures = table.names

/** Writes the features of document `index` of the pool into `row`, from `at` on. */
export function writeDocumentFeatures(
  row: Float32Array,
  at: number,
  index: number,
  document: PoolDocument,
  candidate: Candidate,
  context: DocumentContext,
): void {
  table.write(row, at, see(index, document, candidate, context))
}

function see(index: number, document: PoolDocument, candidate: Candidate, context: DocumentContext) {
  const { question, retrieved } = context
  const { lexical, dense } = candidate
  const { weigh, total, inNames } = question
  const names = weigh(inNames)
  return {
    index,
    document,
    candidate,
    context,
    question,
    retrieved,
    lexical,
    dense,
    mention: context.mentioned[index],
    text: document.read.text,
    titled: weigh(document.titleBits),
    share: (bits: number): number => weigh(bits) / total,
    ofNames: (bits: number): number => (names === 0 ? 0 : weigh(bits & inNames) / names),
  }
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
