/** The part of the fused list that a request wants, and how deep the lists must be if all pages are to come from one list. */
import { isObject, type JsonObject, numberOf } from './json.ts'

export interface Page {
  readonly from: number
  readonly size: number
  /** Maximum hits of a list: the smallest number of whole pages that holds the window. */
  readonly depth: number
}

/** The engines' default for `size`. */
const defaultSize = 10

/** A larger page is an export. */
const maxPageEnd = 100

/**
 * @param window minimum hits of a list that take part in the fusion
 * @param limit maximum hits that the engine gives for the body; it may hold fewer whole pages than the window
 * @param goesOn whether the caller's own list can continue behind the fused one
 */
export function readPage(
  body: JsonObject,
  window: number,
  limit: number,
  goesOn: boolean,
): Page | { readonly reason: string } {
  const from = body.from === undefined ? 0 : countOf(body.from)
  const size = body.size === undefined ? defaultSize : countOf(body.size)
  if (from === undefined || size === undefined || !isCount(from) || !isCount(size))
    return { reason: 'its `from` or `size` is not a whole number' }
  if (size === 0) return { reason: 'it asks for no hits (`size: 0`)' }
  const depth = Math.min(Math.ceil(window / size), Math.floor(limit / size)) * size
  const largest = Math.max(window, maxPageEnd)
  if (size > largest) return { reason: `it asks for more than ${largest} hits at once` }
  if (depth === 0) return { reason: 'it asks for more hits than its `rank_window_size`' }
  if (from + size > depth && !goesOn) return { reason: `it asks for hits beyond the first ${depth}` }
  return { from, size, depth }
}

/** Engines accept a string of digits as a number. */
const countOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : numberOf(value)

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0

/**
 * Whether a body can be restricted to chosen hits. Groups depend on all hits found, and so do the lists that a retriever or a
 * `hybrid` query merges.
 */
export const canRestrict = ({ query, retriever, knn, collapse }: JsonObject): boolean =>
  isObject(query) &&
  query.hybrid === undefined &&
  retriever === undefined &&
  knn === undefined &&
  collapse === undefined
