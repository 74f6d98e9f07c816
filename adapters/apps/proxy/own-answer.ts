/** Answers that the proxy has as a whole: its own, and those to optimized searches. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'undici'
import { passedThrough } from '../drop-in/answer/explanation.ts'
import { writeHead } from './forward.ts'
import { headerOf, type RawHeaders } from './headers.ts'
import type { ProxyAnswer } from './send.ts'
import { NotSigned } from './sign.ts'

/** @param more headers of the answer, behind its own */
export function write(
  response: ServerResponse,
  { status, message, headers, bytes }: ProxyAnswer,
  more: RawHeaders = [],
): void {
  if (response.destroyed || response.headersSent) return
  writeHead(response, status, message, [...headers, ...more])
  response.end(bytes)
}

/** JSON of the proxy's own. */
export function ownAnswer(status: number, what: object): ProxyAnswer {
  const bytes = Buffer.from(JSON.stringify(what))
  const headers = ['content-type', 'application/json', 'content-length', String(bytes.length)]
  return { status, message: '', headers, bytes }
}

/** An error of the proxy's own, in the engines' shape. */
export function failure(status: number, type: string, reason: string): ProxyAnswer {
  const error = { type, reason }
  return ownAnswer(status, { error: { root_cause: [error], ...error }, status })
}

/** The answer to a request that could not be sent to the target at `origin`, or that it did not answer. */
export function failureOf(error: Error, origin: string): ProxyAnswer {
  if (error instanceof NotSigned) return failure(error.status, 'querent_not_signed', error.message)
  // Two `Host` headers for one: the fault is the caller's, and nothing was sent.
  if (error instanceof errors.InvalidArgumentError)
    return failure(400, 'querent_bad_request', `The request cannot be sent on: ${error.message}`)
  return failure(502, 'querent_bad_gateway', `${origin} cannot be reached: ${error.message}`)
}

/**
 * What became of a search, in a header, where the caller asks; who asks for the header alone gets the body that it would
 * have got without asking. Header values are of ASCII.
 */
export function explained({ rawHeaders }: IncomingMessage, what: string): RawHeaders {
  if (!['true', 'header'].includes(headerOf(rawHeaders, 'x-querent-explain') ?? '')) return []
  return ['x-querent', what.replace(/[^ -~]/g, '?')]
}

/** The same of a request that is not optimized; nothing where there was no question of it. */
export const explainedPass = (request: IncomingMessage, reason: string | undefined): RawHeaders =>
  reason === undefined ? [] : explained(request, passedThrough(reason))
