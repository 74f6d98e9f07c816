/** Where the user's words stand in a search body, and which places only happen to have the same text. */
import { describe, expect, it } from 'vitest'
import type { FieldKind } from '../../../../../adapters/apps/drop-in/parse/field-kinds.ts'
import { findQueryText, whyStrict } from '../../../../../adapters/apps/drop-in/parse/find-query-text.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'

const find = (sections: JsonObject, kind?: FieldKind) => findQueryText(sections, () => kind)
/** The places of the words, or why there are none. */
const slotsOf = (query: JsonObject): readonly string[] | string => {
  const words = find({ query }, 'text')
  return 'reason' in words ? words.reason : words.slots.map((path) => path.join('.'))
}
const match = (text: string, field = 'text'): JsonObject => ({ match: { [field]: text } })
const [acme, tenant] = [match('acme'), { term: { tenant: 'acme' } }]

describe('the words', () => {
  it('are one text, with its places and its fields', () =>
    expect(find({ query: match('acme') }, 'text')).toEqual({
      text: 'acme',
      slots: [['query', 'match', 'text']],
      fields: ['text'],
      unknown: [],
      vectors: [],
      ranking: { isFuzzy: false, factors: [] },
    }))

  it('may stand in the query, the vectors and the retriever of a body', () => {
    const builder = { text_embedding: { model_id: 'm', model_text: 'acme' } }
    const sections = {
      query: acme,
      knn: [{ field: 'v', query_vector_builder: builder }],
      retriever: { standard: { query: acme } },
    }
    expect(find(sections, 'text')).toMatchObject({
      slots: [
        ['query', 'match', 'text'],
        ['knn', 0, 'query_vector_builder', 'text_embedding', 'model_text'],
        ['retriever', 'standard', 'query', 'match', 'text'],
      ],
    })
  })

  it.each<readonly [string, JsonObject]>([
    ['its words stand in a `term` clause alone', { query: tenant }],
    ['it matches all documents', { query: { match_all: {} } }],
    ['it has conditions alone, and no words to rank by', { query: { exists: { field: 'text' } } }],
    ['it searches for several different texts', { query: { bool: { should: [acme, match('globex')] } } }],
    [
      'it searches by a vector, and Querent cannot make one of other words',
      { knn: { field: 'v', query_vector: [1] } },
    ],
    ['Querent does not know the clause `more_like_this`', { query: { more_like_this: {} } }],
  ])('are none: %s', (reason, sections) => expect(find(sections, 'text')).toEqual({ reason }))

  it('stand in at most 100 places, which are counted in no time', () => {
    const many = (count: number) => ({ bool: { should: Array.from({ length: count }, () => acme) } })
    expect(slotsOf(many(100))).toHaveLength(100)
    for (const count of [101, 20_000])
      expect(slotsOf(many(count))).toBe('its words stand in more than 100 places')
  })

  it('depend on fields of unknown kind, which are named', () => {
    expect(find({ query: acme })).toMatchObject({ text: 'acme', unknown: ['text'] })
    expect(find({ query: { bool: { must: [acme, match('globex', 'title')] } } })).toEqual({
      reason: 'it searches for several different texts',
      unknown: ['text', 'title'],
    })
  })
})

describe('a condition with the text of the words stays as it is', () => {
  it.each<readonly [string, JsonObject, readonly string[]]>([
    ['beside the words in `must`', { bool: { must: [acme, tenant] } }, ['query.bool.must.0.match.text']],
    [
      'below another `bool` of `must`',
      { bool: { must: [acme, { bool: { should: [tenant, { term: { tenant: 'public' } }] } }] } },
      ['query.bool.must.0.match.text'],
    ],
    [
      'in `should` of which one must match',
      { bool: { must: [acme], should: [tenant], minimum_should_match: '1' } },
      ['query.bool.must.0.match.text'],
    ],
    [
      'in a part of `should` that must match as a whole',
      { bool: { should: [{ bool: { must: [acme, tenant] } }, match('acme', 'b')] } },
      ['query.bool.should.0.bool.must.0.match.text', 'query.bool.should.1.match.b'],
    ],
  ])('%s', (_, query, slots) => expect(slotsOf(query)).toEqual(slots))
})

describe('a term with the text of the words follows them', () => {
  it.each([undefined, 0, '0'])('in `should` of which %j must match', (least) =>
    expect(
      slotsOf({
        bool: {
          must: [acme],
          should: [tenant],
          ...(least !== undefined && { minimum_should_match: least }),
        },
      }),
    ).toEqual(['query.bool.must.0.match.text', 'query.bool.should.0.term.tenant']),
  )

  it('where it is one of several alternatives', () =>
    expect(slotsOf({ bool: { should: [acme, tenant] } })).toEqual([
      'query.bool.should.0.match.text',
      'query.bool.should.1.term.tenant',
    ]))
})

describe('a search gets no hits of other words where one of two places of its words may be a condition', () => {
  const owner = match('acme', 'tenant')

  it.each<JsonObject>([
    { bool: { must: [acme, owner] } },
    { bool: { must: [{ bool: { must: [owner] } }, { dis_max: { queries: [acme] } }] } },
    { bool: { must: acme, should: owner, minimum_should_match: 1 } },
    { bool: { should: [acme, owner], minimum_should_match: 2 } },
    { function_score: { query: { bool: { must: [acme, owner] } } } },
  ])('as in %j', (query) =>
    expect(find({ query }, 'text')).toMatchObject({
      fixed: 'its words stand in several clauses that must all match',
    }),
  )
})

describe('whyStrict', () => {
  const place = (path: string, isStrict: boolean) => ({ slot: path.split('.'), isStrict })

  it.each([
    [true, [place('query.match', true)]],
    [false, [place('query.match', false)]],
    // One alternative without the rule is enough.
    [false, [place('query.should.0', true), place('query.should.1', false)]],
    // A strict `must` holds for what stands beside it in `should`.
    [true, [place('query.must.0', true), place('query.should.0', false)]],
    [false, [place('query.must.0', false), place('query.should.0', true)]],
  ])('is %s of %j', (expected, places) => expect(whyStrict({}, places) !== undefined).toBe(expected))
})
