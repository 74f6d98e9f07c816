/** How each retriever of Elasticsearch's is read for the user's words, and how deep it can be searched. */

import { isObject, numberOf, type Path } from '../json.ts'
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
} from '../parse/clauses.ts'

export const readRetriever: Read = (retriever, path, found) =>
  readNamed(retrievers, 'retriever', retriever, path, found)

const readStandard: Read = (value, path, found) => {
  const { query, sort, search_after: after } = clauseOf(value)
  if (sort !== undefined || after !== undefined)
    throw new NotRewritable('a retriever that sorts cannot be fused')
  if (query !== undefined) readQuery(query, [...path, 'query'], found)
}

/** `rrf` and `linear`: over retrievers, each by itself or with a weight, or over fields. */
const readFused: Read = (value, path, found) => {
  const { retrievers: inner, query } = clauseOf(value)
  if (query !== undefined) readBeside(value, path, found)
  readAll(readWeighted, inner ?? [], [...path, 'retrievers'], found)
}

function readWeighted(one: unknown, path: Path, found: Found): void {
  if (isObject(one) && isObject(one.retriever)) readRetriever(one.retriever, [...path, 'retriever'], found)
  else readRetriever(one, path, found)
}

/** What can stand in a retriever, by name, with how it is read. */
export const retrievers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['standard', readStandard],
  ['knn', readVectors],
  ['rrf', readFused],
  ['linear', readFused],
])

/** What Elasticsearch takes where `rrf` or `linear` says nothing. */
const defaultWindow = 10

/** The most hits that a retriever which was read can be asked for: more than a `rank_window_size` is refused. */
export function maxHits(retriever: unknown): number {
  const [name, inner] = isObject(retriever) ? (Object.entries(retriever)[0] ?? []) : []
  if ((name !== 'rrf' && name !== 'linear') || !isObject(inner)) return Number.POSITIVE_INFINITY
  const own = numberOf(inner.rank_window_size) ?? defaultWindow
  const below = Array.isArray(inner.retrievers) ? inner.retrievers : []
  return Math.min(
    own,
    ...below.map((one) => maxHits(isObject(one) && isObject(one.retriever) ? one.retriever : one)),
  )
}
