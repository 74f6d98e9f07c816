/** Reads and writes files of lines as streams, with or without gzip compression. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { addAbortSignal, PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { QuerentError, toError } from '../errors.ts'
import { writeAtomically } from '../runtime/atomic-file.ts'

/** Bytes that do not come from a file (standard input, for example), with a name for error messages. */
export interface NamedBytes {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Input of a reader: the path of a file, or bytes. It is decompressed if its name ends in `.gz` or its bytes begin with
 * gzip's magic number.
 */
export type Source = string | NamedBytes

export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

export interface ReadOptions {
  readonly signal?: AbortSignal
}

/** What happens to a line that is wrong. */
export interface Skipping {
  /** Called with the error of each such line, which is left out. Absent: the error is thrown. */
  readonly onBadLine?: (error: QuerentError) => void
}

/** A longer line means that the file is not text. The limit ends reading before memory runs out. */
const longestLine = 2 ** 28

const newline = 0x0a

/** The name of a source in error messages. */
export function nameOf(source: Source): string {
  return typeof source === 'string' ? source : source.name
}

/** An error in one line. The message begins with file and line. */
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
 * Yields the lines of a UTF-8 text, without line ends (`\n` or `\r\n`) and without a byte order mark. Blank lines are
 * skipped.
 *
 * @throws QuerentError `missing-file` if the file cannot be read; `bad-file` if it is not UTF-8, is not gzip although its
 * name ends in `.gz`, or has a line longer than 256 MB; `aborted` by the signal
 */
export async function* readLines(source: Source, options: ReadOptions & Skipping = {}): AsyncGenerator<Line> {
  for await (const { text, number } of readRawLines(source, options))
    if (text.trim() !== '') yield { text: withoutReturn(text), number }
}

/** The same, also of blank lines, and with the `\r` of `\r\n`: it may be a part of a cell. @throws as `readLines` */
export async function* readRawLines(
  source: Source,
  { signal, onBadLine }: ReadOptions & Skipping = {},
): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let number = 0
  for await (const bytes of splitLines(source, signal)) {
    number++
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch (cause) {
      const error = lineError(source, number, 'the line is not UTF-8', {
        remedy: 'Save the file as UTF-8.',
        cause,
      })
      if (onBadLine === undefined) throw error
      onBadLine(error)
      continue
    }
    yield { text: number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text, number }
  }
}

/** A line without the `\r` of `\r\n`. */
export const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

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

/** The decompressed bytes. `lineNumber` says where gzip data end too soon. Errors of the file system and of gzip become QuerentErrors. */
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
    // The loop below gets the same error. Without this handler, the rejected promise would end the process.
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
 * Writes lines, each followed by `\n`. The file is replaced after all lines are written. The same lines give the same bytes,
 * compressed or not.
 *
 * @throws QuerentError `write-failed` if the file cannot be written, `aborted` by the signal; and the errors of `lines`
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
    await writeAtomically(path, async (part, flag) => {
      // Opened and closed here because a failed pipeline waits for neither: the file could appear after the cleanup.
      const file = await open(part, flag)
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
