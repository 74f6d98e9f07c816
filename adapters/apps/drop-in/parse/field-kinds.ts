/**
 * Which fields hold texts. A `match` on a keyword or a number is a condition, and the body does not tell: the engine is asked
 * for each index and caller, with the caller's own rights, and what it says is kept for a minute.
 */
import { LRUCache } from 'lru-cache'
import { isQuerentError } from '../../../../src/errors.ts'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import { onAbort, openDeadline, untilAborted } from '../../../../src/runtime/deadline.ts'
import { type TextFields, textNames, titleNames } from '../answer/hit-texts.ts'
import { matches } from '../answer/wildcard.ts'
import type { CallerEngine, FieldsRequest } from '../caller-engine.ts'
import { isObject, type JsonObject, numberOf, only } from '../json.ts'

/**
 * `text`: in every index that is searched. `partly`: some of them do not have the field. `none`: none has it. `other`: at
 * least one has it as something else. A pattern is `text` where one of its fields is.
 */
export type FieldKind = 'text' | 'partly' | 'none' | 'other'

/** The kind of a field or pattern; undefined where it is not known. */
export type KindOf = (field: string) => FieldKind | undefined

/** Whose search it is, and where. */
export interface FieldScope {
  /** Who asks: another caller may see other indices under the same name. */
  readonly identity: string
  readonly index: string | undefined
  /** What the search says of its indices. */
  readonly header: JsonObject
}

export interface FieldKinds {
  /** What is known without asking. */
  known(scope: FieldScope): KindOf
  /**
   * Asks for fields. If the engine fails, its last answer counts; if it never answered, knows no such request, forbids it or
   * takes too long, the names decide: see `kindByName`. Never rejects. Searches that ask the same together send one request, which ends when nobody
   * waits for it any more.
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
  /** Milliseconds that the engine has. */
  readonly timeout: number
  /** How long an answer is kept. Default: 60. */
  readonly seconds?: number
  /** Fields that are kept at the most, over all indices and callers. Default: 10,000. */
  readonly entries?: number
  /** Time, for tests. Default: the system's. */
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
    max: entries,
    ttl: seconds * 1000,
    ttlResolution: 0,
    perf: clock,
    // An old answer is better than none while the engine has no new one.
    noDeleteOnStaleGet: true,
  })
  const underWay = new Map<string, UnderWay>()

  const known =
    (scope: FieldScope): KindOf =>
    (field) =>
      isExact(field) ? 'other' : kept.get(keyOf(scope, field))

  async function askNow(
    scope: FieldScope,
    fields: readonly string[],
    engine: Pick<CallerEngine, 'fieldCaps'>,
    signal: AbortSignal,
  ): Promise<KindOf> {
    /** Fields of these kinds, kept where the next search would hear the same. */
    function found(kindOf: (field: string) => FieldKind, isKept: boolean): KindOf {
      const kinds = new Map(fields.map((field) => [field, kindOf(field)]))
      if (isKept) for (const [field, kind] of kinds) kept.set(keyOf(scope, field), kind)
      return (field) => kinds.get(field) ?? known(scope)(field)
    }
    const byName = (field: string): FieldKind => kindByName(field, texts)
    const last = (field: string): FieldKind =>
      kept.get(keyOf(scope, field), { allowStale: true }) ?? byName(field)

    try {
      const asked = engine.fieldCaps(requestOf(scope, fields), { signal, timeout })
      const { status, body } = await untilAborted(asked, signal)
      const caps = status < 400 ? capsIn(body) : undefined
      if (caps !== undefined) return found((field) => kindIn(caps, field), true)
      const mayPass = status >= 500 || status === 429 || (isObject(body) && hasLost(body))
      return mayPass ? found(last, false) : found(byName, true)
    } catch (error) {
      // A caller that waited for it once need not wait for it with each search.
      return found(last, isQuerentError(error) && error.code === 'deadline')
    }
  }

  function start(
    key: string,
    scope: FieldScope,
    fields: readonly string[],
    engine: Pick<CallerEngine, 'fieldCaps'>,
  ): UnderWay {
    const { signal, cancel } = openDeadline(clock, { ms: timeout, what: 'The kinds of fields' })
    const answer = askNow(scope, fields, engine, signal).finally(() => {
      underWay.delete(key)
      cancel()
    })
    const one = { answer, cancel, waiting: 0 }
    underWay.set(key, one)
    return one
  }

  return {
    known,
    async ask(scope, fields, engine, signal) {
      if (signal?.aborted) return (field) => kindByName(field, texts)
      const key = keyOf(scope, ...fields)
      const one = underWay.get(key) ?? start(key, scope, fields, engine)
      one.waiting++
      const stay = signal && onAbort(signal, () => --one.waiting === 0 && one.cancel())
      return one.answer.finally(stay)
    },
  }
}

/** A request for what fields are. */
interface UnderWay {
  readonly answer: Promise<KindOf>
  /** Who wait for it. */
  waiting: number
  cancel(): void
}

/** Which indices a name stands for depends on these. */
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

/** Engines give families of types: `match_only_text` is `text`. */
const textTypes = new Set([
  'text',
  'match_only_text',
  'search_as_you_type',
  'annotated_text',
  'semantic_text',
  'semantic',
])

/** Fields in an answer; undefined where it has none. */
function capsIn(body: unknown): JsonObject | undefined {
  if (!isObject(body) || hasLost(body)) return undefined
  return isObject(body.fields) ? body.fields : undefined
}

/**
 * Whether indices could not be asked, which Elasticsearch counts. A cluster that has lost its shards for a moment knows no
 * fields, and OpenSearch answers then as if there were none.
 */
const hasLost = (body: JsonObject): boolean =>
  (numberOf(body.failed_indices) ?? 0) > 0 || Object.keys(body).length === 0

function kindIn(caps: JsonObject, field: string): FieldKind {
  if (!field.includes('*')) return kindOfTypes(Object.hasOwn(caps, field) ? caps[field] : {})
  const names = Object.keys(caps).filter(
    (name) => matches(field, name) && !name.startsWith('_') && !isExact(name),
  )
  const kinds = names.map((name) => kindOfTypes(caps[name]))
  return (['text', 'other', 'partly'] as const).find((kind) => kinds.includes(kind)) ?? 'none'
}

/** Of what a field is in the indices that are searched, by the name of each type. */
function kindOfTypes(types: unknown): FieldKind {
  const names = Object.keys(isObject(types) ? types : {})
  const mapped = names.filter((name) => name !== 'unmapped')
  if (mapped.length === 0) return 'none'
  if (!mapped.every((name) => textTypes.has(name))) return 'other'
  return mapped.length === names.length ? 'text' : 'partly'
}

/** Names of a field's other view, whose values are searched as a whole, whatever type has it. */
const exactNames = new Set(['keyword', 'raw', 'exact', 'untouched', 'verbatim', 'sort'])

const isExact = (field: string): boolean =>
  field.includes('.') && exactNames.has(field.slice(field.lastIndexOf('.') + 1).toLowerCase())

/** Names that are a text's nowhere but here: a subject or a name may be one of a few. */
const ofTexts = new Set([...titleNames, ...textNames].filter((name) => name !== 'name' && name !== 'subject'))

/** What a field is taken for where the engine does not say: text, where the application or its name says so. */
export function kindByName(field: string, { title, text = [] }: TextFields): FieldKind {
  if (isExact(field)) return 'other'
  if (field === title || text.includes(field)) return 'text'
  return ofTexts.has(field.split('.')[0]!) ? 'text' : 'other'
}
