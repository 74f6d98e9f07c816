import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../../../../src/errors.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { testServer } from '../opened.ts'
import { modelOf, rollingOptions } from '../rolling.ts'

const nothing = { leaves: null, failed_leaves: null, rows: null }

describe('POST /v1/rollouts', () => {
  it('gives the completions of agents with their advantages, grouped by item', async () => {
    const { post } = await testServer(rollingOptions())
    const { status, body } = await post('/v1/rollouts', {
      policy: 'c3po',
      items: [{ query_id: 'q1' }, { query: 'Which novel has a matchmaker?', answers: 'Emma' }],
    })
    expect(status).toBe(200)
    const [dune, emma] = body.results
    // Without documents the model knows nothing; what one search finds is right for the first, wrong for the second.
    expect(dune).toMatchObject({ leaves: 3, failed_leaves: 0, error: null })
    expect(
      dune.rows.map((row: { agent: string; completion: string; value: number; forced: boolean }) => [
        row.agent,
        row.completion,
        row.value,
        row.forced,
      ]),
    ).toEqual([
      ['c3po/router', '[No Retrieval]', 0, true],
      ['c3po/router', '[Planning]', 0, true],
      ['c3po/decide', 'Thought: enough. Action: [LLM]', 0, false],
      ['c3po/router', '[Retrieval] desert planet', 1, false],
      ['c3po/filter', 'Thought: the first. Action: [1]', 1, false],
    ])
    expect(dune.rows[0]).toMatchObject({ query_id: 'q1', messages: [{ role: 'system' }, { role: 'user' }] })
    expect(emma.rows.every((row: { value: number }) => row.value === 0)).toBe(true)
    expect(body.server.index_digest).toMatch(/^[0-9a-f]{16}$/)
  })

  it('takes settings and the name of a model', async () => {
    const asked: unknown[] = []
    const { models, ...rest } = rollingOptions()
    const { post } = await testServer({
      ...rest,
      models: {
        ...models!,
        agents: async (name) => {
          asked.push(name)
          return modelOf('checkpoint')
        },
      },
    })
    const settings = { tree: false, temperature: 0.6, maxRounds: 2, maxRuns: 4, samples: null }
    const items = [{ query_id: 'q1' }]
    const { body } = await post('/v1/rollouts', { policy: 'c3po', settings, model: 'step-100', items })
    expect(body.results[0].leaves).toBe(1)
    expect(asked).toEqual(['step-100'])
  })

  it('rolls out ACQO with relevant documents', async () => {
    const { post } = await testServer(rollingOptions())
    const items = [{ query_id: 'q1' }, { query: 'desert planet', ground_truth: 'dune' }]
    const { body } = await post('/v1/rollouts', { policy: 'acqo', settings: { samples: 2 }, items })
    expect(
      body.results.map(({ error, leaves }: { error: unknown; leaves: number }) => [error, leaves]),
    ).toEqual([
      [null, 1],
      [null, 1],
    ])
  })

  it('an item that cannot be rolled out has an error, and no rows', async () => {
    const { post } = await testServer(rollingOptions())
    const items = [
      {},
      { query_id: 'q9' },
      { query_id: 'q2' },
      { query: ' ' },
      { query: 'who', answers: [1] },
      { query_id: 'q1' },
    ]
    const { status, body } = await post('/v1/rollouts', { policy: 'mmoa', settings: { samples: 1 }, items })
    expect(status).toBe(200)
    expect(body.results.slice(0, 5).map(({ error, ...rest }: { error: string }) => rest)).toEqual(
      Array(5).fill(nothing),
    )
    expect(body.results.map(({ error }: { error: string | null }) => error)).toEqual([
      'There is no query',
      'The query "q9" is unknown: start the server with --queries',
      'There is no accepted answer',
      expect.stringContaining('query: '),
      expect.stringContaining('answers'),
      null,
    ])
  })

  it('a model that fails is the error of its items', async () => {
    const down = {
      ...modelOf('small'),
      complete: async () => Promise.reject(new QuerentError('chat-failed', 'down')),
    }
    const { post } = await testServer(rollingOptions(down))
    const { status, body } = await post('/v1/rollouts', { policy: 'c3po', items: [{ query_id: 'q1' }] })
    expect(status).toBe(200)
    expect(body.results[0]).toMatchObject({ ...nothing, error: expect.stringContaining('down') })
  })

  it('a retriever that fails is tried again later', async () => {
    const retrievers = [scriptedRetriever({ fails: new Error('shard 3') })]
    const { post } = await testServer({ ...rollingOptions(), retrievers })
    const { status, headers } = await post('/v1/rollouts', { policy: 'c3po', items: [{ query_id: 'q1' }] })
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
  })

  it.each([
    [{ items: [] }, 'policy'],
    [{ policy: 'local', items: [] }, 'acqo, mmoa'],
    [{ policy: 'c3po', settings: { url: 'http://example.com' }, items: [] }, 'settings'],
    [{ policy: 'c3po', items: Array(1025).fill({}) }, '1024'],
  ])('refuses %j', async (request, hint) => {
    const { post } = await testServer(rollingOptions())
    const { status, body } = await post('/v1/rollouts', request)
    expect(status).toBe(400)
    expect(body.error).toContain(hint)
  })

  it('needs a server with a chat model', async () => {
    const { post } = await testServer()
    const { status, body } = await post('/v1/rollouts', { policy: 'c3po', items: [] })
    expect(status).toBe(400)
    expect(body.error).toContain('--chat-url')
  })
})
