/** A call to something outside, within a time limit and until the caller gives up. */

import { QuerentError } from '../../src/errors.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openDeadline, untilAborted } from '../../src/runtime/deadline.ts'

export interface Limit {
  /** Milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/**
 * What `work` comes to. It is given a signal to stop by, and is left behind at once where it does not.
 *
 * @throws QuerentError `deadline` after `timeout`; `aborted` once the caller's signal is; else whatever `work` throws.
 */
export async function within<T>(
  what: string,
  { timeout, signal }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(what, signal)
  const deadline = openDeadline(systemClock, { parent: signal, ms: timeout, what })
  try {
    return await untilAborted(work(deadline.signal), deadline.signal)
  } catch (error) {
    throwIfAborted(what, signal)
    throw error
  } finally {
    deadline.cancel()
  }
}

/** @throws QuerentError `aborted` where the caller's signal is; its reason is the cause. */
export function throwIfAborted(what: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new QuerentError('aborted', `${what} was aborted`, { cause: signal.reason })
}
