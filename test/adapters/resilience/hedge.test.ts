import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { hedged } from '../../../adapters/resilience/hedge.ts'
import { isWorthRetrying } from '../../../adapters/resilience/retryable.ts'
import { type Answer, backend, fakeTime, statusError, watch } from './backend.ts'

function start(first: Answer, second: Answer | undefined) {
  const server = backend(...(second === undefined ? [first] : [first, second]))
  const controller = new AbortController()
  const send = (signal: AbortSignal) => server.work(signal, 1000)
  const answer = watch(
    hedged(send, {
      ms: 50,
      signal: controller.signal,
      second: () => (second === undefined ? undefined : send),
      isFailure: isWorthRetrying,
    }),
  )
  return { server, controller, answer }
}

describe('a hedged request', () => {
  fakeTime()

  it('is sent once where the first answer is in time', async () => {
    const { server, answer } = start({ ms: 49 }, {})
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled).toEqual({ value: 1, at: 49 })
    expect(server.requests).toHaveLength(1)
  })

  it('is sent a second time where it is not; the first answer wins and the loser is aborted', async () => {
    const { server, answer } = start({ ms: 200 }, { ms: 20 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled).toEqual({ value: 2, at: 70 })
    expect(server.requests.map(({ at }) => at - server.requests[0]!.at)).toEqual([0, 50])
    expect(server.requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(server.running).toBe(0)
  })

  it('takes the first one’s answer where that is first', async () => {
    const { server, answer } = start({ ms: 60 }, { ms: 20 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled).toEqual({ value: 1, at: 60 })
    expect(server.requests.map(({ signal }) => signal.aborted)).toEqual([false, true])
  })

  it('is not sent again where the first one failed before', async () => {
    const error = statusError(503)
    const { server, answer } = start({ ms: 30, error }, {})
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled).toEqual({ error, at: 30 })
    expect(server.requests).toHaveLength(1)
  })

  it('waits for the other one where one has failed', async () => {
    const late = start({ ms: 60, error: statusError(503) }, { ms: 20 })
    const early = start({ ms: 80 }, { ms: 10, error: statusError(503) })
    await vi.advanceTimersByTimeAsync(1000)
    expect(late.answer.settled).toEqual({ value: 2, at: 70 })
    expect(early.answer.settled).toEqual({ value: 1, at: 80 })
  })

  it('takes a refusal for an answer', async () => {
    const error = statusError(400)
    const { server, answer } = start({ ms: 60, error }, { ms: 200 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled).toEqual({ error, at: 60 })
    expect(server.running).toBe(0)
  })

  it('fails with the later error where both fail', async () => {
    const later = statusError(503)
    const { answer } = start({ ms: 60, error: statusError(502) }, { ms: 20, error: later })
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled.at).toBe(70)
    expect(answer.settled.error).toBe(later)
  })

  it('goes on with the first one where there may be no second', async () => {
    const { answer } = start({ ms: 300 }, undefined)
    await vi.advanceTimersByTimeAsync(1000)
    expect(answer.settled).toEqual({ value: 1, at: 300 })
  })

  it('ends with its signal, for its reason, and leaves nothing behind', async () => {
    for (const ms of [10, 60]) {
      const { server, controller, answer } = start({ ms: 500 }, { ms: 500 })
      const reason = new Error('enough')
      await vi.advanceTimersByTimeAsync(ms)
      controller.abort(reason)
      await vi.advanceTimersByTimeAsync(0)
      expect(answer.settled.at).toBe(ms)
      expect(answer.settled.error).toBe(reason)
      expect(server.running).toBe(0)
      expect(vi.getTimerCount()).toBe(0)
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    }
  })

  it('leaves no timer and no listener once it is answered', async () => {
    const { controller } = start({ ms: 60 }, { ms: 20 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
