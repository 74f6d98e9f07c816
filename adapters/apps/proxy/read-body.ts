/** A body as a whole, up to a limit: what is longer goes on as a stream, beginning with what was read. */
import type { Readable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** @returns the body, or a stream of all of it where it has more than `most` bytes */
export function readBody(stream: Readable, most: number): Promise<Buffer | Readable> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= most) return
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
 * The bytes as they were before they were compressed.
 *
 * @param most of them; more are an error, so that a small body cannot fill the memory
 * @throws Error for an encoding that is not known, and for bytes that are not of it
 */
export async function decoded(bytes: Buffer, encoding: string | undefined, most: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return bytes
  if (!Object.hasOwn(decoders, name)) throw new Error(`The encoding ${name} is not known`)
  return decoders[name as keyof typeof decoders](bytes, { maxOutputLength: most })
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that these bytes are. @throws TypeError where they are none: what is put in its place would be another search */
export const utf8 = (bytes: Buffer): string => decoder.decode(bytes)
