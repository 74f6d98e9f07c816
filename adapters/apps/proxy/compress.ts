/** Compresses the answers to optimized searches for the caller. The proxy requests them uncompressed from the engine. */
import { promisify } from 'node:util'
import { brotliCompress, constants, deflate, gzip } from 'node:zlib'
import { forwarded, headerOf } from './headers.ts'
import type { ProxyAnswer } from './send.ts'

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
export async function compressed<Answer extends ProxyAnswer>(answer: Answer, accepted = ''): Promise<Answer> {
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
