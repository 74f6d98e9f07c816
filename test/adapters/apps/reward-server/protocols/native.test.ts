import { describe, expect, it } from 'vitest'
import { answer, testServer } from '../opened.ts'

const nothing = { score: null, acc: null, format: null, n_sub: null, ranks: null, best_subset: null }

describe('POST /v1/reward', () => {
  it('answers each item in its place, with its own id where it has one', async () => {
    const { post } = await testServer()
    const { status, body } = await post('/v1/reward', {
      items: [
        {
          id: 'first',
          prompt: [],
          context: '',
          completion: `${answer('desert planet')}<|im_end|>`,
          ground_truth: ['dune'],
        },
        {
          id: 7,
          completion: answer('written by Frank Herbert', 'desert planet'),
          ground_truth: 'dune',
          options: null,
        },
        { completion: 'no', query_id: 'q2' },
        { id: 'last', completion: 'no', query_id: 'q9' },
      ],
    })
    expect(status).toBe(200)
    expect(body.results).toEqual([
      { id: 'first', score: 2, acc: 1, format: 1, n_sub: 1, ranks: [1], best_subset: [0], error: null },
      { id: 7, score: 2, acc: 1, format: 1, n_sub: 2, ranks: [1], best_subset: [0, 1], error: null },
      { id: 2, score: -0.1, acc: 0, format: 0, n_sub: 0, ranks: [null, null], best_subset: [], error: null },
      { id: 'last', ...nothing, error: expect.stringContaining('"q9" cannot be priced') },
    ])
    expect(body.server).toMatchObject({ retriever: 'bm25' })
  })

  it('never says which documents are relevant', async () => {
    const { post } = await testServer()
    const items = [
      { completion: answer('desert planet'), query_id: 'q2' },
      { completion: 'no', ground_truth: ['emma', 'dune'] },
      { completion: 'no', ground_truth: ['emma', 5.5] },
    ]
    expect(JSON.stringify((await post('/v1/reward', { items })).body)).not.toMatch(/dune|emma/)
  })

  it('takes the profile of the request, and the options of the item before it', async () => {
    const { post } = await testServer({ defaults: { eta: 0.5 } })
    const item = { completion: answer('desert planet'), query_id: 'q1' }
    const scores = async (body: object) =>
      (await post('/v1/reward', body)).body.results.map(({ score }: { score: number }) => score)
    const items = [item, { ...item, options: { eta: 0.1, kStar: 0 } }, { ...item, options: { eta: null } }]
    expect(await scores({ items })).toEqual([1, 0.2, 1])
    expect(await scores({ profile: 'hotpotqa', items })).toEqual([1.2, 0.2, 1.2])
    // Φ′(1) = 2 + 1 / log2(2)
    expect(await scores({ profile: 'topiocqa', items })).toEqual([3, 0.2, 3])
  })

  it.each([
    [{ completion: 1 }, 'completion: must be text'],
    [{ completion: 'no', ground_truth: [1.5] }, 'ground_truth'],
    [{ completion: 'no', options: { eta: 2 } }, 'options.eta'],
    [{ completion: 'no', options: { etaa: 1 } }, 'etaa'],
    [{ completion: 'no', options: { delta: 0 } }, 'options.delta: must be below 0'],
    [{ completion: 'no', options: { delta: -1e308 } }, 'options.delta: must be -1000000 or more'],
    [{ completion: 'no', options: { lambda: 1e308 } }, 'options.lambda: must be 1000000 or less'],
    [null, 'expected object'],
  ])('says what is wrong with the item %j, and prices the others', async (bad, message) => {
    const { post } = await testServer()
    const { status, body } = await post('/v1/reward', {
      items: [bad, { completion: answer('desert planet'), query_id: 'q1' }],
    })
    expect(status).toBe(200)
    expect(body.results[0]).toMatchObject({ ...nothing, error: expect.stringContaining(message) })
    expect(body.results[1].score).toBe(2)
  })

  it('gives an item the number of its place if its id is a number that JSON does not have', async () => {
    const { post } = await testServer()
    const { body } = await post(
      '/v1/reward',
      '{"items":[{"id":1e400,"completion":"no","ground_truth":"dune"}]}',
    )
    expect(body.results).toMatchObject([{ id: 0, score: null, error: expect.stringContaining('id') }])
  })

  it('takes identifiers that are numbers', async () => {
    const { post } = await testServer({ qrels: new Map([['5', new Map([['dune', 1]])]]) })
    const items = [{ completion: answer('desert planet'), query_id: 5 }]
    expect((await post('/v1/reward', { items })).body.results[0].score).toBe(2)
  })

  it('prices stage 1 where it is asked for', async () => {
    const { post } = await testServer()
    const completion = answer('matchmaker', 'desert planet')
    const items = [{ completion, query_id: 'q1', options: { stage: 1 } }]
    expect((await post('/v1/reward', { items })).body.results[0]).toMatchObject({
      score: 2,
      best_subset: [1],
    })
  })

  it('has nothing to say about nothing', async () => {
    const { post } = await testServer()
    expect((await post('/v1/reward', { items: [] })).body.results).toEqual([])
  })
})
