/** The answers that are the server's own, and how any answer is sent. */
import type { ServerResponse } from 'node:http'
import { isQuerentError } from '../../errors.ts'
import type { Reply } from './protocols/protocol.ts'

/** An answer; with `text` in place of `body` it is not JSON. */
export interface Answer extends Reply {
  readonly text?: { readonly type: string; readonly content: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** What is counted where nobody is left to be answered; nginx's number for it. */
export const gone: Answer = { status: 499, body: {} }

/** Whoever comes again later is served. The body is not waited for, so that the connection cannot be used again. */
export const busy = (why: string): Answer => ({
  status: 503,
  body: { error: why },
  headers: { 'retry-after': '1', connection: 'close' },
})

/** The rest of the body is not waited for. */
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

export function failed(error: Error): Answer {
  return { status: statusOf(error), body: { error: error.message } }
}

function statusOf(error: Error): number {
  if (isQuerentError(error, 'bad-config')) return 400
  if (isQuerentError(error, 'aborted')) return 503
  return isQuerentError(error, 'deadline') ? 504 : 500
}

/** @param last whether the connection is closed with it */
export function send(response: ServerResponse, { status, body, text, headers }: Answer, last: boolean): void {
  if (response.destroyed) return
  const { type, content } = text ?? { type: 'application/json', content: JSON.stringify(body) }
  response.writeHead(status, {
    ...headers,
    ...(last && { connection: 'close' }),
    'content-type': type,
    'content-length': Buffer.byteLength(content),
  })
  response.end(content)
}
