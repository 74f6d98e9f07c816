/** What documents have in fields, from aggregations: asked once for each question, and kept for some minutes. */
import { LRUCache } from 'lru-cache'
import { untilAborted } from '../../../src/runtime/deadline.ts'
import { isObject } from '../../../src/runtime/json.ts'
import type { FieldValue, FieldValues, ValuesWanted } from '../../../src/types.ts'

/** Values of a field, and answers that are kept, and for how many milliseconds. */
const [maxValues, maxKept, keptFor] = [10_000, 100, 300_000]

/** Milliseconds for the request. It goes on for later searches when the search that began it has ended. */
export const valuesTimeout = 10_000

/** The body that asks for these fields. @param filters only documents that pass all of them are counted */
export const valuesBody = (wanted: readonly ValuesWanted[], filters: readonly object[]) => ({
  size: 0,
  track_total_hits: false,
  query: { bool: { filter: filters } },
  aggs: Object.fromEntries(
    wanted.flatMap(({ field, of }, place): [string, object][] =>
      of === 'values'
        ? [[`values${place}`, { terms: { field, size: maxValues } }]]
        : [
            [`min${place}`, { min: { field } }],
            [`max${place}`, { max: { field } }],
          ],
    ),
  ),
})

/** One answer for each field, in their order. Undefined for an answer without aggregations. */
export function valuesOf(wanted: readonly ValuesWanted[], body: unknown): FieldValues[] | undefined {
  const found = isObject(body) ? body.aggregations : undefined
  if (!isObject(found)) return undefined
  return wanted.map(({ of }, place) =>
    of === 'values' ? valuesIn(found[`values${place}`]) : rangeIn(found[`min${place}`], found[`max${place}`]),
  )
}

/** Answers by what they depend on. One that fails is not kept. */
export type KeptValues = (
  key: readonly unknown[],
  ask: () => Promise<readonly FieldValues[]>,
  signal: AbortSignal,
) => Promise<readonly FieldValues[]>

export function keptValues(): KeptValues {
  const kept = new LRUCache<string, Promise<readonly FieldValues[]>>({ max: maxKept, ttl: keptFor })
  return (parts, ask, signal) => {
    const key = JSON.stringify(parts)
    let answer = kept.get(key)
    if (answer === undefined) {
      answer = ask()
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
