/**
 * A log at the end of a file. Nobody waits for it: lines that the disk does not keep up with are lost. They are written together, ten
 * times a second, since a write for each would take longer than what most of them tell of.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { QuerentError, toError } from '../errors.ts'
import { type Clock, systemClock } from './clock.ts'

export interface AppendedLines {
  append(line: string): void
  /** Ends when all lines are in the file. */
  close(): Promise<void>
}

/** Bytes that wait for the disk, at most. */
const maxWaiting = 1 << 20

/** Milliseconds between two writes. */
const every = 100

/**
 * Opens the file, or creates it. Several processes may append to the same one.
 *
 * @throws QuerentError `write-failed` if it cannot be opened
 */
export async function appendLines(path: string, clock: Clock = systemClock): Promise<AppendedLines> {
  const stream = createWriteStream(path, { flags: 'a' })
  await once(stream, 'open').catch((thrown: unknown) => {
    const cause = toError(thrown)
    throw new QuerentError('write-failed', `${path} cannot be written (${cause.message})`, { cause })
  })
  stream.on('error', () => {})
  let waiting = ''
  let cancel: (() => void) | undefined
  function write(): void {
    stream.write(waiting)
    waiting = ''
    cancel = undefined
  }
  return {
    append(line) {
      if (stream.writableLength + waiting.length >= maxWaiting) return
      waiting += `${line}\n`
      cancel ??= clock.after(every, write)
    },
    close() {
      cancel?.()
      return new Promise((resolve) => stream.end(waiting, () => resolve()))
    },
  }
}
