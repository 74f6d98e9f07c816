/** Finds the query text in a search body: every place that gets the text of a sub-query. */

import {
  clauseOf,
  type Findings,
  NotRewritable,
  noVector,
  type Read,
  readAll,
  readBeside,
  readNamed,
  readQuery,
  readVectors,
  type Slot,
  stillTyped,
  vector,
} from './clauses.ts'
import type { KindOf } from './field-kinds.ts'
import { isObject, type JsonObject, numberOf, type Path, valueAt } from './json.ts'
import { type Ranking, rankingOf } from './ranking.ts'

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
  /** Why the caller must get no hits of other words. Absent if sub-queries may be searched. */
  readonly fixed?: string
  readonly ranking: Ranking
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
  const found = readSections(sections, kindOf)
  if ('reason' in found) return found
  const { vectors } = found
  const unknown = [...found.unknown]
  const places = slotsIn(found)
  const [text, ...others] = new Set(places.filter(leads).map((place) => place.text))
  if (text === undefined) return { reason: whyNoText(sections, found) }
  const depends = unknown.length > 0 && { unknown }
  if (others.length > 0) return { reason: 'it searches for several different texts', ...depends }

  const same = places.filter((place) => place.text === text)
  if (same.length > maxPlaces) return { reason: tooMany }
  const leading = same.filter(leads)
  // Sub-queries leave out `knn` as a whole.
  if (vectors.some(isOfKnn) && same.some(({ slot }) => isOfKnn(slot))) return { reason: noVector }
  // A term that must match together with the query text is a condition that happens to have the same text.
  const isCondition = (one: Slot): boolean =>
    leading.some((other) => areConditions(one, other) || mustMatchBeside(one.slot, other.slot))
  const slots = same.filter((one) => leads(one) || !isCondition(one)).map(({ slot }) => slot)
  const fixed = whyFixed(sections, places, leading)
  return {
    text,
    unknown,
    vectors,
    ...(fixed !== undefined && { fixed }),
    slots,
    fields: [...found.fields],
    ranking: rankingOf(sections, found.clauses, (words) => words === text || words === vector),
  }
}

/** The places with texts. */
export const slotsIn = ({ clauses }: Findings): Slot[] =>
  clauses.filter((one): one is Slot => one.slot !== undefined)

const leads = ({ why }: Slot): boolean => why === undefined

/** Reads the parts of a body that search. */
export function readSections(
  { query, knn, retriever }: JsonObject,
  kindOf: KindOf,
): Findings | { readonly reason: string } {
  const found: Findings = {
    clauses: [],
    fields: new Set(),
    conditions: [],
    mayLead: true,
    kindOf,
    unknown: new Set(),
    vectors: [],
    isForAll: true,
  }
  try {
    if (query !== undefined) readQuery(query, ['query'], found)
    const beside = { ...found, isForAll: false }
    if (knn !== undefined) readAll(readVectors, knn, ['knn'], beside)
    if (retriever !== undefined) readRetriever(retriever, ['retriever'], beside)
  } catch (error) {
    if (error instanceof NotRewritable) return { reason: error.message }
    throw error
  }
  return found
}

export const matchesAll = 'it matches all documents'

function whyNoText({ query }: JsonObject, found: Findings): string {
  if (found.vectors.length > 0) return noVector
  const slots = slotsIn(found)
  if (slots.some(({ isTyping }) => isTyping)) return stillTyped
  if (isObject(query) && query.match_all !== undefined) return matchesAll
  return slots[0]?.why ?? 'it has conditions alone, and no words to rank by'
}

/** Why hits of other words may not be added. */
function whyFixed(
  sections: JsonObject,
  slots: readonly Slot[],
  leading: readonly Slot[],
): string | undefined {
  if (slots.some(({ isTyping }) => isTyping)) return stillTyped
  if (leading.some((one) => leading.some((other) => areConditions(one, other))))
    return 'its words stand in several clauses that must all match'
  return whyStrict(sections, leading)
}

const isOfKnn = ([section]: Path): boolean => section === 'knn'

type Place = Pick<Slot, 'slot' | 'isStrict'>

/** Why a search that requires several of its words gets no sub-queries. */
export function whyStrict(body: JsonObject, places: readonly Place[]): string | undefined {
  const strict = areStrict(places) && places.find(({ isStrict }) => isStrict)
  if (!strict) return undefined
  const clause = valueAt(body, strict.slot.slice(0, -1))
  const counts = isObject(clause) && clause.minimum_should_match !== undefined
  return `its \`${counts ? 'minimum_should_match' : 'operator: and'}\` says how many words must match`
}

/**
 * Whether a document must match several of the words. One place without such a rule makes this false, if that place is one of
 * several alternatives. In `should` next to a strict `must`, it is not an alternative.
 */
const areStrict = (places: readonly Place[]): boolean =>
  !places.some(
    (loose) =>
      !loose.isStrict && !places.some(({ isStrict, slot }) => isStrict && mustMatchBeside(slot, loose.slot)),
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

const readRetriever: Read = (retriever, path, found) =>
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

function readWeighted(one: unknown, path: Path, found: Findings): void {
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
