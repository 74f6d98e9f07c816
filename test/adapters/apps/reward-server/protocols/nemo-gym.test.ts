import { describe, expect, it } from 'vitest'
import { heldRetriever } from '../../../../support/held.ts'
import { manualClock } from '../../../../support/manual-clock.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { answer, testServer } from '../opened.ts'

const row = { responses_create_params: { input: [{ role: 'user', content: 'Which one?' }] }, query_id: 'q1' }

/** A response of these calls and this last message. */
const response = (end: unknown, ...queries: readonly string[]) => ({
  object: 'response',
  output: [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    ...queries.flatMap((query, place) => [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I search.' }] },
      { type: 'function_call', call_id: `c${place}`, name: 'search', arguments: JSON.stringify({ query }) },
      { type: 'function_call_output', call_id: `c${place}`, output: 'whatever the client says' },
    ]),
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: typeof end === 'string' ? end : JSON.stringify(end) }],
    },
  ],
})

const library = () =>
  scriptedRetriever({ found: { planet: ['herbert', 'dune', 'emma'], writer: ['austen', 'herbert'] } })

describe('POST /verify', () => {
  it('rewards a rewrite, and gives back all that it was sent', async () => {
    const { post, metric } = await testServer()
    const sent = { ...row, _ng_task_index: 3, response: response(`${answer('desert planet')}<|im_end|>`) }
    const { status, body } = await post('/verify', sent)
    expect(status).toBe(200)
    expect(body).toEqual({ ...sent, reward: 2, acc: 1, format: 1, n_sub: 1 })
    const malformed = await post('/verify', { ...row, response: response('no') })
    expect(malformed.body).toMatchObject({ reward: -0.1, acc: 0, format: 0, n_sub: 0 })
    expect(await metric('querent_items_total{path="/verify"}')).toBe(2)
  })

  // η = 0.6: 0.6 · Φ(1) + 0.36 · Φ(2); Φ(1) = 2, Φ(2) = 17/9. TopiOCQA: Φ(2) + 1 / log2(3) of 3.
  it.each([
    ['hotpotqa', ['dune', 'emma'], ['dune', 'emma'], 1.88],
    ['hotpotqa', ['herbert', 'dune'], ['dune'], 0.6 * (17 / 9)],
    ['topiocqa', ['dune'], ['dune'], 3],
    ['topiocqa', ['austen', 'dune', 'dune'], ['dune'], 17 / 9 + 1 / Math.log2(3)],
    ['topiocqa', [], ['dune'], 0],
    // No search showed it.
    ['topiocqa', ['steventon', 'dune'], ['dune'], -0.1],
  ] as const)('rewards kept documents by %s: %j for %j', async (profile, documents, ground_truth, reward) => {
    const { post } = await testServer({ retrievers: [library()] })
    const asked = { ...row, reward_for: 'documents', profile, ground_truth }
    const sent = { ...asked, response: response({ documents }, 'planet', 'writer') }
    const { body } = await post('/verify', sent)
    expect(body.reward).toBeCloseTo(reward, 6)
    expect(body.n_sub).toBe(reward < 0 ? 0 : 2)
  })

  it('counts what was shown: the first k hits, and none of a call that could not be made', async () => {
    const { post } = await testServer({ retrievers: [library()] })
    const call = (name: string, args: string) => ({ type: 'function_call', name, arguments: args })
    const end = { type: 'message', content: '{"documents": ["dune"]}' }
    const reward = async (...calls: readonly object[]) =>
      (
        await post('/verify', {
          ...row,
          reward_for: 'documents',
          response: { output: [...calls, end] },
        })
      ).body.reward
    expect(await reward(call('search', '{"query": "planet", "k": 2}'))).toBe(2)
    expect(await reward(call('search', '{"query": "planet", "k": 1}'))).toBe(-0.1)
    expect(await reward(call('search', '{"query": "planet"'))).toBe(-0.1)
    expect(await reward(call('find', '{"query": "planet"}'))).toBe(-0.1)
  })

  it('does not take what was said before the last call for the end', async () => {
    const { post } = await testServer()
    const { output } = response(answer('desert planet'), 'planet')
    const sent = { ...row, response: { output: [output.at(-1), ...output.slice(0, -1)] } }
    expect((await post('/verify', sent)).body.reward).toBe(-0.1)
  })

  it.each([
    [{ answer: 'Barack Hussein Obama' }, 0.8],
    [{ answer: 'the Obama', documents: [] }, 0.666667],
    [{ answer: 'Biden' }, 0],
    [{ documents: [] }, -0.1],
    ['Barack Obama', -0.1],
  ])('rewards an answer: %j', async (end, reward) => {
    const { post } = await testServer()
    const asked = { ...row, query_id: null, reward_for: 'answer', answers: ['Obama, Barack', 'nobody else'] }
    expect((await post('/verify', { ...asked, response: response(end) })).body.reward).toBe(reward)
  })

  it.each([
    [{ query_id: 'q9' }, 422],
    [{ query_id: null }, 422],
    [{ reward_for: 'answer' }, 422],
    [{ reward_for: 'looks' }, 400],
    [{ profile: 'none' }, 400],
    [{ options: { kstar: 3 } }, 400],
    [{ responses_create_params: null }, 400],
  ])('refuses %j, and its session before a model has been asked', async (columns, status) => {
    const { post } = await testServer()
    for (const [path, more] of [
      ['/verify', { response: response(answer('planet')) }],
      ['/seed_session', {}],
    ] as const) {
      const refused = await post(path, { ...row, ...columns, ...more })
      expect([refused.status, typeof refused.body.error]).toEqual([status, 'string'])
    }
  })

  it('makes up no reward where a retriever fails or is late', async () => {
    const broken = scriptedRetriever({ found: { planet: new Error('it is down') } })
    const failing = await testServer({ retrievers: [broken] })
    const sent = { ...row, reward_for: 'documents', response: response({ documents: ['dune'] }, 'planet') }
    const failed = await failing.post('/verify', sent)
    expect([failed.status, failed.body.error, failed.headers.get('retry-after')]).toEqual([
      503,
      expect.stringContaining('it is down'),
      '1',
    ])

    const [clock, retriever] = [manualClock(), heldRetriever()]
    const slow = await testServer({ retrievers: [retriever], timeout: 500, clock })
    const late = slow.post('/verify', sent)
    await retriever.asked
    await clock.advance(500)
    expect((await late).status).toBe(504)
  })
})

it('begins a session that nothing depends on', async () => {
  const { post } = await testServer()
  const cookie = { cookie: 'session=of-another-server', 'content-type': 'application/json' }
  const { status, body } = await post('/seed_session', { ...row, more: 1 }, { headers: cookie })
  expect([status, body]).toEqual([200, {}])
  const sent = { ...row, response: response(answer('desert planet')) }
  expect((await post('/verify', sent, { headers: cookie })).body.reward).toBe(2)
})

describe('POST /search', () => {
  it('has the documents, as many as are asked for', async () => {
    const { post } = await testServer({ retrievers: [library()] })
    const { body } = await post('/search', { query: 'planet', k: 2, why: 'a model made this up' })
    expect(body).toEqual({
      documents: [
        { id: 'herbert', contents: '"Frank Herbert"\nAn American writer, born in Tacoma.' },
        { id: 'dune', contents: '"Dune"\nA novel of a desert planet, written by Frank Herbert.' },
      ],
    })
    expect((await post('/search', { query: 'planet', k: null })).body.documents).toHaveLength(3)
  })

  it.each([{}, { query: ' ' }, { query: 7 }, { query: 'planet', k: 0 }, { query: 'planet', k: 51 }])(
    'says to the model what is wrong with %j',
    async (sent) => {
      const { post } = await testServer()
      const refused = await post('/search', sent)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatch(/query|k: /)
    },
  )
})

it('has the means of rewards under the names that NeMo Gym logs', async () => {
  const { post } = await testServer()
  const verify_responses = [
    { _ng_task_index: 0, reward: 2, acc: 1, format: 1, n_sub: 1 },
    { _ng_task_index: 1, reward: -0.1, acc: 0, format: 0, n_sub: 0 },
    { _ng_task_index: 2, reward: 0.2, note: 'without the others' },
  ]
  const means = { 'mean/reward': 0.7, 'mean/acc': 0.5, 'mean/format': 0.5, 'mean/n_sub': 0.5 }
  const { body } = await post('/aggregate_metrics', { verify_responses })
  expect(body).toEqual({
    group_level_metrics: [],
    agent_metrics: body.key_metrics,
    key_metrics: expect.anything(),
  })
  for (const [name, value] of Object.entries(means)) expect(body.key_metrics[name]).toBeCloseTo(value, 9)
  expect((await post('/aggregate_metrics', { verify_responses: [] })).body.key_metrics).toEqual({})
})
