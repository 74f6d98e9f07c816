/** The `retry-after` header (RFC 9110, 10.2.3). */

/** Milliseconds, the smallest value that the header can express. Used if nothing better is known. */
export const minRetryAfter = 1000

/**
 * Milliseconds after which a failed request may be repeated: from the `retry-after` header, in seconds or as an HTTP date,
 * in the error's `headers` or `meta.headers` (`Headers` or a plain object). A past date is 0. `undefined` if the error has no
 * such header, or if it is neither a number nor a date.
 */
export function retryAfterOf(error: unknown): number | undefined {
  const { headers, meta } = fieldsOf(error)
  const value = headerOf(headers) ?? headerOf(fieldsOf(meta).headers)
  const text = String(value ?? '').trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  // Date.parse alone accepts much that is not a date, such as `-5`.
  const date = /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function headerOf(headers: unknown): unknown {
  if (headers instanceof Headers) return headers.get('retry-after') ?? undefined
  const name = Object.keys(fieldsOf(headers)).find((key) => key.toLowerCase() === 'retry-after')
  return name === undefined ? undefined : fieldsOf(headers)[name]
}

/** The fields of any value; none if it is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
