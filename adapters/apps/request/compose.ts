/**
 * One answer in the engine’s own shape, made of several: the hits are the fused ones, each as the engine gave it, and the
 * rest is what the query as it is was answered with. docs/rewriting.md has the rules.
 */
import type { Hit } from '../../../src/types.ts'
import { ownKey } from './explanation.ts'
import { isObject, type JsonObject, listOf, numberOf, without } from './json.ts'
import type { Page } from './paging.ts'
import type { Understood } from './understand.ts'

export interface Composition {
  readonly understood: Understood
  /** What request 1 was answered with. */
  readonly original: JsonObject
  /** What the sub-queries were answered with. */
  readonly others: readonly JsonObject[]
  /** The whole fused list, best first. */
  readonly hits: readonly Hit[]
  /** Hits of request 1, best first: those that are not fused go on where the fused list ends, with a score of 0. */
  readonly own: readonly Hit[]
  /** Whether its scores are those of re-ranking. */
  readonly isReranked: boolean
  /** A hit as the engine gave it. */
  readonly given: (docid: string) => JsonObject | undefined
  /** Milliseconds since the caller asked. */
  readonly took: number
  /** What is said of a hit under our key, where that was asked for. */
  readonly about?: ((hit: Hit) => JsonObject) | undefined
}

export function compose(composition: Composition): JsonObject {
  const { understood, original, others, hits, own, isReranked, given, took, about } = composition
  const legs = [original, ...others]
  const { from, size, depth } = understood.page
  const fused = hits.map((hit): Placed => ({ hit, score: isReranked ? squashed(hit.score) : hit.score }))
  const fusedIds = new Set(hits.map(({ docid }) => docid))
  const rest = own
    .filter(({ docid }) => !fusedIds.has(docid))
    .map(({ docid }, place): Placed => {
      const hit = { docid, score: 0, rank: hits.length + place + 1 }
      return { hit, score: hit.score }
    })
  const all = distinct([...fused, ...rest], given, understood.body.collapse).slice(0, depth)
  const fusedCount = all.filter(({ hit: { docid } }) => fusedIds.has(docid)).length
  const shown = all.slice(from, from + size).map((one) => ({
    ...without(one.asGiven, 'sort'),
    _score: one.score,
    ...(about && { [ownKey]: about(one.hit) }),
  }))
  const pit = legs.findLast(({ pit_id: id }) => id !== undefined)?.pit_id

  return {
    ...original,
    took: Math.round(took),
    timed_out: legs.some((leg) => leg.timed_out === true),
    ...(legs.some((leg) => leg.terminated_early === true) && { terminated_early: true }),
    _shards: sumOfShards(legs),
    ...(pit !== undefined && { pit_id: pit }),
    hits: {
      ...(isObject(original.hits) ? original.hits : {}),
      ...(others.length > 0 && totalOf(original, fusedCount)),
      max_score: all[0]?.score ?? null,
      hits: shown,
    },
  }
}

/**
 * Engines’ scores are never negative, and some applications count on it. What fusion gives is not either; what re-ranking
 * gives may be, and is shown on the way from 0 to 1, in the same order.
 */
const squashed = (score: number): number => 1 / (1 + Math.exp(-score))

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

interface Placed {
  readonly hit: Hit
  /** What the caller sees. */
  readonly score: number
}

interface Shown extends Placed {
  readonly asGiven: JsonObject
}

/**
 * The hits that the engine gave, each once. Where they are collapsed, each leg has one hit of a group, and two legs may have
 * different ones: the better one stands for the group.
 */
function distinct(
  hits: readonly Placed[],
  given: (docid: string) => JsonObject | undefined,
  collapse: unknown,
): readonly Shown[] {
  const field = isObject(collapse) && typeof collapse.field === 'string' ? collapse.field : undefined
  const shown = new Map<string, Shown>()
  for (const placed of hits) {
    const { docid } = placed.hit
    const asGiven = given(docid)
    if (asGiven === undefined) continue
    const key = field === undefined ? docid : groupOf(asGiven, field)
    if (!shown.has(key)) shown.set(key, { ...placed, asGiven })
  }
  return [...shown.values()]
}

/** The value of the field; all hits without one are a group. Numbers of a lossless parser are told by their digits. */
const groupOf = ({ fields }: JsonObject, field: string): string =>
  JSON.stringify(isObject(fields) ? (fields[field] ?? null) : null, (_, value: unknown) =>
    isObject(value) || Array.isArray(value) || value === null ? value : String(value),
  )

/**
 * How many documents match: known of the query as it is. With what others found it is that or what can be paged through,
 * whichever is more, and there may be more. Where it was not counted it is not made up.
 */
function totalOf({ hits }: JsonObject, fused: number): JsonObject {
  const total = isObject(hits) ? hits.total : undefined
  if (total === undefined || total === null) return {}
  if (isObject(total))
    return { total: { value: Math.max(numberOf(total.value) ?? 0, fused), relation: 'gte' } }
  const count = numberOf(total) ?? 0
  return count < 0 ? {} : { total: Math.max(count, fused) }
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
