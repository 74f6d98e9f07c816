/** Deadlines and cancellation: a signal of our own that ends with its parent's, at a deadline, or when we are done. */

import { QuerentError, toError } from '../errors.ts'
import type { Clock } from './clock.ts'

export interface Scope {
  readonly signal: AbortSignal
  /** Ends the scope: aborts the signal (if it is not aborted yet) and lets go of the parent and the timer. */
  end(reason?: Error): void
  /** Ends it without aborting the signal: what it was opened for came to its end, and may be a stream that is still read. */
  leave(): void
}

/** One for all: an error of its own, with its stack, would make a scope two thirds dearer. */
const notNeeded = new QuerentError('aborted', 'Nobody waits for it any more', { remedy: 'Nothing to mend' })

/** Who waits for the signal of a scope: to be told by this takes a tenth of the time that an event does. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when the signal aborts, which it has not yet. Gives what takes that back. */
export function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = waiting.get(signal)
  if (callbacks === undefined) {
    signal.addEventListener('abort', callback, { once: true })
    return () => signal.removeEventListener('abort', callback)
  }
  callbacks.add(callback)
  return () => void callbacks.delete(callback)
}

/**
 * Opens a scope. It ends with `parent`, for the parent's reason, or after `ms` milliseconds, unless they are infinite, with a
 * `deadline` error that says that `what` took too long. Whoever opens a scope ends it.
 */
export function openScope(
  clock: Clock,
  {
    parent,
    ms,
    what,
  }: { readonly parent?: AbortSignal | undefined; readonly ms: number; readonly what: string },
): Scope {
  const controller = new AbortController()
  const callbacks = new Set<() => void>()
  waiting.set(controller.signal, callbacks)
  let leaveParent = (): void => {}
  let isOpen = true
  const isTimed = Number.isFinite(ms)
  const cancelTimer = isTimed ? clock.after(ms, () => end(late(what, ms))) : () => {}

  function leave(): void {
    isOpen = false
    cancelTimer()
    leaveParent()
  }

  function end(reason: Error = notNeeded): void {
    if (!isOpen) return
    leave()
    controller.abort(reason)
    for (const callback of callbacks) callback()
  }

  if (parent?.aborted) end(toError(parent.reason))
  else if (parent !== undefined) leaveParent = whenAborted(parent, () => end(toError(parent.reason)))
  return { signal: controller.signal, end, leave }
}

/** The signal of somebody else’s scope, who ends it. */
export const lentScope = (signal: AbortSignal): Scope => ({ signal, end() {}, leave() {} })

/** What ends work that did not come to its end in time. */
const late = (what: string, ms: number): QuerentError =>
  new QuerentError('deadline', `${what} took longer than ${ms} ms`)

/**
 * What `work` comes to, or the signal's reason as soon as it aborts, whichever is first. Work that cannot be stopped
 * goes on by itself; its result is dropped, and `onDropped` is called when it has ended.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal, onDropped?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let open = true
    let leave = (): void => {}
    const onAbort = (): void => {
      open = false
      reject(toError(signal.reason))
    }
    if (signal.aborted) onAbort()
    else leave = whenAborted(signal, onAbort)
    const settle = (finish: () => void): void => {
      leave()
      if (open) finish()
      else onDropped?.()
    }
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}
