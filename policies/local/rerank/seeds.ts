/** Seeds, from which paths start: their mentions, their names, and what they leave unanswered of the question. */

import { createIntSet } from '../../../src/text/int-set.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { PoolDocument } from './compare-document.ts'
import { mentionsIn, type Titles, titlesOf } from './mentions.ts'
import type { Link, PathContext, Seed, SharedName } from './path-features.ts'
import type { Candidate } from './pool.ts'
import type { Question } from './question.ts'

/** The maximum number of seeds for paths to single documents. */
export const maxSeeds = 8

/** A name in more documents of the pool than this carries no information. */
const maxCount = 60

/** Reused by every pool. Features are computed synchronously, so no other search can interfere. */
const seen = createIntSet()

/** Bits of the seeds whose document has a stem, and above them of those whose best sentence has it. */
let seedsWith = new Int32Array(1 << 14)
const ofBest = 1 << 16
/** The stems in the table. */
let written: readonly Int32Array[] = []

/** A pool after reading its documents and comparing them with the question. */
interface ReadPool {
  readonly question: Question
  readonly lexicon: Lexicon
  readonly reads: readonly ParsedDocument[]
  readonly documents: readonly PoolDocument[]
  readonly candidates: readonly Candidate[]
  readonly titles: Titles
  /** Whether the question mentions the document's title. */
  readonly inQuery: readonly boolean[]
  /** The phrase of each document's title; -1 without a title. */
  readonly titlePhrases: readonly number[]
}

export interface Seeds {
  /** How many documents of the pool contain each name. */
  nameCounts(): ReadonlyMap<number, number>
  /** Makes seeds of these rows, with the context of their paths except the current document. Valid until the next call. */
  from(rows: Int32Array): { readonly seeds: readonly Seed[]; readonly path: Omit<PathContext, 'has'> }
}

export function seedsOf(pool: ReadPool): Seeds {
  const { question, lexicon, reads, documents, candidates, titles, inQuery, titlePhrases } = pool
  let counted: Map<number, number> | undefined

  function nameCounts(): Map<number, number> {
    if (counted !== undefined) return counted
    const found = new Map<number, number>()
    counted = found
    for (const { text } of reads) {
      seen.clear()
      for (const { phrase } of text.names)
        if (seen.add(phrase)) found.set(phrase, (found.get(phrase) ?? 0) + 1)
    }
    return found
  }

  const logSize = Math.log(reads.length)
  const sharedNamesOf = remembered((index) => {
    const [shared, counts] = [[] as SharedName[], nameCounts()]
    for (const { phrase, sentence } of reads[index]!.text.names) {
      const count = counts.get(phrase)!
      if (count < 2 || count > maxCount) continue
      shared.push({ phrase, sentence, rarity: Math.log(reads.length / count) / logSize })
    }
    return shared
  })

  /** The first mention of each other document in the text of a row: mentioned row → link, in the order of the text. */
  const linksOf = remembered((index) => {
    const links = new Map<number, Link>()
    for (const mention of mentionsIn(documents[index]!.read.text, titles, lexicon))
      if (mention.title !== index && !links.has(mention.title))
        links.set(mention.title, { mention, ordinal: links.size + 1 })
    return links
  })

  function from(rows: Int32Array): ReturnType<Seeds['from']> {
    const path = {
      question,
      lexicon,
      sharedNames: sharedNamesOf,
      back: backLinks(rows),
      inQuery,
      foundFrom: (index: number, seed: number) => candidates[index]!.foundFrom.get(candidates[seed]!.docid),
      titlePhrases,
    }
    for (const stems of written) for (const stem of stems) seedsWith[stem] = 0
    written = Array.from(rows, (row) => reads[row]!.contentStems)
    return { seeds: Array.from(rows, (row, place) => seedOf(row, place)), path }
  }

  function seedOf(index: number, place: number): Seed {
    const document = documents[index]!
    const { text } = document.read
    const [own, best] = [1 << place, ofBest << place]
    for (const stem of document.read.contentStems) {
      if (stem >= seedsWith.length) widen(stem)
      seedsWith[stem]! |= own
    }
    const { bestSentence } = document
    const news: number[] = []
    let newsWeight = 0
    const end = bestSentence < 0 ? 0 : text.sentences[bestSentence + 1]!
    for (let place = text.sentences[bestSentence] ?? 0; place < end; place++) {
      const stem = text.stems[place]!
      const weight = lexicon.weight(stem)
      if (weight === 0 || (seedsWith[stem]! & best) !== 0) continue
      seedsWith[stem]! |= best
      if (question.bitOf(stem) !== 0) continue
      news.push(stem)
      newsWeight += weight
    }
    const names = new Set<number>()
    for (const { start, end, phrase } of text.names) {
      let bits = 0
      for (let place = start; place < end; place++) bits |= document.wordBits[place]!
      if (bits === 0) names.add(phrase)
    }
    return {
      index,
      place,
      document,
      rest: question.all & ~document.titleBits,
      links: linksOf(index),
      inQuery: inQuery[index]!,
      has: (stem) => (seedsWith[stem]! & own) !== 0,
      bestHas: (stem) => (seedsWith[stem]! & best) !== 0,
      news,
      newsWeight,
      names,
    }
  }

  /** The first sentence of each document that mentions a seed, by the seed's place among the seeds. */
  function backLinks(seeds: Int32Array): PathContext['back'] {
    const seedTitles = titlesOf(
      [...seeds].map((index) => reads[index]!),
      lexicon,
    )
    return remembered((index) => {
      const found: number[] = []
      for (const { title, sentence } of mentionsIn(reads[index]!.text, seedTitles, lexicon))
        found[title] ??= sentence
      return found
    })
  }

  return { nameCounts, from }
}

/** Computes the value of each row once, when it is first asked for. */
function remembered<T>(compute: (index: number) => T): (index: number) => T {
  const values: T[] = []
  return (index) => (values[index] ??= compute(index))
}

function widen(stem: number): void {
  const wider = new Int32Array(1 << (32 - Math.clz32(stem)))
  wider.set(seedsWith)
  seedsWith = wider
}
