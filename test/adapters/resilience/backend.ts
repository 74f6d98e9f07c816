/** A scripted backend for the resilience tests, which counts requests in flight. */
import { afterEach, beforeEach, vi } from 'vitest'
import { toError } from '../../../src/errors.ts'

export interface Answer {
  /** Milliseconds until it answers. Default: 0. Infinity: never. */
  readonly ms?: number
  /** The error it fails with. Default: it answers with the number of the request, from 1. */
  readonly error?: unknown
  /** Whether it ignores its signal, as native calls do. */
  readonly deaf?: boolean
}

export interface Backend {
  readonly work: (signal: AbortSignal, timeout: number) => Promise<number>
  /** When each request came, its timeout, and its signal. */
  readonly requests: { readonly at: number; readonly timeout: number; readonly signal: AbortSignal }[]
  readonly running: number
  /** The maximum number of requests at once. */
  readonly max: number
}

/** Answers in this order; the last answer repeats. */
export function backend(...answers: readonly Answer[]): Backend {
  const requests: Backend['requests'] = []
  let running = 0
  let max = 0
  return {
    requests,
    get running() {
      return running
    },
    get max() {
      return max
    },
    async work(signal, timeout) {
      const number = requests.push({ at: performance.now(), timeout, signal })
      const { ms = 0, error, deaf = false } = answers[Math.min(number, answers.length) - 1] ?? {}
      running++
      max = Math.max(max, running)
      try {
        await lasting(ms, deaf ? undefined : signal)
        if (error !== undefined) throw error
        return number
      } finally {
        running--
      }
    },
  }
}

function lasting(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(toError(signal.reason))
    })
  })
}

/** An error response of an HTTP backend, in the form of both official clients. */
export function statusError(statusCode: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`status ${statusCode}`), { statusCode, headers })
}

/** Uses fake timers, also for the library. */
export function fakeTime(): void {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
}

/** The result of a promise and when it settled; `pending` if it has not. */
export interface Settled<T> {
  readonly value?: T
  readonly error?: unknown
  readonly at: number | 'pending'
}

/** Watches a promise; its result can be read at any time. */
export function watch<T>(promise: Promise<T>): { readonly settled: Settled<T> } {
  const start = performance.now()
  const watched: { settled: Settled<T> } = { settled: { at: 'pending' } }
  promise.then(
    (value) => {
      watched.settled = { value, at: performance.now() - start }
    },
    (error: unknown) => {
      watched.settled = { error, at: performance.now() - start }
    },
  )
  return watched
}
