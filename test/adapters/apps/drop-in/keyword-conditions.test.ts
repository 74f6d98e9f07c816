/** A condition is not a question: whatever a body looks like, a value that it asks for in a keyword field is the only one that comes back. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import { optimizedSearch } from '../../../../adapters/apps/drop-in/run/optimized-search.ts'
import { parseWithMapping } from '../../../../adapters/apps/drop-in/run/parse-with-mapping.ts'
import { appSettings } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { createCache } from '../../../../adapters/cache/cache.ts'
import { type Doc, evaluating, type FieldTypes, scoreOf } from '../../../support/evaluating-engine.ts'
import { capsOf, fakeEngine, idsOf } from '../../../support/fake-engine.ts'
import { fuzzRuns } from '../../../support/fuzz-runs.ts'
import { deciding } from '../../../support/scripted-policy.ts'

const types: FieldTypes = { title: 'text', body: 'text', tenant: 'keyword', code: 'keyword' }
const tenants = ['acme', 'globex', 'initech', 'hooli']
const nouns = ['bridge', 'tower', 'river', 'engineer', 'tunnel']

/** Every tenant has documents about everything, and about every other tenant. */
const documents: readonly Doc[] = tenants.flatMap((tenant, turn) =>
  [...nouns, ...tenants].map((noun, place) => ({
    id: `${tenant}-${noun}`,
    title: `the ${noun} of ${nouns[(place + turn) % nouns.length]}`,
    body: `${tenants[(place + turn) % tenants.length]} wrote about ${noun}`,
    tenant,
    code: noun,
  })),
)
const find = evaluating(documents, types)

/** What a policy at its worst asks for: the values of everybody else. */
const settings = await appSettings(
  { policy: deciding([...tenants, 'bridge tower', 'acme globex'], { withOriginal: false }), rerank: false },
  'test',
)()
const memory = createCache()

const value = fc.constantFrom(...tenants)
const words = fc.constantFrom(...tenants, ...nouns, 'the bridge', 'globex tower')
const wordsIn = (text: string): fc.Arbitrary<JsonObject> =>
  fc.constantFrom<JsonObject>(
    { match: { title: text } },
    { match: { body: { query: text, boost: 2 } } },
    { multi_match: { query: text, fields: ['title^3', 'body'] } },
    { multi_match: { query: text, fields: ['title', 'tenant^10'] } },
    { query_string: { query: text, fields: ['title', 'body'] } },
    { simple_query_string: { query: text, fields: ['body'] } },
  )
const conditionIn = (text: string): fc.Arbitrary<JsonObject> =>
  fc.constantFrom<JsonObject>(
    { match: { tenant: text } },
    { match: { tenant: { query: text, operator: 'and' } } },
    { match: { tenant: { query: text, boost: 5 } } },
    { multi_match: { query: text, fields: ['tenant'] } },
    { multi_match: { query: text, fields: ['tenant', 'code'] } },
    { query_string: { query: text, default_field: 'tenant' } },
    { simple_query_string: { query: text, fields: ['tenant^2'] } },
    { term: { tenant: text } },
    { constant_score: { filter: { match: { tenant: text } } } },
  )

/** Clauses around a clause that change nothing of what must hold. */
const wrapped = (clause: JsonObject): fc.Arbitrary<JsonObject> =>
  fc.constantFrom<JsonObject>(
    ...[clause, { bool: { must: [clause] } }, { bool: { must: clause } }, { bool: { should: [clause] } }],
    ...[{ dis_max: { queries: [clause] } }, { function_score: { query: clause, boost: 2 } }],
    { bool: { must: { match_all: {} }, should: [clause], minimum_should_match: 1 } },
  )

const joined = (condition: JsonObject, question: JsonObject): fc.Arbitrary<JsonObject> =>
  fc.constantFrom<JsonObject>(
    ...[condition, question, { bool: { must: [condition, question] } }],
    ...[{ bool: { must: [question], should: [condition] } }, { bool: { should: [condition, question] } }],
    { bool: { should: [condition, question], minimum_should_match: 2 } },
    { bool: { must: [question], should: [condition], minimum_should_match: '1' } },
    { bool: { must: [condition], should: [question] } },
    { bool: { filter: [condition], must: [question] } },
    { bool: { filter: condition, should: [question, condition] } },
    { bool: { must: [question], must_not: [condition] } },
    { dis_max: { queries: [question, { bool: { must: [condition, question] } }] } },
    { bool: { must: [{ bool: { should: [condition] } }, { dis_max: { queries: [question] } }] } },
  )

const bodies = fc
  .tuple(value, words)
  // As often as not, the words are the value.
  .chain(([tenant, text]) => fc.tuple(fc.constant(tenant), fc.constantFrom(text, tenant)))
  .chain(([tenant, text]) => fc.tuple(conditionIn(tenant), wordsIn(text)))
  .chain(([condition, question]) => fc.tuple(wrapped(condition), wrapped(question)))
  .chain(([condition, question]) => joined(condition, question))
  .chain(wrapped)

/** 10,000 in CI. */
const runs = Math.min(fuzzRuns, 10_000)

it(`${runs} look-ups by keyword bring no value but the one that was asked for`, {
  timeout: 600_000,
}, async () => {
  let [decided, asked] = [0, 0]
  await fc.assert(
    fc.asyncProperty(bodies, fc.nat(500), async (query, caller) => {
      const allowed = new Set(
        documents
          .filter((document) => scoreOf(query, document, { types, anyWords: true }) > 0)
          .map(({ id }) => id),
      )
      const call = { index: 'works', parameters: {}, body: { query, size: 20 } }
      const engine = fakeEngine(call, find, { fieldCaps: (fields) => capsOf(fields, types) })
      const asker = { settings, identity: String(caller) }
      const understood = parseWithMapping(call, {}, asker, engine)
      asked += engine.fieldsAsked.length
      if ('reason' in understood) return
      const result = await optimizedSearch(understood, engine, {
        call,
        memory,
        ...asker,
        isTold: false,
        explains: false,
        signal: new AbortController().signal,
      })
      decided += engine.batches.length
      asked += engine.fieldsAsked.length
      expect(idsOf(result).filter((id) => !allowed.has(id))).toEqual([])
    }),
    { seed: 11, numRuns: runs },
  )
  // Otherwise it would say nothing.
  expect(decided).toBeGreaterThan(runs / 5)
  expect(asked).toBeGreaterThan(runs / 50)
})
