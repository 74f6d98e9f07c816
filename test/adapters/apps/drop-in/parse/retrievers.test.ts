/** Elasticsearch's retrievers: where their words stand, and how many hits they can be asked for. */
import { describe, expect, it } from 'vitest'
import { findQueryText, maxHits } from '../../../../../adapters/apps/drop-in/parse/find-query-text.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'

const standard = { standard: { query: { match: { title: 'bridge' } } } }
const rrf = (more: JsonObject, ...inner: readonly JsonObject[]) => ({
  rrf: { retrievers: [standard, ...inner], ...more },
})

describe('readRetriever', () => {
  const read = (retriever: JsonObject): readonly string[] | string => {
    const words = findQueryText({ retriever }, () => 'text')
    return 'reason' in words ? words.reason : words.slots.map((path) => path.join('.'))
  }

  it('finds the words in each retriever, with or without a weight', () => {
    expect(read(standard)).toEqual(['retriever.standard.query.match.title'])
    expect(read(rrf({}, { retriever: standard }))).toEqual([
      'retriever.rrf.retrievers.0.standard.query.match.title',
      'retriever.rrf.retrievers.1.retriever.standard.query.match.title',
    ])
  })

  it('finds the words of an `rrf` over fields', () =>
    expect(read({ rrf: { query: 'bridge', fields: ['title', 'text'] } })).toEqual(['retriever.rrf.query']))

  it.each<readonly [string, JsonObject]>([
    ['a retriever of it sorts', { standard: { ...standard.standard, sort: ['year'] } }],
    ['a retriever of it sorts', { standard: { ...standard.standard, search_after: [1] } }],
    ['Querent does not know the retriever `text_similarity_reranker`', { text_similarity_reranker: {} }],
    ['a retriever of it has no name, or several', { ...standard, ...rrf({}) }],
  ])('refuses: %s', (reason, retriever) => expect(read(retriever)).toBe(reason))
})

describe('maxHits', () => {
  it.each<readonly [string, unknown, number]>([
    ['a body without a retriever', undefined, Number.POSITIVE_INFINITY],
    ['a standard retriever', standard, Number.POSITIVE_INFINITY],
    ['an `rrf` that says nothing', rrf({}), 10],
    ['an `rrf` with a window', rrf({ rank_window_size: 55 }), 55],
    [
      'a `linear` within an `rrf`: the smaller window',
      rrf(
        { rank_window_size: 80 },
        { linear: { retrievers: [{ retriever: standard }], rank_window_size: 40 } },
      ),
      40,
    ],
    [
      'a weighted `rrf` within a `linear`',
      {
        linear: { retrievers: [{ retriever: rrf({ rank_window_size: 5 }), weight: 2 }], rank_window_size: 9 },
      },
      5,
    ],
    ['an `rrf` over fields', { rrf: { query: 'bridge', rank_window_size: 7 } }, 7],
  ])('of %s', (_, retriever, most) => expect(maxHits(retriever)).toBe(most))
})
