/** Messages to other threads in compact form: the docids and scores of lists, and each text once. */

import type { SearchText } from '../../../src/policy.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { maxTextLength } from '../../../src/text/parse-document.ts'
import type { Document, Hit, Query, RankedList } from '../../../src/types.ts'
import type { Sections } from '../in-process.ts'
import type { Decided, DecideOptions } from '../local.ts'
import type { PoolScores } from '../rerank/rerank.ts'

/** The data that a thread starts with. */
export interface ThreadData {
  readonly policy: Sections
  readonly options: DecideOptions
}

export type Task = { readonly found: Packed } & (
  | { readonly kind: 'decide'; readonly maxTexts: number }
  | { readonly kind: 'widen'; readonly subQueries: readonly SearchText[] }
  | { readonly kind: 'rerank' }
)

/** A decision and, if the query is left alone and will be re-ranked, what re-ranking says of its only list. */
export interface DecideAnswer {
  readonly decided: Decided
  readonly scores?: PoolScores
}

/** A query, its lists and the available documents. */
export interface Packed {
  readonly query: Pick<Query, 'text' | 'history'>
  readonly lists: readonly (Omit<RankedList, 'hits'> & {
    readonly docids: readonly string[]
    readonly scores: Float64Array
  })[]
  readonly documents: readonly Document[]
}

/** @param docids of the documents to send. Default: those of all lists */
export function packed(
  { text, history }: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  docids: Iterable<string> = new Set(lists.flatMap(({ hits }) => hits.map(({ docid }) => docid))),
): Packed {
  const documents: Document[] = []
  for (const docid of docids) {
    const document = documentOf(docid)
    if (document === undefined) continue
    const { title, text } = document
    // The reader reads no more than this.
    const read = { docid, text: text.slice(0, maxTextLength) }
    documents.push(title === undefined ? read : { ...read, title })
  }
  return {
    query: history === undefined ? { text } : { text, history },
    lists: lists.map(({ retriever, kind, subQuery, hits }) => ({
      retriever,
      ...(kind && { kind }),
      subQuery,
      docids: hits.map(({ docid }) => docid),
      scores: Float64Array.from(hits, ({ score }) => score),
    })),
    documents,
  }
}

export function unpacked({ query, lists, documents }: Packed): {
  readonly query: Query
  readonly lists: readonly RankedList[]
  readonly documentOf: DocumentOf
} {
  const known = new Map(documents.map((document) => [document.docid, document]))
  return {
    query,
    lists: lists.map(({ docids, scores, ...list }) => ({
      ...list,
      hits: docids.map((docid, index): Hit => ({ docid, score: scores[index]!, rank: index + 1 })),
    })),
    documentOf: (docid) => known.get(docid),
  }
}
