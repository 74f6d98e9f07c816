/** Deadlines and cancellation: who is told of an end, and who no longer. */
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { openScope, untilAborted, whenAborted } from '../../src/runtime/deadline.ts'

const ms = Number.POSITIVE_INFINITY
const reason = new Error('enough')
const foreign = () => {
  const controller = new AbortController()
  return { signal: controller.signal, end: () => controller.abort(reason) }
}
const own = () => {
  const { signal, end } = openScope(systemClock, { ms, what: 'A search' })
  return { signal, end: () => end(reason) }
}

describe.each([
  ['of a scope', own],
  ['of somebody else', foreign],
])('a signal %s', (_, open) => {
  it('calls back all who wait for it, once, with its reason to be read', () => {
    const { signal, end } = open()
    const told: unknown[] = []
    for (const name of ['first', 'second']) whenAborted(signal, () => told.push([name, signal.reason]))
    end()
    end()
    expect(told).toEqual([
      ['first', reason],
      ['second', reason],
    ])
  })

  it('calls back nobody who no longer waits, not even where another one who is called says so', () => {
    const { signal, end } = open()
    const told: string[] = []
    const leaveThird: { now(): void } = { now() {} }
    whenAborted(signal, () => told.push('first'))()
    whenAborted(signal, () => {
      told.push('second')
      leaveThird.now()
    })
    leaveThird.now = whenAborted(signal, () => told.push('third'))
    end()
    expect(told).toEqual(['second'])
  })

  it('ends scopes within it, and what waits for those, for its own reason', async () => {
    const { signal, end } = open()
    const inner = openScope(systemClock, { parent: signal, ms, what: 'A leg' })
    const left = openScope(systemClock, { parent: signal, ms, what: 'A leg' })
    const work = untilAborted(new Promise(() => {}), inner.signal)
    const events: unknown[] = []
    inner.signal.addEventListener('abort', () => events.push(inner.signal.reason))
    left.leave()
    end()
    await expect(work).rejects.toBe(reason)
    expect(events).toEqual([reason])
    expect(left.signal.aborted).toBe(false)
  })
})
