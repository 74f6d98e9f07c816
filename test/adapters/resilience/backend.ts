/** A backend as the resilience tests need it: each request is answered as the test says, and what was under way is counted. */
import { afterEach, beforeEach, vi } from 'vitest'
import { toError } from '../../../src/errors.ts'

export interface Answer {
  /** Milliseconds until it answers. Default: 0. Infinity: never. */
  readonly ms?: number
  /** What it fails with. Default: it answers with the number of the request, from 1. */
  readonly error?: unknown
  /** Whether it goes on when its signal is aborted, as native calls do. */
  readonly deaf?: boolean
}

export interface Backend {
  readonly work: (signal: AbortSignal, timeout: number) => Promise<number>
  /** When each request came, what time it was given, and its signal. */
  readonly requests: { readonly at: number; readonly timeout: number; readonly signal: AbortSignal }[]
  readonly running: number
  /** The most that ran at once. */
  readonly most: number
}

/** Answers in this order, the last one to all that come later. */
export function backend(...answers: readonly Answer[]): Backend {
  const requests: Backend['requests'] = []
  let running = 0
  let most = 0
  return {
    requests,
    get running() {
      return running
    },
    get most() {
      return most
    },
    async work(signal, timeout) {
      const number = requests.push({ at: performance.now(), timeout, signal })
      const { ms = 0, error, deaf = false } = answers[Math.min(number, answers.length) - 1] ?? {}
      running++
      most = Math.max(most, running)
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

/** An answer of an HTTP backend that is none, as both official clients give it. */
export function statusError(statusCode: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`status ${statusCode}`), { statusCode, headers })
}

/** Time is what the test says it is, the library's too. */
export function fakeTime(): void {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
}

/** What a promise came to and when, once time has passed; `pending` if it did not. */
export interface Settled<T> {
  readonly value?: T
  readonly error?: unknown
  readonly at: number | 'pending'
}

/** Watches a promise; what it comes to can be read at any time. */
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
