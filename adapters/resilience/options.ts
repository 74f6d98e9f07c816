/** What a service owner can set, and what is set where nothing is said. Why: `docs/resilience.md`. */
import { z } from 'zod'
import { count, milliseconds } from '../../src/config.ts'

export interface BreakerOptions {
  /** Opens when more than this part of the last attempts failed: between 0 and 1. Default: 0.8. */
  readonly ratio?: number
  /** How many last attempts are looked at; it never opens before there were so many. Default: 20. */
  readonly attempts?: number
  /** Milliseconds that it stays open before one attempt is let through to find out. Default: 5,000. */
  readonly halfOpenAfter?: number
}

export interface ResilienceOptions {
  /** What error messages call the backend. Default: `The backend`. */
  readonly name?: string
  /** Requests in flight at the most, hedges among them. Default: 64. */
  readonly concurrency?: number
  /** Requests waiting for one of those places at the most; 0 is no queue. Default: 256. */
  readonly queue?: number
  /** Milliseconds that one attempt may take. Default: 2,000. */
  readonly timeout?: number
  /** Attempts after the first one, hedges among them: 0 to 100. Default: 2. */
  readonly retries?: number
  /** `false`: never leave the backend alone. Default: the defaults of `BreakerOptions`. */
  readonly breaker?: false | BreakerOptions
  /**
   * Milliseconds after which an attempt that has no answer yet is sent once more, if a place is free and a retry is left;
   * the first answer wins. Default: never.
   */
  readonly hedge?: number
}

/** Node's timers fire at once above this: 25 days. */
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
  hedge: attemptTime.optional(),
})
