/**
 * Stores the documents of an index: for each segment one JSON object per line, plus the position of each line. Opening reads
 * only the docids and the positions. Texts are read on demand; the most recently used ones stay in memory.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, checkedDocuments, type Documents } from '../../adapters/search/corpus.ts'
import { badIndex } from '../../adapters/search/index-file.ts'
import { jsonOf } from '../runtime/json.ts'
import type { Document, Hit } from '../types.ts'
import { liveDocuments, type SegmentTable } from './live-documents.ts'

const linesFile = 'documents.jsonl'
const positionsFile = 'documents.positions.json'
const blockBytes = 1 << 20

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

/** Content of the position file: document `i` spans the bytes from `positions[i]` to `positions[i + 1]`. */
interface Positions extends SegmentTable {
  readonly positions: readonly number[]
}

/** What `writeDocuments` wrote. */
export interface WrittenDocuments extends SegmentTable {
  readonly digest: string
}

/**
 * Writes documents into the folder of a segment.
 *
 * @param removed the docids that the segment removes from earlier segments
 * @throws QuerentError `bad-document` for an invalid document, or a docid that occurs twice
 */
export async function writeDocuments(
  documents: Documents,
  folder: string,
  { removed = [], ...options }: BuildOptions & { readonly removed?: readonly string[] } = {},
): Promise<WrittenDocuments> {
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
  const table: Positions = { docids, positions, removed }
  await writeFile(join(folder, positionsFile), JSON.stringify(table))
  return { docids, removed, digest: hash.digest('hex') }
}

/** Reads the docids of segments, and what they remove. @throws QuerentError `bad-index` if a file was modified */
export const readTables = (folders: readonly string[]): Promise<SegmentTable[]> =>
  Promise.all(folders.map((folder) => readPositions(join(folder, positionsFile))))

/** The documents of an index, and which of each segment's are in it. */
export interface SegmentedDocuments extends DocumentStore {
  readonly live: readonly Uint8Array[]
}

/** A segment that is open for reading. */
interface OpenedSegment extends Positions {
  readonly path: string
  /** The number of its first document. */
  readonly first: number
  readonly handle: FileHandle
}

/**
 * Opens the files that `writeDocuments` wrote to the folders of the segments, oldest first. They stay readable even if the
 * folders are removed.
 *
 * @throws QuerentError `bad-index`, now or when a document is read, if a file was modified after it was written
 */
export async function openDocuments(folders: readonly string[]): Promise<SegmentedDocuments> {
  const segments: OpenedSegment[] = []
  const close = async () => {
    for (const { handle } of segments) await handle.close()
  }
  try {
    let first = 0
    for (const folder of folders) {
      const table = await readPositions(join(folder, positionsFile))
      const path = join(folder, linesFile)
      segments.push({ ...table, path, first, handle: await open(path, 'r') })
      first += table.docids.length
    }
  } catch (error) {
    await close()
    throw error
  }
  const { numbers, live } = liveDocuments(segments)
  /** The cache, least recently used first. */
  const cache = new Map<string, Document>()

  const find = async (docid: string): Promise<Document | undefined> => {
    const number = numbers.get(docid)
    if (number === undefined) return undefined
    const cached = cache.get(docid)
    if (cached !== undefined) return cached
    const segment = segments.findLast(({ first }) => first <= number)!
    const place = number - segment.first
    return parse(segment, place, await read(segment, place, place + 1))
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
    size: numbers.size,
    live,
    async *all() {
      for (const [index, segment] of segments.entries()) yield* liveIn(segment, live[index]!)
    },
    get,
    has: async (docids) => docids.map((docid) => numbers.has(docid)),
    close,
  }
}

async function* liveIn(segment: OpenedSegment, live: Uint8Array): AsyncGenerator<Document> {
  const { docids, positions } = segment
  for (let first = 0; first < docids.length; ) {
    let last = first + 1
    while (last < docids.length && positions[last + 1]! - positions[first]! <= blockBytes) last++
    const block = await read(segment, first, last)
    for (let place = first; place < last; place++) {
      const start = positions[place]! - positions[first]!
      if (live[place] === 1)
        yield parse(segment, place, block.subarray(start, start + positions[place + 1]! - positions[place]!))
    }
    first = last
  }
}

/** Reads the lines of a segment's documents from `first` up to, but not including, `last`. */
async function read({ handle, positions }: OpenedSegment, first: number, last: number): Promise<Buffer> {
  const start = positions[first]!
  const bytes = positions[last]! - start
  const { buffer } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, start)
  return buffer
}

function parse({ path, docids }: OpenedSegment, place: number, line: Buffer): Document {
  const document = jsonOf(line.toString('utf8')) as Document | null | undefined
  if (document?.docid === docids[place]!) return document
  throw badIndex(path, `line ${place + 1} was changed after it was written`)
}

async function readPositions(path: string): Promise<Positions> {
  const table = jsonOf(await readFile(path, 'utf8')) as Partial<Positions> | null | undefined
  if (isPositions(table)) return table
  throw badIndex(path, 'it was changed after it was written')
}

/** Checks the structure only. Wrong docids are detected when a document is read. */
function isPositions(table: Partial<Positions> | null | undefined): table is Positions {
  const { docids, positions, removed } = table ?? {}
  return (
    Array.isArray(docids) &&
    Array.isArray(removed) &&
    Array.isArray(positions) &&
    positions.length === docids.length + 1 &&
    positions.every((position, index) => position >= (positions[index - 1] ?? 0))
  )
}

/** The hits with their documents, as far as these are there. */
export async function withDocuments(
  hits: readonly Hit[],
  get: DocumentStore['get'],
): Promise<readonly Hit[]> {
  const found = await get(hits.map(({ docid }) => docid))
  return hits.map((hit, place) => ({ ...hit, ...(found[place] && { document: found[place] }) }))
}
