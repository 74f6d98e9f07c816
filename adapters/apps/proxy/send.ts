/** Sends one request to the target, and holds its whole answer. */
import type { Dispatcher } from 'undici'
import type { EngineAnswer } from '../drop-in/answer/engine-answer.ts'
import { rawHeaders } from './forward.ts'
import { forwarded, headerOf, type RawHeaders } from './headers.ts'
import { parseAnswer } from './json.ts'
import { decoded } from './read-body.ts'
import type { Target } from './target.ts'

export interface SendRequest {
  readonly method: string
  /** With its parameters. */
  readonly path: string
  readonly headers: RawHeaders
  readonly body: Buffer | string
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

/** @throws the connection's own error; the signal's reason; AnswerTooLong */
export function sendRequest(
  target: Target,
  { method, path, headers, body }: SendRequest,
  signal: AbortSignal,
): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let controller: Dispatcher.DispatchController | undefined
    const onAbort = (): void => {
      const reason: unknown = signal.reason
      controller?.abort(reason instanceof Error ? reason : new Error('Nobody waits for it any more'))
      reject(reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const chunks: Buffer[] = []
    let length = 0
    let head: Omit<ProxyAnswer, 'bytes'>
    target.pool.dispatch(
      {
        path: target.pathOf(path),
        method: method as Dispatcher.HttpMethod,
        headers: target.headersFor(headers),
        body,
        reset: false,
      },
      {
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
          if (length > maxBytes)
            started.abort(new AnswerTooLong(`its answer is longer than ${maxBytes} bytes`))
        },
        onResponseEnd() {
          signal.removeEventListener('abort', onAbort)
          resolve({ ...head, bytes: Buffer.concat(chunks) })
        },
        onResponseError(_started, error) {
          signal.removeEventListener('abort', onAbort)
          reject(error)
        },
      },
    )
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
