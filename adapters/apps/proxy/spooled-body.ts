/**
 * A body that is read as a whole before any of it is sent, since its hash stands in the head of its request. What is long
 * waits in a file, so that memory does not grow with it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export interface SpooledBody {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string
  readonly length: number
  /** What is sent, once. Null where there are no bytes. */
  readonly body: Buffer | Readable | null
}

/** Bytes that are held in memory; longer bodies go to a file. */
const maxBytesInMemory = 256 * 1024

/**
 * @param most bytes; a longer body is none that can be held, and the rest of it is not read
 * @throws the stream's own error, and the file's
 */
export async function spoolBody(source: Readable, most: number): Promise<SpooledBody | 'too long'> {
  const hash = createHash('sha256')
  let chunks: Buffer[] = []
  let length = 0
  let file: FileHandle | undefined
  let isHeld = false
  try {
    // Whoever sends it is still to be answered: the connection stays.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > most) return 'too long'
      hash.update(chunk)
      chunks.push(chunk)
      if (length <= maxBytesInMemory) continue
      file ??= await openNameless()
      for (const one of chunks) await file.appendFile(one)
      chunks = []
    }
    isHeld = true
    return { hash: hash.digest('hex'), length, body: bodyOf(file, chunks) }
  } finally {
    if (!isHeld) await file?.close()
  }
}

/** The same for bytes that are at hand. */
export function spooledBytes(bytes: Uint8Array | string): SpooledBody {
  const body =
    typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return { hash: createHash('sha256').update(body).digest('hex'), length: body.length, body }
}

function bodyOf(file: FileHandle | undefined, chunks: readonly Buffer[]): SpooledBody['body'] {
  if (file !== undefined) return file.createReadStream({ start: 0 })
  return chunks.length === 0 ? null : Buffer.concat(chunks)
}

/** A file that is gone when it is closed, however the process ends, and that nobody else can read. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `querent-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
