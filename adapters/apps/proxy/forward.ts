/** A request that is none of ours: streamed to the target and back, byte for byte, as fast as the slower side reads. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { forwarded, headerOf, type RawHeaders } from './headers.ts'
import type { Target } from './target.ts'

/**
 * Settles when the answer has been written, or when either side is gone. It never rejects: what goes wrong before an answer
 * has begun is answered as a bad gateway by `onError`; after that the connection is all that can be cut. A GET or HEAD
 * without a body is sent once more where its connection ends before an answer.
 *
 * @param body what is sent; null where the request has none
 * @param more headers of the answer, behind the target's
 */
export function forward(
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  body: Readable | Buffer | null,
  onError: (error: Error) => void,
  more: RawHeaders = [],
): Promise<void> {
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
    response.on('close', onClose)

    function send(isFirst: boolean): void {
      target.pool.dispatch(
        {
          path: target.pathOf(request.url ?? '/'),
          method: request.method as Dispatcher.HttpMethod,
          headers: target.headersFor(forwarded(request.rawHeaders)),
          body,
          // A search is often a GET with a body, after which a connection is as good as before.
          reset: false,
        },
        {
          onRequestStart(started) {
            controller = started
            if (isOver) started.abort(new Error('The caller is gone'))
          },
          onResponseStart(started, status, _headers, message) {
            if (status < 200) return
            writeHead(response, status, message, [...rawHeaders(started), ...more])
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

/** Whether a connection ended that stood: a kept one may do so just when it is used again. */
const isClosed = (error: Error): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Writes the head of an answer as the target wrote it. */
export function writeHead(
  response: ServerResponse,
  status: number,
  message: string | undefined,
  headers: readonly string[],
): void {
  response.sendDate = false
  // The target did not wait for all of the request: nobody reads the rest, and nothing else can come behind it.
  if (!response.req.complete) response.shouldKeepAlive = false
  const sent = forwarded(headers)
  // Node writes no phrase with other signs in it, and nobody reads it: then it is the usual one.
  if (message === undefined || !/^[\t -~]+$/.test(message)) response.writeHead(status, sent)
  else response.writeHead(status, message, sent)
}

/** undici keeps them, in their order and case. */
export function rawHeaders(controller: Dispatcher.DispatchController): string[] {
  const { rawHeaders: raw } = controller as { readonly rawHeaders?: readonly (Buffer | string)[] | null }
  return (raw ?? []).map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}

/** Whether a request has a body: an empty one is none. */
export function hasBody({ rawHeaders: headers }: IncomingMessage): boolean {
  const length = headerOf(headers, 'content-length')
  return headerOf(headers, 'transfer-encoding') !== undefined || (length !== undefined && length !== '0')
}
