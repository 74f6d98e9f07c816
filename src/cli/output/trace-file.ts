import { open } from 'node:fs/promises'
import { QuerentError } from '../../errors.ts'
import { checkGrowing } from '../../evaluation/growing-file.ts'
import { partFile } from '../../runtime/atomic-file.ts'
import type { Trace } from '../../types.ts'

/** A file of traces, one JSON object per line. */
export interface TraceFile {
  /** Writes to a temporary file, which always holds whole lines. */
  write(trace: Trace): Promise<void>
  /** Gives the file its final name. Replaces an existing file. */
  complete(): Promise<void>
  /** Closes the temporary file and keeps it, as `<name>.part`. Returns its path. */
  keep(): Promise<string>
  close(): Promise<void>
}

/**
 * Begins a file.
 *
 * @throws QuerentError `bad-config` for the name of a packed file; `write-failed`, also later, if it cannot be written
 */
export async function openTraceFile(path: string): Promise<TraceFile> {
  checkGrowing(path)
  const { part, flag, complete, keep } = await partFile(path)
  const failed = (cause: unknown): never => {
    throw new QuerentError('write-failed', `The file ${path} cannot be written`, { cause })
  }
  const handle = await open(part, flag).catch(failed)
  return {
    write: (trace) => handle.appendFile(`${JSON.stringify(trace)}\n`).catch(failed),
    complete: () => handle.close().then(complete).catch(failed),
    keep: () => handle.close().then(keep).catch(failed),
    close: () => handle.close(),
  }
}
