/** JSON as it came: what is not ours to read stays as it is, numbers of any length included. */

export type JsonObject = { readonly [key: string]: unknown }

/** Where a value stands: keys and places from the outside in. */
export type Path = readonly (string | number)[]

/** Whether a value is an object with keys: no list, and none of the number objects of a lossless parser. */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A number that came as one, or as the number object of a lossless parser; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null || isObject(value) || Array.isArray(value)) return undefined
  const read = Number(String(value))
  return Number.isNaN(read) ? undefined : read
}

/** What stands at `path`; undefined where there is no such place. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isObject(inner) || Array.isArray(inner) ? (inner as JsonObject)[key] : undefined),
    value,
  )

/** The value with `put` at `path`: what is on the way is copied, all else is shared. */
export function withValue(value: unknown, path: Path, put: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return put
  if (Array.isArray(value))
    return value.map((item, place) => (place === first ? withValue(item, rest, put) : item))
  const object = value as JsonObject
  return { ...object, [first]: withValue(object[first], rest, put) }
}

/** The object without these keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** The object with these keys alone. */
export function only(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)))
}

/** What may stand alone or in a list, as a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
