/** The Open Reward Standard. Its own client, and TRL's, play in test/live/openreward.test.ts. */
import { describe, expect, it } from 'vitest'
import { orsRoutes } from '../../../../../adapters/apps/reward-server/protocols/ors.ts'
import type { Protocol } from '../../../../../adapters/apps/reward-server/protocols/protocol.ts'
import { createService } from '../../../../../adapters/apps/reward-server/service.ts'
import type { Turn } from '../../../../../src/types.ts'
import { heldRetriever } from '../../../../support/held.ts'
import { manualClock } from '../../../../support/manual-clock.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { openedIndex, qrels, testServer } from '../opened.ts'
import { episode, send } from './episode.ts'

const history: readonly Turn[] = [
  { role: 'user', text: 'Who wrote Dune?' },
  { role: 'agent', text: 'Frank Herbert.' },
]
const queries = [
  { qid: 'q0', text: 'nobody knows' },
  { qid: 'q1', text: 'a desert planet' },
  { qid: 'q2', text: 'where was he born?', history },
]
const answers = new Map([['q2', ['Tacoma']]])
const retrievers = () => [scriptedRetriever({ found: { planet: ['herbert', 'dune', 'emma'] } })]
const options = () => ({ queries, answers, retrievers: retrievers() })

describe('what there is', () => {
  it('is three environments, and the tasks that can earn something', async () => {
    const server = await testServer(options())
    const got = async (path: string, body?: unknown) => (await send(server, path, body)).body
    expect(await got('/list_environments')).toEqual(['documents', 'answer', 'rewrite'])
    expect(await got('/answer/splits')).toEqual([{ name: 'train', type: 'train' }])
    expect((await got('/rewrite/tools')).tools.map(({ name }: { name: string }) => name)).toEqual(['submit'])
    expect((await got('/tools')).tools).toMatchObject([
      { name: 'search', input_schema: { required: ['query'] } },
      { name: 'submit', input_schema: { properties: { documents: { type: 'array' } } } },
    ])
    const spec = [
      { query_id: 'q1', question: 'a desert planet' },
      { query_id: 'q2', question: 'where was he born?' },
    ]
    expect(await got('/documents/tasks', { split: 'train' })).toEqual({ tasks: spec, env_name: 'documents' })
    expect(await got('/answer/num_tasks', { split: 'train' })).toEqual({ num_tasks: 1 })
    expect(await got('/rewrite/task', { split: 'train', index: 1 })).toMatchObject({ task: spec[1] })
    expect(await got('/task_range', { split: 'train', start: 1, stop: 9 })).toMatchObject({
      tasks: [spec[1]],
    })
  })

  it('is nothing without queries and judgments', async () => {
    const server = await testServer()
    expect((await send(server, '/num_tasks', { split: 'train' })).body).toEqual({ num_tasks: 0 })
    expect((await send(server, '/create', { split: 'train', index: 0 })).status).toBe(400)
  })
})

describe('an episode', () => {
  it('searches, and ends with the reward of what was submitted', async () => {
    const server = await testServer({ ...options(), defaults: { eta: 1, kStar: 3 } })
    const { call, submit } = await episode(server, 'documents')
    const [{ text }] = (await send(server, '/documents/prompt')).body
    expect(text).toMatch(/Question:\na desert planet$/)
    expect(await call('search', { query: 'planet', k: 2 })).toEqual({
      ok: true,
      output: {
        blocks: [
          { type: 'text', text: expect.stringContaining('[herbert]') },
          { type: 'text', text: expect.stringContaining('[dune] "Dune"\nA novel of a desert planet') },
        ],
        metadata: null,
        reward: null,
        finished: false,
      },
    })
    expect(await call('open', {})).toMatchObject({ ok: false, reason: 'not_found' })
    expect(await submit({ documents: 'dune' })).toMatchObject({ ok: false, reason: 'input_validation' })
    // η = 1 and k* = 3: Φ(1) + 1 / log2(2) = 3.
    expect(await submit({ documents: ['dune'] })).toMatchObject({
      ok: true,
      output: { reward: 3, finished: true, metadata: { acc: 1, n_sub: 1 } },
    })
    expect(await call('search', { query: 'planet' })).toMatchObject({ reason: 'episode_finished' })
  })

  it('does not reward documents that no search has shown', async () => {
    const { submit } = await episode(await testServer(options()), 'documents')
    expect(await submit({ documents: ['dune'] })).toMatchObject({ output: { reward: -0.1, finished: true } })
  })

  it('rewards an answer, to a question with its conversation', async () => {
    const server = await testServer(options())
    const { submit } = await episode(server, 'answer')
    const [{ text }] = (await send(server, '/answer/prompt')).body
    expect(text).toContain('Q1: Who wrote Dune?\nA1: Frank Herbert.')
    expect(await submit({ answer: 'In Tacoma' })).toMatchObject({ output: { reward: 0.666667 } })
  })

  it('gives a call that is sent again what it gave, and carries it out once', async () => {
    const server = await testServer(options())
    await episode(server, 'documents')
    const search = { name: 'search', input: { query: 'planet' } }
    const first = (await send(server, '/call', search)).body
    expect((await send(server, '/call', { ...search, task_id: first.task_id })).body).toEqual(first)
    const { call } = await episode(server, 'documents', 's2')
    expect(await call('submit', { documents: ['dune'] })).toMatchObject({ output: { reward: -0.1 } })
  })

  it('is rewarded once, when a result is submitted while another is scored', async () => {
    const held = heldRetriever('dune')
    const server = await testServer({ ...options(), retrievers: [held] })
    const { submit } = await episode(server, 'rewrite')
    const first = submit({ queries: ['planet'] })
    await held.asked
    const second = await submit({ queries: ['nothing'] })
    held.release()
    expect(second).toMatchObject({ ok: false, reason: 'episode_finished' })
    expect(await first).toMatchObject({ ok: true, output: { finished: true } })
  })

  it('is not over when its result could not be scored', async () => {
    const found = scriptedRetriever({ found: { planet: ['dune'] } })
    let isDown = true
    const retrieve: typeof found.retrieve = (...request) =>
      isDown ? Promise.reject(new Error('down')) : found.retrieve(...request)
    const server = await testServer({ ...options(), retrievers: [{ ...found, retrieve }] })
    await episode(server, 'rewrite')
    const submit = () => send(server, '/call', { name: 'submit', input: { queries: ['planet'] } })
    expect((await submit()).status).toBe(503)
    isDown = false
    const { body } = await submit()
    expect(JSON.parse(body.end)).toMatchObject({ ok: true, output: { finished: true } })
  })
})

describe('a session', () => {
  it('that is not there, was deleted or waited for too long is 404, whatever it is asked', async () => {
    const clock = manualClock()
    const server = await testServer({ ...options(), clock })
    const status = async () => (await send(server, '/ping', {})).status
    expect(await status()).toBe(404)
    await episode(server, 'documents')
    expect(await status()).toBe(200)
    await clock.advance(14 * 60_000)
    expect(await status()).toBe(200)
    await clock.advance(15 * 60_000 + 1)
    expect(await status()).toBe(404)
    await episode(server, 'documents')
    await send(server, '/delete', {})
    expect(await send(server, '/call', { name: 'search', input: { query: 'planet' } })).toEqual({
      status: 404,
      body: { error: expect.stringContaining('"s1"') },
    })
  })

  it('is one of at most 10,000: a new one takes the place of that which waits longest', async () => {
    const service = createService({ index: await openedIndex(), queries, qrels })
    const { GET, POST } = orsRoutes(manualClock())
    const ask = (route: Protocol, session: number, body?: unknown) =>
      route(body, service, new AbortController().signal, {
        parameters: new URLSearchParams(),
        session: String(session),
      })
    for (let session = 0; session <= 10_000; session++)
      await ask(POST.get('/create')!, session, { split: 'train', index: 0 })
    const statuses = [0, 1, 10_000].map(async (session) => (await ask(GET.get('/prompt')!, session)).status)
    expect(await Promise.all(statuses)).toEqual([404, 200, 200])
  })

  it('survives a search that fails', async () => {
    const failing = scriptedRetriever({ found: {} })
    const server = await testServer({
      ...options(),
      retrievers: [{ ...failing, retrieve: () => Promise.reject(new Error('down')) }],
    })
    await episode(server, 'documents')
    const call = () => send(server, '/call', { name: 'search', input: { query: 'planet' } })
    expect(await call()).toMatchObject({ status: 503, body: { error: expect.stringContaining('down') } })
    expect((await send(server, '/ping', {})).status).toBe(200)
  })
})
