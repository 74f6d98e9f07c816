/** The searches of a request with the words in them that the caller passed next to them. */
import { filled as bodyWith } from '../parse/placeholders.ts'
import type { SearchItem, SearchRequest } from './caller-engine.ts'

/** For a request that does not have the words in it. Undefined if it has. */
export function filledItems({
  kind,
  items,
  parameters,
  query,
}: SearchRequest): readonly SearchItem[] | undefined {
  const bodies = items.map(({ body }) => bodyWith(body, query))
  if (bodies.every((body) => body === undefined)) return undefined
  const url = kind === 'search' ? { url: parameters } : {}
  return items.map((item, place) =>
    bodies[place] === undefined ? item : { ...item, ...url, body: bodies[place] },
  )
}
