/** Reads the lines of an `_msearch` as an application may write them: objects, JSON strings, or one string with all lines. */
import { isObject } from '../drop-in/parse/json.ts'
import type { SearchItem } from '../drop-in/run/caller-engine.ts'

/** Parses a body that may be a JSON string. Undefined if it is invalid. */
export function parseJson(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Reads header and body lines in turn. Undefined if the lines are not such pairs. */
export function readMsearchLines(written: unknown): readonly SearchItem[] | undefined {
  const lines =
    typeof written === 'string' ? written.split('\n').filter((line) => line.trim() !== '') : written
  if (!Array.isArray(lines) || lines.length === 0 || lines.length % 2 !== 0) return undefined
  const items: SearchItem[] = []
  for (let place = 0; place < lines.length; place += 2) {
    const header = parseJson(lines[place])
    const body = parseJson(lines[place + 1])
    if (!isObject(header) || body === undefined) return undefined
    items.push({ header, body })
  }
  return items
}
