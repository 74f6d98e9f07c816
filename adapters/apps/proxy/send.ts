/** Sends requests to the target. An answer is held whole, or passes through byte for byte, at the pace of the slower side. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
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

/** An answer as received. */
export interface ProxyAnswer {
  readonly status: number
  readonly message: string
  readonly headers: RawHeaders
  readonly bytes: Buffer
}

/** A longer answer is not held in memory. */
const maxBytes = 64 * 1024 * 1024

/** The answer is too long to hold, and can only be streamed. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/** Hands a request to the connections. Their own streams and signals would take half as much time again. */
const dispatch = (
  { pool, pathOf, headersFor }: Target,
  { path, method, headers, body }: SendRequest,
  handler: Dispatcher.DispatchHandler,
): boolean =>
  pool.dispatch(
    {
      path: pathOf(path),
      method: method as Dispatcher.HttpMethod,
      headers: headersFor(headers),
      body,
      // Without this, undici closes the connection after a GET with a body, which is a common form of search.
      reset: false,
    },
    handler,
  )

/** @throws the connection's own error; the signal's reason; AnswerTooLong */
export function sendRequest(target: Target, request: SendRequest, signal: AbortSignal): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let controller: Dispatcher.DispatchController | undefined
    const onAbort = (): void => {
      const reason: unknown = signal.reason
      controller?.abort(reason instanceof Error ? reason : new Error('Request aborted'))
      reject(reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const chunks: Buffer[] = []
    let length = 0
    let head: Omit<ProxyAnswer, 'bytes'>
    dispatch(target, request, {
      onRequestStart(started) {
        controller = started
        if (signal.aborted) onAbort()
      },
      onResponseStart(started, status, _headers, message) {
        head = { status, message: message ?? '', headers: rawHeaders(started) }
      },
      onResponseData(started, chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxBytes) started.abort(new AnswerTooLong(`its answer is longer than ${maxBytes} bytes`))
      },
      onResponseEnd() {
        signal.removeEventListener('abort', onAbort)
        resolve({ ...head, bytes: Buffer.concat(chunks) })
      },
      onResponseError(_started, error) {
        signal.removeEventListener('abort', onAbort)
        reject(error)
      },
    })
  })
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
 * @param more headers to add after those of the target's answer
 */
export function forward(
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  body: Readable | Buffer | null,
  idle: number,
  onError: (error: Error) => void,
  more: RawHeaders = [],
): Promise<void> {
  // undici takes the socket away from a request that it has read.
  const { socket } = request
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    const end = (): void => {
      isOver = true
      response.removeListener('close', onClose)
      resolve()
    }
    const onClose = (): void => {
      if (!isOver) controller?.abort(new Error('The caller is gone'))
      end()
    }
    if (response.destroyed) return resolve()
    response.on('close', onClose)
    response.on('timeout', () => socket.writableLength > 0 && socket.destroy())

    function send(isFirst: boolean): void {
      const { url: path = '/', method = 'GET', rawHeaders: headers } = request
      dispatch(
        target,
        { path, method, headers: forwarded(headers), body },
        {
          onRequestStart(started) {
            controller = started
            if (isOver) started.abort(new Error('The caller is gone'))
          },
          onResponseStart(started, status, _headers, message) {
            if (status < 200) return
            writeHead(response, status, message, [...rawHeaders(started), ...more])
            socket.setTimeout(idle)
          },
          onResponseData(started, chunk) {
            if (response.write(chunk)) return
            started.pause()
            response.once('drain', () => started.resume())
          },
          onResponseEnd() {
            isOver = true
            response.end(end)
          },
          onResponseError(_started, error) {
            if (isOver) return
            if (isFirst && body === null && isSafe(request) && !response.headersSent && isClosed(error))
              return send(false)
            isOver = true
            if (response.headersSent) response.destroy(error)
            else onError(error)
            end()
          },
        },
      )
    }
    send(true)
  })
}

/** Whether a request may be sent twice. */
const isSafe = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Whether an open connection was closed. The target may close an idle connection just as undici reuses it. */
const isClosed = (error: Error): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The headers in their original order and case, which undici keeps. */
function rawHeaders(controller: Dispatcher.DispatchController): string[] {
  const { rawHeaders: raw } = controller as { readonly rawHeaders?: readonly (Buffer | string)[] | null }
  return (raw ?? []).map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}

/** Writes the head of an answer as the target wrote it. */
export function writeHead(
  response: ServerResponse,
  status: number,
  message: string | undefined,
  headers: readonly string[],
): void {
  response.sendDate = false
  // The target answered before it received the whole request. The rest is not read, so the connection cannot be reused.
  if (!response.req.complete) response.shouldKeepAlive = false
  const sent = forwarded(headers)
  // Node rejects a status message with other characters. The proxy then uses Node's default message.
  if (message === undefined || !/^[\t -~]+$/.test(message)) response.writeHead(status, sent)
  else response.writeHead(status, message, sent)
}

/** Whether a request has a body. An empty body does not count. */
export function hasBody({ rawHeaders: headers }: IncomingMessage): boolean {
  const length = headerOf(headers, 'content-length')
  return headerOf(headers, 'transfer-encoding') !== undefined || (length !== undefined && length !== '0')
}
