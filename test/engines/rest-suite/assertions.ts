/** What a test says about an answer. */
import { isObject, numberOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import { patternIn, printed } from './pattern.ts'

/** Whether what was found is what was expected. */
type Assertion = (found: unknown, expected: unknown) => boolean

export const assertions: Readonly<Record<string, Assertion>> = {
  match(found, expected) {
    const pattern = typeof expected === 'string' ? patternIn(expected, { isSpaced: true }) : undefined
    if (pattern !== undefined) return typeof found === 'string' && pattern.test(found)
    return equal(found ?? null, expected)
  },
  is_true: (found) => !isFalse(found),
  is_false: isFalse,
  length: (found, expected) => lengthOf(found) === Number(String(expected)),
  gt: (found, expected) => compared(found, expected) > 0,
  gte: (found, expected) => compared(found, expected) >= 0,
  lt: (found, expected) => compared(found, expected) < 0,
  lte: (found, expected) => compared(found, expected) <= 0,
  contains: (found, expected) =>
    Array.isArray(found) &&
    isObject(expected) &&
    found.some(
      (item) => isObject(item) && Object.entries(expected).every(([key, value]) => equal(item[key], value)),
    ),
}

function isFalse(found: unknown): boolean {
  return found === undefined || found === null || ['', 'false', '0'].includes(printed(found).toLowerCase())
}

function lengthOf(found: unknown): number | undefined {
  if (typeof found === 'string' || Array.isArray(found)) return found.length
  return isObject(found) ? Object.keys(found).length : undefined
}

/** NaN where the two cannot be compared. */
function compared(found: unknown, expected: unknown): number {
  const [one, other] = [numberOf(found), numberOf(expected)]
  return one === undefined || other === undefined ? Number.NaN : one - other
}

function equal(found: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      found.length === expected.length &&
      expected.every((item, place) => equal(found[place], item))
    )
  if (isObject(expected)) {
    const keys = Object.keys(expected)
    return (
      isObject(found) &&
      Object.keys(found).length === keys.length &&
      keys.every((key) => Object.hasOwn(found, key) && equal(found[key], expected[key]))
    )
  }
  const number = numberOf(expected)
  if (number === undefined) return found === expected
  return String(found) === String(expected) ? numberOf(found) !== undefined : numberOf(found) === number
}
