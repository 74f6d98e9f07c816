/** Which documents of an index in this process pass a filter. */
import { LRUCache } from 'lru-cache'
import { QuerentError } from '../../src/errors.ts'
import type { Document } from '../../src/types.ts'
import { meeting, parseFilter } from './metadata-filter.ts'

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
}

/** Masks that are remembered: a byte for each document. */
const maxMasks = 32
const maxColumns = 64

/**
 * Returns the function that makes a filter's mask; `undefined` without a filter. It tests each distinct value of a field once, and
 * remembers the latest masks. A new filter on a field with 100,000 distinct values takes some 10 ms, on one with few values less
 * than 1 ms. Metadata are read at the first filter.
 *
 * @param metadata absent if the index knows none: then every filter is refused, since ignoring one would return documents that it
 *   hides
 */
export function filtering(
  retriever: string,
  metadata: MetadataOf | undefined,
): (filter: unknown) => Promise<Mask | undefined> {
  const masks = new LRUCache<string, Mask>({ max: maxMasks })
  const columns = new LRUCache<string, Column>({ max: maxColumns })

  return async (filter) => {
    if (filter === undefined) return undefined
    if (metadata === undefined) {
      throw new QuerentError('bad-config', `Retriever "${retriever}" cannot filter`, {
        remedy: 'Leave the filter out, or keep the documents in the index: their metadata are filtered.',
      })
    }
    const conditions = parseFilter(retriever, filter)
    const key = JSON.stringify(conditions)
    const known = masks.get(key)
    if (known !== undefined) return known
    const documents = await metadata()
    const passes = new Uint8Array(documents.length).fill(1)
    for (const [field, condition] of Object.entries(conditions)) {
      const column = columns.get(field) ?? columnOf(documents, field)
      columns.set(field, column)
      const test = meeting(condition)
      const isMet = Uint8Array.from(column.values, (value) => Number(test(value)))
      for (let position = 0; position < passes.length; position++)
        passes[position]! &= isMet[column.places[position]!]!
    }
    let count = 0
    for (const one of passes) count += one
    const mask = { passes, count }
    masks.set(key, mask)
    return mask
  }
}

function columnOf(documents: readonly Document['metadata'][], field: string): Column {
  const values: unknown[] = []
  const places = new Uint32Array(documents.length)
  const known = new Map<unknown, number>()
  for (const [position, metadata] of documents.entries()) {
    const value = fieldOf(metadata, field)
    // Lists and objects are equal if they are written alike. A text that looks like one is told apart by its type.
    const key = typeof value === 'object' ? JSON.stringify([value]) : value
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

/** A field by its key, or by a path of keys with dots. */
function fieldOf(metadata: Document['metadata'], field: string): unknown {
  if (metadata === undefined) return undefined
  if (Object.hasOwn(metadata, field)) return metadata[field]
  let value: unknown = metadata
  for (const key of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}
