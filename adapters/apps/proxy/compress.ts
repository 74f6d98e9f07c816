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
export async function compressed<Answer extends ProxyAnswer>(
  answer: Answer,
  accepted: string | undefined,
): Promise<Answer> {
  const { headers, bytes } = answer
  if (bytes.length < minBytes || headerOf(headers, 'content-encoding') !== undefined) return answer
  const encoding = accepted === undefined ? undefined : bestOf(accepted)
  if (encoding === undefined) return answer
  const shorter = await encoders[encoding]!(bytes)
  const length = String(shorter.length)
  const kept = forwarded(headers, 'content-length')
  return {
    ...answer,
    bytes: shorter,
    headers: [...kept, 'content-encoding', encoding, 'content-length', length],
  }
}

/** The supported encoding with the highest weight (RFC 9110, section 12.5.3). `undefined` if the caller prefers plain bytes. */
function bestOf(accepted: string): string | undefined {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const others = weights.get('*') ?? 0
  let best: string | undefined
  let highest = weights.get('identity') ?? 0
  for (const name of Object.keys(encoders)) {
    const weight = weights.get(name) ?? others
    // Plain bytes are always acceptable. At equal weight, compressed bytes win, because there are fewer of them.
    if (weight === 0 || weight < highest || (best !== undefined && weight === highest)) continue
    best = name
    highest = weight
  }
  return best
}
