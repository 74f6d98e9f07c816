/** Bodies: reads one up to a limit, after which it continues as a stream, and compresses and decompresses. */
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, deflate, gunzip, gzip, inflate } from 'node:zlib'
import { forwarded, headerOf, type RawHeaders } from './headers.ts'

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

/** Bytes. A shorter answer fits into one packet anyway. */
const minBytes = 1024

const brotli = promisify(brotliCompress)
/** The level that the engines use: most of the gain, at a fraction of the time. */
const level = 3

/** gzip comes first, as in the engines: it wins among encodings of equal weight. */
const encoders: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => promisify(gzip)(bytes, { level }),
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  deflate: (bytes) => promisify(deflate)(bytes, { level }),
}

/**
 * Compresses the answer with the encoding that the caller prefers. Returns it unchanged if it is short or already compressed, or
 * if the caller accepts none of the encodings.
 *
 * @param accepted the caller's `accept-encoding`
 */
export async function compressed<Answer extends { headers: RawHeaders; bytes: Buffer }>(
  answer: Answer,
  accepted = '',
): Promise<Answer> {
  const { headers, bytes } = answer
  if (bytes.length < minBytes || headerOf(headers, 'content-encoding') !== undefined) return answer
  const encoding = bestOf(accepted)
  if (encoding === undefined) return answer
  const shorter = await encoders[encoding]!(bytes)
  const length = ['content-length', String(shorter.length)]
  const own = [...forwarded(headers, 'content-length'), 'content-encoding', encoding, ...length]
  return { ...answer, bytes: shorter, headers: own }
}

/** The supported encoding with the highest weight (RFC 9110, section 12.5.3). `undefined` if the caller prefers plain bytes. */
function bestOf(accepted: string): string | undefined {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1
      return [name, Number(weight) || 0]
    }),
  )
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0
  const names = Object.keys(encoders)
  const highest = Math.max(...names.map(weightOf))
  // Plain bytes are always acceptable. At equal weight, compressed bytes win, because there are fewer of them.
  if (highest === 0 || highest < (weights.get('identity') ?? 0)) return undefined
  return names.find((name) => weightOf(name) === highest)
}
