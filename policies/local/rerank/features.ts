/** The features of a pool: one row per document, then the paths from seeds to documents. */

import { createIntSet } from '../../../src/text/int-set.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import { compareDocument, type PoolDocument } from './compare-document.ts'
import { documentFeatures, writeDocumentFeatures } from './document-features.ts'
import { groupFeatures } from './group-features.ts'
import { type Mention, mentionsIn, titlesOf } from './mentions.ts'
import { nearFeatures, prepareNear } from './near-features.ts'
import { pathFeatures, writePathFeatures } from './path-features.ts'
import type { Retrieved } from './pool.ts'
import { queryFeatures, queryRow } from './query-features.ts'
import type { Question } from './question.ts'
import { maxSeeds, seedsOf } from './seeds.ts'
import { similarityOf, vectorsOf } from './similarity.ts'

/** The features of a document and of the question. */
export const firstInputs: readonly string[] = [...documentFeatures, ...queryFeatures]

/** The same features, those of words of like meaning, and those of the paths from the seeds. */
export const secondInputs: readonly string[] = [
  ...firstInputs,
  'seed: probability',
  'seed: place',
  'like the seeds',
  ...nearFeatures,
  ...pathFeatures,
]

/** Reused by every pool. Features are computed synchronously, so no other search can interfere. */
const marks = createIntSet()

export interface PoolFeatures {
  readonly rows: number
  /** rows × firstInputs */
  readonly first: Float32Array
  /** The features of the question, the same in every row. */
  readonly query: Float32Array
  readonly documents: readonly PoolDocument[]
  /** The titles of the pool that the question mentions. */
  readonly inQuestion: readonly Mention[]
  /** The phrase of each document's title; -1 without a title. */
  readonly titlePhrases: readonly number[]
  /** How many documents of the pool contain each name. */
  readonly nameCounts: ReadonlyMap<number, number>
  /** rows × secondInputs, from the first model's probabilities of relevance. */
  second(probabilities: ArrayLike<number>): Float32Array
  /** groups × pairInputs for the groups (see `groupsOf`) of these rows, with the logarithm of each row's probability. */
  groups(top: readonly number[], logs: ArrayLike<number>): Float32Array
}

/** @param compare returns a document as compared with the question */
export function featuresOf(
  question: Question,
  retrieved: Retrieved,
  reads: readonly ParsedDocument[],
  lexicon: Lexicon,
  compare = (read: ParsedDocument): PoolDocument => compareDocument(read, question, lexicon),
): PoolFeatures {
  const { candidates } = retrieved
  const rows = reads.length
  const documents = reads.map(compare)
  const titles = titlesOf(reads, lexicon)
  const inQuestion = mentionsIn(question.text, titles, lexicon, true)
  const mentioned: (Mention | undefined)[] = reads.map(() => undefined)
  for (const mention of inQuestion) {
    const before = mentioned[mention.title]
    if (before === undefined || mention.end - mention.start > before.end - before.start)
      mentioned[mention.title] = mention
  }
  const titlePhrases = reads.map(({ phrase }) => phrase)
  const counts = new Map<number, number>()
  for (const phrase of titlePhrases) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  const sameTitle = titlePhrases.map((phrase) => (phrase === -1 ? 0 : counts.get(phrase)!))
  const vectors = vectorsOf(reads, question, lexicon)
  const firstRows = Int32Array.from({ length: Math.min(maxSeeds, rows) }, (_, index) => index)
  const context = {
    question,
    retrieved,
    lexicon,
    bestFused: candidates.reduce((best, { fused }) => Math.max(best, fused), 0) || 1,
    mentioned,
    sameTitle,
    likeness: similarityOf(
      vectors,
      Float64Array.from(reads, (_, index) => 1 / (index + 1)),
      firstRows,
      lexicon,
    ),
    has: marks.has,
  }
  const width = firstInputs.length
  const first = new Float32Array(rows * width)
  const query = queryRow(question, retrieved, documents[0], inQuestion, lexicon)
  for (let index = 0; index < rows; index++) {
    // Only earlier turns ask which stems a document has.
    if (question.turns > 0) marks.reset(reads[index]!.contentStems)
    writeDocumentFeatures(first, index * width, index, documents[index]!, candidates[index]!, context)
    first.set(query, index * width + documentFeatures.length)
  }

  const ways = seedsOf({
    question,
    lexicon,
    reads,
    documents,
    candidates,
    titles,
    inQuery: mentioned.map((mention) => mention !== undefined),
    titlePhrases,
  })

  function second(probabilities: ArrayLike<number>): Float32Array {
    const order = Int32Array.from({ length: rows }, (_, index) => index)
      .sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
      .slice(0, maxSeeds)
    const { seeds, path: others } = ways.from(order)
    const path = { ...others, has: marks.has }
    const likeness = similarityOf(vectors, probabilities, order, lexicon)
    // Not among the first features, because a decision does not need them.
    const writeNear = prepareNear(question, lexicon)
    const wide = secondInputs.length
    const features = new Float32Array(rows * wide)
    const way = new Float32Array(pathFeatures.length)
    for (let index = 0; index < rows; index++) {
      const at = index * wide
      features.set(first.subarray(index * width, (index + 1) * width), at)
      let next = at + width
      features[next++] = probabilities[index]!
      const place = order.indexOf(index)
      features[next++] = place === -1 ? 0 : 1 / (place + 1)
      features[next++] = likeness[index]!
      writeNear(reads[index]!, features, next)
      next += nearFeatures.length
      marks.reset(reads[index]!.contentStems)
      for (const seed of seeds) {
        if (seed.index === index) continue
        writePathFeatures(way, 0, seed, index, documents[index]!, path)
        const weight = probabilities[seed.index]!
        for (let input = 0; input < way.length; input++) {
          const value = way[input]! * weight
          if (value > features[next + input]!) features[next + input] = value
        }
      }
    }
    return features
  }

  function groups(top: readonly number[], logs: ArrayLike<number>): Float32Array {
    const { seeds, path: others } = ways.from(Int32Array.from(top))
    // Every document is a seed here, which knows the document's stems.
    const paths = seeds.map(({ has }) => ({ ...others, has }))
    return groupFeatures({
      documents: top.map((row) => first.subarray(row * width, row * width + documentFeatures.length)),
      logs: top.map((row) => logs[row]!),
      writePath: (row, at, from, to) =>
        writePathFeatures(row, at, seeds[from]!, top[to]!, documents[top[to]!]!, paths[to]!),
      query,
    })
  }

  return {
    rows,
    first,
    query,
    documents,
    inQuestion,
    titlePhrases,
    get nameCounts() {
      return ways.nameCounts()
    },
    second,
    groups,
  }
}
