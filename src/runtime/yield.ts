/** Lets long work share its process: it yields to the event loop regularly, and stops when it is aborted. */
import { setImmediate } from 'node:timers/promises'
import { QuerentError } from '../errors.ts'

/** Number of items between two yields. */
const batch = 16

/** Await this before each item, with the item's index. @throws QuerentError `aborted` */
export async function yieldAt(index: number, signal: AbortSignal | undefined): Promise<void> {
  if (index % batch === 0) await setImmediate()
  checkAborted(signal)
}

/** @throws QuerentError `aborted` */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new QuerentError('aborted', 'The training was aborted', { cause: signal.reason })
}
