/** Properties that hold for any backend, callers and options. */
import { getEventListeners, setMaxListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ResilienceOptions } from '../../../adapters/resilience/options.ts'
import { createResilience } from '../../../adapters/resilience/resilience.ts'
import { toError } from '../../../src/errors.ts'
import { fuzzRuns } from '../../support/fuzz-runs.ts'
import { type Answer, type Backend, backend, fakeTime, type Settled, statusError, watch } from './backend.ts'

const options: fc.Arbitrary<ResilienceOptions> = fc.record(
  {
    concurrency: fc.integer({ min: 1, max: 4 }),
    queue: fc.integer({ min: 0, max: 4 }),
    timeout: fc.integer({ min: 1, max: 400 }),
    retries: fc.integer({ min: 0, max: 4 }),
    breaker: fc.oneof(
      fc.constant<false>(false),
      fc.record({
        ratio: fc.constantFrom(0.2, 0.5, 0.9),
        attempts: fc.integer({ min: 1, max: 6 }),
        halfOpenAfter: fc.integer({ min: 1, max: 500 }),
      }),
    ),
  },
  { requiredKeys: ['concurrency', 'queue', 'timeout', 'retries'] },
)

const answer: fc.Arbitrary<Answer> = fc
  .record({
    ms: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 2000 })),
    status: fc.constantFrom(undefined, undefined, 400, 429, 500, 503),
    retryAfter: fc.constantFrom(undefined, '0', '1', '60'),
    deaf: fc.boolean(),
  })
  .map(({ ms, status, retryAfter, deaf }) => ({
    ms,
    deaf,
    ...(status && {
      error: statusError(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    }),
  }))

interface Caller {
  readonly at: number
  readonly timeout: number
  /** When it aborts, after its start. */
  readonly aborts: number | undefined
  readonly answers: readonly Answer[]
}

const caller: fc.Arbitrary<Caller> = fc.record({
  at: fc.integer({ min: 0, max: 1000 }),
  timeout: fc.integer({ min: 1, max: 3000 }),
  aborts: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined, freq: 4 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 5 }),
})

interface Course extends Caller {
  readonly server: Backend
  readonly settled: Settled<number>
  readonly reason: Error
  /** By the clock. */
  readonly start: number
}

const code = (error: unknown): unknown => (error as { readonly code?: unknown }).code

describe('in any case', () => {
  fakeTime()

  it("limits, attempts and deadlines are kept, errors are the backend's, and nothing is left behind", async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(caller, { maxLength: 12 }), async (options, callers) => {
        const resilience = createResilience(options)
        const { signal } = new AbortController()
        setMaxListeners(0, signal)
        let maxRunning = 0
        let maxQueued = 0
        let uncounted = 0
        const begun: (() => Course)[] = []

        const begin = (caller: Caller): void => {
          const server = backend(...caller.answers)
          const controller = new AbortController()
          const reason = new Error('enough')
          const start = performance.now()
          if (caller.aborts !== undefined) setTimeout(() => controller.abort(reason), caller.aborts)
          const work: Backend['work'] = (signal, timeout) => {
            const answer = server.work(signal, timeout)
            const running = begun.reduce((sum, course) => sum + course().server.running, 0)
            maxRunning = Math.max(maxRunning, running)
            maxQueued = Math.max(maxQueued, resilience.state.queued)
            uncounted = Math.max(uncounted, running - resilience.state.running)
            return answer
          }
          let watched: { readonly settled: Settled<number> } = { settled: { at: 'pending' } }
          begun.push(() => ({ ...caller, server, reason, start, settled: watched.settled }))
          watched = watch(
            resilience.run(work, { signal: controller.signal, timeout: caller.timeout }).finally(() => {
              expect(getEventListeners(controller.signal, 'abort')).toEqual([])
            }),
          )
        }

        for (const caller of callers) setTimeout(() => begin(caller), caller.at)
        await vi.runAllTimersAsync()

        expect(maxRunning).toBeLessThanOrEqual(options.concurrency!)
        expect(uncounted).toBe(0)
        expect(maxQueued).toBeLessThanOrEqual(options.queue!)
        expect(resilience.state).toMatchObject({ running: 0, queued: 0 })
        expect(vi.getTimerCount()).toBe(0)
        expect(begun).toHaveLength(callers.length)
        for (const course of begun) check(course(), options)
      }),
      { numRuns: Math.min(0.3 * fuzzRuns, 3000) },
    )
  }, 600_000)
})

function check(course: Course, { retries, timeout }: ResilienceOptions): void {
  const { server, settled, start, aborts, reason, answers } = course
  expect(server.requests.length).toBeLessThanOrEqual(retries! + 1)
  expect(settled.at).not.toBe('pending')
  // Not after the deadline, nor after the caller aborted.
  const end = Math.min(course.timeout, aborts ?? Number.POSITIVE_INFINITY)
  expect(settled.at).toBeLessThanOrEqual(end + 0.001)
  for (const request of server.requests) {
    expect(request.at - start).toBeLessThanOrEqual(end)
    expect(request.timeout).toBeLessThanOrEqual(
      Math.min(timeout!, course.timeout - (request.at - start)) + 0.001,
    )
  }
  if (!('error' in settled)) {
    expect(settled.value).toBeLessThanOrEqual(server.requests.length)
    return
  }
  const { error } = settled
  const own: readonly unknown[] = [reason, ...answers.map(({ error }) => error)]
  if (!own.includes(error)) expect(['deadline', 'overloaded', 'unavailable']).toContain(code(error))
  if (['overloaded', 'unavailable'].includes(String(code(error)))) {
    expect(server.requests).toEqual([])
    expect((toError(error) as { retryAfter?: number }).retryAfter).toBeGreaterThan(0)
  }
}
