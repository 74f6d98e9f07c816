import type { Document } from './types.ts'

type Find<Options extends readonly unknown[]> = (
  docids: readonly string[],
  ...options: Options
) => Promise<readonly (Document | undefined)[]>

/**
 * Several sources of documents as one: each is asked for what those before it did not find. It rejects if one failed and no other
 * found anything.
 */
export function firstFound<Options extends readonly unknown[]>(
  finders: readonly Find<Options>[],
): Find<Options> {
  return async (docids, ...options) => {
    const found = new Map<string, Document>()
    const failures: unknown[] = []
    for (const find of finders) {
      const missing = docids.filter((docid) => !found.has(docid))
      if (missing.length === 0) break
      try {
        const documents = await find(missing, ...options)
        for (const [place, docid] of missing.entries()) {
          const document = documents[place]
          if (document !== undefined) found.set(docid, document)
        }
      } catch (thrown) {
        failures.push(thrown)
      }
    }
    if (failures.length > 0 && found.size === 0) throw failures[0]
    return docids.map((docid) => found.get(docid))
  }
}
