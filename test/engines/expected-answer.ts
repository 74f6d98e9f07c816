/** What the answer to an optimized search has to be, worked out from what the engine itself says to each of its searches. */

import { identity } from '../../adapters/apps/drop-in/answer/engine-answer.ts'
import { filterPath } from '../../adapters/apps/drop-in/answer/filter-path.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  without,
} from '../../adapters/apps/drop-in/parse/json.ts'
import { rankScore } from '../../fusion/rank-score.ts'
import type { Fusion, Hit } from '../../src/types.ts'
import type { Ask, Search } from './ways.ts'

export interface Answer extends JsonObject {
  readonly _shards: JsonObject
  readonly hits: JsonObject & { readonly hits: readonly JsonObject[] }
}

const window = 20

const depthOf = (size: number): number => Math.ceil(window / size) * size

/** The engine's answers: to the search as the caller wrote it, and to each sub-query. */
interface Legs {
  readonly original: Answer
  readonly others: readonly Answer[]
}

interface Paged {
  readonly from: number
  readonly size: number
}

function pageOf({ body, parameters }: Search): Paged {
  const read = (value: unknown, otherwise: number): number => numberOf(Number(value ?? otherwise))!
  return { from: read(parameters.from ?? body.from, 0), size: read(parameters.size ?? body.size, 10) }
}

/** Hits of each of so many sub-queries: one alone has 30, several share 15, or a page where that is more, and have 5 at least. */
const legDepth = (size: number, count: number): number =>
  Math.min(
    depthOf(size),
    count === 1 ? Math.max(30, size) : Math.max(5, Math.ceil(Math.max(15, size) / count)),
  )

/** Asks the engine itself. The original up to the end of its page, the sub-queries as deep as their lists are. */
export async function askLegs(bare: Ask, search: Search, others: readonly JsonObject[]): Promise<Legs> {
  const { from, size } = pageOf(search)
  const { from: _from, size: _size, filter_path, ...parameters } = search.parameters
  const depth = legDepth(size, others.length)
  const ask = async (body: JsonObject, most: number): Promise<Answer> => {
    const pit = isObject(body.pit) ? { pit: body.pit } : {}
    return (await bare({ ...search, parameters, body: { ...body, ...pit, from: 0, size: most } })) as Answer
  }
  const original = await ask(search.body, from + size)
  return { original, others: await Promise.all(others.map((body) => ask(body, depth))) }
}

/** The engine's own answer to the same search, as deep as lists are. */
export async function askDeep(bare: Ask, search: Search): Promise<Answer> {
  const { size } = pageOf(search)
  const { original } = await askLegs(
    bare,
    {
      ...search,
      body: { ...search.body, from: 0, size: depthOf(size) },
      parameters: without(search.parameters, 'size', 'from') as Search['parameters'],
    },
    [],
  )
  return original
}

/** The answer by the rules of docs/drop-in.md, `took` left out. */
export function fusedAnswer(
  { original, others }: Legs,
  { body, parameters, ...search }: Search,
  fusion: Fusion = rankScore(),
): JsonObject {
  const { from, size } = pageOf({ body, parameters, ...search })
  const seen = [original.hits.hits.slice(0, size), ...others.map(({ hits }) => hits.hits)]
  const given = new Map<string, { readonly rank: number; readonly hit: JsonObject }>()
  for (const [list, { hits }] of [original, ...others].entries())
    for (const [place, hit] of hits.hits.entries()) {
      const key = identity(hit)
      const known = given.get(key)
      const isBetter = known === undefined || (place < known.rank && !original.hits.hits.includes(known.hit))
      if (isBetter) given.set(key, { rank: list === 0 ? -1 : place, hit })
    }
  const fused = fusion.fuse(
    seen.map((hits, list) => ({
      retriever: 'engine',
      subQuery: { text: String(list), round: 1 },
      hits: hits.map(
        (hit, place): Hit => ({ docid: identity(hit), score: numberOf(hit._score)!, rank: place + 1 }),
      ),
    })),
  )
  const docids = new Set(fused.map(({ docid }) => docid))
  // The pages of the caller's own list behind the first, which alone votes.
  const behind = original.hits.hits.slice(size).filter((hit) => !docids.has(identity(hit)))
  const listed = (placed: readonly JsonObject[]): readonly JsonObject[] =>
    oneOfEach(placed, isObject(body.collapse) ? String(body.collapse.field) : undefined).slice(
      0,
      depthOf(size),
    )
  const head = fused.map(({ docid, score }) => ({ ...asReturned(given.get(docid)!.hit), _score: score }))
  const shown = listed([...head, ...behind.map((hit) => ({ ...asReturned(hit), _score: 0 }))])
  const most = listed(head).length
  const { total } = original.hits
  const full = {
    ...without(original, 'took'),
    _shards: shards([original, ...others]),
    hits: {
      ...original.hits,
      ...(total !== undefined && {
        total: isObject(total)
          ? { value: Math.max(numberOf(total.value)!, most), relation: 'gte' }
          : Math.max(numberOf(total)!, most),
      }),
      max_score: shown[0]?._score ?? null,
      hits: shown.slice(from, from + size),
    },
  }
  return filterPath(full, parameters.filter_path)
}

/** A hit of the engine without its sort values, unless there are others than the score. */
export const asReturned = (hit: JsonObject): JsonObject =>
  Array.isArray(hit.sort) && hit.sort.length > 1 ? hit : without(hit, 'sort')

function oneOfEach(hits: readonly JsonObject[], field: string | undefined): readonly JsonObject[] {
  if (field === undefined) return hits
  const groups = hits.map(({ fields }) => String((fields as Record<string, unknown[]>)[field]![0]))
  return hits.filter((_, place) => groups.indexOf(groups[place]!) === place)
}

function shards(legs: readonly Answer[]): JsonObject {
  const sum = (key: string): number =>
    legs.reduce((total, leg) => total + (numberOf(leg._shards[key]) ?? 0), 0)
  const failures = legs.flatMap(({ _shards }) => listOf(_shards.failures ?? []))
  const counted = Object.fromEntries(
    ['total', 'successful', 'skipped', 'failed'].map((key) => [key, sum(key)]),
  )
  return failures.length > 0 ? { ...counted, failures } : counted
}

/** An answer but for what differs from one run to the next: how long it took, altogether and by the profiler. */
export function lasting(answer: unknown): unknown {
  if (!isObject(answer)) return answer
  const { took: _, profile, ...rest } = answer
  // A profile says what was asked, too, which is more than the caller did where the page is another one.
  return isObject(profile) ? { ...rest, profile: shapeOf(without(profile, 'request')) } : rest
}

/** Which keys stand where, without what they hold. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort()
  if (!isObject(value)) return '·'
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, shapeOf(item)]),
  )
}
