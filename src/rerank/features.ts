/** The features of a pool: one row a document, then the ways from seeds to documents. */
import type { ReadDocument } from '../text/document.ts'
import type { Lexicon } from '../text/lexicon.ts'
import { createMarks } from '../text/marks.ts'
import { documentFeatures, writeDocumentFeatures } from './document-features.ts'
import { likenessOf, vectorsOf } from './likeness.ts'
import { type Mention, mentionsIn, titlesOf } from './mentions.ts'
import { type Link, type PathContext, pathFeatures, type Seed, writePathFeatures } from './path-features.ts'
import { compareDocument, type PoolDocument, type Retrieved } from './pool.ts'
import { queryFeatures, writeQueryFeatures } from './query-features.ts'
import type { Question } from './question.ts'

/** The features of a document and of the question. */
export const firstInputs: readonly string[] = [...documentFeatures, ...queryFeatures]

/** The same, and what the ways from the seeds say. */
export const secondInputs: readonly string[] = [
  ...firstInputs,
  'seed: probability',
  'seed: place',
  'like the seeds',
  ...pathFeatures,
]

/** What a document alone, or two together, have for them. */
export const pairInputs: readonly string[] = [
  'alone',
  'log probability of the first',
  'log probability of the second',
  'the first’s lead',
  'the second’s lead',
  'highest probability',
  'places',
  ...pathFeatures.map((name) => `${name} (first to second)`),
  ...pathFeatures.map((name) => `${name} (second to first)`),
  ...['first', 'second'].flatMap((which) => documentFeatures.map((name) => `${name} (${which})`)),
  ...queryFeatures,
]

/** Each of so many documents alone and with each later one, by their places. */
export function groupsOf(count: number): readonly (readonly [number, number?])[] {
  const places = Array.from({ length: count }, (_, place) => place)
  return places.flatMap((a) => [[a] as const, ...places.slice(a + 1).map((b) => [a, b] as const)])
}

/** Probabilities below e to this are alike. */
export const lowestLog = -12

/** Documents from which ways are followed. */
const mostSeeds = 8

/** How many of the second step's first documents the last step looks at. */
export const topSize = 12

/** Used anew by every pool: features are made in one go, without a pause in which another search could run. */
const workspace = {
  document: createMarks(),
  seeds: Array.from({ length: Math.max(mostSeeds, topSize) }, () => ({
    all: createMarks(),
    best: createMarks(),
  })),
}

export interface PoolFeatures {
  readonly rows: number
  /** rows × firstInputs */
  readonly first: Float32Array
  /** The features of the question, as every row has them. */
  readonly query: Float32Array
  readonly documents: readonly PoolDocument[]
  /** Titles of the pool that the question mentions. */
  readonly inQuestion: readonly Mention[]
  /** The phrase of each document's title; -1 without title. */
  readonly titlePhrases: readonly number[]
  /** In how many documents of the pool each name stands. */
  readonly nameCounts: ReadonlyMap<number, number>
  /** rows × secondInputs, with the probabilities of relevance that a first model gave. */
  second(probabilities: ArrayLike<number>): Float32Array
  /** groups × pairInputs for the groups (see `groupsOf`) of these rows, with the logarithm of each row's probability. */
  groups(top: readonly number[], logs: ArrayLike<number>): Float32Array
  /** The first mention of each other document of the pool in the text of a row, by the row that is mentioned, in its order. */
  linksOf(row: number): ReadonlyMap<number, Mention>
}

export function featuresOf(
  question: Question,
  retrieved: Retrieved,
  reads: readonly ReadDocument[],
  lexicon: Lexicon,
): PoolFeatures {
  const { candidates } = retrieved
  const rows = reads.length
  const documents = reads.map((read) => compareDocument(read, question, lexicon))
  const titles = titlesOf(reads, lexicon)
  const inQuestion = mentionsIn(question.text, titles, lexicon, true)
  const mentioned: (Mention | undefined)[] = reads.map(() => undefined)
  for (const mention of inQuestion) {
    const before = mentioned[mention.title]
    if (before === undefined || mention.end - mention.start > before.end - before.start)
      mentioned[mention.title] = mention
  }
  const titlePhrases = reads.map(({ name }) =>
    name.length === 0 ? -1 : lexicon.phrase(name, 0, name.length),
  )
  const counts = new Map<number, number>()
  for (const phrase of titlePhrases) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  const sameTitle = titlePhrases.map((phrase) => (phrase === -1 ? 0 : counts.get(phrase)!))
  const marks = workspace.document
  const vectors = vectorsOf(reads, question, lexicon)
  const firstRows = Int32Array.from({ length: Math.min(mostSeeds, rows) }, (_, index) => index)
  const context = {
    question,
    retrieved,
    lexicon,
    bestFused: candidates.reduce((best, { fused }) => Math.max(best, fused), 0) || 1,
    mentioned,
    sameTitle,
    likeness: likenessOf(
      vectors,
      Float64Array.from(reads, (_, index) => 1 / (index + 1)),
      firstRows,
      lexicon,
    ),
    has: marks.has,
  }
  const width = firstInputs.length
  const first = new Float32Array(rows * width)
  const queryRow = new Float32Array(queryFeatures.length)
  writeQueryFeatures(queryRow, 0, question, retrieved, documents[0], inQuestion, lexicon)
  for (let index = 0; index < rows; index++) {
    marks.hold(reads[index]!.matter)
    writeDocumentFeatures(first, index * width, index, documents[index]!, candidates[index]!, context)
    first.set(queryRow, index * width + documentFeatures.length)
  }

  let counted: Map<number, number> | undefined

  function second(probabilities: ArrayLike<number>): Float32Array {
    const order = Int32Array.from({ length: rows }, (_, index) => index)
      .sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
      .slice(0, mostSeeds)
    const { seeds, path } = pathsFrom(order)
    const likeness = likenessOf(vectors, probabilities, order, lexicon)
    const wide = secondInputs.length
    const features = new Float32Array(rows * wide)
    const way = new Float32Array(pathFeatures.length)
    for (let index = 0; index < rows; index++) {
      const at = index * wide
      features.set(first.subarray(index * width, (index + 1) * width), at)
      features[at + width] = probabilities[index]!
      const place = order.indexOf(index)
      features[at + width + 1] = place === -1 ? 0 : 1 / (place + 1)
      features[at + width + 2] = likeness[index]!
      marks.hold(reads[index]!.matter)
      for (const seed of seeds) {
        if (seed.index === index) continue
        writePathFeatures(way, seed, index, documents[index]!, path)
        const weight = probabilities[seed.index]!
        for (let input = 0; input < way.length; input++) {
          const value = way[input]! * weight
          if (value > features[at + width + 3 + input]!) features[at + width + 3 + input] = value
        }
      }
    }
    return features
  }

  function pathsFrom(order: Int32Array): { readonly seeds: readonly Seed[]; readonly path: PathContext } {
    const inQuery = mentioned.map((mention) => mention !== undefined)
    const path: PathContext = {
      question,
      lexicon,
      nameCounts: countNames(),
      size: Math.max(2, rows),
      back: backLinks(order),
      inQuery,
      titlePhrases,
      has: marks.has,
    }
    return { seeds: [...order].map((index, place) => seedOf(index, place)), path }
  }

  function countNames(): Map<number, number> {
    if (counted !== undefined) return counted
    const found = new Map<number, number>()
    counted = found
    for (const { text } of reads)
      for (const phrase of new Set(text.names.map((name) => name.phrase)))
        found.set(phrase, (found.get(phrase) ?? 0) + 1)
    return found
  }

  function groups(top: readonly number[], logs: ArrayLike<number>): Float32Array {
    const { seeds, path } = pathsFrom(Int32Array.from(top))
    const ways = top.map((index) => {
      marks.hold(reads[index]!.matter)
      return seeds.map((seed) => {
        const way = new Float32Array(pathFeatures.length)
        writePathFeatures(way, seed, index, documents[index]!, path)
        return way
      })
    })
    const list = groupsOf(top.length)
    const features = new Float32Array(list.length * pairInputs.length)
    const logOf = (place: number): number => Math.max(lowestLog, logs[top[place]!]!)
    list.forEach(([a, b], row) => {
      let next = row * pairInputs.length
      const put = (value: number): void => {
        features[next++] = value
      }
      const pair = b !== undefined
      put(pair ? 0 : 1)
      put(logOf(a))
      put(pair ? logOf(b) : 0)
      put(logOf(a) - logOf(Math.min(top.length - 1, a + 1)))
      put(pair ? logOf(b) - logOf(Math.min(top.length - 1, b + 1)) : 0)
      put(Math.exp(logOf(0)))
      put(pair ? a + b : a)
      if (pair) {
        features.set(ways[b]![a]!, next)
        features.set(ways[a]![b]!, next + pathFeatures.length)
      }
      next += 2 * pathFeatures.length
      for (const place of [a, b]) {
        if (place !== undefined) {
          const start = top[place]! * width
          features.set(first.subarray(start, start + documentFeatures.length), next)
        }
        next += documentFeatures.length
      }
      features.set(queryRow, next)
    })
    return features
  }

  function linksOf(index: number): Map<number, Mention> {
    const links = new Map<number, Mention>()
    for (const mention of mentionsIn(documents[index]!.read.text, titles, lexicon))
      if (mention.title !== index && !links.has(mention.title)) links.set(mention.title, mention)
    return links
  }

  function seedOf(index: number, place: number): Seed {
    const document = documents[index]!
    const { text } = document.read
    const links = new Map<number, Link>()
    for (const [title, mention] of linksOf(index)) links.set(title, { mention, ordinal: links.size + 1 })
    const { all, best } = workspace.seeds[place]!
    all.hold(document.read.matter)
    const { bestSentence } = document
    const stems =
      bestSentence < 0
        ? []
        : [...text.stems.subarray(text.sentences[bestSentence]!, text.sentences[bestSentence + 1]!)]
    best.hold(stems)
    const news = [...new Set(stems)].filter((stem) => lexicon.weight(stem) > 0 && question.bitOf(stem) === 0)
    const names = new Map<number, number[]>()
    for (const name of text.names) {
      let bits = 0
      for (let place = name.start; place < name.end; place++) bits |= question.bitOf(text.stems[place]!)
      if (bits !== 0) continue
      const places = names.get(name.phrase)
      if (places === undefined) names.set(name.phrase, [name.sentence])
      else places.push(name.sentence)
    }
    return {
      index,
      document,
      rest: question.all & ~document.titleBits,
      links,
      linked: links.size,
      inQuery: mentioned[index] !== undefined,
      has: all.has,
      bestHas: best.has,
      news: Int32Array.from(news),
      newsWeight: news.reduce((sum, stem) => sum + lexicon.weight(stem), 0),
      names,
    }
  }

  /** For each document in which sentence it mentions which seed. */
  function backLinks(seeds: Int32Array): Map<number, number>[] {
    const seedTitles = titlesOf(
      [...seeds].map((index) => reads[index]!),
      lexicon,
    )
    return reads.map(({ text }, index) => {
      const found = new Map<number, number>()
      for (const { title, sentence } of mentionsIn(text, seedTitles, lexicon)) {
        const seed = seeds[title]!
        if (seed !== index && !found.has(seed)) found.set(seed, sentence)
      }
      return found
    })
  }

  return {
    rows,
    first,
    query: queryRow,
    documents,
    inQuestion,
    titlePhrases,
    get nameCounts() {
      return countNames()
    },
    second,
    groups,
    linksOf,
  }
}
