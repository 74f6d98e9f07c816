/** The pool: the documents of all lists, each read once, with their ranks and scores in the lists. */

import { searchKey } from '../../../src/dedupe.ts'
import { byCodeUnit } from '../../../src/rank.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../src/types.ts'
import type { Question } from './question.ts'

/** A document's ranks and score in the lists of one kind, lexical or dense. */
interface Standing {
  /** Rank in the original query's list; 0 if it does not contain the document. */
  rank: number
  score: number
  /** Best rank in a list of a sub-query made from the query, and of a sub-query made from a document; 0 if none contains it. */
  stageOne: number
  stageTwo: number
}

export interface Candidate {
  readonly docid: string
  /** Σ 1 / rank over all lists. */
  fused: number
  /** The same sum with a higher weight for the original query's lists. It decides which documents enter the pool. */
  priority: number
  /** The number of lists with the document among their first ten. */
  high: number
  /** Best rank in a list of a sub-query made from a document: its docid → rank. */
  readonly foundFrom: Map<string, number>
  readonly lexical: Standing
  readonly dense: Standing
}

export interface Retrieved {
  readonly candidates: readonly Candidate[]
  readonly lists: number
  readonly hasDense: boolean
  /** Whether anything other than the original query was searched. */
  readonly hasOthers: boolean
  /** The first, the second and the last score among the first 60 hits of the original query's list. */
  readonly lexical: Best
  readonly dense: Best
}

interface Best {
  readonly first: number
  readonly second: number
  readonly last: number
}

/**
 * The maximum number of documents to re-rank. Of 100, the last 40 cost a quarter of the time and brought 0.6 points of nDCG@10 at
 * most.
 */
export const poolSize = 60

/** The weight of the original query: this many sub-queries have the same say about the pool. */
const originalWeight = 5

/** The best `size` documents of all lists by Σ 1 / rank. The original query's lists count five times. */
export function poolOf(lists: readonly RankedList[], original: string, size: number): Retrieved {
  const found = new Map<string, Candidate>()
  const best = { lexical: { first: 0, second: 0, last: 0 }, dense: { first: 0, second: 0, last: 0 } }
  const key = searchKey(original)
  let [hasDense, hasOthers] = [false, false]
  for (const { kind: declared, subQuery, hits } of lists) {
    const kind = declared === 'dense' ? 'dense' : 'lexical'
    hasDense ||= kind === 'dense'
    const { from } = subQuery
    const isOriginal = searchKey(subQuery.text) === key
    hasOthers ||= !isOriginal
    // Longer lists are scaled by their first 60 hits, because the networks were trained on lists of that length.
    const lowest = hits[poolSize - 1] ?? hits.at(-1)
    const [first = 0, second = 0, last = 0] = [hits[0]?.score, hits[1]?.score, lowest?.score]
    if (isOriginal && best[kind].first === 0) best[kind] = { first, second, last }
    // If there are several retrievers of one kind, the first one's scores count. The others' scores are scaled to them.
    const scale = first === 0 ? 1 : best[kind].first / first
    hits.forEach(({ docid, score }, index) => {
      let candidate = found.get(docid)
      if (candidate === undefined) {
        candidate = newCandidate(docid)
        found.set(docid, candidate)
      }
      const rank = index + 1
      const standing = candidate[kind]
      candidate.fused += 1 / rank
      candidate.priority += (isOriginal ? originalWeight : 1) / rank
      if (rank <= 10) candidate.high++
      if (isOriginal) {
        standing.score = standing.rank === 0 ? scale * score : Math.max(standing.score, scale * score)
        if (standing.rank === 0 || rank < standing.rank) standing.rank = rank
      } else {
        const stage = from === undefined ? 'stageOne' : 'stageTwo'
        if (standing[stage] === 0 || rank < standing[stage]) standing[stage] = rank
        if (from !== undefined && rank < (candidate.foundFrom.get(from) ?? Infinity))
          candidate.foundFrom.set(from, rank)
      }
    })
  }
  const candidates = [...found.values()]
    .sort((a, b) => b.priority - a.priority || byCodeUnit(a.docid, b.docid))
    .slice(0, size)
  return { candidates, lists: lists.length, hasDense, hasOthers, ...best }
}

/** The docids of the pool: re-ranking needs the texts of these documents. */
export const poolDocids = (lists: readonly RankedList[], original: string): string[] =>
  poolOf(lists, original, poolSize).candidates.map(({ docid }) => docid)

/** The documents of the pool whose texts are available, after reading them. */
export function readPool(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): { readonly retrieved: Retrieved; readonly reads: readonly ParsedDocument[] } {
  const { retrieved, documents } = poolAtHand(query, lists, documentOf)
  return { retrieved, reads: documents.map((document) => reader.read(document)) }
}

/** The documents of the pool whose texts are available, with those texts. */
export function poolAtHand(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
): { readonly retrieved: Retrieved; readonly documents: readonly Document[] } {
  const retrieved = poolOf(lists, query.text, poolSize)
  const documents: Document[] = []
  const candidates = retrieved.candidates.filter(({ docid }) => {
    const document = documentOf(docid)
    if (document !== undefined) documents.push(document)
    return document !== undefined
  })
  return { retrieved: { ...retrieved, candidates }, documents }
}

const newCandidate = (docid: string): Candidate => ({
  docid,
  fused: 0,
  priority: 0,
  high: 0,
  foundFrom: new Map(),
  lexical: nowhere(),
  dense: nowhere(),
})

const nowhere = (): Standing => ({ rank: 0, score: 0, stageOne: 0, stageTwo: 0 })

/** A document of the pool, compared with the question. */
export interface PoolDocument {
  readonly read: ParsedDocument
  /** The question's stems in the document, in its title, and in each sentence of its text. */
  readonly bits: number
  readonly titleBits: number
  readonly sentenceBits: Int32Array
  /** The same, and stems of the question that a word of the sentence begins like. */
  readonly sentenceKin: Int32Array
  /** The bit of every word of its text; 0 if the question does not have it. */
  readonly wordBits: Int32Array
  /** The sentence that shares most with the question; -1 without a text. */
  readonly bestSentence: number
  readonly titleWeight: number
}

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
  let bestSentence = -1
  let best = -1
  for (let sentence = 0; sentence < count; sentence++) {
    let set = 0
    let kin = 0
    const end = text.sentences[sentence + 1]!
    for (let place = text.sentences[sentence]!; place < end; place++) {
      const bit = question.bitOf(text.stems[place]!)
      wordBits[place] = bit
      set |= bit
      kin |= kinOf(bit, text.words[place]!, question, lexicon)
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
  let titleBits = 0
  let titleWeight = 0
  for (const stem of title.contentStems) {
    const bit = question.bitOf(stem)
    titleBits |= bit
    titleWeight += lexicon.weight(stem)
  }
  return {
    read,
    bits: bits | titleBits,
    titleBits,
    sentenceBits,
    sentenceKin,
    wordBits,
    bestSentence,
    titleWeight,
  }
}
