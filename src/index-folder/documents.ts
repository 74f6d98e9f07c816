/**
 * Stores the documents of an index: one JSON object per line, plus the position of each line. Opening reads only the docids
 * and the positions. Texts are read on demand; the most recently used ones stay in memory.
 */
import { createHash } from 'node:crypto'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, checkedDocuments, type Documents } from '../../adapters/search/corpus.ts'
import { badIndex } from '../../adapters/search/index-file.ts'
import { QuerentError } from '../errors.ts'
import type { Document } from '../types.ts'

const linesFile = 'documents.jsonl'
const positionsFile = 'documents.positions.json'
const blockBytes = 1 << 20

/** Number of documents in the cache. Documents that many searches return are not read and parsed again. */
const maxCachedDocuments = 20_000

/** The documents of an opened index. */
export interface DocumentStore {
  /** Number of documents. */
  readonly size: number
  /** All documents, in the order of the corpus. */
  all(): AsyncIterable<Document>
  /**
   * Returns the documents of these docids, in the same order; `undefined` for a docid that is not in the index. Documents in
   * the cache (the last 20,000) are returned as the same objects.
   */
  get(docids: readonly string[]): Promise<readonly (Document | undefined)[]>
  /**
   * Returns whether each of these docids is in the index, in the same order, without reading texts. If absent, callers use
   * `get`.
   */
  has?(docids: readonly string[]): Promise<readonly boolean[]>
  close(): Promise<void>
}

/** Content of the position file: document `i` spans the bytes from `positions[i]` to `positions[i + 1]`. */
interface Positions {
  readonly docids: readonly string[]
  readonly positions: readonly number[]
}

/**
 * Writes a corpus into a folder and returns its size and digest.
 *
 * @throws QuerentError `bad-document` for an invalid document, a docid that occurs twice, or an empty corpus
 */
export async function writeDocuments(
  documents: Documents,
  folder: string,
  options: BuildOptions = {},
): Promise<{ readonly count: number; readonly digest: string }> {
  const docids: string[] = []
  const positions = [0]
  const hash = createHash('sha256')
  const handle = await open(join(folder, linesFile), 'w')
  try {
    let lines: Buffer[] = []
    let written = 0
    let position = 0
    const flush = async () => {
      const block = Buffer.concat(lines)
      hash.update(block)
      await handle.writeFile(block)
      written = position
      lines = []
    }
    for await (const document of checkedDocuments(documents, options)) {
      const line = Buffer.from(`${JSON.stringify(document)}\n`)
      lines.push(line)
      position += line.length
      docids.push(document.docid)
      positions.push(position)
      if (position - written >= blockBytes) await flush()
    }
    await flush()
  } finally {
    await handle.close()
  }
  if (docids.length === 0) {
    throw new QuerentError('bad-document', 'The corpus holds no documents', {
      remedy: 'Give a corpus with at least one document.',
    })
  }
  const table: Positions = { docids, positions }
  await writeFile(join(folder, positionsFile), JSON.stringify(table))
  return { count: docids.length, digest: hash.digest('hex') }
}

/**
 * Opens the files of `writeDocuments`. They stay readable even if the folder is removed.
 *
 * @throws QuerentError `bad-index`, now or when a document is read, if a file was modified after it was written
 */
export async function openDocuments(folder: string): Promise<DocumentStore> {
  const handle = await open(join(folder, linesFile), 'r')
  try {
    const { docids, positions } = await readPositions(join(folder, positionsFile))
    const places = new Map(docids.map((docid, place) => [docid, place]))
    /** The cache, least recently used first. */
    const cache = new Map<string, Document>()

    /** Reads the lines of the documents from `first` up to, but not including, `last`. */
    const read = async (first: number, last: number): Promise<Buffer> => {
      const start = positions[first]!
      const bytes = positions[last]! - start
      const { buffer } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, start)
      return buffer
    }

    const parse = (place: number, line: Buffer): Document => {
      const document = parseJson(line.toString('utf8')) as Document | null | undefined
      if (document?.docid === docids[place]!) return document
      throw badIndex(join(folder, linesFile), `line ${place + 1} was changed after it was written`)
    }

    const find = async (docid: string): Promise<Document | undefined> => {
      const place = places.get(docid)
      if (place === undefined) return undefined
      return cache.get(docid) ?? parse(place, await read(place, place + 1))
    }

    const putInCache = (docid: string, document: Document): void => {
      cache.delete(docid)
      cache.set(docid, document)
      if (cache.size > maxCachedDocuments) cache.delete(cache.keys().next().value!)
    }

    /** Returns documents in the requested order. It also caches them in that order, whichever read finishes first. */
    const get = async (wanted: readonly string[]): Promise<(Document | undefined)[]> => {
      const found = await Promise.all(wanted.map(find))
      for (const [index, document] of found.entries())
        if (document !== undefined) putInCache(wanted[index]!, document)
      return found
    }

    return {
      size: docids.length,
      async *all() {
        for (let first = 0; first < docids.length; ) {
          let last = first + 1
          while (last < docids.length && positions[last + 1]! - positions[first]! <= blockBytes) last++
          const block = await read(first, last)
          for (let place = first; place < last; place++) {
            const start = positions[place]! - positions[first]!
            yield parse(place, block.subarray(start, start + positions[place + 1]! - positions[place]!))
          }
          first = last
        }
      },
      get,
      has: async (docids) => docids.map((docid) => places.has(docid)),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function readPositions(path: string): Promise<Positions> {
  const table = parseJson(await readFile(path, 'utf8')) as Partial<Positions> | null | undefined
  if (isPositions(table)) return table
  throw badIndex(path, 'it was changed after it was written')
}

/** Checks the structure only. Wrong docids are detected when a document is read. */
function isPositions(table: Partial<Positions> | null | undefined): table is Positions {
  const { docids, positions } = table ?? {}
  return (
    Array.isArray(docids) &&
    Array.isArray(positions) &&
    positions.length === docids.length + 1 &&
    positions.every((position, index) => position >= (positions[index - 1] ?? 0))
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
