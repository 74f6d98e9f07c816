/** Limits an outside call by a timeout and by the caller's signal. */

import { QuerentError } from '../../src/errors.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { withDeadline } from '../../src/runtime/deadline.ts'

export interface Limit {
  /** Milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the result of `work`, which gets a signal. When that signal aborts, rejects at once, even if `work` ignores it.
 *
 * @throws QuerentError `deadline` after `timeout`; `aborted` if the caller's signal aborts; else whatever `work` throws.
 */
export async function within<T>(
  what: string,
  { timeout, signal }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(what, signal)
  try {
    return await withDeadline(systemClock, { parent: signal, ms: timeout, what }, work)
  } catch (error) {
    throwIfAborted(what, signal)
    throw error
  }
}

/** @throws QuerentError `aborted` if the caller's signal has aborted. Its reason is the cause. */
export function throwIfAborted(what: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new QuerentError('aborted', `${what} was aborted`, { cause: signal.reason })
}
