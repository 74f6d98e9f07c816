/** `POST /v1/rerank` of `querent serve`, as clients of Cohere and our own re-ranker use it. */
import { describe, expect, it } from 'vitest'
import type { SearchAnswer } from '../../../adapters/apps/http/fetch.ts'
import { httpReranker } from '../../../adapters/rerank/http.ts'
import type { Document } from '../../../src/types.ts'
import { docidsOf } from '../../fusion/lists.ts'
import { hits } from '../../support/scripted.ts'
import { startedServe } from '../../support/started-serve.ts'

const query = 'Who wrote the novel Dracula?'
const documents = [
  'Ulysses is a novel by James Joyce, set in Dublin.',
  'Dracula is a novel of 1897, written by Bram Stoker.',
  'The Elbe flows from Bohemia to the North Sea.',
  'Bram Stoker was an Irish author, best known for his novel Dracula.',
]

interface Answer {
  readonly results: readonly {
    readonly index: number
    readonly relevance_score: number
    readonly document?: unknown
  }[]
}

async function rerank(url: string, body: unknown, path = '/v1/rerank') {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, answer: (await response.json()) as Answer & Record<string, unknown> }
}

describe('querent serve: POST /v1/rerank', () => {
  it('orders documents by relevance, in the shape of Cohere', async () => {
    const { url, end } = await startedServe()
    const { status, answer } = await rerank(url, { model: 'any', query, documents })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      id: expect.any(String),
      model: 'local',
      meta: { api_version: { version: '2' } },
    })
    const order = answer.results.map(({ index }) => index)
    expect(order.slice(0, 2).toSorted()).toEqual([1, 3])
    expect(order.toSorted()).toEqual([0, 1, 2, 3])
    const scores = answer.results.map(({ relevance_score }) => relevance_score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
    await end()
  })

  it('does not depend on the order of the documents', async () => {
    const { url, end } = await startedServe()
    const textsOf = async (given: readonly string[]) =>
      (await rerank(url, { query, documents: given })).answer.results.map(({ index }) => given[index])
    expect(await textsOf(documents.toReversed())).toEqual(await textsOf(documents))
    await end()
  })

  it('takes titles, `top_n` and `return_documents`, and parameters of others, at both paths', async () => {
    const { url, end } = await startedServe()
    const titled = documents.map((text, place) => ({ title: `Title ${place}`, text }))
    const body = { query, documents: titled, top_n: 1, return_documents: true, max_tokens_per_doc: 100 }
    for (const path of ['/v1/rerank', '/rerank']) {
      const { answer } = await rerank(url, body, path)
      expect(answer.results).toHaveLength(1)
      const [{ index, document }] = answer.results as [Answer['results'][number]]
      expect(document).toEqual(titled[index])
    }
    const { answer } = await rerank(url, { query, documents, top_n: 100 })
    expect(answer.results).toHaveLength(4)
    expect(answer.results[0]).not.toHaveProperty('document')
    await end()
  })

  it('takes what is odd: no words, empty and equal texts, one document, 1,000 documents', async () => {
    const { url, end } = await startedServe()
    for (const odd of [
      ['', '  '],
      ['same', 'same', 'same'],
      ['one'],
      Array<string>(1000).fill('Dracula, a novel.'),
    ])
      for (const asked of [query, '', '的']) {
        const { status, answer } = await rerank(url, { query: asked, documents: odd })
        expect([status, answer.results?.length]).toEqual([200, odd.length])
      }
    await end()
  })

  it('is a server for our own re-ranker: the round trip gives its order', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const reranker = httpReranker({ url: `${url}/v1`, timeout: 60_000, batchSize: 100 })
    const docids = documents.map((_, place) => `d${place}`)
    const documentOf = (docid: string): Document => ({ docid, text: documents[Number(docid.slice(1))]! })
    const reranked = await reranker.rerank({ text: query }, [], hits(...docids), documentOf)
    const { answer } = await rerank(url, { query, documents })
    expect(docidsOf(reranked)).toEqual(answer.results.map(({ index }) => `d${index}`))
    expect(reranked.map(({ score }) => score)).toEqual(
      answer.results.map(({ relevance_score }) => relevance_score),
    )
    await end()
  })

  it.each<readonly [string, unknown, number, string]>([
    ['no query', { documents }, 400, '#/query is missing'],
    ['no documents', { query }, 400, '#/documents is missing'],
    ['an empty list', { query, documents: [] }, 400, '#/documents must have a document'],
    [
      'too many',
      { query, documents: Array(1001).fill('x') },
      400,
      '#/documents must have 1000 documents at most',
    ],
    ['a number', { query, documents: ['x', 1] }, 400, '#/documents/1 must be text'],
    ['a document without text', { query, documents: [{ title: 'x' }] }, 400, '#/documents/0 must be text'],
    ['top_n of 0', { query, documents, top_n: 0 }, 400, '#/top_n must be 1 or more'],
    ['a list', [], 400, 'must be one JSON object'],
    ['no JSON', '{', 400, 'not JSON'],
    ['too large a body', { query, documents: ['x'.repeat(4 * 2 ** 20)] }, 413, 'larger than'],
  ])('refuses %s', async (_, body, expected, detail) => {
    const { url, end } = await startedServe('--policy', 'none')
    const { status, answer } = await rerank(url, body)
    expect([status, answer.status]).toEqual([expected, expected])
    expect(answer.detail).toContain(detail)
    await end()
  })

  it('answers POST alone', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const response = await fetch(`${url}/v1/rerank`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    await end()
  })
})

describe('--rerank http', () => {
  it('orders the hits of a search, and keeps the fused order without a server', async () => {
    const server = await startedServe('--policy', 'none')
    const { url, end } = await startedServe(
      ...['--policy', 'none', '--rerank', 'http', '--set', `rerankUrl=${server.url}/v1`],
    )
    const searched = async () => {
      const response = await fetch(`${url}/search?q=desert+planet+novel&explain=1`)
      const { hits: found, trace } = (await response.json()) as SearchAnswer
      return { docids: docidsOf(found).toSorted(), step: trace?.steps.find(({ type }) => type === 'rerank') }
    }
    const docids = ['dune', 'emma']
    expect(await searched()).toMatchObject({ docids, step: { pool: 2 } })
    expect((await searched()).step).not.toHaveProperty('error')
    await server.end()
    expect(await searched()).toMatchObject({ docids, step: { error: { code: 'rerank-failed' } } })
    await end()
  })
})
