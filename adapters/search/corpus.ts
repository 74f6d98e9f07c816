/** Checks documents before they are added to an index. */
import { setImmediate } from 'node:timers/promises'
import { QuerentError } from '../../src/errors.ts'
import type { Document } from '../../src/types.ts'

/** Documents between two turns of the event loop, so progress bars and Ctrl-C work during a build. */
const documentsPerTurn = 256

export type Documents = AsyncIterable<Document> | Iterable<Document>

export interface BuildOptions {
  /** Called with the number of documents in the index, after every few hundred and at the end. */
  readonly onProgress?: (done: number) => void
  /** Ends the build, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * Checks the documents one by one, and counts them.
 *
 * @throws QuerentError `bad-document` if a docid or a text is not a string, or if a docid is empty or a duplicate. It names the
 *   position, from 1: the line in a `.jsonl` corpus without empty lines.
 */
export async function* checkedDocuments(
  documents: Documents,
  { onProgress, signal }: BuildOptions = {},
): AsyncGenerator<Document, void, undefined> {
  signal?.throwIfAborted()
  const positions = new Map<string, number>()
  for await (const document of documents) {
    const position = positions.size + 1
    checkDocument(document, position)
    const first = positions.get(document.docid)
    if (first !== undefined) {
      throw badDocument(position, `its docid ${JSON.stringify(document.docid)} is also that of line ${first}`)
    }
    positions.set(document.docid, position)
    yield document
    if (position % documentsPerTurn === 0) {
      onProgress?.(position)
      await setImmediate()
    }
    signal?.throwIfAborted()
  }
  onProgress?.(positions.size)
}

/** Callers in plain JavaScript have no type checks. wink would index `undefined`, or fail with an unclear error. */
function checkDocument(document: Document, position: number): void {
  if (typeof document !== 'object' || document === null) throw badDocument(position, 'it is not an object')
  if (document.docid === '') throw badDocument(position, 'its docid is empty')
  for (const field of ['docid', 'title', 'text'] as const) {
    const value: unknown = document[field]
    if (typeof value === 'string' || (field === 'title' && value === undefined)) continue
    const kind = value === null ? 'null' : typeof value
    throw badDocument(position, `"${field}" is ${kind}, not a string`)
  }
}

function badDocument(position: number, what: string): QuerentError {
  return new QuerentError('bad-document', `Line ${position} of the corpus: ${what}`, {
    remedy:
      'Every document needs a docid of its own and a text, and may have a title; all three are strings.',
  })
}
