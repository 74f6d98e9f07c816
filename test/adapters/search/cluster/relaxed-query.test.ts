/** Queries that give up some of what they ask for. */
import { describe, expect, it } from 'vitest'
import { relaxedQuery, withoutFields } from '../../../../adapters/search/cluster/relaxed-query.ts'
import type { Relaxation } from '../../../../src/types.ts'

const words = 'red shoe'
const relaxed = (query: object, relaxation: Relaxation) => relaxedQuery(query, words, relaxation)
const strict = { multi_match: { query: words, fields: ['title'], operator: 'AND' } }
const fuzzy = { fuzziness: 'AUTO', prefix_length: 1 }

describe('relaxedQuery', () => {
  it.each<[Relaxation, object]>([
    [{ words: 'any' }, { query: words, fields: ['title'] }],
    [{ words: 'all but one' }, { query: words, fields: ['title'], minimum_should_match: -1 }],
    [{ near: true }, { query: words, fields: ['title'], operator: 'AND', ...fuzzy }],
    [
      { words: 'any', near: true },
      { query: words, fields: ['title'], ...fuzzy },
    ],
  ])('by %j', (relaxation, multi_match) => expect(relaxed(strict, relaxation)).toEqual({ multi_match }))

  it('asks for no more words than the caller', () => {
    const loose = { match: { title: words } }
    expect(relaxed(loose, { words: 'all but one' })).toEqual({ match: { title: { query: words } } })
    expect(
      relaxed({ match: { title: { query: words, minimum_should_match: '75%' } } }, { words: 'any' }),
    ).toEqual({
      match: { title: { query: words } },
    })
  })

  it.each([
    { multi_match: { query: words, type: 'cross_fields' } },
    { multi_match: { query: words, type: 'phrase' } },
    { simple_query_string: { query: words } },
    { match_phrase: { title: words } },
    { match: { title: 'other words' } },
  ])('leaves %j as it is where an engine refuses fuzziness, or the text is another one', (query) =>
    expect(relaxed(query, { near: true })).toEqual(query),
  )

  it("leaves the caller's conditions, but those that may be left out", () => {
    const brand = { term: { brand: 'acme' } }
    const query = {
      bool: {
        must: [strict],
        filter: [
          brand,
          { range: { price: { lt: 5 } } },
          { match: { title: { query: words, operator: 'and' } } },
        ],
        must_not: { exists: { field: 'brand' } },
      },
    }
    expect(relaxed(query, { words: 'any', without: ['brand'] })).toEqual({
      bool: {
        must: [{ multi_match: { query: words, fields: ['title'] } }],
        filter: query.bool.filter.slice(1),
        must_not: [],
      },
    })
  })
})

describe('withoutFields', () => {
  it('leaves out no alternative, which would let fewer documents pass', () => {
    const either = { bool: { should: [{ term: { brand: 'acme' } }, { term: { shelf: 1 } }] } }
    expect(withoutFields([either], ['brand'])).toEqual([either])
    expect(withoutFields({ bool: { must: [{ term: { brand: 1 } }] } }, ['brand'])).toEqual([
      { bool: { must: [] } },
    ])
  })
})
