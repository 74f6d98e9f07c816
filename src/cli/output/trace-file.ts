import { open } from 'node:fs/promises'
import { QuerentError } from '../../errors.ts'
import { partFile } from '../../runtime/atomic-file.ts'
import type { Trace } from '../../types.ts'

/** A file of traces, one JSON object a line. */
export interface TraceFile {
  /** Where the traces are until all are written: whole lines, whatever happens after them. */
  readonly part: string
  write(trace: Trace): Promise<void>
  /** Gives the file its name, in place of the file that may have it. */
  complete(): Promise<void>
  /** Leaves the file as it is. */
  close(): Promise<void>
}

/** Begins a file. @throws QuerentError `write-failed`, then or later, where it cannot be written */
export async function openTraceFile(path: string): Promise<TraceFile> {
  const { part, complete } = await partFile(path)
  const failed = (cause: unknown): never => {
    throw new QuerentError('write-failed', `The file ${part} cannot be written`, { cause })
  }
  const handle = await open(part, 'w').catch(failed)
  return {
    part,
    write: (trace) => handle.appendFile(`${JSON.stringify(trace)}\n`).catch(failed),
    complete: () => handle.close().then(complete).catch(failed),
    close: () => handle.close(),
  }
}
