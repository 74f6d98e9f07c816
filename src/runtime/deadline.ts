/**
 * Deadlines and cancellation: creates signals that abort with their parent, at a deadline, or when they are canceled.
 *
 * Each leg and each prompt of a search opens a deadline. This file, and no other, therefore trades plain code for
 * microseconds: it manages its own set of callbacks instead of events, and shares one error. `npm run bench -- optimizer`
 * measures it.
 */

import { QuerentError, toError } from '../errors.ts'
import type { Clock } from './clock.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Aborts the signal, if it is not aborted yet, and detaches it from the parent and the timer. */
  cancel(reason?: Error): void
  /**
   * Detaches the signal from the parent and the timer without aborting it: the result may be a stream that is still being
   * read.
   */
  release(): void
}

export interface DeadlineOptions {
  readonly parent?: AbortSignal | undefined
  readonly ms: number
  readonly what: string
}

/** Shared, because creating an Error with its stack takes twice as long as opening a deadline. */
const notNeeded = new QuerentError('aborted', 'The result is no longer needed', { remedy: 'Nothing to fix' })

/** Stands on the signal: what a WeakMap has of a dead signal outlives the quick collections, and would double their time. */
const known: unique symbol = Symbol('deadline')

interface KnownSignal extends AbortSignal {
  [known]?: {
    /** How long the signal has until its deadline, or that of a parent. */
    readonly left: () => number
    /** The callbacks of a deadline's own signal: calling them takes a tenth of the time of an event. */
    readonly callbacks?: Set<() => void>
  }
}

/** Milliseconds until a deadline aborts the signal: infinitely many if none is known. */
export const timeLeft = (signal: KnownSignal | undefined): number =>
  signal?.[known]?.left() ?? Number.POSITIVE_INFINITY

/** The signal's work is for whoever waits with the other signal, and has as much time. */
export function shareTime(signal: KnownSignal, other: KnownSignal | undefined): void {
  const left = other?.[known]?.left
  if (left !== undefined) signal[known] = { left }
}

/** Calls `callback` when the signal aborts. The signal must not be aborted yet. Returns a function that removes the callback. */
export function onAbort(signal: KnownSignal, callback: () => void): () => void {
  const callbacks = signal[known]?.callbacks
  if (callbacks === undefined) {
    signal.addEventListener('abort', callback, { once: true })
    return () => signal.removeEventListener('abort', callback)
  }
  callbacks.add(callback)
  return () => void callbacks.delete(callback)
}

/**
 * Opens a deadline. Its signal aborts with `parent`, for the parent's reason, or after `ms` milliseconds (never, if
 * infinite) with a `deadline` error that names `what`. The caller must cancel or release the deadline.
 */
export function openDeadline(clock: Clock, { parent, ms, what }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  const { signal }: { readonly signal: KnownSignal } = controller
  const callbacks = new Set<() => void>()
  const until = clock.now() + Math.min(ms, timeLeft(parent))
  signal[known] = { left: () => until - clock.now(), callbacks }
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
  return { signal, cancel, release }
}

/** Settles like `work`, which gets the signal of a deadline, or rejects when that aborts. In the end, the deadline is canceled. */
export async function withDeadline<T>(
  clock: Clock,
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, cancel } = openDeadline(clock, options)
  try {
    return await untilAborted(work(signal), signal)
  } finally {
    cancel()
  }
}

/** Wraps the caller's signal as a `Deadline`. `cancel` and `release` do nothing: only the caller can abort its signal. */
export const borrowDeadline = (signal: AbortSignal): Deadline => ({ signal, cancel() {}, release() {} })

export const deadlineError = (what: string, ms: number): QuerentError =>
  new QuerentError('deadline', `${what} took longer than ${ms} ms`)

/**
 * Settles like `work`, or rejects with the signal's reason when the signal aborts, whichever comes first. Aborting does not
 * stop `work`: its result is dropped, and `onDropped` is called when it has settled.
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
