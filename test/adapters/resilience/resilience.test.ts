import { getEventListeners, setMaxListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { ResilienceOptions } from '../../../adapters/resilience/options.ts'
import { createResilience, type RunOptions } from '../../../adapters/resilience/resilience.ts'
import { QuerentError } from '../../../src/errors.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openDeadline } from '../../../src/runtime/deadline.ts'
import { anError, expectError } from '../../support/expect-error.ts'
import { type Answer, backend, fakeTime, statusError, watch } from './backend.ts'

/** One run at a backend with these answers, until nothing more happens. */
async function run(
  answers: readonly Answer[],
  options: ResilienceOptions = {},
  runOptions: RunOptions<number> = {},
) {
  const server = backend(...answers)
  const resilience = createResilience(options)
  const start = performance.now()
  const { settled } = await whole(resilience.run(server.work, runOptions))
  const requests = server.requests.map(({ at, timeout }) => ({ at: at - start, timeout }))
  expect(vi.getTimerCount()).toBe(0)
  expect(resilience.state).toMatchObject({ running: 0, queued: 0 })
  return { ...settled, requests, state: resilience.state }
}

async function whole<T>(promise: Promise<T>) {
  const watched = watch(promise)
  await vi.runAllTimersAsync()
  return watched
}

const unavailable = statusError(503)

describe('an attempt', () => {
  fakeTime()

  it('that succeeds is the only one', async () => {
    const { value, at, requests, state } = await run([{ ms: 30 }])
    expect({ value, at }).toEqual({ value: 1, at: 30 })
    expect(requests).toEqual([{ at: 0, timeout: 2000 }])
    expect(state).toEqual({ running: 0, queued: 0, breaker: 'closed', retries: 0, shed: 0 })
  })

  it('that fails is repeated after a wait, each time', async () => {
    const { value, requests, state } = await run([{ error: unavailable }, { error: unavailable }, {}])
    expect(value).toBe(3)
    expect(state.retries).toBe(2)
    expect(requests[1]!.at).toBeLessThanOrEqual(140)
    expect(requests[2]!.at - requests[1]!.at).toBeLessThanOrEqual(260)
  })

  it("is repeated up to the limit; the run rejects with the backend's last error", async () => {
    const last = statusError(502)
    const { error, requests } = await run([{ error: unavailable }, { error: unavailable }, { error: last }])
    expect(error).toBe(last)
    expect(requests).toHaveLength(3)
    expect((await run([{ error: last }], { retries: 0 })).requests).toHaveLength(1)
    expect((await run([{ error: last }], { retries: 7, breaker: false })).requests).toHaveLength(8)
  })

  it('is preceded by a wait of at most a second, even after many retries', async () => {
    const { requests } = await run([{ error: unavailable }], { retries: 40, timeout: 60_000, breaker: false })
    const waits = requests.slice(1).map(({ at }, index) => at - requests[index]!.at)
    expect(waits).toHaveLength(40)
    expect(Math.max(...waits)).toBeLessThanOrEqual(1001)
    expect(waits.slice(10).every((wait) => wait > 500)).toBe(true)
  })

  it('that the backend refused is not repeated, and does not count against the backend', async () => {
    const refusal = statusError(400)
    const { error, requests } = await run([{ error: refusal }])
    expect(error).toBe(refusal)
    expect(requests).toHaveLength(1)
    const resilience = createResilience()
    for (let time = 0; time < 50; time++) {
      await whole(resilience.run(backend({ error: statusError(404) }).work))
    }
    expect(resilience.state.breaker).toBe('closed')
  })

  it('that throws synchronously is treated like a rejection', async () => {
    const refusal = statusError(400)
    const resilience = createResilience()
    const thrower = () => {
      throw refusal
    }
    await expect(resilience.run(thrower)).rejects.toBe(refusal)
    expect(resilience.state.running).toBe(0)
  })

  it('that takes too long is aborted and repeated', async () => {
    const { value, requests } = await run([{ ms: 500 }, {}], { timeout: 100 })
    expect(value).toBe(2)
    expect(requests[1]!.at).toBeGreaterThanOrEqual(100)
  })

  it('that never ends is a deadline error, unless the backend gave an error of its own', async () => {
    const never = { ms: Number.POSITIVE_INFINITY }
    const { error } = await run([never], { timeout: 100, name: 'The cluster' })
    expect(error).toEqual(anError('deadline', /100 ms/))
    expect((await run([{ error: unavailable }, never], { timeout: 100 })).error).toBe(unavailable)
    expect((await run([never, { error: unavailable }], { timeout: 100 })).error).toBe(unavailable)
  })

  it.each([
    ['a timeout of its own', undefined],
    ['only the deadline of the run', 1000],
  ])('is not aborted after it succeeded, because an answer may be a stream: with %s', async (_, timeout) => {
    const { signal } = new AbortController()
    const server = backend({})
    await whole(createResilience().run(server.work, { signal, ...(timeout && { timeout }) }))
    expect(server.requests.map((request) => request.signal.aborted)).toEqual([false])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('the deadline', () => {
  fakeTime()

  it("of a timed signal needs no timer of its own, and rejects with the signal's reason", async () => {
    const deadline = openDeadline(systemClock, { ms: 700, what: 'The search' })
    const server = backend({ ms: 5000 })
    const options = { signal: deadline.signal, timeout: 700, isTimed: true }
    const watched = watch(createResilience().run(server.work, options))
    await vi.advanceTimersByTimeAsync(0)
    // The deadline's and the backend's.
    expect(vi.getTimerCount()).toBe(2)
    await vi.runAllTimersAsync()
    expect(watched.settled).toMatchObject({ at: 700, error: { what: 'The search took longer than 700 ms' } })
    expect(server.requests[0]!.signal).toBe(deadline.signal)
  })

  it('of a timed signal also leaves time to return an incomplete answer', async () => {
    const { signal } = openDeadline(systemClock, { ms: 700, what: 'The search' })
    const server = backend({ ms: 10 }, { ms: 5000 })
    const options = { signal, timeout: 700, isTimed: true, errorIn: () => unavailable }
    const { settled } = await whole(createResilience().run(server.work, options))
    expect(settled).toEqual({ value: 1, at: 665 })
  })

  it('ends the run even if the backend does not answer', async () => {
    const { error, at, requests } = await run([{ ms: 5000 }], {}, { timeout: 700 })
    expect(error).toMatchObject({ code: 'deadline' })
    expect(at).toBe(700)
    expect(requests).toEqual([{ at: 0, timeout: 700 }])
  })

  it('is the time of all attempts by default', async () => {
    expect((await run([{ ms: 5000 }], { timeout: 100, retries: 0 })).at).toBe(100)
    const { at, requests } = await run([{ ms: 5000 }], { timeout: 1000, retries: 2 })
    expect(at).toBeLessThanOrEqual(3000)
    expect(requests).toHaveLength(3)
  })

  it('prevents a wait that would end after it: the run rejects at once', async () => {
    // The first wait is 89.7 ms.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const answers = [{ ms: 95, error: unavailable }, { ms: 1 }]
    const late = await run(answers, {}, { timeout: 184 })
    expect(late.error).toBe(unavailable)
    expect(late.at).toBe(95)
    expect((await run(answers, {}, { timeout: 190 })).value).toBe(2)
    random.mockRestore()
  })

  it('limits the timeout of each attempt', async () => {
    const { requests } = await run([{ ms: 300, error: unavailable }, {}], {}, { timeout: 900 })
    expect(requests[0]!.timeout).toBe(900)
    expect(requests[1]!.timeout).toBeCloseTo(900 - requests[1]!.at, 6)
  })

  it('that has passed sends nothing at all', async () => {
    for (const timeout of [0, -1, Number.NaN]) {
      const { error, requests } = await run([{}], {}, { timeout })
      expect(error).toMatchObject({ code: 'deadline' })
      expect(requests).toEqual([])
    }
  })

  it('can be infinite', async () => {
    expect((await run([{ ms: 1500 }], {}, { timeout: Number.POSITIVE_INFINITY })).value).toBe(1)
  })
})

describe('retry-after', () => {
  fakeTime()

  it('is added to the wait if it fits the deadline', async () => {
    const error = statusError(429, { 'retry-after': '1' })
    const { value, requests } = await run([{ error }, {}], {}, { timeout: 1500 })
    expect(value).toBe(2)
    expect(requests[1]!.at).toBeGreaterThanOrEqual(1000)
    expect(requests[1]!.at).toBeLessThanOrEqual(1140)
  })

  it('makes the run reject at once if it does not fit', async () => {
    const error = statusError(429, { 'retry-after': '2' })
    const given = await run([{ error }, {}], {}, { timeout: 1500 })
    expect(given.error).toBe(error)
    expect(given.at).toBe(0)
  })

  it('of more than 30 seconds makes the run reject, even without a deadline', async () => {
    const timeout = Number.POSITIVE_INFINITY
    const soon = statusError(503, { 'retry-after': '29' })
    expect((await run([{ error: soon }, {}], {}, { timeout })).value).toBe(2)
    const late = statusError(503, { 'retry-after': '30' })
    expect(await run([{ error: late }, {}], {}, { timeout })).toMatchObject({ error: late, at: 0 })
  })

  it('of more than the caller of the run lets it wait makes the run reject', async () => {
    const within = { timeout: Number.POSITIVE_INFINITY, maxRetryAfter: 1000 }
    const soon = statusError(503, { 'retry-after': '1' })
    expect((await run([{ error: soon }, {}], {}, within)).value).toBe(2)
    const late = statusError(503, { 'retry-after': '2' })
    expect(await run([{ error: late }, {}], {}, within)).toMatchObject({ error: late, at: 0 })
  })
})

describe('an overloaded backend', () => {
  fakeTime()

  it('makes calls wait in the queue, within their deadline', async () => {
    const resilience = createResilience({ concurrency: 1, queue: 2 })
    const server = backend({ ms: 100 })
    const runs = [500, 500, 150].map((timeout) => watch(resilience.run(server.work, { timeout })))
    await vi.advanceTimersByTimeAsync(0)
    expect(resilience.state).toMatchObject({ running: 1, queued: 2 })
    await vi.runAllTimersAsync()
    expect(runs.map(({ settled }) => settled.at)).toEqual([100, 200, 150])
    expect(server.max).toBe(1)
    expect(runs[2]!.settled.error).toEqual(anError('overloaded', /\b1 request/))
  })

  it('rejects calls at once if the queue is full, with the time to retry after', async () => {
    const resilience = createResilience({ concurrency: 2, queue: 1, name: 'The cluster' })
    const server = backend({ ms: 100 })
    const runs = [1, 2, 3, 4, 5].map(() => watch(resilience.run(server.work)))
    await vi.advanceTimersByTimeAsync(0)
    expect(runs.slice(3).map(({ settled }) => settled.error)).toMatchObject([
      {
        code: 'overloaded',
        retryAfter: 1000,
        what: 'The cluster has 2 requests in flight, and 1 more are waiting',
      },
      { code: 'overloaded' },
    ])
    await vi.runAllTimersAsync()
    expect(runs.slice(0, 3).map(({ settled }) => settled.value)).toEqual([1, 2, 3])
    expect(resilience.state).toEqual({
      running: 0,
      queued: 0,
      breaker: 'closed',
      retries: 0,
      shed: 2,
    })
  })

  it('gets a free place while a call waits to retry', async () => {
    const resilience = createResilience({ concurrency: 1, queue: 0 })
    const first = watch(resilience.run(backend({ error: unavailable }, {}).work))
    await vi.advanceTimersByTimeAsync(0)
    expect(resilience.state.running).toBe(0)
    expect((await whole(resilience.run(backend({}).work))).settled.value).toBe(1)
    expect(first.settled.value).toBe(2)
  })

  it("makes a retry without a place reject with the backend's own error", async () => {
    const resilience = createResilience({ concurrency: 1, queue: 0 })
    const first = watch(resilience.run(backend({ error: unavailable }).work))
    await vi.advanceTimersByTimeAsync(0)
    void resilience.run(backend({ ms: 1000 }).work)
    await vi.runAllTimersAsync()
    expect(first.settled.error).toBe(unavailable)
  })

  it('keeps the place of work that ignores its signal until it ends', async () => {
    const resilience = createResilience({ concurrency: 1, queue: 0, retries: 0, timeout: 100 })
    const deaf = watch(resilience.run(backend({ ms: 250, deaf: true }).work))
    await vi.advanceTimersByTimeAsync(100)
    expect(deaf.settled.error).toMatchObject({ code: 'deadline' })
    expect(resilience.state.running).toBe(1)
    await expectError(resilience.run(backend({}).work), 'overloaded')
    await vi.advanceTimersByTimeAsync(150)
    expect(resilience.state.running).toBe(0)
  })
})

describe('the breaker', () => {
  fakeTime()
  const breaker = { ratio: 0.5, attempts: 4, halfOpenAfter: 1000 }

  it("counts every attempt, and ends the retries with the backend's own error", async () => {
    const { error, requests, state } = await run([{ error: unavailable }], { retries: 9, breaker })
    expect(error).toBe(unavailable)
    expect(requests).toHaveLength(4)
    expect(state.breaker).toBe('open')
  })

  it('rejects new runs at once, before the queue, until it lets one attempt through', async () => {
    const resilience = createResilience({ retries: 3, breaker, concurrency: 1, queue: 1 })
    await whole(resilience.run(backend({ error: unavailable }).work))
    const server = backend({ ms: 50 })
    const refused = await whole(resilience.run(server.work))
    expect(refused.settled).toMatchObject({ at: 0, error: { code: 'unavailable', cause: unavailable } })
    await vi.advanceTimersByTimeAsync(1000)
    const runs = [1, 2, 3].map(() => watch(resilience.run(server.work)))
    await vi.advanceTimersByTimeAsync(0)
    expect(resilience.state.breaker).toBe('half-open')
    await vi.runAllTimersAsync()
    expect(runs.map(({ settled }) => settled.value)).toEqual([1, undefined, undefined])
    expect(server.requests).toHaveLength(1)
    expect(resilience.state.breaker).toBe('closed')
  })

  it("counts timeouts, and the caller's deadline if the attempt had half of its time", async () => {
    const hang = () => backend({ ms: Number.POSITIVE_INFINITY }).work
    for (const [timeout, state] of [
      [1000, 'open'],
      [500, 'open'],
      [499, 'closed'],
    ] as const) {
      const resilience = createResilience({ timeout: 1000, breaker })
      for (let time = 0; time < 4; time++) await whole(resilience.run(hang(), { timeout }))
      expect(resilience.state.breaker).toBe(state)
    }
  })

  it("counts a deadline of the caller's signal in the same way", async () => {
    const resilience = createResilience({ timeout: 1000, breaker })
    for (let time = 0; time < 4; time++) {
      const controller = new AbortController()
      const deadline = new QuerentError('deadline', 'Too late')
      setTimeout(() => controller.abort(deadline), 800)
      const { settled } = await whole(
        resilience.run(backend({ ms: Number.POSITIVE_INFINITY }).work, { signal: controller.signal }),
      )
      expect(settled.error).toBe(deadline)
    }
    expect(resilience.state.breaker).toBe('open')
  })

  it('does not count attempts that the caller aborted', async () => {
    const resilience = createResilience({ breaker })
    for (let time = 0; time < 20; time++) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 1900)
      await whole(
        resilience.run(backend({ ms: Number.POSITIVE_INFINITY }).work, { signal: controller.signal }),
      )
    }
    expect(resilience.state.breaker).toBe('closed')
  })

  it('can be disabled', async () => {
    const resilience = createResilience({ breaker: false })
    for (let time = 0; time < 50; time++) await whole(resilience.run(backend({ error: unavailable }).work))
    expect((await whole(resilience.run(backend({}).work))).settled.value).toBe(1)
    expect(resilience.state.breaker).toBe('closed')
  })
})

describe('an incomplete answer', () => {
  fakeTime()
  const errorIn = (answer: number) => (answer < 3 ? unavailable : undefined)

  it('is requested again until it is complete', async () => {
    const { value, state } = await run([{}], {}, { errorIn })
    expect(value).toBe(3)
    expect(state).toMatchObject({ retries: 2, breaker: 'closed' })
  })

  it('is returned if no attempt gives a complete one', async () => {
    expect((await run([{}], { retries: 1 }, { errorIn })).value).toBe(2)
    expect((await run([{}, { error: unavailable }], {}, { errorIn })).value).toBe(1)
    expect((await run([{}, { error: statusError(400) }], {}, { errorIn })).value).toBe(1)
  })

  it('is returned shortly before the deadline, when the caller still waits', async () => {
    const hang = { ms: Number.POSITIVE_INFINITY }
    const { value, at } = await run([{ ms: 100 }, hang], {}, { errorIn, timeout: 2000 })
    expect(value).toBe(1)
    expect(at).toBe(1900)
    expect((await run([{}, hang], {}, { errorIn, timeout: 500 })).at).toBe(475)
  })

  it('does not count against the backend', async () => {
    const resilience = createResilience({ breaker: { ratio: 0.1, attempts: 2 } })
    for (let time = 0; time < 20; time++) {
      await whole(resilience.run(backend({}).work, { errorIn: () => unavailable }))
    }
    expect(resilience.state.breaker).toBe('closed')
  })
})

describe('a caller that aborts', () => {
  fakeTime()
  const reason = new Error('enough')

  it('before the run sends nothing', async () => {
    const given = await run([{}], {}, { signal: AbortSignal.abort(reason) })
    expect(given.error).toBe(reason)
    expect(given.requests).toEqual([])
  })

  it.each([
    ['during an attempt', 50],
    ['during a wait', 101],
  ])('%s ends the run at once and for good', async (_, ms) => {
    const controller = new AbortController()
    const resilience = createResilience({ timeout: 5000 })
    const server = backend({ ms: 100, error: statusError(503, { 'retry-after': '1' }) })
    const watched = watch(resilience.run(server.work, { signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(ms)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(0)
    expect(watched.settled.at).toBe(ms)
    expect(watched.settled.error).toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(resilience.state).toMatchObject({ running: 0, queued: 0, retries: 0 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.requests).toHaveLength(1)
  })

  it('in the queue leaves it at once, and the calls behind it move up', async () => {
    const controller = new AbortController()
    const resilience = createResilience({ concurrency: 1, queue: 2 })
    const server = backend({ ms: 100 })
    void resilience.run(server.work)
    const second = watch(resilience.run(server.work, { signal: controller.signal }))
    const third = watch(resilience.run(server.work))
    await vi.advanceTimersByTimeAsync(10)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(0)
    expect(second.settled).toEqual({ error: reason, at: 10 })
    expect(resilience.state.queued).toBe(1)
    await vi.runAllTimersAsync()
    expect(third.settled).toEqual({ value: 2, at: 200 })
  })

  it('with a reason that is not an Error gets it as one', async () => {
    const { error } = await run([{}], {}, { signal: AbortSignal.abort('enough') })
    expect(error).toMatchObject({ message: 'enough' })
  })

  it('leaves no listener behind in hundreds of runs, however they ended', async () => {
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    const resilience = createResilience({ concurrency: 60, queue: 30, timeout: 20, breaker: false })
    const answers = Array.from({ length: 1200 }, (_, index): Answer => {
      const error = [undefined, unavailable, statusError(400)][index % 3]
      return { ms: 1 + (index % 30), ...(error && { error }) }
    })
    const server = backend(...answers)
    const ends: unknown[] = []
    for (let round = 0; round < 8; round++) {
      const runs = Array.from({ length: round % 2 === 0 ? 50 : 100 }, () =>
        watch(resilience.run(server.work, { signal })),
      )
      await vi.advanceTimersByTimeAsync(0)
      // One listener a run: that of its deadline.
      expect(getEventListeners(signal, 'abort')).toHaveLength(Math.min(runs.length, 90))
      await vi.runAllTimersAsync()
      expect(getEventListeners(signal, 'abort')).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
      ends.push(...runs.map(({ settled }) => settled.at))
    }
    expect(ends).toHaveLength(600)
    expect(ends).not.toContain('pending')
    const { running, queued, ...counts } = resilience.state
    expect({ running, queued }).toEqual({ running: 0, queued: 0 })
    expect(Math.min(counts.retries, counts.shed)).toBeGreaterThan(0)
  })
})

it.each([
  [{ concurrency: 0 }, 'concurrency'],
  [{ concurrency: 1.5 }, 'concurrency'],
  [{ queue: -1 }, 'queue'],
  [{ queue: Number.POSITIVE_INFINITY }, 'queue'],
  [{ timeout: 0 }, 'timeout'],
  [{ timeout: 2 ** 31 }, 'timeout'],
  [{ retries: 101 }, 'retries'],
  [{ breaker: true }, 'breaker'],
  [{ breaker: { ratio: 1 } }, 'breaker'],
  [{ hedge: 50 }, 'hedge'],
])('rejects %j, naming the option', (options, name) => {
  const make = () => createResilience(options as ResilienceOptions)
  expectError(make, 'bad-config', name)
})
