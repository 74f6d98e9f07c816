/** The pool: the documents of all lists, each read once, with their ranks and scores in the lists. */

import { searchKey } from '../../../src/dedupe.ts'
import { byCodeUnit } from '../../../src/rank.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import type { Document, Query, RankedList } from '../../../src/types.ts'

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
  foundFrom: Map<string, number>
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
  /** The first document. Absent if the original query found none. */
  readonly docid?: string | undefined
  readonly first: number
  readonly second: number
  readonly last: number
}

/** The most documents to re-rank. Of 100, the last 40 cost a quarter of the time, for 0.6 points of nDCG@10 at most. */
export const poolSize = 60

/** The weight of the original query: this many sub-queries have the same say about the pool. */
const originalWeight = 5

/** The best `size` documents of all lists by Σ 1 / rank. The original query's lists count five times. */
export function poolOf(lists: readonly RankedList[], original: string, size: number): Retrieved {
  const found = new Map<string, Candidate>()
  const nothing: Best = { first: 0, second: 0, last: 0 }
  const best = { lexical: nothing, dense: nothing }
  const key = searchKey(original)
  let [hasDense, hasOthers] = [false, false]
  for (const { kind: declared, subQuery, hits } of lists) {
    const kind = declared === 'dense' ? 'dense' : 'lexical'
    hasDense ||= kind === 'dense'
    const { from } = subQuery
    const isOriginal = searchKey(subQuery.text) === key
    hasOthers ||= !isOriginal
    // Longer lists are scaled by their first 60 hits, because the networks have learned from no longer ones.
    const lowest = hits[poolSize - 1] ?? hits.at(-1)
    const [first = 0, second = 0, last = 0] = [hits[0]?.score, hits[1]?.score, lowest?.score]
    if (isOriginal && best[kind].first === 0) best[kind] = { docid: hits[0]?.docid, first, second, last }
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
        if (from !== undefined && rank < (candidate.foundFrom.get(from) ?? Infinity)) {
          if (candidate.foundFrom === fromNone) candidate.foundFrom = new Map()
          candidate.foundFrom.set(from, rank)
        }
      }
    })
  }
  const candidates = [...found.values()]
    .sort((a, b) => b.priority - a.priority || byCodeUnit(a.docid, b.docid))
    .slice(0, size)
  return { candidates, lists: lists.length, hasDense, hasOthers, ...best }
}

/** The pool to re-rank of each search that is under way: its policy, its re-ranker and its trace ask for it one after the other. */
const pools = new WeakMap<
  readonly RankedList[],
  { readonly original: string; readonly retrieved: Retrieved }
>()

function rememberedPool(lists: readonly RankedList[], original: string): Retrieved {
  const known = pools.get(lists)
  if (known?.original === original) return known.retrieved
  const retrieved = poolOf(lists, original, poolSize)
  pools.set(lists, { original, retrieved })
  return retrieved
}

/** The docids of the pool: re-ranking needs the texts of these documents. */
export const poolDocids = (lists: readonly RankedList[], original: string): string[] =>
  rememberedPool(lists, original).candidates.map(({ docid }) => docid)

/** The documents of the pool whose texts are available, with those texts. */
export function poolAtHand(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
): { readonly retrieved: Retrieved; readonly documents: readonly Document[] } {
  const retrieved = rememberedPool(lists, query.text)
  const documents: Document[] = []
  const candidates = retrieved.candidates.filter(({ docid }) => {
    const document = documentOf(docid)
    if (document !== undefined) documents.push(document)
    return document !== undefined
  })
  return { retrieved: { ...retrieved, candidates }, documents }
}

/** Shared by all that no document led to: it is replaced, and never written to. */
const fromNone = new Map<string, number>()

const newCandidate = (docid: string): Candidate => ({
  docid,
  fused: 0,
  priority: 0,
  high: 0,
  foundFrom: fromNone,
  lexical: nowhere(),
  dense: nowhere(),
})

const nowhere = (): Standing => ({ rank: 0, score: 0, stageOne: 0, stageTwo: 0 })
