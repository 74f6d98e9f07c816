/** Which failures may be temporary. They are retried, and count against the backend. */
import { isQuerentError } from '../../src/errors.ts'
import { isForgottenSearch, isNodeLoss } from './node-loss.ts'
import { fieldsOf } from './retry-after.ts'

/** Too many requests, bad gateway, unavailable, gateway timeout. Not 500: the same request usually fails again. */
const statuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Failed connections, by the codes of Node and undici. They include ENOTFOUND, which is temporary where host names come and go
 * with the machines (Kubernetes). Resolving a name again costs the backend nothing.
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

/** Error names of both official clients. `TimeoutError` is also the reason of `AbortSignal.timeout`. */
const names: ReadonlySet<unknown> = new Set(['ConnectionError', 'NoLivingConnectionsError', 'TimeoutError'])
const abortNames: ReadonlySet<unknown> = new Set(['AbortError', 'RequestAbortedError'])

/** How deep to search the causes: `fetch` keeps the code of a failed connection in a cause. */
const maxCauses = 5

/**
 * Whether a failure may be temporary: a response with status 429, 502, 503 or 504, one with 500 that names a lost node, one with
 * 404 of a node that restarted and forgot the search, a failed connection, or a timeout. Other statuses and aborted requests are
 * not retryable. `retriever-failed` is retryable if its cause is.
 */
export function isRetryable(error: unknown, depth = 0): boolean {
  if (isQuerentError(error) && error.code !== 'retriever-failed') return error.code === 'deadline'
  const { name, code, cause } = fieldsOf(error)
  if (abortNames.has(name)) return false
  // Checked before the status, which an error has if the connection ended in the middle of a response.
  if (codes.has(code) || names.has(name)) return true
  const status = statusOf(error)
  if (status === 500) return isNodeLoss(error)
  if (status === 404) return isForgottenSearch(error)
  if (status !== undefined) return statuses.has(status)
  return cause !== undefined && depth < maxCauses && isRetryable(cause, depth + 1)
}

/** The HTTP status of an error, in `statusCode`, `status` or `meta.statusCode`. Clients set 0 if there was none. */
function statusOf(error: unknown): number | undefined {
  const { statusCode, status, meta } = fieldsOf(error)
  return [statusCode, status, fieldsOf(meta).statusCode].find(
    (value): value is number => typeof value === 'number' && value >= 100 && value <= 599,
  )
}
