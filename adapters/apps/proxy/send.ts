/** Sends requests to the target. An answer comes whole, or as a stream. */
import type { Dispatcher } from 'undici'
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
export async function streamed(
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
