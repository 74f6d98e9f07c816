/** Deadlines and cancellation: which callbacks are called, and which are not. */
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { onAbort, openDeadline, untilAborted } from '../../src/runtime/deadline.ts'

const ms = Number.POSITIVE_INFINITY
const reason = new Error('enough')
const foreign = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(reason) }
}
const own = () => {
  const { signal, cancel } = openDeadline(systemClock, { ms, what: 'A search' })
  return { signal, abort: () => cancel(reason) }
}

describe.each([
  ['of a deadline', own],
  ['of an AbortController', foreign],
])('a signal %s', (_, open) => {
  it('calls every callback once, when its reason can be read', () => {
    const { signal, abort } = open()
    const calls: unknown[] = []
    for (const name of ['first', 'second']) onAbort(signal, () => calls.push([name, signal.reason]))
    abort()
    abort()
    expect(calls).toEqual([
      ['first', reason],
      ['second', reason],
    ])
  })

  it('does not call a callback that was removed, not even by a callback before it', () => {
    const { signal, abort } = open()
    const calls: string[] = []
    const removeThird: { now(): void } = { now() {} }
    onAbort(signal, () => calls.push('first'))()
    onAbort(signal, () => {
      calls.push('second')
      removeThird.now()
    })
    removeThird.now = onAbort(signal, () => calls.push('third'))
    abort()
    expect(calls).toEqual(['second'])
  })

  it('aborts the deadlines inside it, and the work that waits for them, with its own reason', async () => {
    const { signal, abort } = open()
    const inner = openDeadline(systemClock, { parent: signal, ms, what: 'A leg' })
    const released = openDeadline(systemClock, { parent: signal, ms, what: 'A leg' })
    const work = untilAborted(new Promise(() => {}), inner.signal)
    const events: unknown[] = []
    inner.signal.addEventListener('abort', () => events.push(inner.signal.reason))
    released.release()
    abort()
    await expect(work).rejects.toBe(reason)
    expect(events).toEqual([reason])
    expect(released.signal.aborted).toBe(false)
  })
})
