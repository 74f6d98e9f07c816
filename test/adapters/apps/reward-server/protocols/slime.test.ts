import { describe, expect, it } from 'vitest'
import { answer, testServer } from '../opened.ts'

const response = `${answer('desert planet')}<|im_end|>`
const label = JSON.stringify({ query_id: 'q1' })

describe('POST /slime', () => {
  it('answers with the number alone', async () => {
    const { post, metric } = await testServer()
    expect((await post('/slime', { prompt: 'which one?', response, label })).body).toBe(2)
    expect(
      (await post('/slime', { prompt: [{ role: 'user', content: 'which one?' }], response: 'no', label }))
        .body,
    ).toBe(-0.1)
    expect(await metric('querent_items_total{path="/slime"}')).toBe(2)
  })

  it('answers with an object for --reward-key', async () => {
    const { post } = await testServer()
    const body = { prompt: '', response, label: { gold: ['dune'] } }
    expect((await post('/slime?shape=dict', body)).body).toEqual({ score: 2, acc: 1, format: 1, n_sub: 1 })
  })

  it.each([
    [{ response, label: 'x' }, 422],
    [{ response, label: '{"query_id": "q9"}' }, 422],
    [{ response, label: null }, 422],
    [{ response }, 400],
    [{ label }, 400],
  ])('refuses %j', async (body, status) => {
    const { post } = await testServer()
    const refused = await post('/slime', body)
    expect([refused.status, typeof refused.body.error]).toEqual([status, 'string'])
  })
})
