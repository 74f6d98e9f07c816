/** A client is wrapped once: to wrap it again changes its options, and does not search twice. */
import type { AppOptions } from '../drop-in/settings.ts'

/** Under this, a wrapped client tells what it was made of. Known to all copies of the package. */
export const wrapping: unique symbol = Symbol.for('querent.wrapping')

export interface Wrapping {
  readonly client: object
  readonly options: AppOptions
}

/**
 * Wraps a client. One that is wrapped already is given back; where options differ, its client is wrapped with these in place
 * of those of the same name.
 */
export function wrapOnce<C extends object>(
  given: C,
  options: AppOptions,
  wrap: (client: C, options: AppOptions) => C,
): C {
  const made = Reflect.get(given, wrapping) as Wrapping | undefined
  if (made === undefined) return wrap(given, options)
  const known = new Map<string, unknown>(Object.entries(made.options))
  const other = Object.entries(options).filter(
    ([name, value]) => value !== undefined && value !== known.get(name),
  )
  if (other.length === 0) return given
  return wrap(made.client as C, { ...made.options, ...Object.fromEntries(other) })
}
