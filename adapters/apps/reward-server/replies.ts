/** The answers that are the server's own, and how any answer is sent. */
import type { ServerResponse } from 'node:http'
import { type ErrorCode, isQuerentError } from '../../../src/errors.ts'
import { type Reply, retryLater } from './protocols/protocol.ts'

/** An answer; with `text` in place of `body` it is not JSON. */
export interface Answer extends Reply {
  readonly text?: { readonly type: string; readonly content: string }
}

/** What is counted where nobody is left to be answered; nginx's number for it. */
export const gone: Answer = { status: 499, body: {} }

/** Whoever comes again later is served. The body has not been read to its end: the connection is not used again. */
export const busy = (why: string): Answer => ({
  status: 503,
  body: { error: why },
  headers: { ...retryLater, connection: 'close' },
})

/** The body has not been read to its end here either. */
export const tooLarge = (most: number): Answer => ({
  status: 413,
  body: { error: `The request is larger than ${most} bytes: send fewer items at a time` },
  headers: { connection: 'close' },
})

export const wrongMethod = (allowed: string): Answer => ({
  status: 405,
  body: { error: `Use ${allowed}` },
  headers: { allow: allowed },
})

export const notFound = (path: string, paths: readonly string[]): Answer => ({
  status: 404,
  body: { error: `There is nothing at ${path}: try ${paths.join(', ')}` },
})

/** `too-deep` is a request with too many searches; `retriever-failed` also, for now, one among too many of others. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  'bad-config': 400,
  'too-deep': 413,
  aborted: 503,
  'retriever-failed': 503,
  deadline: 504,
}

export function failed(error: Error): Answer {
  const status = (isQuerentError(error) ? statuses[error.code] : undefined) ?? 500
  return { status, body: { error: error.message }, ...(status === 503 && { headers: retryLater }) }
}

/**
 * @param last whether the connection is closed with it
 * @param discard reads what is left of the request. The answer ends after that: clients that write all of their body before
 *   they read, as Python's urllib does, get none on a connection that is closed meanwhile.
 */
export function send(
  response: ServerResponse,
  { status, body, text, headers }: Answer,
  last: boolean,
  discard: () => Promise<void>,
): void {
  if (response.destroyed) return
  const { type, content } = text ?? { type: 'application/json', content: JSON.stringify(body) }
  response.writeHead(status, {
    ...headers,
    ...(last && { connection: 'close' }),
    'content-type': type,
    'content-length': Buffer.byteLength(content),
  })
  if (response.req.complete) {
    response.end(content)
    return
  }
  response.write(content)
  void discard().then(() => response.end())
}
