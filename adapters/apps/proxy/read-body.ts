/** Reads a body up to a limit. A longer body continues as a stream that begins with the part already read. */
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/**
 * @returns the body, or a stream of the whole body if it has more than `maxBytes` bytes
 * @throws the stream's own error
 */
export async function readBody(stream: Readable, maxBytes: number): Promise<Buffer | Readable> {
  const read: Buffer[] = []
  let length = 0
  // The sender still needs an answer, so its connection stays open.
  const chunks = (): AsyncIterable<Buffer> => stream.iterator({ destroyOnReturn: false })
  async function* whole() {
    yield* read
    yield* chunks()
  }
  for await (const chunk of chunks()) {
    read.push(chunk)
    length += chunk.length
    if (length > maxBytes) return Readable.from(whole(), { objectMode: false })
  }
  return Buffer.concat(read)
}

const decoders: ReadonlyMap<
  string,
  (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
> = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['identity', async (bytes) => bytes],
  ['', async (bytes) => bytes],
])

/**
 * Decompresses a body.
 *
 * @param maxBytes maximum size of the result. More is an error, so a small body cannot fill the memory.
 * @throws Error for an unknown encoding, and for bytes that do not match the encoding
 */
export async function decoded(bytes: Buffer, encoding = '', maxBytes: number): Promise<Buffer> {
  const decode = decoders.get(encoding.trim().toLowerCase())
  if (decode === undefined) throw new Error(`The encoding ${encoding} is not known`)
  return decode(bytes, { maxOutputLength: maxBytes })
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. @throws TypeError for invalid bytes: replacement characters would make it a different search */
export const utf8 = (bytes: Buffer): string => decoder.decode(bytes)
