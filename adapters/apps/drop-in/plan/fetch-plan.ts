/** How many hits of each list a search reads, and whether it reads only their texts. It depends on how large such hits were. */

import { LRUCache } from 'lru-cache'
import type { Document } from '../../../../src/types.ts'
import { isObject, type JsonObject, keyText } from '../parse/json.ts'
import { canRestrict, type Page } from '../parse/paging.ts'

export interface FetchPlan {
  /**
   * Whether lists contain only texts, and a separate request gets the hits to show. Then the caller's own search is sent
   * unchanged.
   */
  readonly textOnly: boolean
  /** Hits of the caller's own list that take part in the fusion. */
  readonly pool: number
  /** Maximum hits of the lists of all sub-queries together. */
  readonly shared: number
}

/** Maximum characters to read of the caller's list, and of the lists of all sub-queries together. */
const maxCharacters = 500_000

/** Characters of a hit. For larger hits, a separate request costs less than reading them whole. */
const large = 10_000

/**
 * @param weight how large such hits were; undefined if not known yet
 * @param isReranked whether re-ranking reads whole lists
 */
export function fetchPlanOf(
  body: JsonObject,
  page: Page,
  weight: HitWeight | undefined,
  isReranked: boolean,
): FetchPlan {
  const { from, size, depth } = page
  const { whole, texts } = weight ?? { whole: 0, texts: 0 }
  const isCostly = canRestrict(body) && (asksMore(body) || (whole > large && whole > 2 * texts))
  // The texts decide, so what else a body asks for (highlights, explanations) changes no order.
  const maxHits = maxCharacters / Math.max(1, canRestrict(body) ? texts : whole)
  const isFar = from + size > depth || (from > 0 && whole > large)
  return {
    textOnly: isCostly || (isFar && canRestrict(body)),
    pool: isReranked ? Math.max(size, Math.min(depth, Math.floor(maxHits))) : size,
    shared: Math.max(Math.floor(maxHits), Math.ceil(size / 2)),
  }
}

/** Whether a body asks for parts that the engine computes for each hit. */
const asksMore = ({ highlight, explain, script_fields: scripts, query }: JsonObject): boolean =>
  highlight !== undefined ||
  scripts !== undefined ||
  (explain !== undefined && explain !== false) ||
  hasInnerHits(query)

/** Clauses that find hits through other documents, and may return these as inner hits. */
const joining = ['nested', 'has_child', 'has_parent']

const hasInnerHits = (clause: unknown): boolean => withoutInnerHits(clause) !== clause

/** The clause without `inner_hits`. Returns the same object if it has none. */
export function withoutInnerHits<T>(clause: T): T
export function withoutInnerHits(clause: unknown): unknown {
  if (Array.isArray(clause)) {
    const items = clause.map(withoutInnerHits)
    return items.every((item, place) => item === clause[place]) ? clause : items
  }
  if (!isObject(clause)) return clause
  const entries = Object.entries(clause).map(([name, value]) => {
    if (!joining.includes(name) || !isObject(value) || value.inner_hits === undefined)
      return [name, withoutInnerHits(value)] as const
    const { inner_hits: _, ...rest } = value
    return [name, withoutInnerHits(rest)] as const
  })
  return entries.every(([name, value]) => value === clause[name]) ? clause : Object.fromEntries(entries)
}

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

/**
 * Remembered by the index and the wanted parts of the source, not by the caller. Not the cache's own type: its declarations need those
 * of Node, which an application may not have.
 */
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
