/**
 * Which fields hold texts. A `match` on a keyword or a number is a condition, but the body does not show a field's type. Querent
 * asks the engine for each index and caller, with the caller's own rights, and keeps the answer for a minute.
 */
import { LRUCache } from 'lru-cache'
import { isQuerentError } from '../../../../src/errors.ts'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import { withDeadline } from '../../../../src/runtime/deadline.ts'
import { createFlights } from '../../../../src/runtime/flights.ts'
import {
  exact,
  type FieldKind,
  isExact,
  type KindOf,
  kindByName,
  kindIn,
  type TextFields,
} from '../parse/field-kinds.ts'
import { isObject, type JsonObject, numberOf, only } from '../parse/json.ts'
import type { CallerEngine, FieldsRequest } from './caller-engine.ts'

/** Who searches, and where. */
export interface FieldScope {
  /** The caller. Another caller may see other indices under the same name. */
  readonly identity: string
  readonly index: string | undefined
  /** The options of the search for its indices. */
  readonly header: JsonObject
}

export interface FieldKinds {
  /** The kinds that are known without a request. */
  known(scope: FieldScope): KindOf
  /**
   * Asks the engine for the kinds of fields. If the engine fails, its last answer counts. If it never answered, does not know the
   * request, forbids it or takes too long, the field names decide: see `kindByName`. Never rejects. Concurrent searches that ask
   * the same share one request. It ends when no search waits for it any more.
   */
  ask(
    scope: FieldScope,
    fields: readonly string[],
    engine: Pick<CallerEngine, 'fieldCaps'>,
    signal?: AbortSignal,
  ): Promise<KindOf>
}

export interface FieldKindsOptions {
  readonly texts: TextFields
  /** Milliseconds for the engine. */
  readonly timeout: number
  /** Seconds to keep an answer. Default: 60. */
  readonly seconds?: number
  /** Maximum number of kept fields, over all indices and callers. Default: 10,000. */
  readonly entries?: number
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock
}

export function createFieldKinds({
  texts,
  timeout,
  seconds = 60,
  entries = 10_000,
  clock = systemClock,
}: FieldKindsOptions): FieldKinds {
  const kept = new LRUCache<string, FieldKind>({
    // `max` would reserve room for all entries at once.
    maxSize: entries,
    sizeCalculation: () => 1,
    ttl: seconds * 1000,
    ttlResolution: 0,
    perf: clock,
    // An old answer is better than none while the engine gives no new one.
    noDeleteOnStaleGet: true,
  })
  const underWay = createFlights<KindOf>()

  const known =
    (scope: FieldScope): KindOf =>
    (field) =>
      isExact(field) ? exact : kept.get(keyOf(scope, field))

  async function askNow(
    scope: FieldScope,
    fields: readonly string[],
    engine: Pick<CallerEngine, 'fieldCaps'>,
    parent: AbortSignal,
  ): Promise<KindOf> {
    /** Returns these kinds. Keeps them if the next search would get the same answer. */
    function found(kindOf: (field: string) => FieldKind, isKept: boolean): KindOf {
      const kinds = new Map(fields.map((field) => [field, kindOf(field)]))
      if (isKept) for (const [field, kind] of kinds) kept.set(keyOf(scope, field), kind)
      return (field) => kinds.get(field) ?? known(scope)(field)
    }
    const byName = (field: string): FieldKind => kindByName(field, texts)
    const last = (field: string): FieldKind =>
      kept.get(keyOf(scope, field), { allowStale: true }) ?? byName(field)

    try {
      const limit = { parent, ms: timeout, what: 'The kinds of fields' }
      const { status, body } = await withDeadline(clock, limit, (signal) =>
        engine.fieldCaps(requestOf(scope, fields), { signal, timeout }),
      )
      const caps = status < 400 ? capsIn(body) : undefined
      if (caps !== undefined) return found((field) => kindIn(caps, field), true)
      const mayPass = status >= 500 || status === 429 || (isObject(body) && hasLost(body))
      return mayPass ? found(last, false) : found(byName, true)
    } catch (error) {
      // Keep the kinds after a timeout: the caller must not wait again with each search.
      return found(last, isQuerentError(error) && error.code === 'deadline')
    }
  }

  return {
    known,
    ask: (scope, fields, engine, signal) =>
      underWay
        .join(keyOf(scope, ...fields), (until) => askNow(scope, fields, engine, until), {
          signal,
          fresh: false,
        })
        .then(
          ({ value }) => value,
          () => (field) => kindByName(field, texts),
        ),
  }
}

/** Parameters that decide which indices a name stands for. */
const ofIndices = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards'] as const

const keyOf = ({ identity, index, header }: FieldScope, ...fields: readonly string[]): string =>
  JSON.stringify([identity, index, ofIndices.map((name) => String(header[name])), fields])

const requestOf = ({ index, header }: FieldScope, fields: readonly string[]): FieldsRequest => ({
  path: `${index === undefined ? '' : `/${encodeURIComponent(index)}`}/_field_caps`,
  url: {
    ...only(header, ...ofIndices),
    fields: fields.join(','),
    include_unmapped: 'true',
    filter_path: 'fields,failed_indices',
  },
})

/** The fields of an answer. Undefined if it has none. */
function capsIn(body: unknown): JsonObject | undefined {
  if (!isObject(body) || hasLost(body)) return undefined
  return isObject(body.fields) ? body.fields : undefined
}

/**
 * Whether some indices could not be asked. Elasticsearch counts them. A cluster that has lost its shards for a moment knows no
 * fields, and OpenSearch then answers as if the indices had none.
 */
const hasLost = (body: JsonObject): boolean =>
  (numberOf(body.failed_indices) ?? 0) > 0 || Object.keys(body).length === 0
