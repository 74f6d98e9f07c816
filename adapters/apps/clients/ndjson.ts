/** The lines of an `_msearch` as an application may write them: objects, texts of JSON, or one text of them all. */
import { isObject } from '../drop-in/json.ts'
import type { MsearchItem } from '../drop-in/run/optimized-msearch.ts'

/** A body that may have been written as JSON; undefined where it is not. */
export function parseJson(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Header and body in turn; undefined where they are not. */
export function readMsearchLines(written: unknown): readonly MsearchItem[] | undefined {
  const lines =
    typeof written === 'string' ? written.split('\n').filter((line) => line.trim() !== '') : written
  if (!Array.isArray(lines) || lines.length === 0 || lines.length % 2 !== 0) return undefined
  const items: MsearchItem[] = []
  for (let place = 0; place < lines.length; place += 2) {
    const header = parseJson(lines[place])
    const body = parseJson(lines[place + 1])
    if (!isObject(header) || body === undefined) return undefined
    items.push({ header, body })
  }
  return items
}
