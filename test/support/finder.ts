import type { DocumentStore } from '../../src/index-folder/documents.ts'
import type { Document } from '../../src/types.ts'

/** Finds these documents, as an index does. */
export function finderOf(documents: readonly Document[]): DocumentStore['get'] {
  const byDocid = new Map(documents.map((document) => [document.docid, document]))
  return async (docids) => docids.map((docid) => byDocid.get(docid))
}
