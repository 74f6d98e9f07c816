/** Why the hits of a search keep the fused order where others are re-ranked. */
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/json.ts'
import { whyNotReranked } from '../../../../../adapters/apps/drop-in/parse/keeps-order.ts'

const words = 'who built it'
const why = (sections: JsonObject) => whyNotReranked(sections, (text) => text === words)
const ofQuery = (query: JsonObject) => why({ query })
const match = { match: { title: words } }
const both = { fields: ['title', 'body'], query: words }
const boosted = { reason: 'its fields or clauses have boosts of their own', isByScore: false }
const ranksBy = (clause: string) => ({
  reason: `its clause ${clause} ranks by more than words`,
  isByScore: true,
})

describe('a search that ranks by words alone may be re-ranked', () => {
  it.each<JsonObject>([
    match,
    { multi_match: both },
    { multi_match: { ...both, boost: 3 } },
    { multi_match: { ...both, fields: ['title^2', 'body^2.0'] } },
    { bool: { should: [match, { match: { body: { query: words, boost: 1 } } }] } },
    { dis_max: { queries: [match, { match: { body: words } }] } },
    { match: { title: { query: words, fuzziness: 0 } } },
    // A filter adds the same to every score.
    { bool: { must: [match, { term: { tag: 'a' } }, { geo_distance: {} }], filter: [{ exists: {} }] } },
    { function_score: { query: match, functions: [], boost: 2 } },
    { bool: { should: [match, { knn: { field: 'v', query_vector: [1] } }] } },
    { match_all: {} },
  ])('%j', (query) => expect(ofQuery(query)).toBeUndefined())

  it('whatever else the body has', () => {
    expect(why({ query: match, indices_boost: [{}], size: 3, sort: ['_score'] })).toBeUndefined()
    expect(why({})).toBeUndefined()
  })
})

describe('boosts that differ keep the order', () => {
  it.each<JsonObject>([
    { multi_match: { ...both, fields: ['title^3', 'body'] } },
    { bool: { should: [match, { match: { body: { query: words, boost: new LosslessNumber('2.0') } } }] } },
    { bool: { should: [match, { bool: { must: match, boost: 2 } }] } },
    { dis_max: { queries: [match, { match: { body: { query: words, boost: 0.5 } } }] } },
  ])('%j', (query) => expect(ofQuery(query)).toEqual(boosted))

  it('not where each factor makes up for another one: 2 · 3 and 6', () =>
    expect(
      ofQuery({
        bool: {
          should: [
            { bool: { must: { match: { title: { query: words, boost: 3 } } }, boost: 2 } },
            { multi_match: { query: words, fields: ['body^6'] } },
          ],
        },
      }),
    ).toBeUndefined())
})

describe('a ranking by more than words keeps the order, and lists are merged by score', () => {
  it.each<readonly [string, JsonObject]>([
    ['term', { bool: { must: [match], should: [{ term: { tag: 'a' } }] } }],
    ['rank_feature', { bool: { must: [match, { rank_feature: { field: 'pagerank' } }] } }],
    ['distance_feature', { bool: { should: [match, { distance_feature: {} }] } }],
    ['match', { bool: { must: [match, { match: { author: 'roebling' } }] } }],
  ])('by a clause %s', (clause, query) => expect(ofQuery(query)).toEqual(ranksBy(clause)))

  it.each<JsonObject>([
    { query: match, functions: [{ weight: 2 }] },
    { query: match, field_value_factor: { field: 'views' } },
    { query: match, script_score: {} },
  ])('by the functions %j', (inner) =>
    expect(ofQuery({ function_score: inner })).toEqual({
      reason: 'its function_score ranks by more than words',
      isByScore: true,
    }),
  )

  it('by indices', () =>
    expect(why({ query: match, indices_boost: [{ works: 2 }] })).toEqual({
      reason: 'its indices have boosts',
      isByScore: true,
    }))
})

describe('words that may be misspelled keep the order', () => {
  it.each<readonly [string, JsonObject]>([
    ['fuzziness', { match: { title: { query: words, fuzziness: 'AUTO' } } }],
    ['fuzziness', { multi_match: { ...both, fuzziness: 1 } }],
    ['fuzzy', { bool: { should: [match, { fuzzy: { title: words } }] } }],
  ])('as %s says', (name, query) =>
    expect(ofQuery(query)).toEqual({
      reason: `its words may be misspelled, as ${name} says`,
      isByScore: false,
    }),
  )
})

describe('retrievers', () => {
  const standard = { standard: { query: match } }
  const knn = { knn: { field: 'v', query_vector: [1] } }
  const linear = (weight: number) => ({
    linear: {
      retrievers: [
        { retriever: standard, weight },
        { retriever: knn, weight: 1 },
      ],
    },
  })

  it('merge lists of words', () => {
    expect(why({ retriever: { rrf: { retrievers: [standard, knn] } } })).toBeUndefined()
    expect(why({ retriever: linear(1) })).toBeUndefined()
  })

  it('keep the order where they have weights of their own, or rank by more than words', () => {
    expect(why({ retriever: linear(2) })).toEqual(boosted)
    const byTag = { standard: { query: { term: { tag: 'a' } } } }
    expect(why({ retriever: { rrf: { retrievers: [standard, byTag] } } })).toEqual(ranksBy('term'))
  })
})
