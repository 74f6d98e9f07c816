/** How much the proxy takes on at a time, and how long it waits for its callers. */
import type { ServerOptions } from 'node:http'
import { z } from 'zod'
import { count, milliseconds, parseConfig } from '../../../src/config.ts'

export interface LimitOptions {
  /** Requests at a time: more are refused with 503 and `retry-after`. Default: 2048. */
  readonly most?: number | undefined
  /** Milliseconds that requests under way have to end when the proxy is closed. Default: 10,000. */
  readonly grace?: number | undefined
  /**
   * Milliseconds for the head of a request, from the start of its connection or from its first byte: 408 otherwise. Checked
   * every sixtieth of it. Default: 60,000.
   */
  readonly headersTimeout?: number | undefined
  /**
   * Milliseconds in which something must move while the caller is waited for: more of a request's body (408 otherwise), or
   * more of an optimized answer read. What moves may take as long as it likes. Default: 60,000.
   */
  readonly idleTimeout?: number | undefined
}

export type Limits = { readonly [Name in keyof LimitOptions]-?: number }

/** Node's timers take no more than 25 days. */
const timer = z
  .int()
  .positive()
  .max(2 ** 31 - 1)

const schema = z.object({
  most: count.default(2048),
  grace: milliseconds.default(10_000),
  headersTimeout: timer.default(60_000),
  idleTimeout: timer.default(60_000),
})

/** @throws QuerentError `bad-config` that names the wrong option */
export function limitsOf({ most, grace, headersTimeout, idleTimeout }: LimitOptions): Limits {
  return parseConfig(schema, { most, grace, headersTimeout, idleTimeout }, 'proxy')
}

/** The limits that Node's own server keeps. */
export const serverOptions = ({ headersTimeout }: Limits): ServerOptions => ({
  keepAliveTimeout: 75_000,
  // A bulk may take hours to send. Without a time-out of its own the one of the head would be none, either.
  requestTimeout: 0,
  headersTimeout,
  connectionsCheckingInterval: Math.ceil(headersTimeout / 60),
})
