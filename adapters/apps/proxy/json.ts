/**
 * JSON without loss: numbers are kept as they were written, be they 2^53 + 1 or 1.0. lossless-json does it, at a sixtieth of
 * the speed of the engine's own `JSON` (`npm run bench`): answers of a megabyte are read by that one, and only the numbers
 * that it would change are made lossless-json's.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json'
import { isObject } from '../drop-in/json.ts'

/** What a caller wrote. @throws SyntaxError where it is no JSON, and where an object has a key twice: the engines refuse that */
export function parseRequest(text: string): unknown {
  const value = parse(text)
  // lossless-json lets a key stand twice where both values are the same: the text has more keys than the value then.
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

/** A text, or a number as JSON has them. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/** What stands before a number that is read as a text; no text of an answer begins so. */
const mark = `\u0001${crypto.randomUUID()}:`

/** What an engine answered. @throws SyntaxError where it is no JSON */
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

/** The same value with its marked numbers as numbers; it is changed in place, since nobody else has it. */
function unmarked(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? new LosslessNumber(value.slice(mark.length)) : value
  if (Array.isArray(value)) for (const [place, item] of value.entries()) value[place] = unmarked(item)
  else if (isObject(value)) {
    const object = value as Record<string, unknown>
    for (const [key, item] of Object.entries(object)) {
      const read = unmarked(item)
      // Assigned, `__proto__` would be something else than a key.
      if (read !== item) Object.defineProperty(object, key, { value: read, enumerable: true })
    }
  }
  return value
}

/** @param indent blanks a level, for readers; 0 for programs */
export const toJson = (value: unknown, indent = 0): string =>
  (hasLossless(value) ? stringify(value, undefined, indent) : JSON.stringify(value, undefined, indent)) ??
  'null'

function hasLossless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasLossless)
  return isObject(value) ? Object.values(value).some(hasLossless) : true
}
