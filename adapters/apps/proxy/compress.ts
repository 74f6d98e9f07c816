/** Answers to optimized searches, compressed as their caller accepts it: the engine has sent them uncompressed, to be read here. */
import { promisify } from 'node:util'
import { brotliCompress, constants, deflate, gzip } from 'node:zlib'
import { forwarded, headerOf } from './headers.ts'
import type { ProxyAnswer } from './send.ts'

/** Bytes: what is shorter fits into one packet anyway. */
const least = 1024

const brotli = promisify(brotliCompress)
/** The level that the engines compress with: most of the gain, at a fraction of the time. */
const level = 3

/** The one that the engines answer with first: of those that are accepted alike it is taken. */
const encoders: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => promisify(gzip)(bytes, { level }),
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  deflate: (bytes) => promisify(deflate)(bytes, { level }),
}

/**
 * The answer as the caller likes it best; as it is, where it is short, or compressed already, or no encoding of ours is accepted.
 *
 * @param accepted the caller's `accept-encoding`
 */
export async function compressed<Answer extends ProxyAnswer>(
  answer: Answer,
  accepted: string | undefined,
): Promise<Answer> {
  const { headers, bytes } = answer
  if (bytes.length < least || headerOf(headers, 'content-encoding') !== undefined) return answer
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

/** Of our encodings the one with the highest weight (RFC 9110, section 12.5.3); undefined where plain bytes are liked better. */
function bestOf(accepted: string): string | undefined {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const others = weights.get('*') ?? 0
  let best: string | undefined
  let highest = weights.get('identity') ?? 0
  for (const name of Object.keys(encoders)) {
    const weight = weights.get(name) ?? others
    // Plain bytes are always accepted: whoever weighs both alike has asked for fewer.
    if (weight === 0 || weight < highest || (best !== undefined && weight === highest)) continue
    best = name
    highest = weight
  }
  return best
}
