/** The options of a service owner, and their defaults. `docs/resilience.md` gives the reasons. */
import { z } from 'zod'
import { count, milliseconds } from '../../src/config.ts'

export interface BreakerOptions {
  /** The breaker opens if more than this fraction of the last attempts failed: between 0 and 1. Default: 0.8. */
  readonly ratio?: number
  /** Number of recent attempts that count. The breaker cannot open before there were this many. Default: 20. */
  readonly attempts?: number
  /** Milliseconds that the breaker stays open before it lets one attempt through as a test. Default: 5000. */
  readonly halfOpenAfter?: number
}

export interface ResilienceOptions {
  /** The backend's name in error messages. Default: `The backend`. */
  readonly name?: string
  /** Maximum number of requests in flight. Default: 64. */
  readonly concurrency?: number
  /** Maximum number of requests waiting for a place. With 0 there is no queue. Default: 256. */
  readonly queue?: number
  /** Milliseconds for one attempt. Default: 2000. */
  readonly timeout?: number
  /** Attempts after the first one, 0 to 100. Default: 2. */
  readonly retries?: number
  /** `false` disables the breaker. Default: the defaults of `BreakerOptions`. */
  readonly breaker?: false | BreakerOptions
}

/** At most 25 days: Node fires longer timers at once. */
const attemptTime = milliseconds.max(2 ** 31 - 1)

const breakerSchema = z.strictObject({
  ratio: z.number().gt(0).lt(1).default(0.8),
  attempts: count.default(20),
  halfOpenAfter: milliseconds.default(5000),
})

export const resilienceSchema = z.strictObject({
  name: z.string().default('The backend'),
  concurrency: count.default(64),
  queue: z.int().nonnegative().default(256),
  timeout: attemptTime.default(2000),
  retries: z.int().nonnegative().max(100).default(2),
  breaker: z.union([z.literal(false), breakerSchema]).prefault({}),
})
