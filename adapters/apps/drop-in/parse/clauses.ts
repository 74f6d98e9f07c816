/**
 * How each clause of a query is read for the user's words. Only clauses that score are looked into: `filter` and `must_not`
 * are conditions of the caller's and stay as they are, whatever is in them.
 */

import { isObject, type JsonObject, listOf, type Path } from '../json.ts'
import type { KindOf } from './field-kinds.ts'
import { hasOperators } from './query-syntax.ts'

/** A place with words. */
export interface Slot {
  readonly path: Path
  readonly text: string
  /** Whether it can hold other words: a phrase, a term or a prefix only follows where such a place holds the same text. */
  readonly leads: boolean
  /** What must hold beside others for a hit to be one, from the outside in. */
  readonly conditions: readonly Condition[]
  /** Whether the clause says that several of its words must match. */
  readonly isStrict: boolean
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
  /** Whether words found here can lead; otherwise they only follow. */
  readonly mayLead: boolean
  readonly kindOf: KindOf
  /** Fields of unknown kind. They are read as texts, so what was found holds only if they are. */
  readonly unknown: Set<string>
  /** Clauses with a ready query vector, which sub-queries go without. */
  readonly vectors: Path[]
}

/** Keys and places down to a clause: engines refuse what is nested as deeply, and so would the stack. */
const deepest = 400

/** Thrown where something is read that cannot be rewritten. Its message is the reason. */
export class NotRewritable extends Error {}

export type Read = (clause: unknown, path: Path, found: Found) => void

/** One clause: `{ match: … }`. */
export const readQuery: Read = (clause, path, found) => {
  if (isObject(clause) && typingClauses.some((name) => clause[name] !== undefined))
    throw new NotRewritable(stillTyped)
  readNamed(clauses, 'clause', clause, path, found)
}

export function readNamed(
  table: ReadonlyMap<string, Read>,
  what: string,
  value: unknown,
  path: Path,
  found: Found,
): void {
  if (!isObject(value)) throw new NotRewritable(`a ${what} is no object`)
  if (path.length > deepest) throw new NotRewritable('its clauses are nested too deeply')
  const [[name, inner] = ['', undefined], ...others] = Object.entries(value)
  if (name === '' || others.length > 0) throw new NotRewritable(`a ${what} has not one name`)
  const read = table.get(name)
  if (read === undefined) throw new NotRewritable(`the ${what} ${name} is not rewritten`)
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
  (value, path, found) => {
    const [field, inner] = onlyField(value)
    const at = [...path, field]
    const isShort = typeof inner === 'string'
    const text = isObject(inner) ? inner[key] : inner
    if (typeof text !== 'string') return
    const isText = leads && found.mayLead && holdTexts([field], found)
    addSlot(found, isShort ? at : [...at, key], { text, leads: isText, isStrict: isStrict(inner) })
    if (isText) found.fields.add(field)
  }

/** Why search as you type passes through: half a word is no question, and a sub-query of it would complete other words. */
export const stillTyped = 'its last word may still be typed'

/** Whether a `multi_match` of this type completes its last word. */
export const isTyping = (type: unknown): boolean => type === 'bool_prefix' || type === 'phrase_prefix'

/** Clauses that complete the last word. */
export const typingClauses = ['match_phrase_prefix', 'match_bool_prefix']

/** `{ query: "words", fields: … }`. Without fields the engine searches those of the index's settings: by default all. */
const beside =
  (holdsTexts: (names: readonly string[], found: Found) => boolean): Read =>
  (value, path, found) => {
    const clause = clauseOf(value)
    const { field, fields, default_field: byDefault, type, query: text } = clause
    if (typeof text !== 'string') return
    if (isTyping(type)) throw new NotRewritable(stillTyped)
    const names = [field, fields, byDefault]
      .flatMap((some) => listOf(some ?? []))
      .filter((name) => typeof name === 'string')
      .map((name) => name.replace(/\^[^^]*$/, ''))
    const searched = names.length === 0 ? ['*'] : names
    const leads = type !== 'phrase' && found.mayLead && holdsTexts(searched, found)
    addSlot(found, [...path, 'query'], { text, leads, isStrict: isStrict(clause) })
    if (leads) for (const name of names) found.fields.add(name)
  }

export const readBeside = beside(holdTexts)

/** What engines take for fields of texts alone. */
const readTexts = beside(() => true)

/** Text in Lucene's syntax, which is words where it has no operators. */
const readSyntax: Read = (value, path, found) => {
  const name = String(path.at(-1))
  const { query: text } = clauseOf(value)
  if (typeof text === 'string' && hasOperators(text, name))
    throw new NotRewritable(`its ${name} has operators`)
  readBeside(value, path, found)
}

/**
 * Whether words in these fields are a question, not a condition. One field of texts is enough, since a document may match
 * by any of them; it has to be one in every index, where others may be searched for a value.
 */
function holdTexts(names: readonly string[], { kindOf, unknown }: Found): boolean {
  const kinds = names.map(kindOf)
  if (kinds.includes('text')) return true
  const asked = names.filter((_, place) => kinds[place] === undefined)
  for (const name of asked) unknown.add(name)
  return asked.length > 0 || (kinds.includes('partly') && !kinds.includes('other'))
}

/** Whether a clause says that more than one of its words must match. */
export function isStrict(clause: unknown): boolean {
  if (!isObject(clause)) return false
  const { operator, default_operator: joined = operator, minimum_should_match: least } = clause
  return String(joined).toLowerCase() === 'and' || !['0', '1'].includes(String(least ?? 1))
}

const addSlot = (
  { slots, conditions }: Found,
  path: Path,
  slot: Pick<Slot, 'text' | 'leads' | 'isStrict'>,
): void => void slots.push({ ...slot, path, conditions })

export const noVector = 'a query vector cannot be made for other words'

/**
 * Vectors and weights belong to words only where the engine makes them of these: others cannot be made for a sub-query,
 * which goes without the clause where that is one of several.
 */
function addEmbedded(text: unknown, inClause: Path, clause: Path, found: Found): void {
  if (typeof text === 'string')
    addSlot(found, [...clause, ...inClause], { text, leads: found.mayLead, isStrict: false })
  else if (isOneOfSeveral(clause)) found.vectors.push(clause)
  else throw new NotRewritable(noVector)
}

/** Whether a clause stands in a list of alternatives, or beside the query. */
function isOneOfSeveral(clause: Path): boolean {
  const list = clause.slice(0, -1).findLast((key) => typeof key === 'string' && key !== 'retriever')
  return clause[0] === 'knn' || ['should', 'queries', 'retrievers'].includes(String(list))
}

/** `{ field: { query_text: "words", … } }`. */
const embeddedInField: Read = (value, path, found) => {
  const [field, inner] = onlyField(value)
  addEmbedded(clauseOf(inner).query_text, [field, 'query_text'], path, found)
}

const embeddedBeside: Read = (value, path, found) =>
  addEmbedded(clauseOf(value).query, ['query'], path, found)

export const readVectors: Read = (value, path, found) => {
  const { query_vector_builder: builder } = clauseOf(value)
  const embedding = isObject(builder) ? builder.text_embedding : undefined
  const text = isObject(embedding) ? embedding.model_text : undefined
  addEmbedded(text, ['query_vector_builder', 'text_embedding', 'model_text'], path, found)
}

/** What stands below is another document's, so that its words only follow: alone, they stay as they are. */
const readNested: Read = (value, path, found) => under('query')(value, path, { ...found, mayLead: false })

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
  ['match_phrase', inField('query', false)],
  ['term', inField('value', false)],
  ['prefix', inField('value', false)],
  ['fuzzy', inField('value', false)],
  ['multi_match', readBeside],
  ['query_string', readSyntax],
  ['simple_query_string', readSyntax],
  ['combined_fields', readTexts],
  ['semantic', readTexts],
  ['sparse_vector', embeddedBeside],
  ['neural', embeddedInField],
  ['neural_sparse', embeddedInField],
  ['knn', readVectors],
  ['bool', readBool],
  ['nested', readNested],
  ['dis_max', under('queries')],
  ['hybrid', under('queries')],
  ['function_score', under('query')],
  ...conditions.split(' ').map((name) => [name, untouched] as const),
])

/** The one field of a clause, and what stands there. */
function onlyField(value: unknown): readonly [string, unknown] {
  const [entry = ['', undefined], ...others] = Object.entries(clauseOf(value))
  if (others.length > 0) throw new NotRewritable('a clause has several fields')
  return entry
}

export function clauseOf(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw new NotRewritable('a clause is no object')
}
