/** The keys of entries. Two keys are equal only if everything that they are made of is. */
import { createHash } from 'node:crypto'
import { isLosslessNumber } from 'lossless-json'
import { QuerentError } from '../../src/errors.ts'

/**
 * Hashed: what a key is made of may be long, and must not be read in a store.
 *
 * @throws QuerentError `bad-config` for parts that a key cannot hold
 */
export const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(written(parts)).digest('base64url')

/** Whether a key can hold these parts: what JSON holds, undefined, long integers, numbers that are not finite, and what has `toJSON`. */
export function canHold(parts: readonly unknown[]): boolean {
  try {
    written(parts)
    return true
  } catch {
    return false
  }
}

const written = (parts: readonly unknown[]): string => JSON.stringify(parts, withoutLoss)

/**
 * Texts get a mark, so that none looks like what JSON cannot write: undefined, and some numbers.
 *
 * @param this the array or object that the value is in; `JSON.stringify` has already called the `toJSON` of the value
 */
function withoutLoss(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'string') return `"${value}`
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return `${value}n`
  const given = (this as Readonly<Record<string, unknown>>)[name]
  if (isWritten(value) && !(given instanceof Date && value === null)) return value
  throw new QuerentError('bad-config', 'A key of the cache cannot hold what JSON leaves out', {
    remedy:
      'Use JSON. Instead of a function, a symbol, or an object of a class such as a Map or Headers, give what is in it.',
  })
}

/** Whether JSON writes all of a value: of objects of a class, it may leave out what matters. */
function isWritten(value: unknown): boolean {
  if (typeof value === 'object')
    return value === null || Array.isArray(value) || isPlain(value) || isLosslessNumber(value)
  return typeof value === 'number' || typeof value === 'boolean'
}

/** Whether it is an object of no class, and without symbols. Objects of another realm, such as a test runner's, count too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const hasNoClass = prototype === null || Object.getPrototypeOf(prototype) === null
  return hasNoClass && Object.getOwnPropertySymbols(value).length === 0
}
