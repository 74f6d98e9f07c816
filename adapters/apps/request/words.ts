/** Where the user's words stand in a search body: every place that a sub-query's words are put into. */
import { type Found, NotUnderstood, readAll, readQuery, readVectors, type Slot } from './clauses.ts'
import type { JsonObject, Path } from './json.ts'
import { readRetriever } from './retrievers.ts'

/** One text, and where it stands. */
export interface Words {
  readonly text: string
  readonly slots: readonly Path[]
  /** The fields with texts that are searched for it, without boosts. */
  readonly fields: readonly string[]
}

/** Why a query cannot be rewritten. */
export interface NoWords {
  readonly reason: string
}

/** Places that are filled with the words of each sub-query: to fill more would cost more than it helps. */
export const mostPlaces = 100
export const tooMany = `its words stand in more than ${mostPlaces} places`

/** The words of a search body. `sections` are the parts of the body that search: `query`, `knn`, `retriever`. */
export function findWords(sections: JsonObject): Words | NoWords {
  const found: Found = { slots: [], fields: new Set(), conditions: [] }
  try {
    if (sections.query !== undefined) readQuery(sections.query, ['query'], found)
    if (sections.knn !== undefined) readAll(readVectors, sections.knn, ['knn'], found)
    if (sections.retriever !== undefined) readRetriever(sections.retriever, ['retriever'], found)
  } catch (error) {
    if (error instanceof NotUnderstood) return { reason: error.message }
    throw error
  }
  const [text, ...others] = new Set(found.slots.filter(({ leads }) => leads).map((slot) => slot.text))
  if (text === undefined) return { reason: 'it has no words of a user' }
  if (others.length > 0) return { reason: 'it has several texts' }

  const same = found.slots.filter((slot) => slot.text === text)
  if (same.length > mostPlaces) return { reason: tooMany }
  const leading = same.filter(({ leads }) => leads)
  if (leading.some((one) => leading.some((other) => areConditions(one, other))))
    return { reason: 'its words stand in several clauses that all must match' }
  // A term that must match beside the words is a condition that happens to have their text.
  const slots = same.filter((slot) => !leading.some((other) => areConditions(slot, other)))
  return { text, slots: slots.map(({ path }) => path), fields: [...found.fields] }
}

/** Whether two places are in clauses that must hold together. */
const areConditions = (one: Slot, other: Slot): boolean =>
  one.conditions.some(({ of, branch }) =>
    other.conditions.some((condition) => condition.of === of && condition.branch !== branch),
  )
