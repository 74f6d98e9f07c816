/** Fields of which nothing is known are asked for before a list is changed: no other words are sent before the engine has said. */
import { expect, it } from 'vitest'
import type { EngineAnswer } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { parseWithMapping } from '../../../../../adapters/apps/drop-in/run/parse-with-mapping.ts'
import { appSettings } from '../../../../../adapters/apps/drop-in/run/settings.ts'
import type { Reranker } from '../../../../../src/reranker.ts'
import {
  answered,
  answerOf,
  capsOf,
  fakeEngine,
  finding,
  found,
  idsOf,
  run,
  searchFor,
} from '../../../../support/fake-engine.ts'
import { deciding, leaving } from '../../../../support/scripted-policy.ts'

const find = finding({ acme: found('a', 'b'), globex: found('z') })
const options = { policy: deciding(['globex']), rerank: false }
const call = searchFor('acme')
const keyword = { text: 'keyword' }

/** Turns the list around. */
const rerank: Reranker = {
  needs: () => [],
  rerank: (_, __, hits) =>
    hits.toReversed().map((hit, place) => ({ ...hit, score: -place, rank: place + 1 })),
  explain: () => [],
}

it('sub-queries wait for it, request 1 does not', async () => {
  let say = (_: EngineAnswer): void => {}
  const said = new Promise<EngineAnswer>((resolve) => {
    say = resolve
  })
  let asked = (): void => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const engine = fakeEngine(call, find, {
    fieldCaps() {
      asked()
      return said
    },
  })
  const result = run(call, engine, { options })
  await isAsked
  expect(engine.searches).toEqual([undefined])
  expect(engine.batches).toEqual([])
  say(capsOf(engine.fieldsAsked[0]!))
  expect(idsOf(await result)).toEqual(['a', 'z', 'b'])
  expect(engine.batches).toHaveLength(1)
})

it("a condition has the engine's own answer, and says why", async () => {
  const engine = fakeEngine(call, find, { fieldCaps: (asked) => capsOf(asked, keyword) })
  const result = await run(call, engine, { options })
  expect(idsOf(result)).toEqual(['a', 'b'])
  expect(result).toMatchObject({ passed: expect.stringContaining('a keyword field') })
  expect(result).not.toHaveProperty('error')
  expect(engine.batches).toEqual([])
})

it('has it as it was asked for, where request 1 was asked for more', async () => {
  const all = found('a', 'b', 'c', 'd', 'e')
  const paged = searchFor('acme', { from: 1, size: 2, _source: false })
  const engine = fakeEngine(paged, () => all, { fieldCaps: (asked) => capsOf(asked, keyword) })
  const result = await run(paged, engine, { options: { ...options, rerank } })
  expect(engine.searches[0]?.body).toMatchObject({ from: 0, size: 20 })
  expect(result.body).toEqual(answerOf(all, { from: 1, size: 2 }))
})

it('a query that is left alone asks for nothing', async () => {
  const engine = fakeEngine(call, find, { fieldCaps: () => new Promise(() => {}) })
  expect(idsOf(await run(call, engine, { options: { ...options, policy: leaving } }))).toEqual(['a', 'b'])
  expect(engine.fieldsAsked).toEqual([])
})

it("a list that is to be re-ranked is asked about after request 1, and is the engine's own where it answers a condition", async () => {
  const order: string[] = []
  const engine = fakeEngine(call, find, {
    search() {
      order.push('search')
      return answered(answerOf(found('a', 'b')))
    },
    async fieldCaps(asked) {
      order.push('fields')
      return capsOf(asked, keyword)
    },
  })
  const result = await run(call, engine, { options: { policy: leaving, rerank } })
  expect(order).toEqual(['search', 'fields'])
  expect(idsOf(result)).toEqual(['a', 'b'])
  expect(result).toMatchObject({ passed: expect.stringContaining('a keyword field') })
})

it('where the engine does not say it in time, its name decides', async () => {
  const tenant = { ...call, body: { query: { match: { tenant: 'acme' } } } }
  const engine = fakeEngine(tenant, () => found('a', 'b'), { fieldCaps: () => new Promise(() => {}) })
  const result = await run(tenant, engine, { options: { ...options, legTimeout: 20 } })
  expect(idsOf(result)).toEqual(['a', 'b'])
  expect(engine.batches).toEqual([])
})

it('is asked for once, and known at once from then on', async () => {
  const settings = await appSettings(options, 'test')()
  const engine = fakeEngine(call, find, { fieldCaps: (asked) => capsOf(asked, keyword) })
  const asker = { settings, identity: 'ann' }
  const first = parseWithMapping(call, {}, asker, engine)
  expect(first).toMatchObject({ unknown: ['text'], slots: [['query', 'match', 'text']] })
  await settings.kinds.ask({ identity: 'ann', index: 'works', header: {} }, ['text'], engine)
  expect(parseWithMapping(call, {}, asker, engine)).toEqual({
    reason: expect.stringContaining('a keyword field'),
  })
  expect(parseWithMapping(call, {}, { ...asker, identity: 'bob' }, engine)).toMatchObject({
    unknown: ['text'],
  })
  expect(engine.fieldsAsked).toHaveLength(1)
})

it('what passes through for fields that are not known is known the next time', async () => {
  const settings = await appSettings(options, 'test')()
  const two = {
    ...call,
    body: { query: { bool: { must: [{ match: { title: 'bridge' } }, { match: { tenant: 'acme' } }] } } },
  }
  const engine = fakeEngine(two, find, { fieldCaps: (asked) => capsOf(asked, { tenant: 'keyword' }) })
  const asker = { settings, identity: 'ann' }
  expect(parseWithMapping(two, {}, asker, engine)).toMatchObject({
    reason: 'it searches for several different texts',
  })
  // That it asked is all there is to wait for.
  await settings.kinds.ask({ identity: 'ann', index: 'works', header: {} }, ['title', 'tenant'], engine)
  expect(engine.fieldsAsked).toHaveLength(1)
  expect(parseWithMapping(two, {}, asker, engine)).toMatchObject({
    slots: [['query', 'bool', 'must', 0, 'match', 'title']],
    unknown: [],
  })
})

it('a body that says how many of its words must match has its own hits alone, in another order at the most', async () => {
  const strict = { ...call, body: { query: { match: { text: { query: 'acme', operator: 'and' } } } } }
  const engine = fakeEngine(strict, () => found('a', 'b'))
  const result = await run(strict, engine, { options: { ...options, rerank } })
  expect(idsOf(result)).toEqual(['b', 'a'])
  expect(engine.batches).toEqual([])
  await expect(run(strict, engine, { options })).rejects.toThrow('`operator: and`')
})
