/** The calls over standard input that are not answered yet. A client that has written its last one may close its side at once. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { type Clock, systemClock } from '../../runtime/clock.ts'

/** Milliseconds that calls have after the end of the input. */
const grace = 10_000

/** Requests that are only answered when the connection ends. */
const lasting = 'subscriptions/listen'

export interface McpCalls {
  /** The same input. It ends when the calls in it are answered, or ten seconds later. */
  held(input: Readable): Readable
  /** The same transport. Its calls are counted. */
  counted(transport: Transport): Transport
}

export function mcpCalls(clock: Clock = systemClock): McpCalls {
  const open = new Set<unknown>()
  let onAnswered = (): void => {}

  function close(id: unknown): void {
    open.delete(id)
    if (open.size === 0) onAnswered()
  }

  function heard(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message) {
      if (message.method !== lasting) open.add(message.id)
    } else if (message.method === 'notifications/cancelled') close(message.params?.requestId)
  }

  async function* heldInput(input: Readable): AsyncGenerator<unknown> {
    yield* input
    // A stream may hand on what was read last a little later.
    await setImmediate()
    if (open.size === 0) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(grace, resolve)
      onAnswered = () => {
        cancel()
        resolve()
      }
    })
  }

  return {
    held: (input) => Readable.from(heldInput(input)),
    counted(inner) {
      const transport: Transport = {
        start() {
          inner.onmessage = (message, extra) => {
            heard(message)
            transport.onmessage?.(message, extra)
          }
          inner.onerror = (error) => transport.onerror?.(error)
          inner.onclose = () => transport.onclose?.()
          return inner.start()
        },
        async send(message, options) {
          await inner.send(message, options)
          if ('id' in message && !('method' in message)) close(message.id)
        },
        close: () => inner.close(),
      }
      return transport
    },
  }
}
