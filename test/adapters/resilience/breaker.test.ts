import { describe, expect, it, vi } from 'vitest'
import { createBreaker, noBreaker, type Verdict } from '../../../adapters/resilience/breaker.ts'
import { fakeTime, statusError, watch } from './backend.ts'

const error = statusError(503)
const settings = { ratio: 0.5, attempts: 4, halfOpenAfter: 1000 }
const breakerOf = (more: Partial<typeof settings> = {}) =>
  createBreaker('The cluster', { ...settings, ...more })
type Breaker = ReturnType<typeof breakerOf>

const succeed = (breaker: Breaker) =>
  breaker.run(
    async () => 'answer',
    () => 'answered',
  )
const fail = (breaker: Breaker, verdict: Verdict = 'failed', thrown: unknown = error) =>
  breaker
    .run(
      async () => {
        throw thrown
      },
      () => verdict,
    )
    .catch((caught: unknown) => caught)

async function opened(more: Partial<typeof settings> = {}): Promise<Breaker> {
  const breaker = breakerOf(more)
  for (let attempt = 0; attempt < 4; attempt++) await fail(breaker)
  expect(breaker.state).toBe('open')
  return breaker
}

describe('a breaker', () => {
  fakeTime()

  it('opens when more than its ratio of the last attempts failed, not before', async () => {
    const breaker = breakerOf()
    for (const fails of [true, true, false, false, true, false])
      await (fails ? fail(breaker) : succeed(breaker))
    // Two of the last four: not more than half.
    expect(breaker.state).toBe('closed')
    await fail(breaker)
    expect(breaker.state).toBe('closed')
    await fail(breaker)
    expect(breaker.state).toBe('open')
  })

  it('does not open before the minimum number of attempts', async () => {
    const breaker = breakerOf()
    for (const state of ['closed', 'closed', 'closed', 'open']) {
      await fail(breaker)
      expect(breaker.state).toBe(state)
    }
  })

  it('rethrows errors unchanged, with any verdict', async () => {
    const breaker = breakerOf()
    for (const verdict of ['answered', 'failed', 'unknown'] as const)
      expect(await fail(breaker, verdict)).toBe(error)
  })

  it('counts an error response as success, and ignores attempts without a verdict', async () => {
    const breaker = breakerOf()
    for (let attempt = 0; attempt < 100; attempt++) await fail(breaker, 'unknown')
    for (let attempt = 0; attempt < 3; attempt++) await fail(breaker)
    for (let attempt = 0; attempt < 100; attempt++) await fail(breaker, 'unknown')
    expect(breaker.state).toBe('closed')
    await fail(breaker, 'answered', statusError(400))
    await fail(breaker, 'answered', statusError(400))
    // Two of four failed: the third failure is too many.
    await fail(breaker)
    expect(breaker.state).toBe('closed')
    await fail(breaker)
    await fail(breaker)
    expect(breaker.state).toBe('open')
  })

  it('rejects at once while it is open, says until when, and has the last error as its cause', async () => {
    vi.setSystemTime(new Date('2031-05-04T10:00:00Z'))
    const breaker = await opened()
    await vi.advanceTimersByTimeAsync(400)
    const attempt = vi.fn(async () => 'answer')
    const refused = await breaker.run(attempt, () => 'failed').catch((caught: unknown) => caught)
    expect(attempt).not.toHaveBeenCalled()
    expect(refused).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('2031-05-04T10:00:01.000Z'),
      retryAfter: 600,
    })
    expect((refused as Error).cause).toBe(error)
  })

  it('lets one attempt through after halfOpenAfter, and others only when that has succeeded', async () => {
    const breaker = await opened()
    await vi.advanceTimersByTimeAsync(1000)
    let probes = 0
    const probe = watch(
      breaker.run(
        async () => {
          probes++
          await new Promise((resolve) => setTimeout(resolve, 100))
          return 'back'
        },
        () => 'failed',
      ),
    )
    expect(breaker.state).toBe('half-open')
    expect(await fail(breaker)).toMatchObject({ code: 'unavailable', retryAfter: 1000, cause: error })
    await vi.advanceTimersByTimeAsync(100)
    expect(probe.settled.value).toBe('back')
    expect(probes).toBe(1)
    expect(breaker.state).toBe('closed')
    expect(await succeed(breaker)).toBe('answer')
  })

  it('starts counting from zero when it closes', async () => {
    const breaker = await opened()
    await vi.advanceTimersByTimeAsync(1000)
    await succeed(breaker)
    await fail(breaker)
    await fail(breaker)
    expect(breaker.state).toBe('closed')
  })

  it('opens again for the same time if that attempt fails', async () => {
    const breaker = await opened()
    await vi.advanceTimersByTimeAsync(1000)
    const newer = statusError(502)
    expect(await fail(breaker, 'failed', newer)).toBe(newer)
    expect(breaker.state).toBe('open')
    await vi.advanceTimersByTimeAsync(999)
    expect(await fail(breaker)).toMatchObject({ code: 'unavailable', retryAfter: 1, cause: newer })
    await vi.advanceTimersByTimeAsync(1)
    expect(await succeed(breaker)).toBe('answer')
  })

  it('closes if that attempt is refused, because the backend is up', async () => {
    const breaker = await opened()
    await vi.advanceTimersByTimeAsync(1000)
    const refusal = statusError(400)
    expect(await fail(breaker, 'answered', refusal)).toBe(refusal)
    expect(breaker.state).toBe('closed')
  })

  it('lets another attempt through at once if that one had no verdict', async () => {
    const breaker = await opened()
    await vi.advanceTimersByTimeAsync(1000)
    await fail(breaker, 'unknown')
    expect(breaker.state).toBe('open')
    expect(await succeed(breaker)).toBe('answer')
    expect(breaker.state).toBe('closed')
  })

  it('does not stay open longer because of a late failure', async () => {
    const breaker = breakerOf()
    const late = watch(
      breaker.run(
        () => new Promise((_, reject) => setTimeout(() => reject(error), 900)),
        () => 'failed',
      ),
    )
    for (let attempt = 0; attempt < 4; attempt++) await fail(breaker)
    expect(breaker.state).toBe('open')
    await vi.advanceTimersByTimeAsync(1000)
    expect(late.settled.error).toBe(error)
    expect(await succeed(breaker)).toBe('answer')
  })
})

it('no breaker never opens', async () => {
  for (let attempt = 0; attempt < 100; attempt++) expect(await fail(noBreaker)).toBe(error)
  noBreaker.check()
  expect(noBreaker.state).toBe('closed')
})
