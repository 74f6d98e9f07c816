/** Files of lines, read and written piece by piece, packed with gzip or not. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { addAbortSignal, PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { QuerentError, toError } from '../errors.ts'
import { writeAtomically } from '../runtime/atomic-file.ts'

/** Bytes that come from elsewhere than a file, such as standard input, and the name that messages give them. */
export interface NamedBytes {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** What a reader takes: the path of a file, or bytes. Unpacked where the name ends in `.gz` or the bytes begin as gzip's. */
export type Source = string | NamedBytes

export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

export interface ReadOptions {
  readonly signal?: AbortSignal
}

/** A file without line ends is no text: reading stops before memory does. */
const longestLine = 2 ** 28

const newline = 0x0a

/** The name of a source in messages. */
export function nameOf(source: Source): string {
  return typeof source === 'string' ? source : source.name
}

/** An error of one line: what is wrong, with file and line before it. */
export function lineError(
  source: Source,
  line: number,
  what: string,
  {
    code = 'bad-file',
    ...options
  }: { code?: 'bad-file' | 'bad-document'; remedy?: string; cause?: unknown } = {},
): QuerentError {
  return new QuerentError(code, `${nameOf(source)}:${line}: ${what}`, options)
}

/**
 * The lines of a UTF-8 text, without their ends (`\n` or `\r\n`), a byte order mark and lines of nothing but white space.
 *
 * @throws QuerentError `missing-file` where the file cannot be read, `bad-file` where it is not UTF-8, not gzip although
 * its name says so, or a line is longer than 256 MB, `aborted` by the signal
 */
export async function* readLines(source: Source, { signal }: ReadOptions = {}): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let number = 0
  for await (const bytes of splitLines(source, signal)) {
    number++
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch (cause) {
      throw lineError(source, number, 'the line is not UTF-8', { remedy: 'Save the file as UTF-8.', cause })
    }
    if (number === 1 && text.startsWith('\ufeff')) text = text.slice(1)
    if (text.endsWith('\r')) text = text.slice(0, -1)
    if (text.trim() !== '') yield { text, number }
  }
}

async function* splitLines(source: Source, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = []
  let pendingLength = 0
  let number = 1
  for await (const chunk of readBytes(source, () => number, signal)) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end)
      yield pending.length === 0 ? rest : Buffer.concat([...pending, rest])
      number++
      pending = []
      pendingLength = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    pending.push(chunk.subarray(start))
    pendingLength += chunk.length - start
    if (pendingLength > longestLine) {
      throw lineError(source, number, `the line is longer than ${longestLine} bytes`, {
        remedy: 'Check that this is the right file: it should hold one record a line.',
      })
    }
  }
  if (pending.length > 0) yield Buffer.concat(pending)
}

/** The unpacked bytes, with every error of the file system and of gzip turned into ours. */
async function* readBytes(
  source: Source,
  lineNumber: () => number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const name = nameOf(source)
  const raw = typeof source === 'string' ? createReadStream(source) : Readable.from(source.bytes)
  if (signal !== undefined) addAbortSignal(signal, raw)
  try {
    const chunks: AsyncIterator<Uint8Array> = raw[Symbol.asyncIterator]()
    const first = await chunks.next()
    if (first.done) return
    const [one, two] = first.value
    const isPacked = name.endsWith('.gz') || (one === 0x1f && two === 0x8b)
    const bytes = isPacked ? createGunzip() : new PassThrough()
    async function* all(): AsyncGenerator<Uint8Array> {
      yield first.value
      yield* { [Symbol.asyncIterator]: () => chunks }
    }
    // The loop below meets the same error; without a handler this promise would end the process.
    pipeline(all, bytes).catch(() => {})
    for await (const chunk of bytes) yield chunk as Uint8Array
  } catch (thrown) {
    const cause = toError(thrown)
    if (signal?.aborted) throw new QuerentError('aborted', `Reading ${name} was aborted`, { cause })
    const code = 'code' in cause ? String(cause.code) : ''
    if (code.startsWith('Z_')) {
      throw lineError(source, lineNumber(), `the file is not whole gzip data (${cause.message})`, {
        remedy: 'Pack it again, or drop ".gz" from its name if it is not packed.',
        cause,
      })
    }
    throw new QuerentError('missing-file', `${name} cannot be read (${cause.message})`, { cause })
  } finally {
    raw.destroy()
  }
}

/**
 * Writes lines, each with `\n` after it, in place of whatever the file held once all are written. The same lines give the
 * same bytes, packed too.
 *
 * @throws QuerentError `write-failed` where the file cannot be written, `aborted` by the signal; what `lines` throws
 */
export async function writeLines(
  path: string,
  lines: Iterable<string> | AsyncIterable<string>,
  { signal }: ReadOptions = {},
): Promise<void> {
  let failure: unknown
  async function* blocks(): AsyncGenerator<string> {
    let block = ''
    try {
      for await (const line of lines) {
        block += `${line}\n`
        if (block.length < 2 ** 16) continue
        yield block
        block = ''
      }
    } catch (thrown) {
      failure = thrown
      throw thrown
    }
    yield block
  }
  const options = signal === undefined ? {} : { signal }
  const packed = path.endsWith('.gz') ? createGzip() : new PassThrough()
  try {
    await writeAtomically(path, async (part) => {
      // Open before and closed after: a pipeline that fails does not wait for either, and a file could appear behind it.
      const file = await open(part, 'w')
      try {
        await pipeline(Readable.from(blocks()), packed, file.createWriteStream(), options)
      } finally {
        await file.close()
      }
    })
  } catch (thrown) {
    if (failure !== undefined) throw failure
    const cause = toError(thrown)
    if (signal?.aborted) throw new QuerentError('aborted', `Writing ${path} was aborted`, { cause })
    throw new QuerentError('write-failed', `${path} cannot be written (${cause.message})`, { cause })
  }
}
