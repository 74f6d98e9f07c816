/** What goes to another thread, as small as it can be: docids and scores of lists, and each text once. */

import type { SearchText } from '../../src/policy.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import { maxTextLength } from '../../src/text/parse-document.ts'
import type { Document, Hit, Query, RankedList } from '../../src/types.ts'
import type { LocalOptions } from './local.ts'
import type { PolicyFile } from './policy-file.ts'

/** What a thread starts with. */
export interface ThreadData {
  readonly policy: Pick<PolicyFile, 'terms' | 'decision' | 'rerank'>
  readonly options: LocalOptions
}

export type Task = { readonly found: Packed } & (
  | { readonly kind: 'decide'; readonly reranks: boolean }
  | { readonly kind: 'widen'; readonly subQueries: readonly SearchText[] }
  | { readonly kind: 'rerank' }
)

/** A query, its lists and their documents, as far as they are at hand. */
export interface Packed {
  readonly query: Pick<Query, 'text' | 'history'>
  readonly lists: readonly (Omit<RankedList, 'hits'> & {
    readonly docids: readonly string[]
    readonly scores: Float64Array
  })[]
  readonly documents: readonly Document[]
}

/** @param docids whose documents are sent. Default: those of all lists */
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
    // No more of it is read.
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
