/** Restricts a search to some hits: the caller's own body, for these documents only, for all others, or for those that meet conditions. */
import type { Condition } from '../../../../src/types.ts'
import { clausesWhere } from '../../../search/cluster/conditions.ts'
import { type JsonObject, listOf } from '../parse/json.ts'

/** The body for these documents only. It drops `terminate_after`, which might end the search before it reaches them. */
export function within({ terminate_after: _, ...body }: JsonObject, hits: readonly JsonObject[]): JsonObject {
  return narrowed(body, { bool: { should: documents(hits) } })
}

/** The body for all documents except these. */
export function besides(body: JsonObject, hits: readonly JsonObject[]): JsonObject {
  return hits.length === 0 ? body : narrowed(body, { bool: { must_not: documents(hits) } })
}

/** The body for documents that meet all conditions. */
export function meeting(body: JsonObject, where: readonly Condition[] | undefined): JsonObject {
  return where === undefined ? body : narrowed(body, { bool: { filter: clausesWhere(where) } })
}

/**
 * Adds a filter to the body. Around the query, the filter lets the engine skip other documents. An explanation would mention it,
 * so with `explain` it becomes a `post_filter`.
 */
function narrowed(body: JsonObject, filter: JsonObject): JsonObject {
  const { query, post_filter: after, explain } = body
  if (explain === undefined || explain === false)
    return { ...body, query: { bool: { must: [query], filter: [filter] } } }
  return { ...body, post_filter: { bool: { filter: [...listOf(after ?? []), filter] } } }
}

/** One clause for each index and routing: several of them may have the same id. */
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
