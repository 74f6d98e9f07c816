/** What an index on a cluster has in fields: asked once for each caller, filter and set of fields, and kept for some minutes. */
import { LRUCache } from 'lru-cache'
import { QuerentError } from '../../../src/errors.ts'
import { untilAborted } from '../../../src/runtime/deadline.ts'
import type { FieldValue, FieldValues, ValuesWanted } from '../../../src/types.ts'
import type { CallOptions, Cluster } from './cluster.ts'
import { isObject } from './object.ts'

/** Values of a field, and answers that are kept, and for how many milliseconds. */
const [maxValues, maxKept, keptFor] = [10_000, 100, 300_000]

/** Milliseconds for the request. It goes on for later searches when the search that began it has ended. */
const timeout = 10_000

export interface ValuesRequest {
  readonly wanted: readonly ValuesWanted[]
  /** All filters: only documents that pass them are counted. */
  readonly filters: readonly object[]
  readonly call: CallOptions
  readonly querystring: Readonly<Record<string, string>>
}

/** @param path the indexes as part of a path */
export function clusterValues(
  engine: Cluster,
  path: string,
): (request: ValuesRequest, signal: AbortSignal) => Promise<readonly FieldValues[]> {
  const kept = new LRUCache<string, Promise<readonly FieldValues[]>>({ max: maxKept, ttl: keptFor })

  async function ask({ wanted, filters, call, querystring }: ValuesRequest): Promise<readonly FieldValues[]> {
    const aggs = Object.fromEntries(
      wanted.flatMap(({ field, of }, place): [string, object][] =>
        of === 'values'
          ? [[`values${place}`, { terms: { field, size: maxValues } }]]
          : [
              [`min${place}`, { min: { field } }],
              [`max${place}`, { max: { field } }],
            ],
      ),
    )
    const { body } = await engine.send(
      {
        name: 'search',
        method: 'POST',
        path: `/${path}/_search`,
        querystring,
        body: { size: 0, track_total_hits: false, query: { bool: { filter: filters } }, aggs },
      },
      { ...call, timeout, signal: AbortSignal.timeout(timeout) },
    )
    const found = isObject(body) ? body.aggregations : undefined
    if (!isObject(found))
      throw new QuerentError('retriever-failed', `The answer of ${path} has no aggregations`)
    return wanted.map(({ of }, place) =>
      of === 'values'
        ? valuesIn(found[`values${place}`])
        : rangeIn(found[`min${place}`], found[`max${place}`]),
    )
  }

  return (request, signal) => {
    const key = JSON.stringify(request)
    let answer = kept.get(key)
    if (answer === undefined) {
      answer = ask(request)
      kept.set(key, answer)
      answer.catch(() => kept.delete(key))
    }
    return untilAborted(answer, signal)
  }
}

function valuesIn(terms: unknown): FieldValues {
  const buckets = isObject(terms) && Array.isArray(terms.buckets) ? terms.buckets : []
  const values = buckets.flatMap((bucket: unknown): FieldValue[] => {
    if (!isObject(bucket)) return []
    // Engines count booleans by 1 and 0.
    const { key, key_as_string: text } = bucket
    if (text === 'true' || text === 'false') return [text === 'true']
    return typeof key === 'string' || typeof key === 'number' ? [key] : []
  })
  return values.length === 0 ? {} : { values }
}

/** Dates have their text beside the number. */
function rangeIn(least: unknown, greatest: unknown): FieldValues {
  const [min, max] = [boundIn(least), boundIn(greatest)]
  return min === undefined || max === undefined ? {} : { min, max }
}

function boundIn(found: unknown): string | number | undefined {
  if (!isObject(found) || typeof found.value !== 'number') return undefined
  return typeof found.value_as_string === 'string' ? new Date(found.value).toISOString() : found.value
}
