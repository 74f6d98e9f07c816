/** Which documents of an index in this process pass a filter. */
import { LRUCache } from 'lru-cache'
import { QuerentError } from '../../src/errors.ts'
import { fieldIn } from '../../src/runtime/json.ts'
import type {
  Condition,
  Document,
  FieldValue,
  FieldValues,
  FindValues,
  Hit,
  RetrieveOptions,
  Retriever,
  SubQuery,
} from '../../src/types.ts'
import { type FieldCondition, meeting, numberBounds, parseFilter } from './metadata-filter.ts'
import { type NumberColumn, numberColumnOf, positionsWithin } from './number-column.ts'
import { checkRequest } from './request.ts'

/** The metadata of an index's documents, by their positions. */
export type MetadataOf = () => Promise<readonly Document['metadata'][]>

/** The metadata of documents that an index keeps, which a Map holds in their order. */
export function metadataOf(kept: ReadonlyMap<string, Document> | undefined): MetadataOf | undefined {
  if (kept === undefined) return undefined
  let metadata: Document['metadata'][] | undefined
  return async () => {
    metadata ??= Array.from(kept.values(), (document) => document.metadata)
    return metadata
  }
}

/** The documents that pass: 1 at their positions, otherwise 0. */
export interface Mask {
  readonly passes: Uint8Array
  /** How many pass. */
  readonly count: number
}

/** A field of all documents: each distinct value once, and which of them each document has. */
interface Column {
  readonly values: readonly unknown[]
  readonly places: Uint32Array
  /** Its numbers in their order, once bounds were asked for. */
  numbers?: NumberColumn
}

/** Masks that are remembered: a byte for each document. */
const maxMasks = 32
const maxColumns = 64

/** Values of a field that are told. */
const maxValues = 10_000

/** Filters by the metadata of an index's documents. */
export interface Filtering {
  /**
   * Makes the mask of each sub-query: of the filter and of its own conditions; `undefined` without either. A wrong filter is refused even if there is no sub-query.
   */
  masksOf(filter: unknown, subQueries: readonly SubQuery[]): Promise<(Mask | undefined)[]>
  /** See `Retriever.values`. Absent if the index knows no metadata. */
  readonly values?: FindValues
}

/**
 * Finds bounds of numbers in the order of a field's numbers, tests each distinct value once for anything else, and remembers the
 * latest masks. Metadata are read at the first filter, and ordered at the first bounds of a field.
 *
 * @param metadata absent if the index knows none: then every filter is refused, since ignoring one would return documents that it
 *   hides
 */
export function filtering(retriever: string, metadata: MetadataOf | undefined): Filtering {
  const masks = new LRUCache<string, Mask>({ max: maxMasks })
  const columns = new LRUCache<string, Column>({ max: maxColumns })
  const told = new LRUCache<string, FieldValues>({ max: maxColumns })

  function columnIn(documents: readonly Document['metadata'][], field: string): Column {
    const column = columns.get(field) ?? columnOf(documents, field)
    columns.set(field, column)
    return column
  }

  async function maskOf(filter: unknown, where: readonly Condition[] = []): Promise<Mask | undefined> {
    if (filter === undefined && where.length === 0) return undefined
    if (metadata === undefined) {
      throw new QuerentError('bad-config', `Retriever "${retriever}" cannot filter`, {
        remedy: 'Leave the filter out, or keep the documents in the index: their metadata are filtered.',
      })
    }
    const asked = Object.entries(filter === undefined ? {} : parseFilter(retriever, filter))
    const conditions = [...asked, ...where.flatMap(conditionsOf)]
    const key = JSON.stringify(conditions)
    const known = masks.get(key)
    if (known !== undefined) return known
    const documents = await metadata()
    const met = conditions.map(([field, condition]) => meetingIn(columnIn(documents, field), condition))
    const passes = met[0] ?? new Uint8Array(documents.length).fill(1)
    // Plain loops: `Uint8Array.from` takes five times as long.
    for (const others of met.slice(1))
      for (let position = 0; position < passes.length; position++) passes[position]! &= others[position]!
    let count = 0
    for (let position = 0; position < passes.length; position++) count += passes[position]!
    const mask = { passes, count }
    masks.set(key, mask)
    return mask
  }

  async function masksOf(filter: unknown, subQueries: readonly SubQuery[]): Promise<(Mask | undefined)[]> {
    const mask = await maskOf(filter)
    return Promise.all(
      subQueries.map(({ where, relaxed }) => {
        const left = relaxed?.without === undefined ? filter : withoutFields(filter, relaxed.without)
        return where || left !== filter ? maskOf(left, where) : mask
      }),
    )
  }

  if (metadata === undefined) return { masksOf }
  return {
    masksOf,
    async values(wanted, { filter, signal }) {
      const mask = await maskOf(filter)
      const documents = await metadata()
      signal.throwIfAborted()
      return wanted.map(({ field, of }) => {
        const key = JSON.stringify([field, of, filter])
        const known = told.get(key)
        if (known !== undefined) return known
        const found = valuesOf(columnIn(documents, field), mask)
        const answer = of === 'values' ? mostFrequent(found) : rangeOf(found)
        told.set(key, answer)
        return answer
      })
    },
  }
}

/** The filter without its conditions on these fields; `undefined` if it has no others. */
function withoutFields(filter: unknown, fields: readonly string[]): unknown {
  const left = Object.entries(filter ?? {}).filter(([field]) => !fields.includes(field))
  return left.length === 0 ? undefined : Object.fromEntries(left)
}

type Searching = (
  subQueries: readonly SubQuery[],
  masks: readonly (Mask | undefined)[],
  options: Omit<RetrieveOptions, 'filter'>,
) => Promise<readonly (readonly Hit[])[]>

/**
 * What the retrievers in this process have in common: they check requests and filter.
 *
 * @param kept the documents, if the index keeps them
 * @param search gives the hits of each sub-query, in their order
 */
export function filteringRetriever(
  name: string,
  {
    kept,
    metadata,
  }: { readonly kept?: ReadonlyMap<string, Document> | undefined; readonly metadata: MetadataOf | undefined },
  search: Searching,
): Omit<Retriever, 'kind'> {
  const { masksOf, values } = filtering(name, metadata)
  return {
    name,
    bringsDocuments: false,
    relaxes: true,
    ...(kept && { documents: async (docids) => docids.map((docid) => kept.get(docid)) }),
    ...(values && { narrows: true, values }),
    async retrieve(subQueries, { filter, ...options }) {
      checkRequest(name, options)
      const masks = await masksOf(filter, subQueries)
      const lists = subQueries.length === 0 ? [] : await search(subQueries, masks, options)
      return subQueries.map((subQuery, at) => ({ retriever: name, subQuery, hits: lists[at]! }))
    },
  }
}

/** 1 at the positions of the documents that meet the condition, otherwise 0. */
function meetingIn(column: Column, condition: FieldCondition): Uint8Array {
  const { values, places } = column
  const met = new Uint8Array(places.length)
  const bounds = numberBounds(condition)
  if (bounds !== undefined) {
    column.numbers ??= numberColumnOf(values, places)
    for (const position of positionsWithin(column.numbers, bounds)) met[position] = 1
    return met
  }
  const test = meeting(condition)
  const isMet = new Uint8Array(values.length)
  for (let place = 0; place < values.length; place++) isMet[place] = test(values[place]) ? 1 : 0
  for (let position = 0; position < met.length; position++) met[position] = isMet[places[position]!]!
  return met
}

/** A condition in the language of the metadata's filter: each of its parts must hold. */
function conditionsOf({ field, is, not, ...range }: Condition): (readonly [string, FieldCondition])[] {
  const bounds = Object.values(range).some((bound) => bound !== undefined)
  return [
    ...(is === undefined ? [] : [[field, is] as const]),
    ...(not === undefined ? [] : [[field, { not }] as const]),
    ...(bounds ? [[field, range] as const] : []),
  ]
}

/** The values of a column in the documents that pass, each with the number of documents. Elements of lists count by themselves. */
function valuesOf({ values, places }: Column, mask: Mask | undefined): ReadonlyMap<FieldValue, number> {
  const documents = new Uint32Array(values.length)
  for (let position = 0; position < places.length; position++)
    if (mask === undefined || mask.passes[position] === 1) documents[places[position]!]!++
  const found = new Map<FieldValue, number>()
  for (const [place, value] of values.entries()) {
    if (documents[place] === 0) continue
    for (const one of Array.isArray(value) ? value : [value])
      if (['string', 'number', 'boolean'].includes(typeof one))
        found.set(one, (found.get(one) ?? 0) + documents[place]!)
  }
  return found
}

const mostFrequent = (found: ReadonlyMap<FieldValue, number>): FieldValues =>
  found.size === 0
    ? {}
    : {
        values: [...found]
          .sort((one, other) => other[1] - one[1])
          .slice(0, maxValues)
          .map(([value]) => value),
      }

/** The range of the numbers, or of the texts if there are no numbers. */
function rangeOf(found: ReadonlyMap<FieldValue, number>): FieldValues {
  const all = [...found.keys()]
  const numbers = all.filter((one) => typeof one === 'number')
  const ordered = numbers.length > 0 ? numbers : all.filter((one) => typeof one === 'string')
  let [min, max] = [ordered[0], ordered[0]]
  for (const one of ordered) {
    if (one < min!) min = one
    if (one > max!) max = one
  }
  return min === undefined || max === undefined ? {} : { min, max }
}

function columnOf(documents: readonly Document['metadata'][], field: string): Column {
  const values: unknown[] = []
  const places = new Uint32Array(documents.length)
  const known = new Map<unknown, number>()
  for (const [position, metadata] of documents.entries()) {
    const value = fieldIn(metadata, field)
    // Lists and objects are equal if they are written alike. A text that looks like one is told apart by its type.
    const key = typeof value === 'object' ? JSON.stringify([value], asWritten) : value
    const id = typeof key === 'string' ? `${typeof value}:${key}` : key
    let place = known.get(id)
    if (place === undefined) {
      place = values.push(value) - 1
      known.set(id, place)
    }
    places[position] = place
  }
  return { values, places }
}

/** JSON has no form for some numbers. They become texts, told apart from others by their first letter. */
function asWritten(_: string, value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`
  return typeof value === 'number' && !Number.isFinite(value) ? `n${value}` : value
}
