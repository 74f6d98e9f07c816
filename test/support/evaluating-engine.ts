/** An engine that evaluates queries over documents: enough of the language to say which documents a body may find. */
import { isObject, type JsonObject, listOf } from '../../adapters/apps/drop-in/parse/json.ts'
import type { Find } from './fake-engine.ts'

/** `text`: words are looked for. `keyword`: a value as a whole. */
export type FieldTypes = Readonly<Record<string, 'text' | 'keyword'>>

export type Doc = Readonly<Record<string, string>> & { readonly id: string }

export interface Evaluating {
  readonly types: FieldTypes
  /** Whether any words are in any text: what a body may find, whatever its words are. Default: false. */
  readonly anyWords?: boolean
}

/** Finds by evaluating; equal scores by id. */
export const evaluating =
  (documents: readonly Doc[], types: FieldTypes): Find =>
  ({ query }) =>
    documents
      .map((document) => ({ document, score: scoreOf(query, document, { types }) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1))
      .map(({ document: { id, ...source }, score }) => ({
        _index: 'works',
        _id: id,
        _score: score,
        _source: source,
      }))

/** The score of a document; 0 where it does not match. */
export function scoreOf(clause: unknown, document: Doc, how: Evaluating): number {
  const [name, inner] = Object.entries(clause as JsonObject)[0]!
  const score = (inner: unknown): number => scoreOf(inner, document, how)
  const value = inner as JsonObject
  if (name === 'bool') return boolScore(value, score)
  if (name === 'dis_max') return Math.max(0, ...listOf(value.queries).map(score))
  if (name === 'constant_score') return score(value.filter) > 0 ? 1 : 0
  if (name === 'function_score') return score(value.query)
  if (name === 'match_all') return 1
  if (name === 'match_none') return 0
  const isBeside = ['multi_match', 'query_string', 'simple_query_string'].includes(name)
  if (isBeside) return Math.max(...fieldsIn(value).map((field) => fieldScore(field, value, document, how)))
  if (!['match', 'term', 'match_phrase'].includes(name)) throw new Error(`${name} is not evaluated`)
  const [field, asked] = Object.entries(value)[0]!
  return fieldScore(field, isObject(asked) ? asked : { query: asked }, document, how)
}

function boolScore(clause: JsonObject, score: (clause: unknown) => number): number {
  const { must = [], filter = [], must_not: not = [], should = [], minimum_should_match: least } = clause
  const scores = (clauses: unknown): number[] => listOf(clauses).map(score)
  const [musts, shoulds] = [scores(must), scores(should)]
  const needed = Number(least ?? (musts.length + listOf(filter).length === 0 ? 1 : 0))
  const isFound =
    [...musts, ...scores(filter)].every((one) => one > 0) &&
    scores(not).every((one) => one === 0) &&
    shoulds.filter((one) => one > 0).length >= Math.min(needed, shoulds.length)
  return isFound ? [...musts, ...shoulds].reduce((sum, one) => sum + one, 0.1) : 0
}

const fieldsIn = ({ fields, default_field: byDefault }: JsonObject): string[] =>
  listOf(fields ?? byDefault ?? []).map((field) => String(field).replace(/\^.*$/, ''))

function fieldScore(
  field: string,
  asked: JsonObject,
  document: Doc,
  { types, anyWords }: Evaluating,
): number {
  const { query, value = query, operator, default_operator: joined = operator } = asked
  const own = document[field] ?? ''
  if (types[field] === 'keyword') return own === value ? 3 : 0
  if (anyWords === true) return 1
  const words = new Set(own.toLowerCase().split(/\W+/))
  const wanted = String(value)
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '')
  const count = wanted.filter((word) => words.has(word)).length
  return String(joined).toLowerCase() === 'and' && count < wanted.length ? 0 : count
}
