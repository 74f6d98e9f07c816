/** `filter_path` over an answer of ours gives what Elasticsearch gives over its own. */
import { describe, expect, it } from 'vitest'
import { filterPath } from '../../../../../adapters/apps/drop-in/answer/filter-path.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { answerOfRun, fakeEngine, finding, found, run, searchFor } from '../../../../support/fake-engine.ts'
import answers from '../../../../support/filter-path-answers.json' with { type: 'json' }
import { type FilterPathAnswers, filters } from '../../../../support/filter-path-cases.ts'
import { deciding, leaving } from '../../../../support/scripted-policy.ts'

const { whole, filtered }: FilterPathAnswers = answers

it('the recorded answers are those of the filters', () => expect(Object.keys(filtered)).toEqual(filters))

it.each(filters)('%s', (filter) => expect(filterPath(whole, filter)).toEqual(filtered[filter]))

it('keeps all where there is no filter', () => {
  for (const none of [undefined, '', [], ' , ']) expect(filterPath(whole, none)).toEqual(whole)
})

it('takes lists of filters, as clients do', () => {
  expect(filterPath(whole, ['took', 'hits.total'])).toEqual(filterPath(whole, 'took,hits.total'))
  expect(filterPath(whole, ['took,hits.total', '-hits'])).toEqual({ took: 1 })
})

it('does not change the answer', () => {
  const before = structuredClone(whole)
  for (const filter of filters) filterPath(whole, filter)
  expect(whole).toEqual(before)
})

it('takes a name for a name: `__proto__` and what stands in patterns', () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"a+b":2,"[x]":3,"constructor":4,"(":5}') as JsonObject
  expect(JSON.stringify(filterPath(odd, '__proto__.a'))).toBe('{"__proto__":{"a":1}}')
  expect(filterPath(odd, 'a+*')).toEqual({ 'a+b': 2 })
  expect(filterPath(odd, '[x]')).toEqual({ '[x]': 3 })
  expect(filterPath(odd, 'con*')).toEqual({ constructor: 4 })
  expect(filterPath(odd, '(*')).toEqual({ '(': 5 })
  expect(filterPath(odd, 'toString')).toEqual({})
})

it('patterns of many stars end at once', () => {
  const long = { ['a'.repeat(5000)]: 1 }
  expect(filterPath(long, `${'*a'.repeat(30)}*b`)).toEqual({})
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) as JsonObject
  expect(filterPath(deep, `${'**.'.repeat(30)}b`)).toEqual({})
})

it('thousands of patterns end at once', { timeout: 10_000 }, () => {
  const names = Array.from({ length: 3200 }, (_, place) => place.toString(36))
  const source = Object.fromEntries(
    names.slice(0, 15).map((name) => [`field${name}`, { zz: 1, z: { zy: 2 } }]),
  )
  const hits = Array.from({ length: 300 }, (_, place) => ({ _id: `${place}`, _source: source }))
  const filter = names.map((name) => `**.${name}`).join()
  const kept = Object.fromEntries(Object.keys(source).map((name) => [name, { zz: 1, z: { zy: 2 } }]))
  expect(filterPath({ hits: { hits } }, filter)).toEqual({
    hits: { hits: hits.map(() => ({ _source: kept })) },
  })
  expect(filterPath({ hits: { hits } }, filter.replaceAll('**.', '-**.'))).toEqual({
    hits: { hits: hits.map(({ _id }) => ({ _id })) },
  })
})

describe('a search with a filter', () => {
  const lists = { bridge: found('a', 'b'), 'golden gate': found('c') }
  const call = searchFor('bridge', {}, { filter_path: 'hits.hits._id,took' })

  it('is sent without it, and its fused answer is filtered', async () => {
    const engine = fakeEngine(call, finding(lists))
    const policy = deciding(['golden gate'], { withOriginal: false })
    const answer = answerOfRun(await run(call, engine, { options: { policy } }))
    expect(answer).toEqual({
      took: expect.any(Number),
      hits: { hits: [{ _id: 'c' }, { _id: 'a' }, { _id: 'b' }] },
    })
    expect(engine.searches).toEqual([{ url: {}, body: expect.objectContaining({ from: 0, size: 10 }) }])
  })

  it('is filtered where the query is left alone', async () => {
    const engine = fakeEngine(call, finding(lists))
    const answer = answerOfRun(await run(call, engine, { options: { policy: leaving } }))
    expect(answer).toEqual({ took: 3, hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } })
  })

  it.each([leaving, deciding(['golden gate'])])(
    'still says what was done, where that was asked for',
    async (policy) => {
      const result = await run(call, fakeEngine(call, finding(lists)), {
        options: { policy },
        explains: true,
      })
      const { _querent, took: _, ...answer } = answerOfRun(result)
      expect(_querent).toMatchObject({ policy: policy.name })
      expect(Object.keys(answer)).toEqual(['hits'])
    },
  )
})
