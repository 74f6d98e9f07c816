/**
 * How each clause of a query is read for the user's words. Only clauses that score are looked into: `filter` and `must_not`
 * are conditions of the caller's and stay as they are, whatever is in them.
 */
import { isObject, type JsonObject, listOf, type Path } from './json.ts'

/** A place with words. */
export interface Slot {
  readonly path: Path
  readonly text: string
  /** Whether it can hold other words: a phrase, a term or a prefix only follows where such a place holds the same text. */
  readonly leads: boolean
  /** What must hold beside others for a hit to be one, from the outside in. */
  readonly conditions: readonly Condition[]
}

/** One of the clauses of a `bool` that must hold together. */
interface Condition {
  /** The `bool`: one path is of one clause. */
  readonly of: Path
  readonly branch: string
}

/** What has been found so far; the first thing that is not understood ends it. */
export interface Found {
  readonly slots: Slot[]
  readonly fields: Set<string>
  readonly conditions: readonly Condition[]
}

/** Keys and places down to a clause: engines refuse what is nested as deeply, and so would the stack. */
const deepest = 400

/** Thrown where something is read that cannot be rewritten. Its message is the reason. */
export class NotUnderstood extends Error {}

export type Read = (clause: unknown, path: Path, found: Found) => void

/** One clause: `{ match: … }`. */
export const readQuery: Read = (clause, path, found) => readNamed(clauses, 'clause', clause, path, found)

export function readNamed(
  table: ReadonlyMap<string, Read>,
  what: string,
  value: unknown,
  path: Path,
  found: Found,
): void {
  if (!isObject(value)) throw new NotUnderstood(`a ${what} is no object`)
  if (path.length > deepest) throw new NotUnderstood('its clauses are nested too deeply')
  const [[name, inner] = ['', undefined], ...others] = Object.entries(value)
  if (name === '' || others.length > 0) throw new NotUnderstood(`a ${what} has not one name`)
  const read = table.get(name)
  if (read === undefined) throw new NotUnderstood(`the ${what} ${name} is not rewritten`)
  read(inner, [...path, name], found)
}

export function readAll(read: Read, value: unknown, path: Path, found: Found): void {
  if (!Array.isArray(value)) read(value, path, found)
  else for (const [place, item] of value.entries()) read(item, [...path, place], found)
}

/** Reads what stands under this key. */
const under =
  (key: string): Read =>
  (value, path, found) => {
    const inner = clauseOf(value)[key]
    if (inner !== undefined) readAll(readQuery, inner, [...path, key], found)
  }

/** `{ field: "words" }`, or `{ field: { query: "words", … } }`. */
const inField =
  (key: string, leads: boolean): Read =>
  (value, path, { slots, fields, conditions }) => {
    const [field, inner] = onlyField(value)
    const at = [...path, field]
    const isShort = typeof inner === 'string'
    const text = isObject(inner) ? inner[key] : inner
    if (typeof text !== 'string') return
    slots.push({ path: isShort ? at : [...at, key], text, leads, conditions })
    if (leads) fields.add(field)
  }

/** `{ query: "words", fields: … }`. */
export const readBeside: Read = (value, path, { slots, fields, conditions }) => {
  const { field, fields: several, type, query: text } = clauseOf(value)
  if (typeof text !== 'string') return
  const leads = type !== 'phrase'
  slots.push({ path: [...path, 'query'], text, leads, conditions })
  for (const name of [...listOf(field ?? []), ...listOf(several ?? [])])
    if (leads && typeof name === 'string') fields.add(name.replace(/\^[^^]*$/, ''))
}

/** Vectors and weights belong to words only where the engine makes them of these: others cannot be made for a sub-query. */
function addEmbedded(text: unknown, path: Path, { slots, conditions }: Found): void {
  if (typeof text !== 'string') throw new NotUnderstood('a query vector cannot be made for other words')
  slots.push({ path, text, leads: true, conditions })
}

/** `{ field: { query_text: "words", … } }`. */
const embeddedInField: Read = (value, path, found) => {
  const [field, inner] = onlyField(value)
  addEmbedded(clauseOf(inner).query_text, [...path, field, 'query_text'], found)
}

export const readVectors: Read = (value, path, found) => {
  const { query_vector_builder: builder } = clauseOf(value)
  const embedding = isObject(builder) ? builder.text_embedding : undefined
  const text = isObject(embedding) ? embedding.model_text : undefined
  addEmbedded(text, [...path, 'query_vector_builder', 'text_embedding', 'model_text'], found)
}

/**
 * All of `must` has to hold, and so has `should` where the body says how much of it. What is said twice in such a list is not
 * put in other words twice: one of them may say whose documents are searched.
 */
const readBool: Read = (value, path, found) => {
  const { must, should, minimum_should_match: least } = clauseOf(value)
  const inBranch = (branch: string): Found => ({
    ...found,
    conditions: [...found.conditions, { of: path, branch }],
  })
  const readEach = (clauses: unknown, key: string, branchOf: (place: number) => string | undefined): void => {
    for (const [place, clause] of listOf(clauses ?? []).entries()) {
      const branch = branchOf(place)
      const at = Array.isArray(clauses) ? [...path, key, place] : [...path, key]
      readQuery(clause, at, branch === undefined ? found : inBranch(branch))
    }
  }
  const count = least === undefined ? 0 : Number(String(least))
  readEach(must, 'must', (place) => `must ${place}`)
  readEach(should, 'should', (place) =>
    count === 0 ? undefined : count === 1 ? 'should' : `should ${place}`,
  )
}

/** Conditions without words, or whose words are the caller's. */
const untouched: Read = () => {}

const conditions =
  'terms range exists ids wildcard regexp match_all match_none constant_score geo_bounding_box geo_distance geo_polygon geo_shape geo_grid shape distance_feature rank_feature terms_set script'

/** What can stand in a query, by name, with how it is read. */
export const clauses: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['match', inField('query', true)],
  ['match_phrase_prefix', inField('query', true)],
  ['match_bool_prefix', inField('query', true)],
  ['match_phrase', inField('query', false)],
  ['term', inField('value', false)],
  ['prefix', inField('value', false)],
  ['fuzzy', inField('value', false)],
  ['multi_match', readBeside],
  ['combined_fields', readBeside],
  ['semantic', readBeside],
  ['sparse_vector', (value, path, found) => addEmbedded(clauseOf(value).query, [...path, 'query'], found)],
  ['neural', embeddedInField],
  ['neural_sparse', embeddedInField],
  ['knn', readVectors],
  ['bool', readBool],
  ['dis_max', under('queries')],
  ['hybrid', under('queries')],
  ['function_score', under('query')],
  ...conditions.split(' ').map((name) => [name, untouched] as const),
])

/** The one field of a clause, and what stands there. */
function onlyField(value: unknown): readonly [string, unknown] {
  const [entry = ['', undefined], ...others] = Object.entries(clauseOf(value))
  if (others.length > 0) throw new NotUnderstood('a clause has several fields')
  return entry
}

export function clauseOf(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw new NotUnderstood('a clause is no object')
}
