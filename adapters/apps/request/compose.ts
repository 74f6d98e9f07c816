/**
 * One answer in the engine’s own shape, made of several: the hits are the fused ones, each as the engine gave it, and the
 * rest is what the query as it is was answered with. docs/drop-in.md has the rules.
 */
import type { Hit } from '../../../src/types.ts'
import { isObject, type JsonObject, listOf, numberOf, without } from './json.ts'
import type { Page } from './paging.ts'
import type { Understood } from './understand.ts'

export interface Composition {
  readonly understood: Understood
  /** What request 1 was answered with; absent where it failed and the sub-queries did not. */
  readonly original: JsonObject | undefined
  /** What the sub-queries were answered with. */
  readonly others: readonly JsonObject[]
  /** The whole fused list, best first. */
  readonly hits: readonly Hit[]
  /** A hit as the engine gave it. */
  readonly given: (docid: string) => JsonObject | undefined
  /** Milliseconds since the caller asked. */
  readonly took: number
  /** What is said of a hit under our key, where that was asked for. */
  readonly about?: ((hit: Hit) => JsonObject) | undefined
}

/** The one key under which anything of ours stands, and only where it was asked for. */
export const ownKey = '_querent'

export function compose(composition: Composition): JsonObject {
  const { understood, original, others, hits, given, took, about } = composition
  const legs = original === undefined ? others : [original, ...others]
  const base = legs[0] ?? {}
  const { from, size } = understood.page
  const fused = collapsed(
    hits.flatMap((hit) => {
      const asGiven = given(hit.docid)
      return asGiven === undefined ? [] : [{ hit, asGiven }]
    }),
    understood.body.collapse,
  )
  const shown = fused.slice(from, from + size).map(({ hit, asGiven }) => ({
    ...without(asGiven, 'sort'),
    _score: shownScore(hit),
    ...(about && { [ownKey]: about(hit) }),
  }))
  const pit = legs.findLast(({ pit_id: id }) => id !== undefined)?.pit_id

  return {
    ...base,
    took: Math.round(took),
    timed_out: legs.some((leg) => leg.timed_out === true),
    ...(legs.some((leg) => leg.terminated_early === true) && { terminated_early: true }),
    _shards: sumOfShards(legs),
    ...(pit !== undefined && { pit_id: pit }),
    hits: {
      ...(isObject(base.hits) ? base.hits : {}),
      ...totalOf(original, others.length > 0, fused.length),
      max_score: fused[0] === undefined ? null : shownScore(fused[0].hit),
      hits: shown,
    },
  }
}

/**
 * Engines’ scores are never negative, and some applications count on it. What fusion gives is not either; what re-ranking
 * gives may be, and is shown on the way from 0 to 1, in the same order.
 */
const shownScore = ({ score, fused }: Hit): number =>
  fused === undefined ? score : 1 / (1 + Math.exp(-score))

/** The answer of a changed request 1 as the caller asked for it: its own order, cut to the page, each hit restored. */
export function pageOf(
  answer: JsonObject,
  { from, size }: Page,
  restore: (hit: JsonObject) => JsonObject,
): JsonObject {
  if (!isObject(answer.hits) || !Array.isArray(answer.hits.hits)) return answer
  const hits = answer.hits.hits.slice(from, from + size).map(restore)
  return { ...answer, hits: { ...answer.hits, hits } }
}

interface Shown {
  readonly hit: Hit
  readonly asGiven: JsonObject
}

/** Each leg has one hit of a group, and two legs may have different ones: the better one stands for the group. */
function collapsed(hits: readonly Shown[], collapse: unknown): readonly Shown[] {
  const field = isObject(collapse) ? collapse.field : undefined
  if (typeof field !== 'string') return hits
  const seen = new Set<string>()
  return hits.filter(({ asGiven: { fields } }) => {
    const group = JSON.stringify(isObject(fields) ? (fields[field] ?? null) : null, (_, value) =>
      isObject(value) || Array.isArray(value) ? value : String(value),
    )
    if (seen.has(group)) return false
    seen.add(group)
    return true
  })
}

/**
 * How many documents match: known of the query as it is. Where others took part it is that or what can be paged through,
 * whichever is more, and there may be more.
 */
function totalOf(original: JsonObject | undefined, hasOthers: boolean, fused: number): JsonObject {
  const total = isObject(original?.hits) ? original.hits.total : undefined
  if (original === undefined) return { total: { value: fused, relation: 'gte' } }
  if (total === undefined || !hasOthers) return {}
  if (!isObject(total)) return { total: Math.max(numberOf(total) ?? 0, fused) }
  return { total: { value: Math.max(numberOf(total.value) ?? 0, fused), relation: 'gte' } }
}

/** How many shards took part, over all legs. */
function sumOfShards(legs: readonly JsonObject[]): JsonObject {
  const all = legs.map(({ _shards }) => (isObject(_shards) ? _shards : {}))
  const sum = (key: string): number => all.reduce((total, shards) => total + (numberOf(shards[key]) ?? 0), 0)
  const failures = all.flatMap((shards) => (shards.failures === undefined ? [] : listOf(shards.failures)))
  return {
    total: sum('total'),
    successful: sum('successful'),
    skipped: sum('skipped'),
    failed: sum('failed'),
    ...(failures.length > 0 && { failures }),
  }
}
