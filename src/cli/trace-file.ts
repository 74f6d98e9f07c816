import { open } from 'node:fs/promises'
import { QuerentError } from '../errors.ts'
import type { Trace } from '../types.ts'

/** A file of traces, one JSON object a line, that is whole up to the last search whatever happens after it. */
export interface TraceFile {
  write(trace: Trace): Promise<void>
  close(): Promise<void>
}

/** Begins a file, over whatever it held. @throws QuerentError `write-failed` where it cannot be written */
export async function openTraceFile(path: string): Promise<TraceFile> {
  const handle = await open(path, 'w').catch((cause: unknown) => {
    throw new QuerentError('write-failed', `The file ${path} cannot be written`, { cause })
  })
  return {
    write: (trace) => handle.appendFile(`${JSON.stringify(trace)}\n`),
    close: () => handle.close(),
  }
}
