/**
 * Stores the vectors of an index's texts across builds, keyed by text. Builds only append records. A killed build therefore
 * keeps all vectors computed so far, and a build over a changed corpus embeds only the new texts.
 *
 * A record consists of the first 16 bytes of the text's SHA-256, the vector as 32-bit floats in the machine's byte order,
 * and a CRC-32 of both. Reading stops at the first incomplete record; the rest of the file is discarded.
 */
import { createHash } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { QuerentError } from '../errors.ts'
import { writeAtomically } from '../runtime/atomic-file.ts'

/** A text's key in the journal. */
export type TextDigest = string

/** The key of a text: the first half of its SHA-256, which is enough to avoid collisions. */
export function textDigest(text: string): TextDigest {
  return createHash('sha256').update(text).digest().toString('hex', 0, digestBytes)
}

export interface EmbeddingJournal {
  /** Number of vectors. */
  readonly size: number
  has(digest: TextDigest): boolean
  /** The vector of a text that is in the journal. */
  get(digest: TextDigest): Promise<Float32Array>
  /**
   * Appends vectors, which replace those of the same texts. Once the promise resolves, they survive a crash of the process, but not a
   * power failure.
   */
  append(entries: ReadonlyMap<TextDigest, Float32Array>): Promise<void>
  close(): Promise<void>
}

const digestBytes = 16
const checkBytes = 4
const blockBytes = 1 << 20

/** @param folder of the index */
export const lostVectors = (folder: string): QuerentError =>
  new QuerentError('bad-index', `The index in ${folder} has lost the vectors of documents`, {
    remedy: 'Make it again.',
  })

/** The file name of a model's journal. Another model or another number of dimensions gives another file. */
export function journalName(model: string, dimensions: number): string {
  const key = createHash('sha256')
    .update(JSON.stringify([model, dimensions]))
    .digest('hex')
  return `embeddings-${key.slice(0, 16)}.journal`
}

/** Whether a file name of an index folder is a journal's. */
export function isJournalName(file: string): boolean {
  return /^embeddings-[0-9a-f]{16}\.journal$/.test(file)
}

/** Opens a file that is no link, to append to it; creates it if needed. Windows has no such flag. */
const appending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a journal, or creates it. An incomplete record at its end is removed.
 *
 * @param isReadOnly changes nothing: a build may be appending to it
 */
export async function openEmbeddingJournal(
  path: string,
  dimensions: number,
  isReadOnly = false,
): Promise<EmbeddingJournal> {
  const recordBytes = digestBytes + dimensions * Float32Array.BYTES_PER_ELEMENT + checkBytes
  const handle = await open(path, isReadOnly ? 'r' : appending)
  try {
    const { records, count: whole } = await readDigests(handle, recordBytes)
    if (!isReadOnly) await handle.truncate(whole * recordBytes)
    let count = whole

    return {
      get size() {
        return records.size
      },
      has: (digest) => records.has(digest),
      async get(digest) {
        const record = Buffer.alloc(recordBytes)
        await handle.read(record, 0, recordBytes, records.get(digest)! * recordBytes)
        return vectorOf(record)
      },
      async append(entries) {
        await handle.appendFile(
          Buffer.concat([...entries].map(([digest, vector]) => recordOf(digest, vector))),
        )
        for (const digest of entries.keys()) records.set(digest, count++)
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Opens a journal for the time of some work. */
export async function withJournal<Result>(
  path: string,
  dimensions: number,
  work: (journal: EmbeddingJournal) => Promise<Result>,
  isReadOnly = false,
): Promise<Result> {
  const journal = await openEmbeddingJournal(path, dimensions, isReadOnly)
  try {
    return await work(journal)
  } finally {
    await journal.close()
  }
}

/** Rewrites a journal atomically so that it contains only the vectors of `digests`, if they are less than half of its records. */
export async function compactJournal(
  path: string,
  dimensions: number,
  digests: ReadonlySet<TextDigest>,
): Promise<void> {
  const from = await openEmbeddingJournal(path, dimensions)
  try {
    if (from.size <= 2 * digests.size) return
    await writeAtomically(path, async (part) => {
      const to = await openEmbeddingJournal(part, dimensions)
      try {
        for (const digest of digests) await to.append(new Map([[digest, await from.get(digest)]]))
      } finally {
        await to.close()
      }
    })
  } finally {
    await from.close()
  }
}

/** The number of records before the first incomplete one, and digest → record number. The last record of a text counts. */
async function readDigests(
  handle: FileHandle,
  recordBytes: number,
): Promise<{ readonly records: Map<TextDigest, number>; readonly count: number }> {
  const records = new Map<TextDigest, number>()
  const perBlock = Math.max(1, Math.floor(blockBytes / recordBytes))
  const block = Buffer.alloc(perBlock * recordBytes)
  for (let first = 0; ; first += perBlock) {
    const { bytesRead } = await handle.read(block, 0, block.length, first * recordBytes)
    for (let index = 0; index < perBlock; index++) {
      const record = block.subarray(index * recordBytes, (index + 1) * recordBytes)
      if ((index + 1) * recordBytes > bytesRead || !isWhole(record)) return { records, count: first + index }
      records.set(record.toString('hex', 0, digestBytes), first + index)
    }
  }
}

function recordOf(digest: TextDigest, vector: Float32Array): Buffer {
  const content = Buffer.concat([
    Buffer.from(digest, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ])
  const check = Buffer.alloc(checkBytes)
  check.writeUInt32LE(crc32(content))
  return Buffer.concat([content, check])
}

function isWhole(record: Buffer): boolean {
  const end = record.length - checkBytes
  return crc32(record.subarray(0, end)) === record.readUInt32LE(end)
}

function vectorOf(record: Buffer): Float32Array {
  // Copied because a Float32Array must begin at a multiple of four bytes.
  const bytes = Uint8Array.from(record.subarray(digestBytes, record.length - checkBytes))
  return new Float32Array(bytes.buffer)
}
