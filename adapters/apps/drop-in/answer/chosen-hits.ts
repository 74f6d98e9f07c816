/** Searches for chosen hits: the caller's own body, for these documents alone or for all but these. */
import { isObject, type JsonObject, listOf } from '../json.ts'

/**
 * Whether a body can be searched for chosen hits. Groups depend on all that is found, and so do the lists that a retriever
 * or a `hybrid` query merges.
 */
export const canChoose = ({ query, retriever, knn, collapse }: JsonObject): boolean =>
  isObject(query) &&
  query.hybrid === undefined &&
  retriever === undefined &&
  knn === undefined &&
  collapse === undefined

/** The body for these documents alone. `terminate_after` might end the search before it has seen them. */
export function within({ terminate_after: _, ...body }: JsonObject, hits: readonly JsonObject[]): JsonObject {
  return narrowed(body, { bool: { should: documents(hits) } })
}

/** The body for all documents but these. */
export function besides(body: JsonObject, hits: readonly JsonObject[]): JsonObject {
  return hits.length === 0 ? body : narrowed(body, { bool: { must_not: documents(hits) } })
}

/**
 * A filter around the query lets the engine look at no other documents. An explanation would tell of it: then it follows
 * behind the query.
 */
function narrowed(body: JsonObject, filter: JsonObject): JsonObject {
  const { query, post_filter: after, explain } = body
  if (explain === undefined || explain === false)
    return { ...body, query: { bool: { must: [query], filter: [filter] } } }
  return { ...body, post_filter: { bool: { filter: [...listOf(after ?? []), filter] } } }
}

/** One clause for each index and routing: an id may stand in several. */
function documents(hits: readonly JsonObject[]): JsonObject[] {
  const ids = new Map<string, unknown[]>()
  for (const { _index, _routing, _id } of hits) {
    const place = JSON.stringify([{ _index }, ...(_routing === undefined ? [] : [{ _routing }])])
    ids.set(place, [...(ids.get(place) ?? []), _id])
  }
  return [...ids].map(([place, values]) => ({
    bool: {
      filter: [...(JSON.parse(place) as JsonObject[]).map((term) => ({ term })), { ids: { values } }],
    },
  }))
}
