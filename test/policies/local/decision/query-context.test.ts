import { describe, expect, it } from 'vitest'
import { contextFeatures, contextOf } from '../../../../policies/local/decision/query-context.ts'
import { queryFeatures } from '../../../../policies/local/rerank/query-features.ts'

const query = Float32Array.from(queryFeatures, (_, place) => 1 + place)
const told = (asks: boolean) =>
  Object.fromEntries([...contextOf(query, asks)].map((value, place) => [contextFeatures[place], value]))
const given = Object.fromEntries(queryFeatures.map((name, place) => [name, 1 + place]))

describe('what the decision knows of a query', () => {
  it('is what re-ranking knows, and whether the query asks', () => {
    const { 'query: is a question': _, ...others } = given
    expect(told(true)).toEqual({ ...others, 'query: asks': 1, 'query: tells': 0 })
  })

  it('is of a statement nothing that only a question can ask for', () => {
    const { 'query: is a question': _, ...others } = given
    const asked = ['query: who', 'query: when', 'query: where', 'query: which or what', 'query: how']
    for (const name of asked) expect(given).toHaveProperty([name])
    expect(told(false)).toEqual({
      ...others,
      ...Object.fromEntries(asked.map((name) => [name, 0])),
      'query: asks': 0,
      'query: tells': 1,
    })
  })

  it('leaves what it was given as it was', () => {
    contextOf(query, false)
    expect([...query]).toEqual(Object.values(given))
  })
})
