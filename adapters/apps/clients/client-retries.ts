/** Official clients retry by themselves: which failures of the caller's own search are left for us to send again. */
import { fieldsOf } from '../../resilience/retry-after.ts'
import { isRetryable } from '../../resilience/retryable.ts'

/** `maxRetries`, as the client and as a single request has it; what is no number says nothing. */
export interface ClientRetries {
  readonly ofClient: unknown
  readonly ofRequest: unknown
}

/** Answers that no client retries, but that may be other ones later. Lost connections and 502 to 504 they retry themselves. */
const notRetried: ReadonlySet<unknown> = new Set([404, 429, 500])

/**
 * After which failures we send a search again. A caller who set `maxRetries: 0` wants to fail at once; `retries` of the
 * wrapped client comes on top of the client's own, after all failures that may pass.
 *
 * @param retries the option of the wrapped client; undefined where it was not set
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
