/** An engine that finds what a test says, behind the interface through which optimized searches talk to a real one. */

import type { EngineAnswer } from '../../adapters/apps/drop-in/answer/engine-answer.ts'
import { isObject, type JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type {
  CallerHints,
  PassThrough,
  RewritableSearch,
  SearchCall,
} from '../../adapters/apps/drop-in/parse/parse-search.ts'
import type { Change } from '../../adapters/apps/drop-in/plan/first-request.ts'
import type { CallerEngine, EngineLeg, FieldsRequest } from '../../adapters/apps/drop-in/run/caller-engine.ts'
import {
  type Optimized,
  optimizedSearch,
  type SearchContext,
} from '../../adapters/apps/drop-in/run/optimized-search.ts'
import { type Asker, parseWithMapping } from '../../adapters/apps/drop-in/run/parse-with-mapping.ts'
import { type AppOptions, appSettings } from '../../adapters/apps/drop-in/run/settings.ts'
import { createCache } from '../../adapters/cache/cache.ts'

/** The whole list for a body, best first. */
export type Find = (body: JsonObject) => readonly JsonObject[]

export interface FakeEngine extends CallerEngine {
  /** The requests that came for the caller's own search; `undefined` is the caller's own. */
  readonly searches: (Change | undefined)[]
  /** The `_msearch` requests that came. */
  readonly batches: (readonly EngineLeg[])[]
  /** The requests for what fields are. */
  readonly fieldsAsked: FieldsRequest[]
}

/** Ways in which it does not answer as it would. */
export interface Faults {
  readonly search?: (change: Change | undefined, signal: AbortSignal) => Promise<EngineAnswer> | EngineAnswer
  readonly msearch?: (legs: readonly EngineLeg[], signal: AbortSignal) => unknown
  /** Default: all fields are texts. */
  readonly fieldCaps?: (asked: FieldsRequest, signal: AbortSignal) => Promise<EngineAnswer> | EngineAnswer
}

/** What an engine says of fields by their types; of the others that they are texts. */
export function capsOf({ url }: FieldsRequest, types: Readonly<Record<string, string>> = {}): EngineAnswer {
  const names = String(url.fields).split(',')
  const typeOf = (name: string): string => types[name] ?? 'text'
  return answered({
    fields: Object.fromEntries(names.map((name) => [name, { [typeOf(name)]: { type: typeOf(name) } }])),
  })
}

export function fakeEngine(
  call: SearchCall,
  find: Find,
  { search, msearch, fieldCaps }: Faults = {},
): FakeEngine {
  const searches: FakeEngine['searches'] = []
  const batches: FakeEngine['batches'] = []
  const fieldsAsked: FieldsRequest[] = []
  return {
    searches,
    batches,
    fieldsAsked,
    async fieldCaps(asked, { signal }) {
      fieldsAsked.push(asked)
      return fieldCaps === undefined ? capsOf(asked) : fieldCaps(asked, signal)
    },
    async search(change, { signal }) {
      searches.push(change)
      return search === undefined
        ? answered(findIn(find, change?.body ?? bodyOf(call)))
        : search(change, signal)
    },
    async msearch(legs, { signal }) {
      batches.push(legs)
      return msearch === undefined ? legs.map(({ body }) => findIn(find, body)) : msearch(legs, signal)
    },
  }
}

/** An answer of the engine's as it comes: its own form is the parsed body here. */
export const answered = (body: unknown, status = 200): EngineAnswer => ({ body, status, own: body })

/** What the engine answers to this body. */
export function findIn(find: Find, body: JsonObject): JsonObject {
  const { from = 0, size = 10, track_total_hits: counts = true } = body as Readonly<Record<string, number>>
  return answerOf(findChosen(find, body), { from, size, counts: Boolean(counts) })
}

/** What is found of the documents that a search is narrowed to (`chosen-hits.ts`). */
function findChosen(find: Find, body: JsonObject): readonly JsonObject[] {
  const { bool } = (body.query ?? {}) as { readonly bool?: Narrowing }
  const isList = Array.isArray(bool?.filter as unknown)
  const narrowing = isList ? bool?.filter?.at(0)?.bool : undefined
  const documents = narrowing?.should ?? narrowing?.must_not
  if (documents === undefined || !JSON.stringify(documents).includes('"ids"')) return find(body)
  const among = new Set(
    documents.flatMap(({ bool: { filter } }) => {
      const [{ term: { _index } = {} } = {}, routing] = filter
      const ids = filter.at(-1)!.ids!.values
      return ids.map((_id) => JSON.stringify([_index, _id, routing?.term?._routing]))
    }),
  )
  const isAmong = ({ _index, _id, _routing }: JsonObject): boolean =>
    among.has(JSON.stringify([_index, _id, _routing]))
  return find({ ...body, query: bool!.must[0]! }).filter(
    (hit) => isAmong(hit) === (narrowing!.should !== undefined),
  )
}

interface Narrowing {
  readonly must: readonly JsonObject[]
  readonly filter?: readonly {
    readonly bool?: { readonly should?: readonly Chosen[]; readonly must_not?: readonly Chosen[] }
  }[]
}

interface Chosen {
  readonly bool: {
    readonly filter: readonly {
      readonly term?: JsonObject
      readonly ids?: { readonly values: readonly unknown[] }
    }[]
  }
}

/** An answer with a page of this list. */
export function answerOf(
  all: readonly JsonObject[],
  { from = 0, size = 10, counts = true }: { from?: number; size?: number; counts?: boolean } = {},
): JsonObject {
  return {
    took: 3,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: {
      ...(counts && { total: { value: all.length, relation: 'eq' } }),
      max_score: all[0]?._score ?? null,
      hits: all.slice(from, from + size),
    },
  }
}

/** Hits with these ids and falling scores. */
export const found = (...ids: readonly string[]): JsonObject[] =>
  ids.map((id, place) => ({
    _index: 'works',
    _id: id,
    _score: ids.length - place,
    _source: { title: `title of ${id}`, text: `text of ${id}` },
  }))

/** The words of `{ query: { match: { text: words } } }`. */
export function wordsIn({ query }: JsonObject): string {
  const match = isObject(query) && isObject(query.match) ? query.match.text : undefined
  if (typeof match !== 'string') throw new Error(`No words in ${JSON.stringify(query)}`)
  return match
}

/** Finds by words. */
export const finding =
  (lists: Readonly<Record<string, readonly JsonObject[]>>): Find =>
  (body) =>
    lists[wordsIn(body)] ?? []

/** A search for words. */
export const searchFor = (text: string, more: JsonObject = {}, parameters: JsonObject = {}): SearchCall => ({
  index: 'works',
  parameters,
  body: { query: { match: { text } }, ...more },
})

export interface Running extends Partial<Omit<SearchContext, 'call' | 'isTold'>> {
  readonly options: AppOptions
  readonly told?: CallerHints
}

/** One optimized search. */
export async function run(
  call: SearchCall,
  engine: CallerEngine,
  { options, told = {}, settings: shared, ...context }: Running,
): Promise<Optimized> {
  const settings = shared ?? (await appSettings(options, 'test')())
  const asker = { settings, identity: 'somebody' }
  const first = parseWithMapping(call, told, asker, engine)
  // What was asked for beside the first search is known for the second.
  const understood = 'reason' in first ? await onceKnown(call, first, asker, engine) : first
  if ('reason' in understood) throw new Error(understood.reason)
  return optimizedSearch(understood, engine, {
    call,
    settings,
    memory: createCache(),
    identity: 'somebody',
    isTold: told.query !== undefined,
    explains: false,
    signal: new AbortController().signal,
    ...context,
  })
}

async function onceKnown(
  call: SearchCall,
  { header = {}, unknown = [] }: PassThrough,
  asker: Asker,
  engine: CallerEngine,
): Promise<RewritableSearch | PassThrough> {
  const scope = { identity: asker.identity, index: call.index, header }
  await asker.settings.kinds.ask(scope, unknown, engine)
  return parseWithMapping(call, {}, asker, engine)
}

/** What the application gets: the engine's own answer, or another in its place. */
export const answerOfRun = ({ own, body }: Optimized): JsonObject => (body ?? own) as JsonObject

/** The ids of the hits that the application gets. */
export function idsOf(result: Optimized): string[] {
  const { hits } = answerOfRun(result)
  const list = isObject(hits) && Array.isArray(hits.hits) ? (hits.hits as JsonObject[]) : []
  return list.map(({ _id }) => String(_id))
}

function bodyOf({ body, parameters }: SearchCall): JsonObject {
  const { from, size } = parameters
  return {
    ...(isObject(body) ? body : {}),
    ...(from !== undefined && { from: Number(from) }),
    ...(size !== undefined && { size: Number(size) }),
  }
}
