/** What of a search is understood, and why the rest passes through. */
import { describe, expect, it } from 'vitest'
import { clauses } from '../../../../../adapters/apps/drop-in/parse/clauses.ts'
import { retrievers } from '../../../../../adapters/apps/drop-in/parse/find-query-text.ts'
import { isObject, type JsonObject, type Path } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { fill } from '../../../../../adapters/apps/drop-in/parse/placeholders.ts'
import { differences } from '../../../../support/differences.ts'
import {
  type Example,
  exampleGroups,
  howRanked,
  kindsIn,
  words,
} from '../../../../support/rewriting-examples.ts'

const understood = (example: Example) => {
  const { body, parameters = {}, told = {} } = example
  return parseSearch({ index: 'works', parameters, body }, told, {
    window: 100,
    rerank: true,
    kindsFor: kindsIn(example),
  })
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
    expect(howRanked(result)).toBe(example.ranks)
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
          before: example.told?.query ?? words,
          after: 'other words',
        })),
      )
      expect(fill(filled, result.slots, example.told?.query ?? words)).toEqual(result.body)
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

describe('the words', () => {
  const reasonFor = (text: string): unknown => understood({ name: '', body: { query: { match: { text } } } })

  it('are a text of at most 10,000 characters', () => {
    expect(reasonFor(' ')).toEqual({ reason: 'its words are empty' })
    expect(reasonFor('a'.repeat(10_000))).not.toHaveProperty('reason')
    expect(reasonFor('a'.repeat(10_001))).toEqual({ reason: 'its words are longer than 10000 characters' })
  })
})

describe('the fields', () => {
  const names = (count: number) => Array.from({ length: count }, (_, place) => `f${place}`)
  const search = (query: JsonObject, more: JsonObject = {}) => {
    const asked: string[] = []
    const kindsFor = () => (field: string) => {
      asked.push(field)
      return undefined
    }
    const result = parseSearch({ parameters: {}, body: { query, ...more } }, {}, { window: 100, kindsFor })
    return { asked, result }
  }
  const tooMany = { reason: 'it searches more than 1000 fields' }

  it('are at most 1000, each counted once', () => {
    const should = [names(1000), names(600)].map((fields) => ({ multi_match: { query: words, fields } }))
    expect(search({ bool: { should } }).result).toMatchObject({ fields: names(1000) })
  })

  it('are not looked up beyond that', () => {
    const { asked, result } = search({ multi_match: { query: words, fields: names(30_000) } })
    expect(result).toEqual(tooMany)
    expect(asked.length).toBeLessThanOrEqual(1000)
  })

  it('are not more where they hold texts whatever their kind', () =>
    expect(search({ combined_fields: { query: words, fields: names(1001) } }).result).toEqual(tooMany))

  it('that a search defines itself are values', () => {
    const runtime = Object.fromEntries(names(12_000).map((name) => [name, { type: 'keyword' }]))
    const { asked, result } = search(
      { multi_match: { query: words, fields: ['title', ...names(900)] } },
      { runtime_mappings: runtime },
    )
    expect(result).toMatchObject({ unknown: ['title'] })
    expect(asked).toEqual(['title'])
  })
})

it('a filter of 100 patterns is applied, however it is written and repeated', () => {
  const patterns = Array.from({ length: 100 }, (_, place) => `hits.a${place}`)
  const result = (filter_path: unknown) =>
    parseSearch(
      { parameters: { filter_path }, body: { query: { match: { title: words } } } },
      {},
      { window: 100 },
    )
  for (const filter of [patterns, patterns.join(), [...patterns, patterns.join()]])
    expect(result(filter)).not.toHaveProperty('reason')
  expect(result([...patterns, 'took'])).toEqual({ reason: 'its `filter_path` has more than 100 patterns' })
})

describe('the depth of a list', () => {
  const depthOf = (body: JsonObject) => {
    const result = parseSearch({ parameters: {}, body }, {}, { window: 100 })
    return 'reason' in result ? result.reason : result.page
  }
  const query = { match: { title: words } }
  const rrf = (more: JsonObject, ...inner: readonly JsonObject[]) => ({
    rrf: { retrievers: [{ standard: { query } }, ...inner], ...more },
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
