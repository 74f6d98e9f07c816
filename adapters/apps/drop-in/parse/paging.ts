/** Which part of the fused list a request wants, and how deep the lists have to be for all pages to be parts of one list. */
import { type JsonObject, numberOf } from '../json.ts'

export interface Page {
  readonly from: number
  readonly size: number
  /** Hits a list may have: the least number of whole pages that holds the window. */
  readonly depth: number
}

/** What engines take where a body says nothing. */
const defaultSize = 10

/** A page of more hits is an export. */
const maxPageEnd = 100

/**
 * @param window hits of a list that take part, at the least
 * @param most hits that the engine gives for the body, where it has a limit: it holds fewer whole pages then
 * @param goesOn whether the caller's own list can be asked to go on behind the fused one
 */
export function readPage(
  body: JsonObject,
  window: number,
  most: number,
  goesOn: boolean,
): Page | { readonly reason: string } {
  const from = body.from === undefined ? 0 : countOf(body.from)
  const size = body.size === undefined ? defaultSize : countOf(body.size)
  if (from === undefined || size === undefined || !isCount(from) || !isCount(size))
    return { reason: 'from or size is no count' }
  if (size === 0) return { reason: 'it wants no hits' }
  const depth = Math.min(Math.ceil(window / size), Math.floor(most / size)) * size
  const largest = Math.max(window, maxPageEnd)
  if (size > largest) return { reason: `it wants more than ${largest} hits at once` }
  if (from + size > depth && !goesOn) return { reason: `it wants hits beyond the first ${depth}` }
  return { from, size, depth }
}

/** Engines take a text of digits for a number. */
const countOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : numberOf(value)

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0
