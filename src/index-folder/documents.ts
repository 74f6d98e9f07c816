/**
 * The documents of an index: one JSON object a line, and where each line begins. Opening reads the docids and the
 * positions only; a document's text is read when it is asked for, and the last ones stay in memory.
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

/** Documents that stay in memory: what searches find again and again is not read and parsed again and again. */
const maxCachedDocuments = 20_000

/** The documents of an opened index. */
export interface DocumentStore {
  /** How many documents there are. */
  readonly size: number
  /** All documents, in the order of the corpus. */
  all(): AsyncIterable<Document>
  /**
   * The documents of these docids, in their order; `undefined` for a docid that is not in the index. The last 20,000 are
   * given again as the same objects.
   */
  get(docids: readonly string[]): Promise<readonly (Document | undefined)[]>
  /** Which of these docids are in the index, in their order: for those whose texts need not be read. Default: as `get` says. */
  has?(docids: readonly string[]): Promise<readonly boolean[]>
  close(): Promise<void>
}

/** What the position file holds: document `i` stands from byte `positions[i]` up to byte `positions[i + 1]`. */
interface Positions {
  readonly docids: readonly string[]
  readonly positions: readonly number[]
}

/**
 * Writes a corpus into a folder and gives its size and digest.
 *
 * @throws QuerentError `bad-document` for what is no document, for a docid that came before, and for no documents at all
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
 * Opens what `writeDocuments` wrote. It stays readable when the folder is removed meanwhile.
 *
 * @throws QuerentError `bad-index`, now or when a document is read, where a file was changed after it was written
 */
export async function openDocuments(folder: string): Promise<DocumentStore> {
  const handle = await open(join(folder, linesFile), 'r')
  try {
    const { docids, positions } = await readPositions(join(folder, positionsFile))
    const places = new Map(docids.map((docid, place) => [docid, place]))
    /** Those that were asked for longest ago first. */
    const remembered = new Map<string, Document>()

    /** The lines of the documents `first` to `last`, the last one not included. */
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
      return remembered.get(docid) ?? parse(place, await read(place, place + 1))
    }

    const remember = (docid: string, document: Document): void => {
      remembered.delete(docid)
      remembered.set(docid, document)
      if (remembered.size > maxCachedDocuments) remembered.delete(remembered.keys().next().value!)
    }

    /** In the order asked, and remembered in that order, in whichever the reads come to an end. */
    const get = async (wanted: readonly string[]): Promise<(Document | undefined)[]> => {
      const found = await Promise.all(wanted.map(find))
      for (const [index, document] of found.entries())
        if (document !== undefined) remember(wanted[index]!, document)
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

/** Docids that are not those of the documents show when one is read. */
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
