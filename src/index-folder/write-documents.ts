/**
 * Writes the documents of an index, one JSON object a line. A build also writes the position of each line. Updates append to the
 * file: documents, which replace those with the same docids, and the docids of deleted ones.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, checkedDocuments, type Documents } from '../../adapters/search/corpus.ts'
import type { Document } from '../types.ts'
import { asGiven } from './disk.ts'

export const linesFile = 'documents.jsonl'
export const positionsFile = 'documents.positions.json'

/** Bytes that are read or written at once. */
export const blockBytes: number = 1 << 20

/** A line that deletes a document. */
export interface Deletion {
  readonly deleted: string
}

interface WrittenDocuments {
  readonly docids: readonly string[]
  /** The SHA-256 of what was written. */
  readonly digest: string
}

/**
 * Writes documents into a folder.
 *
 * @throws QuerentError `bad-document` for an invalid document, or a docid that occurs twice
 */
export async function writeDocuments(
  documents: Documents,
  folder: string,
  options: BuildOptions = {},
): Promise<WrittenDocuments> {
  const handle = await open(join(folder, linesFile), 'w')
  try {
    const { docids, positions, digest } = await writeLines(handle, [], documents, options)
    await writeFile(join(folder, positionsFile), JSON.stringify({ docids, positions }))
    return { docids, digest }
  } finally {
    await handle.close()
  }
}

/**
 * Appends the docids of deleted documents, then documents.
 *
 * @param start the bytes of the file that count: a killed update may have left more
 * @throws as `writeDocuments`
 */
export async function appendDocuments(
  folder: string,
  start: number,
  { remove, add }: { readonly remove: readonly string[]; readonly add: Documents },
  options: BuildOptions,
): Promise<WrittenDocuments & { readonly end: number }> {
  const path = join(folder, linesFile)
  await truncate(path, start)
  const handle = await open(path, 'a')
  try {
    const { docids, positions, digest } = await writeLines(handle, remove, add, options)
    return { docids, digest, end: start + positions.at(-1)! }
  } finally {
    await handle.close()
  }
}

/** Document `i` spans the bytes from `positions[i]` to `positions[i + 1]`, counted from the first that is written. */
async function writeLines(
  handle: FileHandle,
  deleted: readonly string[],
  documents: Documents,
  options: BuildOptions,
): Promise<WrittenDocuments & { readonly positions: readonly number[] }> {
  const hash = createHash('sha256')
  let lines: Buffer[] = []
  let position = 0
  let written = 0
  const flush = async (): Promise<void> => {
    const block = Buffer.concat(lines)
    hash.update(block)
    await handle.writeFile(block)
    written = position
    lines = []
  }
  const write = async (value: Document | Deletion): Promise<void> => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`)
    lines.push(line)
    position += line.length
    if (position - written >= blockBytes) await flush()
  }
  for (const docid of deleted) await write({ deleted: docid })
  const docids: string[] = []
  const positions = [position]
  for await (const document of checkedDocuments(asGiven(documents), options)) {
    await write(document)
    docids.push(document.docid)
    positions.push(position)
  }
  await flush()
  return { docids, positions, digest: hash.digest('hex') }
}
