import { describe, expect, it } from 'vitest'
import { answer, testServer } from '../opened.ts'

const chat = '<|im_start|>user\nwhich one?<|im_end|>\n<|im_start|>assistant\n'
const label = (value: object): string => JSON.stringify(value)

describe('POST /openrlhf', () => {
  it('answers with lists as long as the query, prompt and special tokens taken off', async () => {
    const { post } = await testServer()
    const { status, body } = await post('/openrlhf', {
      query: [
        `${chat}${answer('desert planet')}<|im_end|>`,
        `${chat}${answer('matchmaker')}<|im_end|><|endoftext|>`,
        `${chat}I cannot say<|im_end|>`,
        `user\nwhich one?<|im_end|>\n<|im_start|>assistant\n${answer('desert planet')}`,
      ],
      prompts: [chat, chat, chat, `${chat} longer than what was left of it`],
      labels: [
        label({ query_id: 'q2' }),
        label({ query_id: 'q2' }),
        label({ gold: ['dune'] }),
        label({ gold: 'dune' }),
      ],
    })
    expect(status).toBe(200)
    // q2 has two relevant documents; the best is 2 + 17/9. "matchmaker" finds emma at 1.
    expect(body).toEqual({
      rewards: [2, 2, -0.1, 2],
      scores: [0.514286, 0.514286, 0, 1],
      extra_logs: { acc: [0.514286, 0.514286, 0, 1], format: [1, 1, 0, 1], n_sub: [1, 1, 0, 1] },
    })
  })

  it('serves the one item of version 0.11 with lists', async () => {
    const { post, metric } = await testServer()
    const body = {
      query: [`${chat}${answer('desert planet')}`],
      prompts: [chat],
      labels: [label({ query_id: 'q1' })],
    }
    expect((await post('/openrlhf', body)).body).toMatchObject({ rewards: [2], scores: [1] })
    expect(await metric('querent_items_total{path="/openrlhf"}')).toBe(1)
  })

  it('takes the options of a label', async () => {
    const { post } = await testServer()
    const labels = [label({ query_id: 'q1', options: { eta: 0.5 } })]
    expect(
      (await post('/openrlhf', { query: [answer('desert planet')], prompts: [''], labels })).body.rewards,
    ).toEqual([1])
  })

  it.each([
    ['no labels, as from version 0.5', undefined, 'there is no label'],
    ['an empty one', [''], 'there is no label'],
    ['one that is no JSON', ['dune'], 'the label is not JSON'],
    ['one of another shape', ['[]'], 'the label is wrong'],
    ['one of an unknown query', [label({ query_id: 'q9' })], '"q9" cannot be priced'],
  ])('refuses %s: a list of rewards has no place for an error', async (_, labels, message) => {
    const { post } = await testServer()
    const { status, body } = await post('/openrlhf', {
      query: ['x'],
      prompts: [''],
      ...(labels && { labels }),
    })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: expect.stringContaining(message),
      errors: [{ index: 0, error: body.error }],
    })
  })
})
