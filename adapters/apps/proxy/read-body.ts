/** Reads a body up to a limit. A longer body continues as a stream that begins with the part already read. */
import { PassThrough, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** @returns the body, or a stream of the whole body if it has more than `maxBytes` bytes */
export function readBody(stream: Readable, maxBytes: number): Promise<Buffer | Readable> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= maxBytes) return
      stop()
      stream.pause()
      const whole = new PassThrough()
      for (const one of chunks) whole.write(one)
      stream.on('error', (error) => whole.destroy(error))
      stream.pipe(whole)
      resolve(whole)
    }
    const onEnd = (): void => {
      stop()
      resolve(Buffer.concat(chunks))
    }
    const onClose = (): void => onError(new Error('The caller is gone'))
    const onError = (error: Error): void => {
      stop()
      reject(error)
    }
    const stop = (): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
    }
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

const decoders = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/**
 * Decompresses a body.
 *
 * @param maxBytes maximum size of the result. More is an error, so a small body cannot fill the memory.
 * @throws Error for an unknown encoding, and for bytes that do not match the encoding
 */
export async function decoded(
  bytes: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return bytes
  if (!Object.hasOwn(decoders, name)) throw new Error(`The encoding ${name} is not known`)
  return decoders[name as keyof typeof decoders](bytes, { maxOutputLength: maxBytes })
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. @throws TypeError for invalid bytes: replacement characters would make it a different search */
export const utf8 = (bytes: Buffer): string => decoder.decode(bytes)
