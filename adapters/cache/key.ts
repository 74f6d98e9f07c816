/** The keys of entries. Two keys are equal only if everything that they are made of is. */
import { createHash } from 'node:crypto'
import { QuerentError } from '../../src/errors.ts'

/**
 * Hashed: what a key is made of may be long, and must not be read in a store.
 *
 * @throws QuerentError `bad-config` for parts that a key cannot hold
 */
export const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(written(parts)).digest('base64url')

/** Whether a key can hold these parts: what JSON holds, long integers, numbers that are not finite, and what has `toJSON`. */
export function canHold(parts: readonly unknown[]): boolean {
  try {
    written(parts)
    return true
  } catch {
    return false
  }
}

const written = (parts: readonly unknown[]): string => JSON.stringify(parts, withoutLoss)

/** Texts get a mark, so that none looks like a number that JSON cannot write. */
function withoutLoss(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return `"${value}`
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return `${value}n`
  if (!isErased(value)) return value
  throw new QuerentError('bad-config', 'A key of the cache cannot hold what JSON leaves out', {
    remedy:
      'Use JSON. Instead of a function, a symbol, or an object such as a Map or Headers, give what is in it.',
  })
}

/** Whether JSON leaves a value out, or writes an object as `{}` that is not one. */
function isErased(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol'
  return !Array.isArray(value) && Object.keys(value).length === 0 && !isPlain(value)
}

/** Whether it is an object of no class. Objects of another realm, such as a test runner's, count too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
