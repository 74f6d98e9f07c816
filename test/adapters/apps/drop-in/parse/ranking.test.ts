/** What a search ranks by, and its body with the words alone. */
import { describe, expect, it } from 'vitest'
import { findQueryText } from '../../../../../adapters/apps/drop-in/parse/find-query-text.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { wordsAlone } from '../../../../../adapters/apps/drop-in/parse/ranking.ts'

const words = 'steel bridge'
const match = { match: { title: words } }
const rank = { rank_feature: { field: 'pagerank' } }
const views = { field_value_factor: { field: 'views' } }

function rankingOf(body: JsonObject) {
  const found = findQueryText(body, () => 'text')
  if ('reason' in found) throw new Error(found.reason)
  return found.ranking
}
const waysOf = (query: JsonObject): string[] => rankingOf({ query }).factors.map(({ way }) => way)

it('words are fuzzy where one place of them is', () => {
  const fuzzy = { match: { body: { query: words, fuzziness: 'AUTO' } } }
  expect(rankingOf({ query: { bool: { should: [match, fuzzy] } } }).isFuzzy).toBe(true)
  expect(rankingOf({ query: match }).isFuzzy).toBe(false)
})

describe('a factor', () => {
  it.each<readonly [JsonObject, readonly string[]]>([
    [{ function_score: { query: match, ...views } }, ['multiplies']],
    [{ function_score: { query: match, ...views, boost_mode: 'sum' } }, ['adds']],
    [{ function_score: { query: match, ...views, boost_mode: 'avg' } }, ['averages']],
    [{ function_score: { query: match, ...views, boost_mode: 'replace' } }, ['hides']],
    [{ function_score: { query: match, functions: [] } }, []],
    [{ script_score: { query: match, script: { source: "_score * doc['views'].value" } } }, ['multiplies']],
    [{ script_score: { query: match, script: "Math.log(doc['views'].value) + _score" } }, ['adds']],
    [{ bool: { must: [match, rank] } }, ['adds']],
    [{ bool: { must: match, should: { term: { tag: 'new' } } } }, ['adds']],
    // The same for all that is found.
    [{ bool: { must: [match, { term: { tag: 'new' } }], filter: { range: { year: { gte: 1900 } } } } }, []],
    // No words in it: it adds to those beside it.
    [{ bool: { must: match, should: { function_score: { ...views } } } }, ['adds']],
    [
      { boosting: { positive: match, negative: { term: { tag: 'old' } }, negative_boost: 0.2 } },
      ['multiplies'],
    ],
  ])('of %j: %j', (query, ways) => expect(waysOf(query)).toEqual(ways))

  it('may be the index', () =>
    expect(rankingOf({ query: match, indices_boost: [{ a: 2 }] }).factors).toEqual([
      { path: ['indices_boost'], way: 'multiplies' },
    ]))
})

describe('the words alone', () => {
  const aloneOf = (body: JsonObject) => wordsAlone(body, rankingOf(body).factors)

  it('stay where they are, and other clauses find without a score', () =>
    expect(
      aloneOf({
        query: {
          bool: { must: [match, rank], should: [{ term: { tag: 'new' } }], filter: { term: { a: 1 } } },
        },
        indices_boost: [{ a: 2 }],
      }),
    ).toEqual({
      query: {
        bool: {
          must: [match, { bool: { filter: [rank] } }],
          should: [{ bool: { filter: [{ term: { tag: 'new' } }] } }],
          filter: { term: { a: 1 } },
        },
      },
    }))

  it('come out of what is around them, with its boost', () =>
    expect(
      aloneOf({
        query: { function_score: { query: { bool: { must: match, should: rank } }, ...views, boost: 2 } },
      }),
    ).toEqual({
      query: { bool: { must: [{ bool: { must: match, should: { bool: { filter: [rank] } } } }], boost: 2 } },
    }))
})
