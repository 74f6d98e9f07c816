/**
 * Reads the documents of an index. Opening reads their docids and positions, and the lines that updates have appended. Other
 * texts are read on demand; the most recently used ones stay in memory.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { badIndex } from '../../adapters/search/index-file.ts'
import { jsonOf } from '../runtime/json.ts'
import type { Document, Hit } from '../types.ts'
import { blockBytes, type Deletion, linesFile, positionsFile } from './write-documents.ts'

/** Number of documents in the cache. Documents that many searches return are not read and parsed again. */
const maxCachedDocuments = 20_000

/** The documents of an opened index. */
export interface DocumentStore {
  /** Number of documents. */
  readonly size: number
  /** All documents, in the order in which they were added. */
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

/** The documents of an index, and what updates have changed since it was built. */
export interface UpdatedDocuments extends DocumentStore {
  /** Docid → the place of its document in the file. */
  readonly places: ReadonlyMap<string, number>
  /** For each document of the build, 1 if it is in the index, otherwise 0. */
  readonly live: Uint8Array
  /** Number of changes since the build: documents appended and documents deleted. */
  readonly changes: number
  /** The documents from a place in the file on. Default: all. */
  all(from?: number): AsyncIterable<Document>
}

/** Content of the position file: document `i` spans the bytes from `positions[i]` to `positions[i + 1]`. */
interface Positions {
  readonly docids: string[]
  readonly positions: number[]
}

/**
 * Opens the files that `writeDocuments` wrote to a folder. They stay readable even if the folder is removed.
 *
 * @param end the bytes of the documents that count: an update may be appending more. Default: those of the build
 * @throws QuerentError `bad-index`, now or when a document is read, if a file was modified after it was written
 */
export async function openDocuments(folder: string, end?: number): Promise<UpdatedDocuments> {
  const path = join(folder, linesFile)
  const { docids, positions } = await readPositions(join(folder, positionsFile))
  const handle = await open(path, 'r')
  try {
    const built = docids.length
    const start = positions.at(-1)!
    const appended = await readAppended(handle, path, start, end ?? start)
    const places = new Map(docids.map((docid, place) => [docid, place]))
    const live = new Uint8Array(built + appended.length).fill(1, 0, built)
    for (const { docid, isDocument, end } of appended) {
      const old = places.get(docid)
      if (old !== undefined) live[old] = 0
      places.delete(docid)
      if (isDocument) {
        live[docids.length] = 1
        places.set(docid, docids.length)
      }
      docids.push(docid)
      positions.push(end)
    }
    return {
      ...storeOf({ path, handle, docids, positions, live, places }),
      live: live.subarray(0, built),
      changes: appended.length,
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The lines of a file: documents and deletions. */
interface Lines extends Positions {
  readonly path: string
  readonly handle: FileHandle
  /** 1 for each line with a document that is in the index, otherwise 0. */
  readonly live: Uint8Array
  readonly places: ReadonlyMap<string, number>
}

function storeOf(lines: Lines) {
  const { handle, docids, positions, live, places } = lines
  /** The cache, least recently used first. */
  const cache = new Map<string, Document>()

  const find = async (docid: string): Promise<Document | undefined> => {
    const place = places.get(docid)
    if (place === undefined) return undefined
    return (
      cache.get(docid) ?? parse(lines, place, await read(handle, positions[place]!, positions[place + 1]!))
    )
  }

  const putInCache = (document: Document): void => {
    cache.delete(document.docid)
    cache.set(document.docid, document)
    if (cache.size > maxCachedDocuments) cache.delete(cache.keys().next().value!)
  }

  /** Returns documents in the requested order. It also caches them in that order, whichever read finishes first. */
  const get = async (wanted: readonly string[]): Promise<(Document | undefined)[]> => {
    const found = await Promise.all(wanted.map(find))
    for (const document of found) if (document !== undefined) putInCache(document)
    return found
  }

  async function* all(from = 0): AsyncGenerator<Document> {
    for (let first = from; first < docids.length; ) {
      let last = first + 1
      while (last < docids.length && positions[last + 1]! - positions[first]! <= blockBytes) last++
      const start = positions[first]!
      const block = await read(handle, start, positions[last]!)
      for (; first < last; first++)
        if (live[first] === 1)
          yield parse(lines, first, block.subarray(positions[first]! - start, positions[first + 1]! - start))
    }
  }

  return {
    size: places.size,
    places,
    all,
    get,
    has: async (wanted: readonly string[]) => wanted.map((docid) => places.has(docid)),
    close: () => handle.close(),
  }
}

/** Reads the bytes of a file from `start` up to, but not including, `end`. */
async function read(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
  return buffer
}

function parse({ path, docids }: Lines, place: number, line: Buffer): Document {
  const document = jsonOf(line.toString('utf8')) as Document | null | undefined
  if (document?.docid === docids[place]!) return document
  throw badIndex(path, `line ${place + 1} was changed after it was written`)
}

/** A line that an update has appended. */
interface AppendedLine {
  readonly docid: string
  /** False for a deletion. */
  readonly isDocument: boolean
  /** Where the line ends in the file. */
  readonly end: number
}

async function readAppended(
  handle: FileHandle,
  path: string,
  start: number,
  end: number,
): Promise<readonly AppendedLine[]> {
  const block = await read(handle, start, end)
  const lines: AppendedLine[] = []
  for (let at = 0; at < block.length; ) {
    const after = block.indexOf('\n', at) + 1
    const { docid, deleted } = (jsonOf(block.toString('utf8', at, after)) ?? {}) as Partial<
      Document & Deletion
    >
    const given = docid ?? deleted
    if (typeof given !== 'string') throw badIndex(path, `appended line ${lines.length + 1} was changed`)
    lines.push({ docid: given, isDocument: docid !== undefined, end: start + after })
    at = after
  }
  return lines
}

async function readPositions(path: string): Promise<Positions> {
  const table = jsonOf(await readFile(path, 'utf8')) as Partial<Positions> | null | undefined
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

/** The hits with their documents, as far as these are there. Only those are asked for that have none yet. */
export async function withDocuments(
  hits: readonly Hit[],
  get: DocumentStore['get'],
): Promise<readonly Hit[]> {
  const bare = hits.flatMap(({ docid, document }) => (document === undefined ? [docid] : []))
  if (bare.length === 0) return hits
  const documents = await get(bare)
  const found = new Map(bare.map((docid, place) => [docid, documents[place]]))
  return hits.map((hit) => {
    const document = hit.document ?? found.get(hit.docid)
    return document === undefined ? hit : { ...hit, document }
  })
}
