/** Long work beside others: it pauses now and then, and ends where it was aborted. */
import { setImmediate } from 'node:timers/promises'
import { QuerentError } from '../errors.ts'

/** What is done in one go. */
const turn = 16

/** Waited for before the work on each of many things, by its place. @throws QuerentError `aborted` */
export async function nextTurn(place: number, signal: AbortSignal | undefined): Promise<void> {
  if (place % turn === 0) await setImmediate()
  checkAborted(signal)
}

/** @throws QuerentError `aborted` */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new QuerentError('aborted', 'The training was aborted', { cause: signal.reason })
}
