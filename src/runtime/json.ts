/** JSON from outside, whose content nobody knows yet. */

/** What a text of JSON says; `undefined` if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a JSON value is an object, not null or an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
