import { firstFound } from '../../first-found.ts'
import { withDocuments } from '../../index-folder/documents.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'

/** Several indexes of one collection as one: all their retrievers, and each document from the first index that has it. */
export function joinedIndex([first, ...others]: readonly OpenedIndex[]): OpenedIndex {
  if (first === undefined) throw new Error('no index to join')
  if (others.length === 0) return first
  const all = [first, ...others]

  const get = firstFound(all.map(({ documents }) => documents.get))

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
    withDocuments: (hits) => withDocuments(hits, get),
    async close() {
      for (const index of all) await index.close()
    },
  }
}
