/** How many hits of each list a search reads, and whether it reads more of them than their texts. */
import { canChoose } from '../answer/chosen-hits.ts'
import type { HitWeight } from '../answer/hit-weights.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Page } from '../parse/paging.ts'

export interface Reach {
  /**
   * Whether lists bring texts alone: what is shown of them is asked for by itself. The caller's own search is sent as it
   * was written then.
   */
  readonly isLean: boolean
  /** Hits of the caller's own list that take part. */
  readonly pool: number
  /** The most hits that the lists of all sub-queries may have together. */
  readonly shared: number
}

/** Characters that are read of the caller's list, and as many of those of all sub-queries. */
const maxCharacters = 500_000

/** The same where hits cost the engine more than their texts do, and pages of them: what is read then costs as much. */
const [fewCharacters, fewPages] = [50_000, 3]

/** Characters of a hit from which on it is worth a request of its own not to read it. */
const large = 10_000

/**
 * @param weight how large such hits were; undefined where that is not known yet
 * @param isReranked whether whole lists are read
 */
export function reachOf(
  body: JsonObject,
  page: Page,
  weight: HitWeight | undefined,
  isReranked: boolean,
): Reach {
  const { from, size, depth } = page
  const whole = weight?.whole ?? 0
  const isCostly = canChoose(body) && (asksMore(body) || (whole > large && whole > 2 * weight!.texts))
  const each = Math.max(1, isCostly ? (weight?.texts ?? 0) : whole)
  const most = isCostly ? Math.min(fewPages * size, fewCharacters / each) : maxCharacters / each
  const isFar = from + size > depth || (from > 0 && whole > large)
  return {
    isLean: isCostly || (isFar && canChoose(body)),
    pool: isReranked ? Math.max(size, Math.min(depth, Math.floor(most))) : size,
    shared: Math.max(Math.floor(most), Math.ceil(size / 2)),
  }
}

/** Whether a body asks for what an engine has to work out for each hit. */
const asksMore = ({ highlight, explain, script_fields: scripts, query }: JsonObject): boolean =>
  highlight !== undefined ||
  scripts !== undefined ||
  (explain !== undefined && explain !== false) ||
  hasInnerHits(query)

/** Clauses that find hits by others, which they may bring along. */
const joining = ['nested', 'has_child', 'has_parent']

const hasInnerHits = (clause: unknown): boolean => withoutInnerHits(clause) !== clause

/** The clause without hits within hits; the same one where it asks for none. */
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
