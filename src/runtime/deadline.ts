/**
 * Deadlines and cancellation: a signal of Querent's own, which aborts with its parent, at a deadline, or when it is canceled.
 *
 * Each leg and each prompt of a search opens a deadline, so this file, and no other, trades plain code for microseconds:
 * it keeps its own set of callbacks instead of events, and shares one error. `npm run bench -- parts` measures it.
 */

import { QuerentError, toError } from '../errors.ts'
import type { Clock } from './clock.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Aborts the signal, if it is not aborted yet, and lets go of the parent and the timer. */
  cancel(reason?: Error): void
  /** Lets go of the parent and the timer without aborting the signal: the result may be a stream that is still being read. */
  release(): void
}

/** Shared: creating an Error, with its stack, per deadline would cost twice as much as the deadline. */
const notNeeded = new QuerentError('aborted', 'The result is no longer needed', { remedy: 'Nothing to fix' })

/** The callbacks of each deadline's signal: calling them takes a tenth of the time of an event. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `callback` when the signal aborts, which it must not have yet. Returns a function that removes the callback. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = callbacksOf.get(signal)
  if (callbacks === undefined) {
    signal.addEventListener('abort', callback, { once: true })
    return () => signal.removeEventListener('abort', callback)
  }
  callbacks.add(callback)
  return () => void callbacks.delete(callback)
}

/**
 * Opens a deadline. Its signal aborts with `parent`, for the parent's reason, or after `ms` milliseconds (never, if
 * infinite) with a `deadline` error that says that `what` took too long. The caller must cancel or release it.
 */
export function openDeadline(
  clock: Clock,
  {
    parent,
    ms,
    what,
  }: { readonly parent?: AbortSignal | undefined; readonly ms: number; readonly what: string },
): Deadline {
  const controller = new AbortController()
  const callbacks = new Set<() => void>()
  callbacksOf.set(controller.signal, callbacks)
  let leaveParent = (): void => {}
  let isOpen = true
  const isTimed = Number.isFinite(ms)
  const cancelTimer = isTimed ? clock.after(ms, () => cancel(deadlineError(what, ms))) : () => {}

  function release(): void {
    isOpen = false
    cancelTimer()
    leaveParent()
  }

  function cancel(reason: Error = notNeeded): void {
    if (!isOpen) return
    release()
    controller.abort(reason)
    for (const callback of callbacks) callback()
  }

  if (parent?.aborted) cancel(toError(parent.reason))
  else if (parent !== undefined) leaveParent = onAbort(parent, () => cancel(toError(parent.reason)))
  return { signal: controller.signal, cancel, release }
}

/** The caller's own signal as a `Deadline`: only its owner can abort it. */
export const borrowDeadline = (signal: AbortSignal): Deadline => ({ signal, cancel() {}, release() {} })

const deadlineError = (what: string, ms: number): QuerentError =>
  new QuerentError('deadline', `${what} took longer than ${ms} ms`)

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts, whichever comes first. Work that cannot
 * be stopped goes on; its result is dropped, and `onDropped` is called when it has settled.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal, onDropped?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isWaiting = true
    let removeCallback = (): void => {}
    const stop = (): void => {
      isWaiting = false
      reject(toError(signal.reason))
    }
    if (signal.aborted) stop()
    else removeCallback = onAbort(signal, stop)
    const settle = (finish: () => void): void => {
      removeCallback()
      if (isWaiting) finish()
      else onDropped?.()
    }
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}
