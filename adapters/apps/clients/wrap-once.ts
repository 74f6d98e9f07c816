/** Wraps a client once. Wrapping it again changes its options and does not optimize twice. */
import type { AppOptions } from '../drop-in/run/settings.ts'

/** A wrapped client keeps its original client and options under this symbol. All copies of the package share it. */
export const wrapping: unique symbol = Symbol.for('querent.wrapping')

export interface Wrapping {
  readonly client: object
  readonly options: AppOptions
}

/**
 * Wraps a client. A wrapped client is returned unchanged. If options differ, its original client is wrapped with the new options
 * in place of those of the same name.
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
