/** Reads the query text from Elasticsearch's retrievers, and how deep each can be searched. */

import {
  clauseOf,
  type Found,
  NotRewritable,
  type Read,
  readAll,
  readBeside,
  readNamed,
  readQuery,
  readVectors,
} from './clauses.ts'
import { isObject, numberOf, type Path } from './json.ts'

export const readRetriever: Read = (retriever, path, found) =>
  readNamed(retrievers, 'retriever', retriever, path, found)

const readStandard: Read = (value, path, found) => {
  const { query, sort, search_after: after } = clauseOf(value)
  if (sort !== undefined || after !== undefined) throw new NotRewritable('a retriever of it sorts')
  if (query !== undefined) readQuery(query, [...path, 'query'], found)
}

/** `rrf` and `linear` merge retrievers, each with or without a weight, or fields. */
const readFused: Read = (value, path, found) => {
  const { retrievers: inner, query } = clauseOf(value)
  if (query !== undefined) readBeside(value, path, found)
  readAll(readWeighted, inner ?? [], [...path, 'retrievers'], found)
}

function readWeighted(one: unknown, path: Path, found: Found): void {
  if (isObject(one) && isObject(one.retriever)) readRetriever(one.retriever, [...path, 'retriever'], found)
  else readRetriever(one, path, found)
}

/** The retrievers that a search may contain, by name, with their readers. */
export const retrievers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['standard', readStandard],
  ['knn', readVectors],
  ['rrf', readFused],
  ['linear', readFused],
])

/** Elasticsearch's default `rank_window_size` for `rrf` and `linear`. */
const defaultRankWindow = 10

/** Maximum hits of a retriever: Elasticsearch refuses more than `rank_window_size`. */
export function maxHits(retriever: unknown): number {
  const [name, inner] = isObject(retriever) ? (Object.entries(retriever)[0] ?? []) : []
  if ((name !== 'rrf' && name !== 'linear') || !isObject(inner)) return Number.POSITIVE_INFINITY
  const own = numberOf(inner.rank_window_size) ?? defaultRankWindow
  const below = Array.isArray(inner.retrievers) ? inner.retrievers : []
  return Math.min(
    own,
    ...below.map((one) => maxHits(isObject(one) && isObject(one.retriever) ? one.retriever : one)),
  )
}
