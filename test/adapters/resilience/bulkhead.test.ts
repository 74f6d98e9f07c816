import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLimit } from '../../../adapters/resilience/bulkhead.ts'
import { settled } from '../../support/manual-clock.ts'

const never = new AbortController().signal

describe('a limit', () => {
  it('lets so many in at once and the others in the order of their arrival', async () => {
    const limit = createLimit(2, 10)
    const entered: number[] = []
    const leaves = [0, 1, 2, 3, 4].map(async (number) => {
      const leave = await limit.enter(never)
      entered.push(number)
      return leave!
    })
    await settled()
    expect(entered).toEqual([0, 1])
    expect(limit).toMatchObject({ running: 2, queued: 3 })
    for (const leave of leaves) {
      ;(await leave)()
      await settled()
    }
    expect(entered).toEqual([0, 1, 2, 3, 4])
    expect(limit).toMatchObject({ running: 0, queued: 0 })
  })

  it('turns away who comes when the queue is full, at once', async () => {
    const limit = createLimit(1, 1)
    await limit.enter(never)
    const queued = limit.enter(never)
    expect(await limit.enter(never)).toBeUndefined()
    expect(limit.tryEnter()).toBeUndefined()
    expect(limit).toMatchObject({ running: 1, queued: 1 })
    void queued
  })

  it('has no queue where its length is 0', async () => {
    const limit = createLimit(1, 0)
    expect(await limit.enter(never)).toBeTypeOf('function')
    expect(await limit.enter(never)).toBeUndefined()
  })

  it('frees the place in the queue as soon as its caller aborts, and nobody behind it is forgotten', async () => {
    const limit = createLimit(1, 2)
    const leave = await limit.enter(never)
    const controller = new AbortController()
    const reason = new Error('enough')
    const second = limit.enter(controller.signal)
    const third = limit.enter(never)
    controller.abort(reason)
    expect(limit.queued).toBe(1)
    await expect(second).rejects.toBe(reason)
    leave!()
    expect(await third).toBeTypeOf('function')
    expect(limit).toMatchObject({ running: 1, queued: 0 })
  })

  it('passes a place on to who waits for it, not to who comes just then', async () => {
    const limit = createLimit(1, 1)
    const leave = await limit.enter(never)
    const waiting = limit.enter(never)
    leave!()
    expect(limit.tryEnter()).toBeUndefined()
    expect(await waiting).toBeTypeOf('function')
  })

  it('lets nobody in who has aborted', async () => {
    const limit = createLimit(1, 1)
    const reason = new Error('enough')
    await expect(limit.enter(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(limit.running).toBe(0)
  })

  it('leaves no listener on a signal', async () => {
    const limit = createLimit(1, 5)
    const { signal } = new AbortController()
    let leave = await limit.enter(signal)
    for (let round = 0; round < 100; round++) {
      const next = limit.enter(signal)
      leave!()
      leave = await next
    }
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
