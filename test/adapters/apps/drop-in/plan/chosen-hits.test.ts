/** Searches for chosen hits: the caller's own body, for these documents alone or for all but these. */
import { describe, expect, it } from 'vitest'
import { canRestrict } from '../../../../../adapters/apps/drop-in/parse/paging.ts'
import { exceptIds, onlyIds } from '../../../../../adapters/apps/drop-in/plan/leg-body.ts'

const query = { match: { title: 'bridge' } }
const hits = [
  { _index: 'works', _id: '1' },
  { _index: 'works', _id: '2', _routing: 'r' },
  { _index: 'notes', _id: '1' },
  { _index: 'works', _id: '3' },
]
/** One clause for each index and routing. */
const documents = [
  { bool: { filter: [{ term: { _index: 'works' } }, { ids: { values: ['1', '3'] } }] } },
  {
    bool: {
      filter: [{ term: { _index: 'works' } }, { term: { _routing: 'r' } }, { ids: { values: ['2'] } }],
    },
  },
  { bool: { filter: [{ term: { _index: 'notes' } }, { ids: { values: ['1'] } }] } },
]

describe('canRestrict', () => {
  it('is true of a query by itself', () => expect(canRestrict({ query, size: 3 })).toBe(true))

  it.each([
    {},
    { query: { hybrid: { queries: [query] } } },
    { query, knn: {} },
    { retriever: { standard: { query } } },
    { query, collapse: { field: 'group' } },
  ])('is false of %j, whose hits depend on all that is found', (body) =>
    expect(canRestrict(body)).toBe(false),
  )
})

describe('onlyIds', () => {
  it('lets the engine look at these documents alone, whatever the search would stop at', () =>
    expect(onlyIds({ query, size: 3, terminate_after: 10 }, hits)).toEqual({
      query: { bool: { must: [query], filter: [{ bool: { should: documents } }] } },
      size: 3,
    }))

  it("narrows behind the query where the body is explained, beside the caller's own filter", () => {
    const chosen = { bool: { should: documents } }
    expect(onlyIds({ query, explain: true }, hits)).toEqual({
      query,
      explain: true,
      post_filter: { bool: { filter: [chosen] } },
    })
    const open = { term: { open: true } }
    expect(onlyIds({ query, explain: true, post_filter: open }, hits)).toMatchObject({
      post_filter: { bool: { filter: [open, chosen] } },
    })
    expect(onlyIds({ query, explain: false }, hits)).not.toHaveProperty('post_filter')
  })
})

describe('exceptIds', () => {
  it('leaves these documents out', () =>
    expect(exceptIds({ query, terminate_after: 10 }, hits)).toEqual({
      query: { bool: { must: [query], filter: [{ bool: { must_not: documents } }] } },
      terminate_after: 10,
    }))

  it('is the body itself where there is nothing to leave out', () => {
    const body = { query }
    expect(exceptIds(body, [])).toBe(body)
  })
})
