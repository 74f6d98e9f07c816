/** A file of lines that grows while a long work goes on. Work that is stopped begins again behind what is in the file. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { isQuerentError, QuerentError, toError } from '../errors.ts'
import { checkGrowing } from './growing-file.ts'
import { type ReadOptions, readLines } from './lines.ts'

export interface LineJournal {
  /** The keys of the lines in the file. */
  readonly keys: ReadonlySet<string>
  /**
   * Writes a line at the end, after those before it. Once the promise resolves, the line survives the end of the process. If it
   * rejects, so do all later ones: part of the line may be in the file.
   */
  append(key: string, line: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the file, or creates it. A last line without its end, as a killed process leaves it, is removed, unless the file may hold
 * something else.
 *
 * @param keyOf the key of a line that is in the file; may throw. `number` counts from 1
 * @param begins what each line begins with, in ASCII
 * @param options `signal` ends the reading; then the file stays as it is
 * @throws QuerentError `bad-config` if the file holds something else, is no regular file, or has the name of a packed one;
 *   `write-failed` if it cannot be written; `aborted` by the signal; the errors of `readLines` and of `keyOf`
 */
export async function openLineJournal(
  path: string,
  keyOf: (line: string, number: number) => string,
  begins: string,
  { signal }: ReadOptions = {},
): Promise<LineJournal> {
  checkGrowing(path)
  await checkRegular(path)
  const failed = (thrown: unknown): never => {
    const cause = toError(thrown)
    throw new QuerentError('write-failed', `${path} cannot be written (${cause.message})`, { cause })
  }
  const file = await open(path, 'a+').catch(failed)
  try {
    const whole = await wholeLines(path, file, signal)
    const keys = await keysOf(path, whole, keyOf, signal)
    // A file without a line of this work may be anybody's.
    if (keys.size === 0 && !(await isLineBegun(file, whole, begins))) throw somethingElse(path)
    await file.truncate(whole).catch(failed)
    // One line after the other: a long one is written in parts, and the parts of two would mix.
    let last: Promise<unknown> = Promise.resolve()
    return {
      keys,
      async append(key, line) {
        last = last.then(() => file.appendFile(`${line}\n`).catch(failed))
        await last
        keys.add(key)
      },
      async close() {
        await last.catch(() => {})
        await file.close()
      },
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function checkRegular(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || found.isFile()) return
  throw new QuerentError('bad-config', `${path} is no regular file`, {
    remedy: 'Name a file: work that is stopped goes on behind what is in it.',
  })
}

const somethingElse = (path: string, cause?: QuerentError): QuerentError =>
  new QuerentError(
    'bad-config',
    `${path} is there and holds something else${cause === undefined ? '' : ` (${cause.what})`}`,
    { remedy: 'Name another file.', ...(cause && { cause }) },
  )

/** The keys of the lines up to that byte. */
async function keysOf(
  path: string,
  end: number,
  keyOf: (line: string, number: number) => string,
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const keys = new Set<string>()
  const bytes = end === 0 ? [] : createReadStream(path, { end: end - 1 })
  try {
    const options = signal === undefined ? {} : { signal }
    for await (const { text, number } of readLines({ name: path, bytes }, options))
      keys.add(keyOf(text, number))
    return keys
  } catch (error) {
    // With a good line before it, the line is a damaged one of this work.
    if (keys.size === 0 && isQuerentError(error, 'bad-file')) throw somethingElse(path, error)
    throw error
  }
}

/** Whether there is nothing from that byte on, or the beginning of a line. */
async function isLineBegun(file: FileHandle, from: number, begins: string): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(begins.length), 0, begins.length, from)
  return begins.startsWith(buffer.toString('latin1', 0, bytesRead))
}

/** The number of bytes up to the end of the last whole line. */
async function wholeLines(path: string, file: FileHandle, signal: AbortSignal | undefined): Promise<number> {
  const block = Buffer.alloc(1 << 16)
  let { size: end } = await file.stat()
  while (end > 0) {
    if (signal?.aborted)
      throw new QuerentError('aborted', `Reading ${path} was aborted`, { cause: signal.reason })
    const start = Math.max(0, end - block.length)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    const last = block.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (last !== -1) return start + last + 1
    end = start
  }
  return 0
}
