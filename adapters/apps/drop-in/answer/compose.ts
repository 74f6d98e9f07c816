/**
 * Composes one answer in the engine's own format from several. The hits are the fused ones, each as the engine returned it. The
 * rest comes from the answer to the original query. docs/rewriting.md has the rules.
 */
import { sigmoid } from '../../../../src/sigmoid.ts'
import type { Hit } from '../../../../src/types.ts'
import { isObject, type JsonObject, listOf, numberOf, without } from '../parse/json.ts'
import { canRestrict, type Page } from '../parse/paging.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import { identity } from './engine-answer.ts'
import { ownKey } from './outcome.ts'

export interface Composition {
  readonly understood: RewritableSearch
  /** The answer to request 1. */
  readonly original: JsonObject
  /** The answers to the sub-queries. */
  readonly others: readonly JsonObject[]
  /** The whole fused list, best first. */
  readonly hits: readonly Hit[]
  /** Hits of request 1, best first. Those that are not fused follow behind the fused list, with a score of 0. */
  readonly own: readonly Hit[]
  /** Further hits of the page, behind all of these, with a score of 0. Default: none. */
  readonly behind?: readonly JsonObject[] | undefined
  /** Whether the scores are those of a re-ranker, which may be negative. */
  readonly isLogarithmic: boolean
  /** A hit as the engine returned it. */
  readonly given: (docid: string) => JsonObject | undefined
  /** The same for a hit that is shown. Undefined if the engine no longer has it. Default: `given`. */
  readonly whole?: ((docid: string) => JsonObject | undefined) | undefined
  /** Milliseconds since the caller's request. */
  readonly took: number
  /** The explanation of a hit under Querent's key, if the caller asked for it. */
  readonly about?: ((hit: Hit) => JsonObject) | undefined
}

export function compose(composition: Composition): JsonObject {
  const { understood, original, others, hits, isLogarithmic, behind = [], took, about } = composition
  const { whole = composition.given } = composition
  const legs = [original, ...others]
  const { from, size } = understood.page
  const fused = new Set(hits.map(({ docid }) => docid))
  const listed = listOfAll(composition)
  const scoreOf = ({ docid, score }: Hit): number =>
    // Scores of engines are never negative, and some applications rely on this; re-ranking scores may be.
    isLogarithmic && fused.has(docid) ? sigmoid(score) : score
  const show = (hit: Hit, asGiven: JsonObject): JsonObject => ({
    ...(asGiven.sort === undefined || understood.body.sort !== undefined
      ? asGiven
      : without(asGiven, 'sort')),
    _score: scoreOf(hit),
    ...(about && { [ownKey]: about(hit) }),
  })
  const shown = listed.slice(from, from + size).flatMap(({ hit }) => {
    const asGiven = whole(hit.docid)
    return asGiven === undefined ? [] : [show(hit, asGiven)]
  })
  const following = behind.map((hit, place) => {
    const rank = Math.max(from, listed.length) + place + 1
    return show({ docid: identity(hit), score: 0, rank }, hit)
  })
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
      ...(others.length > 0 && totalOf(original, listed.filter(({ hit }) => fused.has(hit.docid)).length)),
      max_score: listed[0] === undefined ? null : scoreOf(listed[0].hit),
      hits: [...shown, ...following],
    },
  }
}

/** The fused list, as deep as fused pages go, and behind it the other known hits of the caller's own list. */
export function listOfAll({
  understood: { body, page },
  hits,
  own,
  given,
}: Pick<Composition, 'understood' | 'hits' | 'own' | 'given'>): readonly Shown[] {
  const fused = new Set(hits.map(({ docid }) => docid))
  const rest = own.filter(({ docid }) => !fused.has(docid))
  const behind = rest.map(({ docid }, place): Hit => ({ docid, score: 0, rank: hits.length + place + 1 }))
  const listed = distinct([...hits, ...behind], given, body.collapse)
  // If no pages can follow, the list ends at `depth`. Groups have more fused hits than the answer shows.
  return canRestrict(body) ? listed : listed.slice(0, page.depth)
}

/**
 * The answer to a changed request 1 as the caller asked for it: in the engine's order, cut to the page, with each hit restored.
 */
export function pageOf(
  answer: JsonObject,
  { from, size }: Pick<Page, 'from' | 'size'>,
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

/**
 * The hits as the engine returned them. With `collapse`, each leg has one hit of a group, and two legs may have different ones.
 * The better one stands for the group.
 */
function distinct(
  hits: readonly Hit[],
  given: (docid: string) => JsonObject | undefined,
  collapse: unknown,
): readonly Shown[] {
  const field = isObject(collapse) && typeof collapse.field === 'string' ? collapse.field : undefined
  const groups = new Set<string>()
  const shown: Shown[] = []
  for (const hit of hits) {
    const asGiven = given(hit.docid)
    if (asGiven === undefined) continue
    const group = field === undefined ? hit.docid : groupOf(asGiven, field)
    if (groups.has(group)) continue
    groups.add(group)
    shown.push({ hit, asGiven })
  }
  return shown
}

/** The value of the field. All hits without one form a group. Numbers of a lossless parser are compared by their digits. */
const groupOf = ({ fields }: JsonObject, field: string): string =>
  JSON.stringify(isObject(fields) ? (fields[field] ?? null) : null, (_, value: unknown) =>
    isObject(value) || Array.isArray(value) || value === null ? value : String(value),
  )

/**
 * The number of matching documents: the original query's total, or the number of fused hits if that is larger. It is a lower
 * bound. An answer without a total gets none.
 */
function totalOf({ hits }: JsonObject, fused: number): JsonObject {
  const total = isObject(hits) ? hits.total : undefined
  if (total === undefined || total === null) return {}
  if (isObject(total))
    return { total: { value: Math.max(numberOf(total.value) ?? 0, fused), relation: 'gte' } }
  const count = numberOf(total) ?? 0
  return count < 0 ? {} : { total: Math.max(count, fused) }
}

/** The sums of the shard counts of all legs. */
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
