/**
 * Remembers how large the hits of a kind of search are. The number of hits to read depends on it. The key has the index and the
 * wanted parts of the source, not the caller.
 */
import { LRUCache } from 'lru-cache'
import type { Document } from '../../../../src/types.ts'
import { isObject, type JsonObject, keyText } from '../parse/json.ts'

/** A hit as the engine returned it, and its texts. */
interface WeighedHit {
  readonly given: JsonObject
  readonly document?: Document | undefined
}

/** Mean characters of a hit. */
export interface HitWeight {
  /** With everything that the caller asks for. */
  readonly whole: number
  /** Title and texts only. */
  readonly texts: number
}

/** Not the cache's own type: its declarations need those of Node, which an application may not have. */
export interface HitWeights {
  get(kind: string): HitWeight | undefined
  set(kind: string, weight: HitWeight): unknown
}

/** Maximum number of remembered kinds. The oldest are dropped first. */
const maxKinds = 1000

export const createHitWeights = (): HitWeights => new LRUCache({ max: maxKinds })

export const kindOf = (index: string | undefined, { _source, fields, stored_fields }: JsonObject): string =>
  keyText([index, _source, fields, stored_fields])

/** Number of hits to measure: one page is enough. */
const weighed = 10

/**
 * Notes how large the hits are. A known size stays until hits are more than twice or less than half as large. The depth of lists
 * depends on it, and all pages of a search should have the same depth.
 */
export function noteHits(
  weights: HitWeights,
  kind: string,
  hits: readonly WeighedHit[],
): HitWeight | undefined {
  const some = hits.slice(0, weighed)
  if (some.length === 0) return weights.get(kind)
  const mean = (of: (hit: WeighedHit) => number): number =>
    some.reduce((sum, hit) => sum + of(hit), 0) / some.length
  const seen = {
    whole: mean(({ given }) => lengthOf(given._source) + lengthOf(given.fields)),
    texts: mean(({ document }) => (document?.title?.length ?? 0) + (document?.text.length ?? 0)),
  }
  const known = weights.get(kind)
  if (known !== undefined && isAlike(known.whole, seen.whole)) return known
  weights.set(kind, seen)
  return seen
}

const isAlike = (one: number, other: number): boolean => one <= 2 * other && other <= 2 * one

/** Approximate number of characters: of texts and names, and four for each other value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + lengthOf(item), 0)
  if (!isObject(value)) return 4
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + lengthOf(item), 0)
}
