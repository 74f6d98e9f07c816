/** Discards the rest of a request's body. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../src/runtime/clock.ts'

/** Reads the rest of a body and discards it. Stops at its end, after `bytes` bytes, or after `ms` milliseconds. */
export async function discardBody(
  request: IncomingMessage,
  { clock, bytes, ms }: { readonly clock: Clock; readonly bytes: number; readonly ms: number },
): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(ms, resolve)
    void readAway(request, bytes).then(() => {
      cancel()
      resolve()
    })
  })
}

async function readAway(request: IncomingMessage, maxBytes: number): Promise<void> {
  try {
    const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
    let read = 0
    for await (const chunk of received) {
      read += chunk.length
      if (read > maxBytes) return
    }
  } catch {
    // The client has disconnected.
  }
}
