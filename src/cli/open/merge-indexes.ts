import { withDocuments } from '../../index-folder/documents.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import type { Document } from '../../types.ts'

/** Several indexes of one collection as one: all their retrievers, and each document from the first index that has it. */
export function joinedIndex([first, ...others]: readonly OpenedIndex[]): OpenedIndex {
  if (first === undefined) throw new Error('no index to join')
  if (others.length === 0) return first
  const all = [first, ...others]

  /** @throws the error of the first index that failed, if no other has any of them */
  async function get(docids: readonly string[]): Promise<readonly (Document | undefined)[]> {
    const found = new Map<string, Document>()
    const failures: unknown[] = []
    for (const { documents } of all) {
      const missing = docids.filter((docid) => !found.has(docid))
      if (missing.length === 0) break
      try {
        for (const document of await documents.get(missing))
          if (document !== undefined) found.set(document.docid, document)
      } catch (thrown) {
        failures.push(thrown)
      }
    }
    if (failures.length > 0 && found.size === 0) throw failures[0]
    return docids.map((docid) => found.get(docid))
  }

  async function has(docids: readonly string[]): Promise<readonly boolean[]> {
    const found = new Set<string>()
    for (const { documents } of all) {
      const here = await (documents.has?.(docids) ?? documents.get(docids))
      for (const [place, docid] of docids.entries()) if (here[place]) found.add(docid)
    }
    return docids.map((docid) => found.has(docid))
  }

  return {
    manifest: first.manifest,
    retrievers: all.flatMap(({ retrievers }) => retrievers),
    documents: { ...first.documents, size: first.documents.size, get, has },
    async withDocuments(hits) {
      const bare = hits.filter(({ document }) => document === undefined)
      const full = new Map((await withDocuments(bare, get)).map((hit) => [hit.docid, hit]))
      return hits.map((hit) => full.get(hit.docid) ?? hit)
    },
    async close() {
      for (const index of all) await index.close()
    },
  }
}
