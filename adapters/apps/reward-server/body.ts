/** Reads request bodies within limits. */
import type { IncomingMessage } from 'node:http'

export interface BodyLimits {
  /** Bytes of one body. */
  readonly body: number
  /** Unanswered requests. */
  readonly requests: number
  /** Bytes of their bodies together. */
  readonly bytes: number
}

/** Unanswered requests, and the bytes of their bodies. */
export interface Queue {
  requests: number
  bytes: number
}

/** Why a body was not read: it is too large (413), the server is overloaded (503), or the client has disconnected. */
export type Unread = 'too-large' | 'busy' | 'gone'

/** The bytes of a body. They count in the queue until `release` is called. */
export interface Body {
  readonly bytes: Buffer
  readonly release: () => void
}

/** Reads a body. Stops as soon as a limit is exceeded, before reading if `content-length` already shows it. */
export async function readBody(
  request: IncomingMessage,
  queue: Queue,
  limits: BodyLimits,
): Promise<Body | Unread> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limits.body) return 'too-large'
  if (queue.bytes + announced > limits.bytes) return 'busy'
  const chunks: Buffer[] = []
  let held = 0
  const release = (): void => {
    queue.bytes -= held
    held = 0
  }
  try {
    // Keep the request open when reading stops early: the answer goes out on the same connection.
    const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
    for await (const chunk of received) {
      held += chunk.length
      queue.bytes += chunk.length
      const unread = held > limits.body ? 'too-large' : queue.bytes > limits.bytes ? 'busy' : undefined
      if (unread !== undefined) {
        release()
        return unread
      }
      chunks.push(chunk)
    }
  } catch {
    release()
    return 'gone'
  }
  return { bytes: Buffer.concat(chunks), release }
}
