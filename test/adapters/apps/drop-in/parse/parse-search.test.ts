/** What of a search is understood, and why the rest passes through. */
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, type Path } from '../../../../../adapters/apps/drop-in/json.ts'
import { clauses } from '../../../../../adapters/apps/drop-in/parse/clauses.ts'
import { understand } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { fill } from '../../../../../adapters/apps/drop-in/parse/placeholders.ts'
import { retrievers } from '../../../../../adapters/apps/drop-in/run/retrievers.ts'
import { differences } from '../../../../support/differences.ts'
import { type Example, exampleGroups, kindsIn, words } from '../../../../support/rewriting-examples.ts'

const understood = (example: Example) => {
  const { body, parameters = {}, told = {} } = example
  return understand({ index: 'works', parameters, body }, told, { window: 100, kindsFor: kindsIn(example) })
}

const shown = (path: Path): string => path.join('.')

describe.each(exampleGroups)('$heading', ({ examples }) => {
  it.each(examples.filter(({ passes }) => passes !== undefined))('$name: passes through', (example) =>
    expect(understood(example)).toMatchObject({ reason: example.passes }),
  )

  it.each(examples.filter(({ passes }) => passes === undefined))('$name: is rewritten', (example) => {
    const result = understood(example)
    if ('reason' in result) throw new Error(result.reason)
    expect(result.text).toBe(example.told?.query ?? words)
    expect(result.slots.map(shown)).toEqual(example.slots)
    expect(result.fields).toEqual(example.fields ?? [])
    expect(result.keepsOrder?.reason).toBe(example.keepsOrder)
  })

  it.each(examples.filter(({ passes }) => passes === undefined))(
    '$name: other words differ in the slots alone',
    (example) => {
      const result = understood(example)
      if ('reason' in result) throw new Error(result.reason)
      const filled = fill(result.body, result.slots, 'other words')
      expect(differences(result.body, filled)).toEqual(
        result.slots.map((path) => ({
          path: shown(path),
          before: example.told === undefined ? words : '{{query}}',
          after: 'other words',
        })),
      )
      expect(fill(filled, result.slots, example.told ? '{{query}}' : words)).toEqual(result.body)
    },
  )

  it.each(examples)('$name: what the caller wrote is not changed', (example) => {
    const before = structuredClone(example)
    const result = understood(example)
    if (!('reason' in result)) fill(result.body, result.slots, 'other words')
    expect(example).toEqual(before)
  })
})

describe('the examples', () => {
  const all = exampleGroups.flatMap(({ examples }) => examples).filter(({ passes }) => passes === undefined)
  const keys = new Set(all.flatMap(({ body }) => keysIn(body)))

  it('have every clause that is rewritten or left as it is', () =>
    expect([...clauses.keys()].filter((name) => !keys.has(name))).toEqual([]))

  it('have every retriever that is rewritten', () =>
    expect([...retrievers.keys()].filter((name) => !keys.has(name))).toEqual([]))
})

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]) : []
}

describe('conditions that happen to have the text of the words', () => {
  const slotsOf = (query: JsonObject): readonly string[] | string => {
    const result = understood({ name: 'this', body: { query } })
    return 'reason' in result ? result.reason : result.slots.map(shown)
  }
  const acme = { match: { text: 'acme' } }
  const tenant = { term: { tenant: 'acme' } }

  it('stay as they are below another `bool` of `must`', () =>
    expect(
      slotsOf({ bool: { must: [acme, { bool: { should: [tenant, { term: { tenant: 'public' } }] } }] } }),
    ).toEqual(['bool.must.0.match.text'].map((path) => `query.${path}`)))

  it('stay as they are in `should`, where the body says that one of it must match', () =>
    expect(slotsOf({ bool: { must: [acme], should: [tenant], minimum_should_match: '1' } })).toEqual([
      'query.bool.must.0.match.text',
    ]))

  it('follow in `should`, where nothing of it need match', () => {
    for (const least of [undefined, 0, '0'])
      expect(
        slotsOf({
          bool: {
            must: [acme],
            should: [tenant],
            ...(least !== undefined && { minimum_should_match: least }),
          },
        }),
      ).toEqual(['query.bool.must.0.match.text', 'query.bool.should.0.term.tenant'])
  })

  it('follow in `should`, where they are one way of several', () =>
    expect(slotsOf({ bool: { should: [acme, tenant] } })).toEqual([
      'query.bool.should.0.match.text',
      'query.bool.should.1.term.tenant',
    ]))

  it('stay as they are in a part of `should` that must match as a whole', () =>
    expect(
      slotsOf({ bool: { should: [{ bool: { must: [acme, tenant] } }, { match: { b: 'acme' } }] } }),
    ).toEqual(['query.bool.should.0.bool.must.0.match.text', 'query.bool.should.1.match.b']))

  it('are not put in other words, when they are a `match`, by passing through', () => {
    const owner = { match: { tenant: 'acme' } }
    const reason = 'its words stand in several clauses that all must match'
    expect(slotsOf({ bool: { must: [acme, owner] } })).toBe(reason)
    expect(slotsOf({ bool: { must: [{ bool: { must: [owner] } }, { dis_max: { queries: [acme] } }] } })).toBe(
      reason,
    )
    expect(slotsOf({ bool: { must: acme, should: owner, minimum_should_match: 1 } })).toBe(reason)
    expect(slotsOf({ bool: { should: [acme, owner], minimum_should_match: 2 } })).toBe(reason)
    expect(slotsOf({ function_score: { query: { bool: { must: [acme, owner] } } } })).toBe(reason)
  })
})

describe('bodies without end', () => {
  const nested = (depth: number): JsonObject =>
    JSON.parse(
      `${'{"bool":{"must":['.repeat(depth)}{"match":{"text":"{{query}}"}}${']}}'.repeat(depth)}`,
    ) as JsonObject
  const told = { query: 'bridge' }
  const many = (count: number, text: string) => ({
    bool: { should: [...Array(count)].map(() => ({ match: { text } })) },
  })

  it('pass through where they are nested too deeply, in no time', () => {
    const reason = 'its clauses are nested too deeply'
    expect(understood({ name: '', body: { query: nested(100) } })).not.toHaveProperty('reason')
    for (const depth of [200, 20_000])
      expect(understood({ name: '', body: { query: nested(depth) } })).toEqual({ reason })
    expect(understood({ name: '', body: { query: nested(20_000) }, told })).toEqual({
      reason: 'it has no {{query}}',
    })
  })

  it('pass through where the words stand in too many places, in no time', () => {
    const reason = 'its words stand in more than 100 places'
    expect(understood({ name: '', body: { query: many(100, 'a') } })).not.toHaveProperty('reason')
    for (const count of [101, 100_000]) {
      expect(understood({ name: '', body: { query: many(count, 'a') } })).toEqual({ reason })
      expect(understood({ name: '', body: { query: many(count, '{{query}}') }, told })).toEqual({ reason })
    }
  })
})

describe('the depth of a list', () => {
  const depthOf = (body: JsonObject, window = 100) => {
    const result = understand({ parameters: {}, body }, {}, { window })
    return 'reason' in result ? result.reason : result.page
  }
  const query = { match: { title: words } }
  const rrf = (more: JsonObject, ...inner: readonly JsonObject[]) => ({
    rrf: { retrievers: [{ standard: { query } }, ...inner], ...more },
  })

  it('is the least number of whole pages that holds the window', () => {
    expect(depthOf({ query })).toEqual({ from: 0, size: 10, depth: 100 })
    expect(depthOf({ query, size: 30, from: 90 })).toEqual({ from: 90, size: 30, depth: 120 })
    expect(depthOf({ query, size: 250 }, 300)).toEqual({ from: 0, size: 250, depth: 500 })
    expect(depthOf({ query, size: 250 })).toBe('it wants more than 100 hits at once')
    expect(depthOf({ query, size: 100 }, 30)).toEqual({ from: 0, size: 100, depth: 100 })
    expect(depthOf({ query, size: 7, from: 5 }, 20)).toEqual({ from: 5, size: 7, depth: 21 })
  })

  it('is within what `rrf` and `linear` give', () => {
    expect(depthOf({ retriever: rrf({}) })).toEqual({ from: 0, size: 10, depth: 10 })
    expect(depthOf({ retriever: rrf({ rank_window_size: 55 }) })).toMatchObject({ depth: 50 })
    expect(depthOf({ retriever: rrf({ rank_window_size: 500 }) })).toMatchObject({ depth: 100 })
    const linear = { linear: { retrievers: [{ retriever: { standard: { query } } }], rank_window_size: 40 } }
    expect(depthOf({ retriever: rrf({ rank_window_size: 80 }, linear) })).toMatchObject({ depth: 40 })
    expect(depthOf({ retriever: { standard: { query } } })).toMatchObject({ depth: 100 })
  })
})
