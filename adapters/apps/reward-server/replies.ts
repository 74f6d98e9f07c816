/** The server's own answers, and how it sends any answer. */
import type { ServerResponse } from 'node:http'
import { type ErrorCode, isQuerentError } from '../../../src/errors.ts'
import type { Problem } from '../http/problem.ts'
import { type Reply, retryLater } from './protocols/protocol.ts'

/** Counted if the client has disconnected before the answer. 499 is nginx's status for this. */
export const gone: Reply = { status: 499, body: {} }

const refusal = (status: number, error: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  body: { error },
  headers,
})

/** The client may try again later. The body was not read to its end, so the connection is closed. */
export const busy = (why: string): Reply => refusal(503, why, { ...retryLater, connection: 'close' })

/** The connection is closed here, too: the body was not read to its end. */
export const tooLarge = (maxBytes: number): Reply =>
  refusal(413, `The request is larger than ${maxBytes} bytes: send fewer items at a time`, {
    connection: 'close',
  })

export const refused = ({ status, detail, remedy }: Problem): Reply => refusal(status, `${detail}. ${remedy}`)

export const wrongMethod = (allowed: string): Reply => refusal(405, `Use ${allowed}`, { allow: allowed })

export const notFound = (path: string, paths: readonly string[]): Reply =>
  refusal(404, `There is nothing at ${path}: try ${paths.join(', ')}`)

/**
 * `budget-exceeded`: the request has too many searches. `retriever-failed`: a retriever failed, or too many searches of other requests
 * are waiting for now.
 */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  'bad-config': 400,
  'budget-exceeded': 413,
  aborted: 503,
  'retriever-failed': 503,
  deadline: 504,
}

export function failed(error: Error): Reply {
  const status = (isQuerentError(error) ? statuses[error.code] : undefined) ?? 500
  return refusal(status, error.message, status === 503 ? retryLater : {})
}

/**
 * @param last whether the connection is closed after the answer
 * @param discard reads the rest of the request. The answer ends only after that: clients that write their whole body before
 *   they read, such as Python's urllib, get no answer if the connection closes before.
 */
export function send(
  response: ServerResponse,
  { status, body, text, headers }: Reply,
  last: boolean,
  discard: () => Promise<void>,
): void {
  if (response.destroyed) return
  const { type, content } = text ?? { type: 'application/json', content: JSON.stringify(body) }
  response.writeHead(status, {
    ...headers,
    ...(last && { connection: 'close' }),
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(content),
  })
  if (response.req.complete) {
    response.end(content)
    return
  }
  response.write(content)
  void discard().then(() => response.end())
}
