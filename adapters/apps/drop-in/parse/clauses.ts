/**
 * Reads the query text from each clause. Only clauses that score are read. `filter` and `must_not` are the caller's conditions
 * and stay unchanged.
 */

import { isPattern, isValues, type KindOf } from './field-kinds.ts'
import {
  hasOperators,
  isObject,
  type JsonObject,
  listOf,
  namesIn,
  type Path,
  quoted,
  valueAt,
  without,
} from './json.ts'

/** How a factor enters a score, beside the score of the words. */
export type Way =
  /** The score is the sum of both. */
  | 'adds'
  /** The score is their product. */
  | 'multiplies'
  /** The score is the mean of both. */
  | 'averages'
  /** How much of the score the words made cannot be told, or they made nothing of it. */
  | 'hides'

/** A clause that the engine ranks by, that has a text, or both. */
export interface Clause {
  readonly path: Path
  /** The text that it ranks by. Absent if it ranks by something else, or if all that it has is a vector. */
  readonly text?: string | undefined
  /** `adds` for a clause in the query; for a clause around a part of it, how it changes the score of the part. */
  readonly way: Way
  /** The key of the part with words, for a clause around one. */
  readonly around?: string
  /** Whether it also finds words that are spelled differently. */
  readonly isFuzzy: boolean
  /** Whether the engine ranks by it. A condition that all hits meet changes no order. */
  readonly ranks: boolean
  /** Where its text stands. Absent if it has none. */
  readonly slot?: Path
  /**
   * Why the text of a sub-query cannot go there, unless it follows a leading place with the same text: the place is a phrase, a term or
   * a prefix, or its fields hold values. Absent for a leading place.
   */
  readonly why?: string | undefined
  /** The conditions that contain this place, outermost first. A hit must meet them together with others. */
  readonly conditions: readonly Condition[]
  /** Whether the clause requires several of its words to match. */
  readonly isStrict: boolean
  /** Whether the clause completes its last word. Such a place cannot lead. Default: false. */
  readonly isTyping?: boolean
}

/** A clause with a text. */
export type Slot = Clause & { readonly slot: Path; readonly text: string }

/** One of the branches of a `bool` that must hold together. */
interface Condition {
  /** The path of the `bool`, compared by identity: each clause has one path object. */
  readonly of: Path
  readonly branch: string
}

/** Findings so far. Reading ends at the first clause that is not understood. */
export interface Findings {
  readonly clauses: Clause[]
  readonly fields: Set<string>
  readonly conditions: readonly Condition[]
  /** Whether places found here can lead. Otherwise they only follow. */
  readonly mayLead: boolean
  readonly kindOf: KindOf
  /** Fields of unknown kind. They are read as text fields, so the findings hold only if they are. */
  readonly unknown: Set<string>
  /** Clauses with a ready query vector. Sub-queries leave them out. */
  readonly vectors: Path[]
  /** Whether all hits meet the clauses found here, so that a constant score changes no order. */
  readonly isForAll: boolean
}

/** Maximum length of the path to a clause. Engines refuse deeper nesting, and the stack would overflow. */
const deepest = 400

/** Thrown at a clause that cannot be rewritten. The message is the reason. */
export class NotRewritable extends Error {}

export type Read = (clause: unknown, path: Path, found: Findings) => void

/** One clause: `{ match: … }`. */
export const readQuery: Read = (clause, path, found) => readNamed(clauses, 'clause', clause, path, found)

export function readNamed(
  table: ReadonlyMap<string, Read>,
  what: string,
  value: unknown,
  path: Path,
  found: Findings,
): void {
  if (!isObject(value)) throw new NotRewritable(`a ${what} of it is not a JSON object`)
  if (path.length > deepest) throw new NotRewritable('its clauses are nested too deeply')
  const [[name, inner] = ['', undefined], ...others] = Object.entries(value)
  if (name === '' || others.length > 0) throw new NotRewritable(`a ${what} of it has no name, or several`)
  const read = table.get(name)
  if (read === undefined) throw new NotRewritable(`Querent does not know the ${what} ${quoted(name)}`)
  read(inner, [...path, name], found)
}

export function readAll(read: Read, value: unknown, path: Path, found: Findings): void {
  if (!Array.isArray(value)) read(value, path, found)
  else for (const [place, item] of value.entries()) read(item, [...path, place], found)
}

/** Reads the clauses under this key. */
const under =
  (key: string): Read =>
  (value, path, found) => {
    const inner = clauseOf(value)[key]
    if (inner !== undefined) readAll(readQuery, inner, [...path, key], found)
  }

/** The same for alternatives, each of which may score. */
const anyUnder =
  (key: string): Read =>
  (value, path, found) =>
    under(key)(value, path, { ...found, isForAll: false })

/** Notes a clause that the engine ranks by. @param path of what is inside of the clause */
function note(found: Findings, path: Path, inner: unknown, more: Partial<Clause>): void {
  const fuzziness = isObject(inner) ? inner.fuzziness : undefined
  found.clauses.push({
    path: path.slice(0, -1),
    ranks: true,
    way: 'adds',
    isFuzzy: fuzziness !== undefined && String(fuzziness) !== '0',
    conditions: found.conditions,
    isStrict: isStrict(inner),
    ...more,
  })
}

/** How a clause that has words in one field differs from `match`. */
interface FieldClause {
  /** The key of the words. */
  readonly key?: string
  /** Whether the words of a sub-query may take their place. Default: false. */
  readonly leads?: boolean
  readonly isTyping?: boolean
  readonly isFuzzy?: boolean
  /** Whether each document that it finds gets the same score. Default: false. */
  readonly isConstant?: boolean
}

/** `{ field: "words" }`, or `{ field: { query: "words", … } }`. */
const inField =
  ({ key = 'query', leads = false, isTyping = false, isFuzzy, isConstant = false }: FieldClause): Read =>
  (value, path, found) => {
    const [field, inner] = onlyField(value)
    const at = [...path, field]
    const isShort = typeof inner === 'string'
    const text = isObject(inner) ? inner[key] : inner
    const isValue = isConstant || (typeof text === 'string' && isValues(found.kindOf(field)))
    const ranks = !(isValue && found.isForAll)
    const how = { ranks, ...(isFuzzy && { isFuzzy }) }
    if (typeof text !== 'string') return void note(found, path, inner, how)
    const why = leads ? whyFollows([field], found) : alone(String(path.at(-1)))
    note(found, path, inner, { ...how, text, slot: isShort ? at : [...at, key], why, isTyping })
    if (why === undefined) found.fields.add(field)
  }

/** Why search-as-you-type passes through: half a word is not a question, and a sub-query would complete other words. */
export const stillTyped = 'the user may still be typing its last word'

/** Whether a `multi_match` of this type completes its last word. */
export const isTyping = (type: unknown): boolean => type === 'bool_prefix' || type === 'phrase_prefix'

/** Clauses that complete their last word. */
export const typingClauses = ['match_phrase_prefix', 'match_bool_prefix']

/** `{ query: "words", fields: … }`. Without fields, the engine searches those of the index settings: by default all. */
const beside =
  (follows: (names: readonly string[], found: Findings) => string | undefined): Read =>
  (value, path, found) => {
    const clause = clauseOf(value)
    const { type, query: text } = clause
    if (typeof text !== 'string') return
    const names = fieldsIn(clause)
    const searched = names.length === 0 ? ['*'] : names
    const mayLead = type !== 'phrase' && !isTyping(type)
    const why = mayLead ? follows(searched, found) : alone('match_phrase')
    note(found, path, clause, { text, slot: [...path, 'query'], why, isTyping: isTyping(type) })
    if (why === undefined) for (const name of names) found.fields.add(name)
  }

/** The fields that a clause names beside its text, without boosts. */
const fieldsIn = ({ field, fields, default_field: byDefault }: JsonObject): string[] =>
  [field, fields, byDefault]
    .flatMap((some) => listOf(some ?? []))
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/\^[^^]*$/, ''))

export const readBeside = beside(whyFollows)

/** Reads a clause that searches only text fields. */
const readTexts = beside((_, found) => whyNested(found))

/** Text in Lucene's syntax. It is plain text if it has no operators. */
const readSyntax: Read = (value, path, found) => {
  const name = String(path.at(-1))
  const { query: text } = clauseOf(value)
  if (typeof text === 'string' && hasOperators(text, name))
    throw new NotRewritable(`the words of its ${quoted(name)} have operators`)
  readBeside(value, path, found)
}

/** The fields that are searched for the text in this place: those that its clause names, or `*` if it names none. */
export function fieldsAround(body: JsonObject, path: Path): string[] {
  const [outer = '', inner = ''] = path.slice(-2).map(String)
  const clause = valueAt(body, path.slice(0, -1))
  const named = isObject(clause) ? fieldsIn(clause) : []
  if (named.length > 0) return named
  const isBeside = [readBeside, readSyntax, readTexts].some((read) => read === clauses.get(outer))
  return [inner !== 'query' ? inner : isBeside ? '*' : outer]
}

/**
 * Why a text in these fields is a condition and not a question. One field that is text in every index makes it a question, since a
 * document may match in any field. A field that only some indices have does if no other field holds values.
 */
function whyFollows(names: readonly string[], found: Findings): string | undefined {
  const { kindOf, unknown } = found
  if (!found.mayLead) return whyNested(found)
  const kinds = names.map(kindOf)
  if (kinds.includes('text')) return undefined
  const unsure = names.filter((_, place) => kinds[place] === undefined)
  for (const name of unsure) unknown.add(name)
  const values = names.find((_, place) => isValues(kinds[place]))
  if (unsure.length > 0 || (values === undefined && kinds.includes('partly'))) return undefined
  const name = values ?? names[0]!
  const kind = kindOf(name)
  if (isPattern(name)) return `${quoted(name)} stands for no text field`
  return isValues(kind) ? `${quoted(name)} is ${kind.is}` : `${quoted(name)}: no such field`
}

const whyNested = ({ mayLead }: Findings): string | undefined => (mayLead ? undefined : alone('nested'))

/** Why a place of this clause alone is not rewritten. */
const alone = (clause: string): string =>
  clause === 'match_phrase'
    ? 'its words stand in a phrase alone'
    : `its words stand in a ${quoted(clause)} clause alone`

/** Whether a clause requires more than one of its words to match. */
export function isStrict(clause: unknown): boolean {
  if (!isObject(clause)) return false
  const { operator, default_operator: joined = operator, minimum_should_match: least } = clause
  return String(joined).toLowerCase() === 'and' || !['0', '1'].includes(String(least ?? 1))
}

/** What a vector of the caller's ranks by, in place of a text. */
export const vector = ''

export const noVector = 'it searches by a vector, and Querent cannot make one of other words'

/**
 * A vector or token weights fit only the text that they were made from. If the engine makes them, the sub-query gets its own. If
 * the caller made them, the sub-query leaves the clause out, provided it is one of several.
 */
function addEmbedded(text: unknown, inClause: Path, clause: Path, inner: unknown, found: Findings): void {
  // A vector stands for the words, whoever made it.
  const at = [...clause, '']
  const slot = [...clause, ...inClause]
  if (typeof text === 'string') note(found, at, inner, { text, slot, why: whyNested(found), isStrict: false })
  else if (isOneOfSeveral(clause)) {
    note(found, at, inner, { text: vector })
    found.vectors.push(clause)
  } else throw new NotRewritable(noVector)
}

/** Whether a clause is one of several alternatives, or stands next to the query. */
function isOneOfSeveral(clause: Path): boolean {
  const list = clause.slice(0, -1).findLast((key) => typeof key === 'string' && key !== 'retriever')
  return clause[0] === 'knn' || ['should', 'queries', 'retrievers'].includes(String(list))
}

/** `{ field: { query_text: "words", … } }`. */
const embeddedInField: Read = (value, path, found) => {
  const [field, inner] = onlyField(value)
  addEmbedded(clauseOf(inner).query_text, [field, 'query_text'], path, inner, found)
}

const embeddedBeside: Read = (value, path, found) =>
  addEmbedded(clauseOf(value).query, ['query'], path, value, found)

export const readVectors: Read = (value, path, found) => {
  const { query_vector_builder: builder } = clauseOf(value)
  const embedding = isObject(builder) ? builder.text_embedding : undefined
  const text = isObject(embedding) ? embedding.model_text : undefined
  addEmbedded(text, ['query_vector_builder', 'text_embedding', 'model_text'], path, value, found)
}

/** A nested clause searches other documents. Its text only follows; if no other place leads, it stays unchanged. */
const readNested: Read = (value, path, found) => under('query')(value, path, { ...found, mayLead: false })

/**
 * All of `must` has to hold, and as much of `should` as the body says. A text that occurs in two such clauses is not rewritten:
 * one of them may restrict which documents are searched.
 */
const readBool: Read = (value, path, found) => {
  const { must, should, minimum_should_match: least } = clauseOf(value)
  const inBranch = (inner: Findings, branch: string): Findings => ({
    ...inner,
    conditions: [...inner.conditions, { of: path, branch }],
  })
  const readEach = (clauses: unknown, key: string, branchOf: (place: number) => string | undefined): void => {
    const inner = { ...found, isForAll: found.isForAll && key === 'must' }
    for (const [place, clause] of listOf(clauses ?? []).entries()) {
      const branch = branchOf(place)
      const at = Array.isArray(clauses) ? [...path, key, place] : [...path, key]
      readQuery(clause, at, branch === undefined ? inner : inBranch(inner, branch))
    }
  }
  const count = least === undefined ? 0 : Number(String(least))
  readEach(must, 'must', (place) => `must ${place}`)
  readEach(should, 'should', (place) =>
    count === 0 ? undefined : count === 1 ? 'should' : `should ${place}`,
  )
}

/** Conditions without text, or with text that stays the caller's. Each document that meets one gets the same score. */
const readCondition: Read = (value, path, found) => {
  if (!found.isForAll) note(found, path, value, {})
}

const conditions = namesIn(`
  terms range exists ids wildcard regexp constant_score geo_bounding_box geo_distance geo_polygon geo_shape
  geo_grid shape terms_set script`)

/** Clauses that give each document a score of its own, and no words. */
const readFeature: Read = (value, path, found) => note(found, path, value, {})

/** Changes no order. */
const readNothing: Read = () => {}

/** A clause around a query, which changes the query's score. */
const around =
  (key: string, wayOf: (clause: JsonObject) => Way | undefined): Read =>
  (value, path, found) => {
    const way = wayOf(clauseOf(value))
    const before = found.clauses.length
    under(key)(value, path, found)
    if (way === undefined) return
    const hasWords = found.clauses.slice(before).some(({ ranks, text }) => ranks && text !== undefined)
    note(found, path, value, hasWords ? { way, around: key } : {})
  }

/** How `boost_mode` joins the functions to the score of the query. */
const ofMode: ReadonlyMap<unknown, Way> = new Map<unknown, Way>([
  [undefined, 'multiplies'],
  ['multiply', 'multiplies'],
  ['sum', 'adds'],
  ['avg', 'averages'],
])

const notFunctions = ['query', 'boost', 'boost_mode', 'score_mode', 'max_boost', 'min_score', '_name']

function wayOfFunctions(clause: JsonObject): Way | undefined {
  const functions = Object.values(without(clause, ...notFunctions))
  const isSet = functions.some(
    (value) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return isSet ? (ofMode.get(clause.boost_mode) ?? 'hides') : undefined
}

/** A script most often multiplies the score of the query, or adds to it. */
function wayOfScript({ script }: JsonObject): Way {
  const source = isObject(script) ? script.source : script
  if (/_score\s*\*|\*\s*_score/.test(String(source))) return 'multiplies'
  return /_score\s*\+|\+\s*_score/.test(String(source)) ? 'adds' : 'hides'
}

/** The clauses that a query may contain, by name, with their readers. */
export const clauses: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['match', inField({ leads: true })],
  ['match_phrase', inField({})],
  ['match_bool_prefix', inField({ isTyping: true })],
  ['match_phrase_prefix', inField({ isTyping: true })],
  ['term', inField({ key: 'value', isConstant: true })],
  ['prefix', inField({ key: 'value', isConstant: true })],
  ['fuzzy', inField({ key: 'value', isFuzzy: true })],
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
  ['dis_max', anyUnder('queries')],
  ['hybrid', anyUnder('queries')],
  ['function_score', around('query', wayOfFunctions)],
  ['script_score', around('query', wayOfScript)],
  ['boosting', around('positive', () => 'multiplies')],
  ['pinned', around('organic', () => 'adds')],
  ['rank_feature', readFeature],
  ['distance_feature', readFeature],
  ['match_all', readNothing],
  ['match_none', readNothing],
  ...conditions.map((name) => [name, readCondition] as const),
])

/** The only field of a clause, and its value. */
function onlyField(value: unknown): readonly [string, unknown] {
  const [entry = ['', undefined], ...others] = Object.entries(clauseOf(value))
  if (others.length > 0) throw new NotRewritable('a clause of it names several fields')
  return entry
}

export function clauseOf(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw new NotRewritable('a clause of it is not a JSON object')
}
