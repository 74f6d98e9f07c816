/** A log at the end of a file. Nobody waits for it: lines that the disk does not keep up with are lost. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { QuerentError, toError } from '../errors.ts'

export interface AppendedLines {
  append(line: string): void
  /** Ends when all lines are in the file. */
  close(): Promise<void>
}

/** Bytes that wait for the disk, at most. */
const maxWaiting = 1 << 20

/**
 * Opens the file, or creates it. Several processes may append to the same one.
 *
 * @throws QuerentError `write-failed` if it cannot be opened
 */
export async function appendLines(path: string): Promise<AppendedLines> {
  const stream = createWriteStream(path, { flags: 'a' })
  await once(stream, 'open').catch((thrown: unknown) => {
    const cause = toError(thrown)
    throw new QuerentError('write-failed', `${path} cannot be written (${cause.message})`, { cause })
  })
  stream.on('error', () => {})
  return {
    append(line) {
      if (stream.writableLength < maxWaiting) stream.write(`${line}\n`)
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}
