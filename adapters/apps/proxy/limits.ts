/** How many requests the proxy handles at a time, and how long it waits for its callers. */
import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import { z } from 'zod'
import { count, milliseconds, parseConfig } from '../../../src/config.ts'
import { serverTimes } from '../http/client-limits.ts'
import { hasBody } from './send.ts'

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

/** The limits that Node's HTTP server enforces. A bulk request may take hours to send. */
export const serverOptions = ({ headersTimeout }: Limits): ServerOptions => ({
  keepAliveTimeout: 75_000,
  ...serverTimes({ headersTimeout, requestTimeout: 0 }),
})

/**
 * Calls `onStalled` if no part of the body has come for `idle` milliseconds although the proxy was ready to read it. Does not
 * count the time while the caller waits for the engine, or while the engine is slow to read the body.
 */
export function onStalledBody(
  request: IncomingMessage,
  response: ServerResponse,
  idle: number,
  onStalled: () => void,
): void {
  const { socket } = request
  // Without a listener, Node drops any connection whose idle timeout fires, even while its caller waits for the engine.
  response.on('timeout', () => {})
  if (!hasBody(request)) return
  let before: number | undefined
  // Node emits this event until the body is complete. A stall takes two events, each after half the time: if the engine was slow
  // to read the body, the caller may have had no chance to continue before the first.
  request.on('timeout', () => {
    // Node reads until this much of the body waits to be sent to the engine.
    const isRead = request.readableLength < request.readableHighWaterMark
    const isAwaited = isRead && !response.writableEnded
    if (isAwaited && socket.bytesRead === before) return onStalled()
    before = isAwaited ? socket.bytesRead : undefined
    socket.setTimeout(idle / 2)
  })
  socket.setTimeout(idle / 2)
}

/**
 * Closes an answer that waits for an earlier one (pipelining) if their connection closes. Node only closes the answer that it is sending.
 * Otherwise, the others would hold their memory and their connection to the target forever.
 */
export function closeWithConnection(response: ServerResponse): void {
  const { socket } = response.req
  if (response.socket !== null) return
  const close = (): void => {
    // Node is sending it by now.
    if (response.socket !== null) return
    response.destroy()
    response.emit('close')
  }
  setMaxListeners(0, socket)
  socket.on('close', close)
  response.once('close', () => socket.off('close', close))
}
