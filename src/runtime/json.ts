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

/** The field of an object: the key `a.b`, or the key `b` of the object `a`. */
export function fieldIn(object: unknown, path: string): unknown {
  if (!isObject(object)) return undefined
  if (Object.hasOwn(object, path)) return object[path]
  const dot = path.indexOf('.')
  const key = path.slice(0, dot)
  return dot === -1 || !Object.hasOwn(object, key) ? undefined : fieldIn(object[key], path.slice(dot + 1))
}
