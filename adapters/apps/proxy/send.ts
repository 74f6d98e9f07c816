/** Sends requests to the target. An answer is held whole, or passes through byte for byte, at the pace of the slower side. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import { toError } from '../../../src/errors.ts'
import { untilAborted } from '../../../src/runtime/deadline.ts'
import type { EngineAnswer } from '../drop-in/answer/engine-answer.ts'
import { forwarded, headerOf, type RawHeaders } from './headers.ts'
import { parseAnswer } from './json.ts'
import { decoded } from './read-body.ts'
import type { Target } from './target.ts'

export interface SendRequest {
  readonly method: string
  /** With its parameters. */
  readonly path: string
  readonly headers: RawHeaders
  readonly body: NonNullable<Dispatcher.DispatchOptions['body']> | null
}

/** The head of an answer as received. */
interface Head {
  readonly status: number
  readonly message: string
  readonly headers: RawHeaders
}

/** An answer as received. */
export interface ProxyAnswer extends Head {
  readonly bytes: Buffer
}

/** A longer answer is not held in memory. */
const maxBytes = 64 * 1024 * 1024

/** The answer is too long to hold, and can only be streamed. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/** @throws the connection's own error; the signal's reason, even while the request waits for a connection */
async function streamed(
  target: Target,
  { path, method, headers, body }: SendRequest,
  signal: AbortSignal,
): Promise<Head & { readonly body: Dispatcher.ResponseData['body'] }> {
  const answer = target.pool.request({
    path: target.pathOf(path),
    method: method as Dispatcher.HttpMethod,
    headers: target.headersFor(headers),
    body,
    signal,
    // Without this, undici closes the connection after a GET with a body, which is a common form of search.
    reset: false,
    // Names and values in their order and case.
    responseHeaders: 'raw',
  })
  const { statusCode, statusText, headers: raw, body: stream } = await untilAborted(answer, signal)
  return { status: statusCode, message: statusText, headers: raw as unknown as RawHeaders, body: stream }
}

/** @throws the connection's own error; the signal's reason; AnswerTooLong */
export async function sendRequest(
  target: Target,
  request: SendRequest,
  signal: AbortSignal,
): Promise<ProxyAnswer> {
  signal.throwIfAborted()
  const { body, ...head } = await streamed(target, request, signal)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) throw new AnswerTooLong(`its answer is longer than ${maxBytes} bytes`)
  }
  return { ...head, bytes: Buffer.concat(chunks) }
}

/** Parses an answer. Its body is `undefined` if it is not JSON. */
export async function readAnswer(answer: ProxyAnswer): Promise<EngineAnswer> {
  const { status, bytes } = answer
  const headers = { 'retry-after': headerOf(answer.headers, 'retry-after') }
  try {
    const text = await decoded(bytes, headerOf(answer.headers, 'content-encoding'), maxBytes)
    return { status, headers, body: parseAnswer(text.toString()), own: answer }
  } catch {
    return { status, headers, body: undefined, own: answer }
  }
}

/** The headers for a request with a new body: the caller's, without those that describe the caller's body. */
export const headersWithout = (headers: RawHeaders): string[] =>
  forwarded(headers, 'content-length', 'content-encoding', 'content-type', 'accept-encoding')

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
