import { poolAtHand } from '../../policies/local/rerank/pool.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'

/** The pool of a search with its documents read, and nothing remembered. */
export function readPool(query: Query, lists: readonly RankedList[], documentOf: DocumentOf, reader: Reader) {
  const { retrieved, documents } = poolAtHand(query, lists, documentOf)
  return { retrieved, reads: documents.map((document) => reader.read(document)) }
}
