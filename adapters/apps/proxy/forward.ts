/** Passes a request through: streams it to the target and the answer back, byte for byte, at the pace of the slower side. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toError } from '../../../src/errors.ts'
import { forwarded, headerOf, type RawHeaders } from './headers.ts'
import { streamed } from './send.ts'
import type { Target } from './target.ts'

/**
 * Settles when the answer has been written, or when either side has gone. Never rejects. An error before the answer has begun
 * calls `onError`, which answers as a bad gateway. An error after that closes the connection. A GET or HEAD without a body is
 * sent once more if its connection closes before an answer.
 *
 * @param body the body to send; null if the request has none
 * @param idle milliseconds in which the caller must read something of an answer that waits for it. Otherwise its connection is
 *   closed, because the answer holds a connection to the target
 * @param signal aborts if the caller is gone
 * @param more headers to add after those of the target's answer
 */
export async function forward(
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  body: Readable | Buffer | null,
  idle: number,
  onError: (error: Error) => void,
  signal: AbortSignal,
  more: RawHeaders = [],
): Promise<void> {
  if (response.destroyed) return
  // undici takes the socket away from a request that it has read.
  const { url: path = '/', method = 'GET', rawHeaders, socket } = request
  const send = () => streamed(target, { path, method, headers: forwarded(rawHeaders), body }, signal)
  const isRepeatable = body === null && (method === 'GET' || method === 'HEAD')
  try {
    const answer = await send().catch((error: unknown) => {
      if (isRepeatable && isClosed(error) && !signal.aborted) return send()
      throw error
    })
    writeHead(response, answer.status, answer.message, [...answer.headers, ...more])
    response.on('timeout', () => socket.writableLength > 0 && socket.destroy())
    socket.setTimeout(idle)
    await pipeline(answer.body, response)
  } catch (thrown) {
    if (signal.aborted) return
    if (response.headersSent) response.destroy(toError(thrown))
    else onError(toError(thrown))
  }
}

/** Whether an open connection was closed. The target may close an idle connection just as undici reuses it. */
const isClosed = (error: unknown): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Writes the head of an answer as the target wrote it. */
export function writeHead(
  response: ServerResponse,
  status: number,
  message: string,
  headers: readonly string[],
): void {
  response.sendDate = false
  // The target answered before it received the whole request. The rest is not read, so the connection cannot be reused.
  if (!response.req.complete) response.shouldKeepAlive = false
  const sent = forwarded(headers)
  // Node rejects a status message with other characters. The proxy then uses Node's default message.
  if (/^[\t -~]+$/.test(message)) response.writeHead(status, message, sent)
  else response.writeHead(status, sent)
}

/** Whether a request has a body. An empty body does not count. */
export function hasBody({ rawHeaders: headers }: IncomingMessage): boolean {
  const length = headerOf(headers, 'content-length')
  return headerOf(headers, 'transfer-encoding') !== undefined || (length !== undefined && length !== '0')
}
