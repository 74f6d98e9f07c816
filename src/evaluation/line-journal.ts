/** A file of lines that grows while a long work goes on. Work that is stopped begins again behind what is in the file. */
import { open } from 'node:fs/promises'
import { QuerentError } from '../errors.ts'
import { readLines } from './lines.ts'

export interface LineJournal {
  /** The keys of the lines in the file. */
  readonly keys: ReadonlySet<string>
  /** Writes a line at the end, after those before it. Once the promise resolves, the line survives the end of the process. */
  append(key: string, line: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the file, or creates it. A last line without its end, as a killed process leaves it, is removed.
 *
 * @param keyOf the key of a line that is in the file; may throw. `number` counts from 1
 * @throws QuerentError `write-failed` if it cannot be opened for writing; the errors of `readLines` and of `keyOf`
 */
export async function openLineJournal(
  path: string,
  keyOf: (line: string, number: number) => string,
): Promise<LineJournal> {
  const file = await open(path, 'a+').catch((cause: unknown) => {
    throw new QuerentError('write-failed', `${path} cannot be written`, { cause })
  })
  try {
    await file.truncate(await wholeLines(file))
    const keys = new Set<string>()
    for await (const { text, number } of readLines(path)) keys.add(keyOf(text, number))
    // One line after the other: a long one is written in parts, and the parts of two would mix.
    let last: Promise<unknown> = Promise.resolve()
    return {
      keys,
      async append(key, line) {
        const written = last.then(() => file.appendFile(`${line}\n`))
        last = written.catch(() => {})
        await written
        keys.add(key)
      },
      async close() {
        await last
        await file.close()
      },
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The number of bytes up to the end of the last whole line. */
async function wholeLines(file: Awaited<ReturnType<typeof open>>): Promise<number> {
  const block = Buffer.alloc(1 << 16)
  let { size: end } = await file.stat()
  while (end > 0) {
    const start = Math.max(0, end - block.length)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    const last = block.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (last !== -1) return start + last + 1
    end = start
  }
  return 0
}
