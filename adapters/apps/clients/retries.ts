/** After which failures a wrapped client's searches are sent again, beside what the client itself sends again. */
import { fieldsOf } from '../../resilience/retry-after.ts'
import { isRetryable } from '../../resilience/retryable.ts'

/** `maxRetries` of the client and of a single request. A value that is not a number counts as unset. */
export interface ClientRetries {
  readonly ofClient: unknown
  readonly ofRequest: unknown
}

/** Statuses that no client retries but that may pass. Clients themselves retry lost connections and 502 to 504. */
const notRetried: ReadonlySet<unknown> = new Set([404, 429, 500])

/**
 * After which failures Querent sends a search again. A caller who set `maxRetries: 0` wants to fail at once. The `retries` of the
 * wrapped client come on top of the client's own, after all failures that may pass.
 *
 * @param retries the option of the wrapped client; undefined if it was not set
 */
export function leftToUs(
  retries: number | undefined,
  { ofClient, ofRequest }: ClientRetries,
): (failure: unknown) => boolean {
  if (ofRequest === 0) return never
  if (retries !== undefined) return isRetryable
  if (typeof ofRequest !== 'number' && ofClient === 0) return never
  return (failure) => notRetried.has(fieldsOf(failure).statusCode) && isRetryable(failure)
}

const never = (): boolean => false
