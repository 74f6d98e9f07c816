import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createBulkhead } from '../../../adapters/resilience/bulkhead.ts'
import { settled } from '../../support/manual-clock.ts'

const never = new AbortController().signal

describe('a bulkhead', () => {
  it('admits calls up to its limit, and the others in the order of their arrival', async () => {
    const bulkhead = createBulkhead(2, 10)
    const entered: number[] = []
    const leaves = [0, 1, 2, 3, 4].map(async (number) => {
      const leave = await bulkhead.enter(never)
      entered.push(number)
      return leave!
    })
    await settled()
    expect(entered).toEqual([0, 1])
    expect(bulkhead).toMatchObject({ running: 2, queued: 3 })
    for (const leave of leaves) {
      ;(await leave)()
      await settled()
    }
    expect(entered).toEqual([0, 1, 2, 3, 4])
    expect(bulkhead).toMatchObject({ running: 0, queued: 0 })
  })

  it('rejects a call at once if the queue is full', async () => {
    const bulkhead = createBulkhead(1, 1)
    await bulkhead.enter(never)
    const queued = bulkhead.enter(never)
    expect(await bulkhead.enter(never)).toBeUndefined()
    expect(bulkhead).toMatchObject({ running: 1, queued: 1 })
    void queued
  })

  it('has no queue if its length is 0', async () => {
    const bulkhead = createBulkhead(1, 0)
    expect(await bulkhead.enter(never)).toBeTypeOf('function')
    expect(await bulkhead.enter(never)).toBeUndefined()
  })

  it('frees a place in the queue as soon as its caller aborts, and keeps the calls behind it', async () => {
    const bulkhead = createBulkhead(1, 2)
    const leave = await bulkhead.enter(never)
    const controller = new AbortController()
    const reason = new Error('enough')
    const second = bulkhead.enter(controller.signal)
    const third = bulkhead.enter(never)
    controller.abort(reason)
    expect(bulkhead.queued).toBe(1)
    await expect(second).rejects.toBe(reason)
    leave!()
    expect(await third).toBeTypeOf('function')
    expect(bulkhead).toMatchObject({ running: 1, queued: 0 })
  })

  it('gives a free place to a waiting call, not to one that comes at that moment', async () => {
    const bulkhead = createBulkhead(1, 1)
    const leave = await bulkhead.enter(never)
    const order: string[] = []
    const entering = ['waiting', 'later'].map(async (name, index) => {
      if (index === 1) leave!()
      await bulkhead.enter(never)
      order.push(name)
    })
    await entering[0]
    await settled()
    expect(order).toEqual(['waiting'])
    expect(bulkhead).toMatchObject({ running: 1, queued: 1 })
  })

  it('does not admit a call that is already aborted', async () => {
    const bulkhead = createBulkhead(1, 1)
    const reason = new Error('enough')
    await expect(bulkhead.enter(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(bulkhead.running).toBe(0)
  })

  it('leaves no listener on a signal', async () => {
    const bulkhead = createBulkhead(1, 5)
    const { signal } = new AbortController()
    let leave = await bulkhead.enter(signal)
    for (let round = 0; round < 100; round++) {
      const next = bulkhead.enter(signal)
      leave!()
      leave = await next
    }
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
