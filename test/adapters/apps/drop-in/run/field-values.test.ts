import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { callerValues } from '../../../../../adapters/apps/drop-in/run/added-searches.ts'
import { keptValues } from '../../../../../adapters/search/cluster/aggregated-values.ts'
import type { FieldValues } from '../../../../../src/types.ts'
import { expectError } from '../../../../support/expect-error.ts'
import { fakeEngine, searchFor } from '../../../../support/fake-engine.ts'

const wanted = [
  { field: 'brand', of: 'values' },
  { field: 'price', of: 'range' },
] as const
const aggregations = {
  values0: { buckets: [{ key: 'Northwind', doc_count: 3 }] },
  min1: { value: 20 },
  max1: { value: 80 },
}
const asking = (kept = keptValues(), response: unknown = { hits: { hits: [] }, aggregations }) => {
  const bodies: JsonObject[] = []
  return {
    bodies,
    ask(body: JsonObject, identity = 'one'): Promise<readonly FieldValues[]> {
      const call = searchFor('boots', body)
      const understood = parseSearch(call, {}, { window: 100 })
      if ('reason' in understood) throw new Error(understood.reason)
      const engine = fakeEngine(call, () => [], {
        msearch(legs) {
          bodies.push(...legs.map((leg) => leg.body))
          return [response]
        },
      })
      const find = callerValues(understood, { identity, index: call.index, engine, kept })
      return find(wanted, { signal: new AbortController().signal })
    },
  }
}
/** What the engine is asked to count under. */
const filtersOf = ({ query }: JsonObject): unknown => (query as { bool: { filter: unknown } }).bool.filter

describe('values of the documents of a caller', () => {
  it('come from aggregations', async () => {
    const { ask } = asking()
    expect(await ask({})).toEqual([{ values: ['Northwind'] }, { min: 20, max: 80 }])
  })

  const shop = { term: { shop: 'first' } }
  it.each<[string, JsonObject, unknown]>([
    ['a match', { match: { title: 'boots' } }, { match_all: {} }],
    ['a match with options', { match: { title: { query: 'boots', boost: 2 } } }, { match_all: {} }],
    ['a match of several fields', { multi_match: { query: 'boots', fields: ['title'] } }, { match_all: {} }],
    [
      'words beside a condition',
      {
        bool: { must: [{ match: { title: 'boots' } }], filter: [shop], must_not: [{ term: { gone: true } }] },
      },
      { bool: { must: [{ match_all: {} }], filter: [shop], must_not: [{ term: { gone: true } }] } },
    ],
    [
      'words whose score is changed',
      { function_score: { query: { match: { title: 'boots' } }, functions: [] } },
      { function_score: { query: { match_all: {} }, functions: [] } },
    ],
  ])('are counted under what the body demands besides words: %s', async (_, query, expected) => {
    const { ask, bodies } = asking()
    await ask({ query, post_filter: shop })
    expect(filtersOf(bodies[0]!)).toEqual([expected, shop])
    expect(bodies[0]).toMatchObject({ size: 0, aggs: { values0: { terms: { field: 'brand' } } } })
  })

  it('are kept for the same caller and the same conditions, whatever the words', async () => {
    const { ask, bodies } = asking()
    await ask({ query: { match: { title: 'boots' } } })
    await ask({ query: { match: { title: 'sandals' } } })
    expect(bodies).toHaveLength(1)
    await ask({ query: { match: { title: 'boots' } } }, 'another caller')
    await ask({ query: { match: { title: 'boots' } }, post_filter: shop })
    expect(bodies).toHaveLength(3)
  })

  it('are those of the indices that a point in time names', async () => {
    const { ask, bodies } = asking()
    await ask({})
    for (const id of ['first', 'second']) await ask({ pit: { id } })
    expect(bodies.map(({ pit }) => pit)).toEqual([undefined, { id: 'first' }, { id: 'second' }])
  })

  it('are asked again after an error', async () => {
    const kept = keptValues()
    const refused = { error: { type: 'security_exception', reason: 'no' }, status: 403 }
    await expect(asking(kept, refused).ask({})).rejects.toThrow('no')
    expect(await asking(kept).ask({})).toHaveLength(2)
    await expectError(
      asking(keptValues(), { hits: { hits: [] } }).ask({}),
      'retriever-failed',
      /aggregations/,
    )
  })
})
