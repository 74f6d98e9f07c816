/** How each clause of a query is read for the user's words. */
import { describe, expect, it } from 'vitest'
import {
  type Findings,
  isStrict,
  isTyping,
  readQuery,
} from '../../../../../adapters/apps/drop-in/parse/clauses.ts'
import type { FieldKind } from '../../../../../adapters/apps/drop-in/parse/field-kinds.ts'
import { slotsIn } from '../../../../../adapters/apps/drop-in/parse/find-query-text.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'

/** What reading a query finds. Fields are texts unless `kinds` says otherwise; null is a field of unknown kind. */
function read(query: unknown, kinds: Readonly<Record<string, FieldKind | null>> = {}): Findings {
  const found: Findings = {
    clauses: [],
    fields: new Set(),
    conditions: [],
    mayLead: true,
    unknown: new Set(),
    vectors: [],
    isForAll: true,
    kindOf: (field) => (field in kinds ? (kinds[field] ?? undefined) : 'text'),
  }
  readQuery(query, ['query'], found)
  return found
}
const keyword = { is: 'a keyword field' }
/** Where words were found; those that only follow are in parentheses. */
const slotsOf = (...given: Parameters<typeof read>): string[] =>
  slotsIn(read(...given)).map(({ slot, why }) => (why === undefined ? slot.join('.') : `(${slot.join('.')})`))

describe('words lead', () => {
  it.each<readonly [JsonObject, string]>([
    [{ match: { title: 'a' } }, 'query.match.title'],
    [{ match: { title: { query: 'a', boost: 2 } } }, 'query.match.title.query'],
    [{ multi_match: { query: 'a', fields: ['title^2'] } }, 'query.multi_match.query'],
    [{ query_string: { query: 'a' } }, 'query.query_string.query'],
    [{ combined_fields: { query: 'a', fields: ['title'] } }, 'query.combined_fields.query'],
    [{ semantic: { field: 'meaning', query: 'a' } }, 'query.semantic.query'],
    [{ neural: { vector: { query_text: 'a' } } }, 'query.neural.vector.query_text'],
    [{ dis_max: { queries: [{ match: { title: 'a' } }] } }, 'query.dis_max.queries.0.match.title'],
    [{ function_score: { query: { match: { title: 'a' } } } }, 'query.function_score.query.match.title'],
  ])('in %j', (query, slot) => expect(slotsOf(query)).toEqual([slot]))

  it('in text fields only; a field of unknown kind counts as one until the engine says', () => {
    const inTitle = { match: { title: 'a' } }
    expect(slotsOf(inTitle, { title: keyword })).toEqual(['(query.match.title)'])
    expect(slotsOf(inTitle, { title: 'partly' })).toEqual(['query.match.title'])
    expect(read(inTitle, { title: null })).toMatchObject({ unknown: new Set(['title']) })
    expect(slotsOf(inTitle, { title: null })).toEqual(['query.match.title'])
  })

  it('in several fields where one is a text in every index', () => {
    const inBoth = { multi_match: { query: 'a', fields: ['title', 'owner'] } }
    expect(slotsOf(inBoth, { owner: keyword })).toEqual(['query.multi_match.query'])
    expect(slotsOf(inBoth, { title: 'partly', owner: keyword })).toEqual(['(query.multi_match.query)'])
    expect(slotsOf(inBoth, { title: 'partly', owner: 'none' })).toEqual(['query.multi_match.query'])
  })
})

describe('words only follow', () => {
  it.each<JsonObject>([
    { match_phrase: { title: 'a' } },
    { term: { title: { value: 'a' } } },
    { prefix: { title: 'a' } },
    { fuzzy: { title: 'a' } },
    { multi_match: { query: 'a', fields: ['title'], type: 'phrase' } },
    { nested: { path: 'parts', query: { match: { 'parts.name': 'a' } } } },
  ])('in %j', (query) => expect(slotsOf(query)).toEqual([expect.stringMatching(/^\(.*\)$/)]))
})

describe('words are not looked for', () => {
  it.each<JsonObject>([
    { bool: { filter: [{ match: { title: 'a' } }], must_not: { match: { title: 'a' } } } },
    { constant_score: { filter: { match: { title: 'a' } } } },
    { terms: { title: ['a'] } },
    { match: { title: 3 } },
    { match_all: {} },
  ])('in %j', (query) => expect(slotsOf(query)).toEqual([]))
})

describe('a query passes through', () => {
  it.each<readonly [string, unknown]>([
    ['a clause of it is not a JSON object', 'bridge'],
    ['a clause of it has no name, or several', {}],
    ['a clause of it has no name, or several', { match: { title: 'a' }, boost: 2 }],
    ['Querent does not know the clause `more_like_this`', { more_like_this: { like: 'a' } }],
    ['a clause of it names several fields', { match: { title: 'a', text: 'a' } }],
    ['the words of its `query_string` have operators', { query_string: { query: 'a AND b' } }],
    [
      'it searches by a vector, and Querent cannot make one of other words',
      { knn: { field: 'v', query_vector: [1] } },
    ],
  ])('since %s', (reason, query) => expect(() => read(query)).toThrow(reason))

  it('where it is nested too deeply, however deep', () => {
    const nested = (depth: number): unknown =>
      JSON.parse(`${'{"bool":{"must":['.repeat(depth)}{"match":{"text":"a"}}${']}}'.repeat(depth)}`)
    expect(slotsIn(read(nested(100)))).toHaveLength(1)
    for (const depth of [200, 20_000])
      expect(() => read(nested(depth))).toThrow('its clauses are nested too deeply')
  })
})

it('a ready vector beside words is noted, so that sub-queries can go without it', () => {
  const knn = { knn: { field: 'v', query_vector: [1] } }
  const found = read({ bool: { should: [{ match: { title: 'a' } }, knn] } })
  expect(slotsIn(found)).toHaveLength(1)
  expect(found.vectors).toEqual([['query', 'bool', 'should', 1, 'knn']])
})

describe('isStrict', () => {
  it.each([
    { operator: 'and' },
    { operator: 'AND' },
    { default_operator: 'And' },
    { minimum_should_match: 2 },
  ])('is true of %j', (clause) => expect(isStrict(clause)).toBe(true))

  it.each([
    {},
    { operator: 'or' },
    { minimum_should_match: '1' },
    { minimum_should_match: 0 },
    'bridge',
    null,
  ])('is false of %j', (clause) => expect(isStrict(clause)).toBe(false))
})

it('isTyping is true of the types that complete the last word', () =>
  expect(['bool_prefix', 'phrase_prefix', 'phrase', undefined].map(isTyping)).toEqual([
    ...[true, true],
    ...[false, false],
  ]))
