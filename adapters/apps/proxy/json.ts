/**
 * JSON without loss: numbers keep their spelling, such as 2^53 + 1 or 1.0. lossless-json does this, but at a sixtieth of the
 * speed of the built-in `JSON` (`npm run bench`). So `JSON` reads the engines' answers, which may be megabytes long, and
 * lossless-json represents only the numbers that `JSON` would change.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json'
import { isObject } from '../drop-in/parse/json.ts'

/**
 * Parses a caller's request.
 * @throws SyntaxError if it is not JSON, or if an object has a duplicate key, which the engines refuse
 */
export function parseRequest(text: string): unknown {
  const value = parse(text)
  // lossless-json accepts a duplicate key if both values are equal. Then the text has more keys than the value.
  if (keysIn(text) !== keysOf(value)) throw new SyntaxError('A key stands twice')
  return value
}

const textOrKey = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs

function keysIn(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(textOrKey)) if (colon !== undefined) count++
  return count
}

function keysOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + keysOf(item), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce((sum: number, item) => sum + 1 + keysOf(item), 0)
}

/** A JSON string or number. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/** Prefix of a number that is disguised as a string. No string of an answer begins with it. */
const mark = `\u0001${crypto.randomUUID()}:`

/** Parses an engine's answer. @throws SyntaxError if it is not JSON */
export function parseAnswer(text: string): unknown {
  let isMarked = false
  const marked = text.replace(token, (found) => {
    if (found.startsWith('"') || String(Number(found)) === found) return found
    isMarked = true
    return JSON.stringify(mark + found)
  })
  const value: unknown = JSON.parse(marked)
  return isMarked ? unmarked(value) : value
}

/** Turns the marked strings back into numbers, in place. */
function unmarked(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? new LosslessNumber(value.slice(mark.length)) : value
  if (Array.isArray(value)) for (const [place, item] of value.entries()) value[place] = unmarked(item)
  else if (isObject(value)) {
    const object = value as Record<string, unknown>
    for (const [key, item] of Object.entries(object)) {
      const read = unmarked(item)
      // An assignment to the key `__proto__` would set the prototype.
      if (read !== item) Object.defineProperty(object, key, { value: read, enumerable: true })
    }
  }
  return value
}

/** @param indent spaces per level, for readers; 0 for programs */
export const toJson = (value: unknown, indent = 0): string =>
  (hasLossless(value) ? stringify(value, undefined, indent) : JSON.stringify(value, undefined, indent)) ??
  'null'

function hasLossless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasLossless)
  return isObject(value) ? Object.values(value).some(hasLossless) : true
}
