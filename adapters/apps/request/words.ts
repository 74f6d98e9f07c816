/**
 * Where the user's words stand in a query: every place that a sub-query's words are put into. Only clauses that score are
 * looked into; `filter` and `must_not` are conditions of the caller's and stay as they are, whatever is in them.
 */
import { isObject, type JsonObject, listOf, type Path } from './json.ts'

/** One text, and where it stands. */
export interface Words {
  readonly text: string
  readonly slots: readonly Path[]
  /** The fields that are searched for it, without boosts; a semantic or neural one among them. */
  readonly fields: readonly string[]
}

/** Why a query cannot be rewritten. */
export interface NoWords {
  readonly reason: string
}

interface Slot {
  readonly path: Path
  readonly text: string
  /** Whether it can hold other words: a phrase, a term or a prefix only follows where such a place holds the same text. */
  readonly leads: boolean
}

/** What has been found so far; the first thing that is not understood ends it. */
interface Found {
  readonly slots: Slot[]
  readonly fields: Set<string>
}

/** Thrown inside of this file. */
class NotUnderstood extends Error {}

type Read = (clause: unknown, path: Path, found: Found) => void

/** The words of a search body. `sections` are the parts of the body that search: `query`, `knn`, `retriever`. */
export function findWords(sections: JsonObject): Words | NoWords {
  const found: Found = { slots: [], fields: new Set() }
  try {
    if (sections.query !== undefined) readQuery(sections.query, ['query'], found)
    if (sections.knn !== undefined) readAll(readVectors, sections.knn, ['knn'], found)
    if (sections.retriever !== undefined) readRetriever(sections.retriever, ['retriever'], found)
  } catch (error) {
    if (error instanceof NotUnderstood) return { reason: error.message }
    throw error
  }
  const [first, ...others] = new Set(found.slots.filter(({ leads }) => leads).map(({ text }) => text))
  if (first === undefined) return { reason: 'it has no words of a user' }
  if (others.length > 0) return { reason: 'it has several texts' }
  const slots = found.slots.filter(({ text }) => text === first).map(({ path }) => path)
  return { text: first, slots, fields: [...found.fields] }
}

/** One clause: `{ match: … }`. */
const readQuery: Read = (clause, path, found) => readNamed(clauses, 'clause', clause, path, found)

const readRetriever: Read = (retriever, path, found) =>
  readNamed(retrievers, 'retriever', retriever, path, found)

function readNamed(
  table: ReadonlyMap<string, Read>,
  what: string,
  value: unknown,
  path: Path,
  found: Found,
): void {
  if (!isObject(value)) throw new NotUnderstood(`a ${what} is no object`)
  const [[name, inner] = ['', undefined], ...others] = Object.entries(value)
  if (name === '' || others.length > 0) throw new NotUnderstood(`a ${what} has not one name`)
  const read = table.get(name)
  if (read === undefined) throw new NotUnderstood(`the ${what} ${name} is not rewritten`)
  read(inner, [...path, name], found)
}

function readAll(read: Read, value: unknown, path: Path, found: Found): void {
  if (!Array.isArray(value)) read(value, path, found)
  else for (const [place, item] of value.entries()) read(item, [...path, place], found)
}

/** `{ field: "words" }`, or `{ field: { [key]: "words", … } }`. */
const inField =
  (key: string, leads: boolean): Read =>
  (value, path, found) => {
    const [[field, inner] = ['', undefined], ...others] = Object.entries(object(value))
    if (others.length > 0) throw new NotUnderstood('a clause has several fields')
    const at = [...path, field]
    const isShort = typeof inner === 'string'
    const text = isShort ? inner : object(inner)[key]
    if (typeof text !== 'string') return
    found.slots.push({ path: isShort ? at : [...at, key], text, leads })
    if (leads) found.fields.add(field)
  }

/** `{ [key]: "words", field: … }`. */
const beside =
  (key: string): Read =>
  (value, path, found) => {
    const { field, fields, type, ...rest } = object(value)
    const text = key === 'query' ? rest.query : rest[key]
    if (typeof text !== 'string') return
    const leads = type !== 'phrase'
    found.slots.push({ path: [...path, key], text, leads })
    for (const name of [...listOf(field ?? []), ...listOf(fields ?? [])].flat())
      if (leads && typeof name === 'string') found.fields.add(name.replace(/\^[^^]*$/, ''))
  }

/** Vectors belong to words only where the engine makes them: others cannot be made for a sub-query. */
const readVectors: Read = (value, path, found) => {
  const { query_vector_builder: builder, field } = object(value)
  if (builder === undefined) throw new NotUnderstood('a query vector cannot be made for other words')
  const { text_embedding: embedding } = object(builder)
  const { model_text: text } = object(embedding)
  if (typeof text !== 'string')
    throw new NotUnderstood('a query vector builder without model_text is not rewritten')
  found.slots.push({
    path: [...path, 'query_vector_builder', 'text_embedding', 'model_text'],
    text,
    leads: true,
  })
  if (typeof field === 'string') found.fields.add(field)
}

/** Reads what stands under these keys. */
const under =
  (read: Read, ...keys: readonly string[]): Read =>
  (value, path, found) => {
    const outer = object(value)
    for (const key of keys) if (outer[key] !== undefined) readAll(read, outer[key], [...path, key], found)
  }

/** `rrf` and `linear`: over retrievers, each by itself or with a weight, or over fields. */
const readFused: Read = (value, path, found) => {
  const { retrievers: inner, query } = object(value)
  if (query !== undefined) beside('query')(value, path, found)
  readAll(
    (one, at) =>
      isObject(one) && isObject(one.retriever)
        ? readRetriever(one.retriever, [...at, 'retriever'], found)
        : readRetriever(one, at, found),
    inner ?? [],
    [...path, 'retrievers'],
    found,
  )
}

const readStandard: Read = (value, path, found) => {
  const { sort, search_after: after } = object(value)
  if (sort !== undefined || after !== undefined)
    throw new NotUnderstood('a retriever that sorts cannot be fused')
  under(readQuery, 'query')(value, path, found)
}

/** Conditions without words, or whose words are the caller's. */
const untouched: Read = () => {}

const conditions =
  'terms range exists ids wildcard regexp match_all match_none constant_score geo_bounding_box geo_distance geo_polygon geo_shape geo_grid shape distance_feature rank_feature terms_set script'

/** What can stand in a query, by name, with how it is read. */
const clauses: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['match', inField('query', true)],
  ['match_phrase_prefix', inField('query', true)],
  ['match_bool_prefix', inField('query', true)],
  ['match_phrase', inField('query', false)],
  ['term', inField('value', false)],
  ['prefix', inField('value', false)],
  ['fuzzy', inField('value', false)],
  ['multi_match', beside('query')],
  ['combined_fields', beside('query')],
  ['semantic', beside('query')],
  ['sparse_vector', beside('query')],
  ['neural', inField('query_text', true)],
  ['neural_sparse', inField('query_text', true)],
  ['knn', readVectors],
  ['bool', (value, path, found) => under(readQuery, 'must', 'should')(value, path, found)],
  ['dis_max', (value, path, found) => under(readQuery, 'queries')(value, path, found)],
  ['hybrid', (value, path, found) => under(readQuery, 'queries')(value, path, found)],
  ['function_score', (value, path, found) => under(readQuery, 'query')(value, path, found)],
  ...conditions.split(' ').map((name) => [name, untouched] as const),
])

const retrievers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['standard', readStandard],
  ['knn', readVectors],
  ['rrf', readFused],
  ['linear', readFused],
])

function object(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw new NotUnderstood('a clause is no object')
}
