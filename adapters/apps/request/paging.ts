/** Which part of the fused list a request wants, and how deep the lists have to be for all pages to be parts of one list. */
import { type JsonObject, numberOf } from './json.ts'

export interface Page {
  readonly from: number
  readonly size: number
  /** Hits a list may have: the least number of whole pages that holds the window. */
  readonly depth: number
}

/** What engines take where a body says nothing. */
const defaultSize = 10

/**
 * @param window hits of a list that take part, at the least
 */
export function readPage(body: JsonObject, window: number): Page | { readonly reason: string } {
  const from = body.from === undefined ? 0 : numberOf(body.from)
  const size = body.size === undefined ? defaultSize : numberOf(body.size)
  if (from === undefined || size === undefined || !isCount(from) || !isCount(size))
    return { reason: 'from or size is no count' }
  if (size === 0) return { reason: 'it wants no hits' }
  const depth = Math.ceil(window / size) * size
  if (from + size > depth) return { reason: `it wants hits beyond the first ${depth}` }
  return { from, size, depth }
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0
