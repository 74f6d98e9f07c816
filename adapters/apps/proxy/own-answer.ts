/** Writes answers that are complete in memory: the proxy's own, and those to optimized searches. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'undici'
import { passedThrough, said } from '../../../src/observe.ts'
import type { Problem } from '../http/problem.ts'
import type { RawHeaders } from './headers.ts'
import { readSwitches } from './querent-headers.ts'
import { type ProxyAnswer, writeHead } from './send.ts'
import { NotSigned } from './sign.ts'

/** @param more headers to add after the answer's own */
export function write(
  response: ServerResponse,
  { status, message, headers, bytes }: ProxyAnswer,
  more: RawHeaders = [],
): void {
  if (response.destroyed || response.headersSent) return
  writeHead(response, status, message, [...headers, ...more])
  response.end(bytes)
}

/** An answer of the proxy itself: JSON, or a text of another type. */
export function ownAnswer(status: number, what: object | string, type = 'application/json'): ProxyAnswer {
  const bytes = Buffer.from(typeof what === 'string' ? what : JSON.stringify(what))
  const length = ['content-length', String(bytes.length)]
  const headers = ['content-type', type, 'x-content-type-options', 'nosniff', ...length]
  return { status, message: '', headers, bytes }
}

/** An error of the proxy itself, in the format of the engines. */
export function failure(status: number, type: string, reason: string): ProxyAnswer {
  const error = { type, reason }
  return ownAnswer(status, { error: { root_cause: [error], ...error }, status })
}

/** The answer to a request that the guard refuses. */
export const forbidden = ({ status, code, detail, remedy }: Problem): ProxyAnswer =>
  failure(status, `querent_${code.replace('-', '_')}`, `${detail}. ${remedy}`)

/** The answer to a request that could not be sent to the target at `origin`, or that the target did not answer. */
export function failureOf(error: Error, origin: string): ProxyAnswer {
  if (error instanceof NotSigned) return failure(error.status, 'querent_not_signed', error.message)
  // For example two `Host` headers. The fault is the caller's, and nothing was sent.
  if (error instanceof errors.InvalidArgumentError)
    return failure(400, 'querent_bad_request', `The request cannot be sent on: ${error.message}`)
  return failure(502, 'querent_bad_gateway', `${origin} cannot be reached: ${error.message}`)
}

/**
 * The header that describes the outcome of a search, if the caller asked for it. With `x-querent-explain: header`, the body stays
 * the same as without. Also tells, whether asked or not, which settings of the caller were ignored because they are neither on nor
 * off. Header values are ASCII, and at most 256 characters: `what` may repeat parts of the request.
 */
export function explained({ rawHeaders }: IncomingMessage, what: string): RawHeaders {
  const { explain, ignored } = readSwitches(rawHeaders)
  if (explain === undefined && ignored.length === 0) return []
  const notes = ignored.map((name) => `; ${name} was ignored: it is neither true nor false`).join('')
  const longest = 256 - notes.length
  const cut = what.length > longest ? `${what.slice(0, longest - 3)}...` : what
  return ['x-querent', (cut + notes).replace(/[^ -~]/g, '?')]
}

/** The same header for a request that was passed through. Empty without a reason, as for requests that are not searches. */
export const explainedPass = (request: IncomingMessage, reason: string | undefined): RawHeaders =>
  reason === undefined ? [] : explained(request, said(passedThrough(reason)))
