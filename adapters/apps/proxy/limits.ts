/** How many requests the proxy handles at a time, and how long it waits for its callers. */
import type { ServerOptions } from 'node:http'
import { z } from 'zod'
import { count, milliseconds, parseConfig } from '../../../src/config.ts'

export interface LimitOptions {
  /** Maximum number of requests in flight. The proxy refuses more with 503 and `retry-after`. Default: 2048. */
  readonly most?: number | undefined
  /** Milliseconds that requests in flight have to end when the proxy is closed. Default: 10,000. */
  readonly grace?: number | undefined
  /**
   * Milliseconds for the head of a request, from the start of its connection or from its first byte. A slower one gets a 408.
   * Checked every sixtieth of this time. Default: 60,000.
   */
  readonly headersTimeout?: number | undefined
  /**
   * Maximum idle time in milliseconds while the proxy waits for the caller: for more of a request's body (408 after that), or for
   * the caller to read more of an answer. A transfer that makes progress may take any time. Default: 60,000.
   */
  readonly idleTimeout?: number | undefined
}

export type Limits = { readonly [Name in keyof LimitOptions]-?: number }

/** Node's timers take at most 25 days. */
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

/** The limits that Node's HTTP server enforces. */
export const serverOptions = ({ headersTimeout }: Limits): ServerOptions => ({
  keepAliveTimeout: 75_000,
  // A bulk request may take hours to send. With 0 here, Node's default for `headersTimeout` would be 0 too.
  requestTimeout: 0,
  headersTimeout,
  connectionsCheckingInterval: Math.ceil(headersTimeout / 60),
})
