/** `querent serve` in the protocols of OpenAI, with its own client, and of Dify. */
import { OpenAI } from 'openai'
import { describe, expect, it } from 'vitest'
import { startedServe } from '../../support/started-serve.ts'

const query = 'Who wrote the novel of a desert planet?'

async function post(url: string, path: string, body: unknown) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify(body),
  })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}

const storePath = '/v1/vector_stores/books/search'

describe('querent serve as a vector store', () => {
  it("is searched by OpenAI's client", async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
    const page = await client.vectorStores.search('books', { query, max_num_results: 1 })
    expect(page.data).toEqual([
      {
        file_id: 'dune',
        filename: 'Dune',
        score: 1,
        attributes: null,
        content: [{ type: 'text', text: 'A novel of a desert planet, written by Frank Herbert.' }],
      },
    ])
    const found: string[] = []
    for await (const { file_id } of client.vectorStores.search('other', { query: ['writer born'] }))
      found.push(file_id)
    expect(found).toEqual(['herbert'])
    const refused = client.vectorStores.search('books', {
      query,
      filters: { type: 'eq', key: 'author', value: 'Herbert' },
    })
    await expect(refused).rejects.toMatchObject({ status: 400 })
    await end()
  })

  it('answers in the shape of OpenAI, with falling scores, and holds hits to a threshold', async () => {
    const { url, end } = await startedServe()
    const { status, answer } = await post(url, storePath, { query, rewrite_query: true })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      object: 'vector_store.search_results.page',
      search_query: [query],
      has_more: false,
      next_page: null,
    })
    const data = answer.data as readonly { readonly file_id: string; readonly score: number }[]
    expect(data[0]!.file_id).toBe('dune')
    const scores = data.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    const few = await post(url, storePath, { query, ranking_options: { score_threshold: scores[0] } })
    expect((few.answer.data as readonly unknown[]).length).toBe(
      scores.filter((score) => score === scores[0]).length,
    )
    await end()
  })

  it.each([
    ['#/query', {}],
    ['#/query', { query: ['a', 'b'] }],
    ['#/max_num_results', { query, max_num_results: 51 }],
    ['#/ranking_options/score_threshold', { query, ranking_options: { score_threshold: 2 } }],
  ])('names what is wrong: %s', async (pointer, body) => {
    const { url, end } = await startedServe('--policy', 'none')
    const { status, answer } = await post(url, storePath, body)
    expect([status, answer]).toMatchObject([400, { code: 'bad-request', errors: [{ pointer }] }])
    expect((await fetch(`${url}${storePath}`)).status).toBe(405)
    await end()
  })
})

describe('querent serve for Dify', () => {
  it('answers a retrieval', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const retrieval_setting = { top_k: 1, score_threshold: 0.5 }
    const { status, answer } = await post(url, '/retrieval', { knowledge_id: 'a', query, retrieval_setting })
    expect([status, answer]).toEqual([
      200,
      {
        records: [
          {
            content: 'A novel of a desert planet, written by Frank Herbert.',
            score: 1,
            title: 'Dune',
            metadata: { docid: 'dune' },
          },
        ],
      },
    ])
    expect((await post(url, '/retrieval', { knowledge_id: 'a', query: 'zebra' })).answer).toEqual({
      records: [],
    })
    await end()
  })

  it('refuses conditions, which it could not keep', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const condition = { name: ['author'], comparison_operator: 'is', value: 'Herbert' }
    const metadata_condition = { logical_operator: 'and', conditions: [condition] }
    const { status, answer } = await post(url, '/retrieval', { knowledge_id: 'a', query, metadata_condition })
    expect([status, answer]).toMatchObject([
      400,
      { errors: [{ pointer: '#/metadata_condition/conditions', detail: 'are not taken here' }] },
    ])
    await end()
  })
})
