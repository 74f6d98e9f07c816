/**
 * Reads a whole body before any of it is sent, because the head of the request contains its hash. A long body is kept in a file,
 * so memory does not grow with it.
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
  /** The body to send. It can be read once. Null if there are no bytes. */
  readonly body: Buffer | Readable | null
}

/** Bytes held in memory. A longer body goes to a file. */
const maxBytesInMemory = 256 * 1024

/**
 * @param maxBytes maximum size. For a longer body the result is `too long`, and the rest of it is not read.
 * @throws the stream's own error, and the file's
 */
export async function spoolBody(source: Readable, maxBytes: number): Promise<SpooledBody | 'too long'> {
  const hash = createHash('sha256')
  let chunks: Buffer[] = []
  let length = 0
  let file: FileHandle | undefined
  let isHeld = false
  try {
    // The sender still needs an answer, so the connection stays open.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) return 'too long'
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

/** The same for bytes that are already in memory. */
export function spooledBytes(bytes: Uint8Array | string): SpooledBody {
  const body =
    typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return { hash: createHash('sha256').update(body).digest('hex'), length: body.length, body }
}

function bodyOf(file: FileHandle | undefined, chunks: readonly Buffer[]): SpooledBody['body'] {
  if (file !== undefined) return file.createReadStream({ start: 0 })
  return chunks.length === 0 ? null : Buffer.concat(chunks)
}

/** Opens a file without a name. It disappears when it is closed, however the process ends, and no other process can open it. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `querent-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
