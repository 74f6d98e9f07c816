import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { rrf } from '../fusion/rrf.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { consideredIn } from '../policies/local/decision/considered.ts'
import { none } from '../policies/none.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { parseTrace, traceSchema } from '../src/trace-schema.ts'
import type { Trace } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { manualClock } from './support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }

/** Searches that between them write every kind of step, status and label. */
async function traces(): Promise<unknown[]> {
  const clock = manualClock()
  const dense = scriptedRetriever({ name: 'dense', found: { ...found, second: new Error('no') } })
  const late = scriptedRetriever({ name: 'late', found, ms: 9000, clock })
  const split = '{"query": "first%%second"}'
  const query = {
    qid: 'q1',
    text: 'who',
    history: [{ role: 'user' as const, text: 'hm' }],
    filter: { year: 1 },
    k: 5,
  }
  const searches = [
    createOptimizer({ retrievers: [scriptedRetriever({ found })], policy: none() }).search('who'),
    createOptimizer({
      retrievers: [scriptedRetriever({ found }), dense],
      policy: acqo(),
      chat: scriptedChat([split]),
    }).search(query),
    createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: acqo(),
      chat: scriptedChat(['?', '?']),
    }).search('who'),
    createOptimizer({
      retrievers: [scriptedRetriever({ found }), late],
      fusion: rrf(),
      norm: 'min-max',
      clock,
    }).search('who'),
  ]
  await clock.advance(2000)
  return (await Promise.all(searches)).map(({ trace }) => trace)
}

it('every trace is valid by the schema, also after it was written and read', async () => {
  for (const trace of await traces()) {
    expect(traceSchema.safeParse(trace).error).toBeUndefined()
    expect(parseTrace(JSON.parse(JSON.stringify(trace)), 'here')).toEqual(trace)
  }
})

it('no document is in a trace', async () => {
  const document = { docid: 'a', text: 'SECRET' }
  const retriever = scriptedRetriever({ found })
  const withText = {
    ...retriever,
    retrieve: async (...call: Parameters<typeof retriever.retrieve>) =>
      (await retriever.retrieve(...call)).map((leg) =>
        leg.hits === undefined ? leg : { ...leg, hits: leg.hits.map((hit) => ({ ...hit, document })) },
      ),
  }
  const { hits, trace } = await createOptimizer({ retrievers: [withText] }).search('who')
  expect(hits[0]?.document).toEqual(document)
  expect(JSON.stringify(trace)).not.toContain('SECRET')
})

it('what is no trace is named with its place', () => {
  expectError(() => parseTrace({ version: 3 }, 'traces.jsonl:7'), 'bad-file', /^traces\.jsonl:7: .*version/)
})

it('times and tokens are summed: deciding and retrieving overlap', async () => {
  const clock = manualClock()
  const retriever = scriptedRetriever({ found, ms: 100, clock })
  const chat = scriptedChat(['{"query": "first"}'], { ms: 250, clock })
  const searching = createOptimizer({ retrievers: [retriever], policy: acqo(), chat, clock }).search('who')
  await clock.advance(350)
  const { trace } = await searching
  // The original from 0 to 100, the rewrite from 250 to 350.
  expect(trace.times).toEqual({ total: 350, deciding: 250, retrieving: 200, fusing: 0, reranking: 0 })
  expect(trace.tokens).toEqual({ prompt: 10, completion: 5 })
})

it('the same search gives the same trace but for times', async () => {
  const [once, twice] = [await traces(), await traces()].map((all) => JSON.stringify(all, withoutTimes))
  expect(once).toBe(twice)
})

it('the published schema is made from the one in the code', () => {
  const published: unknown = JSON.parse(readFileSync('schema/trace.schema.json', 'utf8'))
  expect(published).toMatchObject(z.toJSONSchema(traceSchema))
})

function withoutTimes(key: string, value: unknown): unknown {
  return key === 'ms' || key === 'startMs' || key === 'times' ? undefined : value
}

it('a trace of version 1 is read as version 2 has it', () => {
  const lines = readFileSync('test/fixtures/traces-version-1.jsonl', 'utf8').trim().split('\n')
  const [local, acqo, failed] = lines.map((line) => parseTrace(JSON.parse(line), 'here')) as [
    Trace,
    Trace,
    Trace,
  ]
  for (const trace of [local, acqo, failed]) expect(traceSchema.safeParse(trace).error).toBeUndefined()
  const retrieved = local.steps.filter((step) => step.type === 'retrieve')
  expect(
    retrieved.map(({ round, subQueries }) => [round, subQueries.every((one) => one.round === round)]),
  ).toEqual([
    [0, true],
    [1, true],
  ])
  expect(
    new Set(retrieved.flatMap(({ legs }) => legs.map(({ retriever, kind }) => `${retriever} ${kind}`))),
  ).toEqual(new Set(['bm25 lexical', 'my-dense dense']))
  const decided = local.steps.find((step) => step.type === 'decide')
  // It lists sets of sub-queries: the local policy no longer decides among those.
  expect(decided?.details).toHaveProperty('choices')
  expect(consideredIn(decided?.details)).toBeUndefined()
  expect(acqo.subQueries).toEqual([
    { text: 'first', round: 1 },
    { text: 'second', round: 1 },
  ])
  expect(failed.subQueries).toEqual([{ text: 'who directed Rear Window', round: 0 }])
  expect(failed.fallback?.message).toBe('down')
})
