/** Which failures are the backend's and may pass: those that are worth another attempt, and that count against it. */
import { isQuerentError } from '../../src/errors.ts'
import { isOfForgottenSearch, isOfLeftNode } from './node-loss.ts'
import { fieldsOf } from './retry-after.ts'

/** Too many requests, bad gateway, unavailable, gateway time-out. Not 500: the same request most often fails again. */
const statuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Connections that failed, by the codes of Node and undici. ENOTFOUND is among them: where names come and go with the
 * machines (Kubernetes) it passes, and to ask for a name once more costs the backend nothing.
 */
const codes: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** Names of both official clients' errors; `TimeoutError` is also what `AbortSignal.timeout` gives. */
const names: ReadonlySet<unknown> = new Set(['ConnectionError', 'NoLivingConnectionsError', 'TimeoutError'])
const abortNames: ReadonlySet<unknown> = new Set(['AbortError', 'RequestAbortedError'])

/** How far causes are followed: `fetch` keeps the code of a failed connection in one. */
const mostCauses = 5

/**
 * Whether a failure may pass by itself: an answer with status 429, 502, 503 or 504, one with 500 that names a node of an
 * engine which went away, one with 404 of a node that came back without the search, a connection that failed, a time-out.
 * Any other status is not that, nor is a request that was aborted. `retriever-failed` is what its cause is.
 */
export function isWorthRetrying(error: unknown, depth = 0): boolean {
  if (isQuerentError(error) && error.code !== 'retriever-failed') return error.code === 'deadline'
  const { name, code, cause } = fieldsOf(error)
  if (abortNames.has(name)) return false
  // Before the status: a connection that ended in the middle of an answer has one.
  if (codes.has(code) || names.has(name)) return true
  const status = statusOf(error)
  if (status === 500) return isOfLeftNode(error)
  if (status === 404) return isOfForgottenSearch(error)
  if (status !== undefined) return statuses.has(status)
  return cause !== undefined && depth < mostCauses && isWorthRetrying(cause, depth + 1)
}

/** The HTTP status an error carries in `statusCode`, `status` or `meta.statusCode`. Clients say 0 where there was none. */
function statusOf(error: unknown): number | undefined {
  const { statusCode, status, meta } = fieldsOf(error)
  return [statusCode, status, fieldsOf(meta).statusCode].find(
    (value): value is number => typeof value === 'number' && value >= 100 && value <= 599,
  )
}
