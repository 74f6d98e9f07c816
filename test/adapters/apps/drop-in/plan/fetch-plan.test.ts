/** How many hits of each list a search reads, and whether it reads more of them than their texts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { fetchPlanOf, withoutInnerHits } from '../../../../../adapters/apps/drop-in/plan/fetch-plan.ts'

const query = { match: { title: 'bridge' } }
const first = { from: 0, size: 10, depth: 100 }
const highlighted = { query, highlight: { fields: {} } }

describe('a list whose hits are small', () => {
  it('is read as a whole for re-ranking, and to the end of the page otherwise', () => {
    expect(fetchPlanOf({ query }, first, undefined, true)).toMatchObject({ textOnly: false, pool: 100 })
    expect(fetchPlanOf({ query }, first, undefined, false)).toMatchObject({ textOnly: false, pool: 10 })
    expect(fetchPlanOf({ query }, first, { whole: 1000, texts: 900 }, true)).toMatchObject({ pool: 100 })
  })

  it('brings texts alone behind the fused pages, where its hits are asked for by themselves', () => {
    const far = { from: 100, size: 10, depth: 100 }
    expect(fetchPlanOf({ query }, far, undefined, true).textOnly).toBe(true)
    expect(fetchPlanOf({ query, collapse: { field: 'group' } }, far, undefined, true).textOnly).toBe(false)
  })
})

describe('a list whose hits are large', () => {
  it('is read as far as 500,000 characters go', () => {
    // 500,000 / 16,000 = 31.25 hits.
    const weight = { whole: 20_000, texts: 16_000 }
    expect(fetchPlanOf({ query }, first, weight, true)).toEqual({ textOnly: false, pool: 31, shared: 31 })
  })

  it('is read to the end of the page at least', () =>
    expect(fetchPlanOf({ query }, first, { whole: 400_000, texts: 400_000 }, true)).toEqual({
      textOnly: false,
      pool: 10,
      shared: 5,
    }))

  it('brings texts alone where they are less than half of its hits', () => {
    // 500,000 / 8,000 = 62.5 hits.
    const weight = { whole: 20_000, texts: 8000 }
    expect(fetchPlanOf({ query }, first, weight, true)).toEqual({ textOnly: true, pool: 62, shared: 62 })
    expect(fetchPlanOf({ query, knn: {} }, first, weight, true)).toMatchObject({ textOnly: false, pool: 25 })
  })

  it('brings texts alone on later pages', () => {
    const second = { from: 10, size: 10, depth: 100 }
    const weight = { whole: 20_000, texts: 15_000 }
    expect(fetchPlanOf({ query }, second, weight, true).textOnly).toBe(true)
    expect(fetchPlanOf({ query }, second, { whole: 9000, texts: 9000 }, true).textOnly).toBe(false)
  })
})

describe('a body that asks for more than the source', () => {
  it.each<JsonObject>([
    highlighted,
    { query, explain: true },
    { query, script_fields: {} },
    { query: { nested: { path: 'parts', query, inner_hits: {} } } },
  ])('has lists of texts alone, as long as without: %j', (body) => {
    for (const weight of [undefined, { whole: 9000, texts: 6000 }, { whole: 30_000, texts: 20_000 }]) {
      const { pool, shared } = fetchPlanOf({ query }, first, weight, true)
      expect(fetchPlanOf(body, first, weight, true)).toEqual({ textOnly: true, pool, shared })
    }
  })

  it('has none where `explain` is false, or where its hits cannot be asked for by themselves', () => {
    expect(fetchPlanOf({ query, explain: false }, first, undefined, true).textOnly).toBe(false)
    expect(fetchPlanOf({ ...highlighted, collapse: {} }, first, undefined, true).textOnly).toBe(false)
  })
})

it('a page is always read to its end, and no list beyond its depth', () => {
  const size = fc.integer({ min: 1, max: 50 })
  const weight = fc.option(fc.record({ whole: fc.nat(1_000_000), texts: fc.nat(1_000_000) }), {
    nil: undefined,
  })
  const body = fc.constantFrom<JsonObject>({ query }, highlighted, { query, collapse: {} })
  fc.assert(
    fc.property(body, size, fc.nat(5), weight, fc.boolean(), (one, each, number, known, isReranked) => {
      const page = { from: number * each, size: each, depth: Math.ceil(100 / each) * each }
      const { pool, shared } = fetchPlanOf(one, page, known, isReranked)
      expect(pool).toBeGreaterThanOrEqual(each)
      expect(pool).toBeLessThanOrEqual(page.depth)
      expect(shared).toBeGreaterThanOrEqual(each / 2)
      if (!isReranked) expect(pool).toBe(each)
    }),
  )
})

describe('withoutInnerHits', () => {
  const nested = { path: 'parts', query: { match: { 'parts.name': 'front' } } }

  it('leaves out the hits within hits of joining clauses, and nothing else', () => {
    const body = {
      bool: { must: [query], filter: [{ nested: { ...nested, inner_hits: {} } }] },
    }
    expect(withoutInnerHits(body)).toEqual({ bool: { must: [query], filter: [{ nested }] } })
    expect(withoutInnerHits({ has_child: { query: { nested: { ...nested, inner_hits: {} } } } })).toEqual({
      has_child: { query: { nested } },
    })
  })

  it('is the clause itself where it asks for none', () => {
    const plain = { bool: { filter: [{ nested }, { term: { inner_hits: 'a' } }] } }
    expect(withoutInnerHits(plain)).toBe(plain)
  })
})
