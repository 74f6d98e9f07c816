/** Finds the query text in a search body: every place that gets the text of a sub-query. */

import type { JsonObject, Path } from '../json.ts'
import { readRetriever } from '../run/retrievers.ts'
import { type Found, NotRewritable, noVector, readAll, readQuery, readVectors, type Slot } from './clauses.ts'
import type { KindOf } from './field-kinds.ts'

/** The query text, and its places. */
export interface QueryText {
  readonly text: string
  readonly slots: readonly Path[]
  /** The text fields that are searched for it, without boosts. */
  readonly fields: readonly string[]
  /** Fields of unknown kind, read as text fields. The engine must confirm that before they get other text. */
  readonly unknown: readonly string[]
  /** Clauses with a ready query vector. Sub-queries leave them out. */
  readonly vectors: readonly Path[]
  /** Whether a document must match several of the words. Then the caller must not get hits of other words. */
  readonly isStrict: boolean
}

/** Why a query cannot be rewritten. */
export interface NoQueryText {
  readonly reason: string
  /** Fields whose kind decides this. */
  readonly unknown?: readonly string[]
}

/** Maximum number of places that get the text of a sub-query. To fill more would cost more than it helps. */
export const maxPlaces = 100
export const tooMany = `its words stand in more than ${maxPlaces} places`

/**
 * Finds the query text of a search body.
 *
 * @param sections the parts of the body that search: `query`, `knn`, `retriever`
 */
export function findQueryText(sections: JsonObject, kindOf: KindOf): QueryText | NoQueryText {
  const found: Found = {
    slots: [],
    fields: new Set(),
    conditions: [],
    mayLead: true,
    kindOf,
    unknown: new Set(),
    vectors: [],
  }
  try {
    if (sections.query !== undefined) readQuery(sections.query, ['query'], found)
    if (sections.knn !== undefined) readAll(readVectors, sections.knn, ['knn'], found)
    if (sections.retriever !== undefined) readRetriever(sections.retriever, ['retriever'], found)
  } catch (error) {
    if (error instanceof NotRewritable) return { reason: error.message }
    throw error
  }
  const { vectors } = found
  const unknown = [...found.unknown]
  const [text, ...others] = new Set(found.slots.filter(({ leads }) => leads).map((slot) => slot.text))
  if (text === undefined) return { reason: vectors.length > 0 ? noVector : 'it has no words of a user' }
  const depends = unknown.length > 0 && { unknown }
  if (others.length > 0) return { reason: 'it has several texts', ...depends }

  const same = found.slots.filter((slot) => slot.text === text)
  if (same.length > maxPlaces) return { reason: tooMany }
  const leading = same.filter(({ leads }) => leads)
  if (leading.some((one) => leading.some((other) => areConditions(one, other))))
    return { reason: 'its words stand in several clauses that all must match', ...depends }
  // Sub-queries leave out `knn` as a whole.
  if (vectors.some(isOfKnn) && same.some(({ path }) => isOfKnn(path))) return { reason: noVector }
  // A term that must match together with the query text is a condition that happens to have the same text.
  const isCondition = (slot: Slot): boolean =>
    leading.some((other) => areConditions(slot, other) || mustMatchBeside(slot.path, other.path))
  const slots = same.filter((slot) => slot.leads || !isCondition(slot))
  return {
    text,
    unknown,
    vectors,
    isStrict: areStrict(leading),
    slots: slots.map(({ path }) => path),
    fields: [...found.fields],
  }
}

const isOfKnn = ([section]: Path): boolean => section === 'knn'

/**
 * Whether a document must match several of the words. One place without such a rule makes this false, if that place is one of
 * several alternatives. In `should` next to a strict `must`, it is not an alternative.
 */
export const areStrict = (places: readonly Pick<Slot, 'path' | 'isStrict'>[]): boolean =>
  !places.some(
    (loose) =>
      !loose.isStrict && !places.some(({ isStrict, path }) => isStrict && mustMatchBeside(path, loose.path)),
  )

/** Whether `path` must match if `other` does: at the point at which the two paths part, it is below `must`. */
function mustMatchBeside(path: Path, other: Path): boolean {
  const parting = path.findIndex((key, place) => key !== other[place])
  return path[parting] === 'must'
}

/** Whether two places are in clauses that must hold together. */
const areConditions = (one: Slot, other: Slot): boolean =>
  one.conditions.some(({ of, branch }) =>
    other.conditions.some((condition) => condition.of === of && condition.branch !== branch),
  )
