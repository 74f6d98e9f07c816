import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type HttpRerankerOptions, httpReranker } from '../../../adapters/rerank/http.ts'
import type { Reranker } from '../../../src/reranker.ts'
import { docidsOf } from '../../fusion/lists.ts'
import { failure, type Reply } from '../../support/chat-server.ts'
import { expectError } from '../../support/expect-error.ts'
import { hits } from '../../support/scripted.ts'
import { rerankStep, searchWith, testReranker } from './conformance.ts'
import { orderBy } from './order-of.ts'
import { cohere, startRerankServer, textsOf } from './rerank-server.ts'

const answering = async (reply: Reply): Promise<Reranker> => {
  const { url } = await startRerankServer(() => reply)
  return httpReranker({ url })
}

const results = (...all: readonly (readonly [number, unknown])[]): Reply => ({
  body: { results: all.map(([index, relevance_score]) => ({ index, relevance_score })) },
})

const broken: Readonly<Record<string, Reply>> = {
  'HTTP 500': failure(500, 'out of memory'),
  'HTTP 401': failure(401, 'who are you?'),
  'too few results': results([0, 0.1], [2, 0.3]),
  'a document twice, and one too many': results([0, 0.1], [1, 0.2], [2, 0.3], [2, 0.4]),
  'a document twice instead of another': results([0, 0.1], [1, 0.2], [1, 0.3]),
  'an index out of range': results([0, 0.1], [1, 0.2], [3, 0.3]),
  'a negative index': results([0, 0.1], [1, 0.2], [-1, 0.3]),
  'an index that is no number': results([0, 0.1], [1, 0.2], ['2' as never, 0.3]),
  'a score that is null': results([0, 0.1], [1, 0.2], [2, null]),
  'a score that is text': results([0, 0.1], [1, 0.2], [2, '0.3']),
  'no score': { body: { results: [{ index: 0 }, { index: 1 }, { index: 2 }] } },
  NaN: { body: '{"results":[{"index":0,"relevance_score":NaN}]}' },
  'a number too large for a double': {
    body: '{"results":[{"index":0,"relevance_score":1e999},{"index":1,"relevance_score":1},{"index":2,"relevance_score":2}]}',
  },
  'no JSON': { body: '{"results":[' },
  'a page': { headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' },
  'an empty body': { body: '' },
  'an endless answer': { body: `{"results":[],"x":"${'x'.repeat(33 * 2 ** 20)}"}` },
  'another answer': { body: { ok: true } },
}

testReranker('httpReranker', {
  hasTies: true,
  async make(scores, options) {
    const { url } = await startRerankServer(cohere((text) => scores[text]))
    return httpReranker({ url, ...options })
  },
  async hanging(options) {
    const server = await startRerankServer(() => 'hang')
    const reranker = httpReranker({ url: server.url, timeout: 60_000, ...options })
    return { reranker, asked: server.arrived(1), left: server.abandoned }
  },
  faults: {
    ...Object.fromEntries(
      Object.entries(broken).map(([name, reply]) => [
        name,
        { make: () => answering(reply), code: 'rerank-failed' },
      ]),
    ),
    'nobody listens': {
      make: async () => httpReranker({ url: 'http://127.0.0.1:9/v1', retries: 0 }),
      code: 'rerank-failed',
    },
  },
})

/** Orders the documents a, b and c with a server that answers so. */
const orderOf = async (reply: Reply): Promise<string[]> => orderBy(await answering(reply), 'a', 'b', 'c')

describe('the answers of servers', () => {
  // docs.cohere.com/reference/rerank
  it('Cohere', async () => {
    const body = {
      results: [
        { index: 2, relevance_score: 0.999071 },
        { index: 0, relevance_score: 0.32713068 },
        { index: 1, relevance_score: 0.1867867 },
      ],
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      meta: { api_version: { version: '2', is_experimental: false }, billed_units: { search_units: 1 } },
    }
    expect(await orderOf({ body })).toEqual(['c', 'a', 'b'])
  })

  // api.jina.ai/redoc: documents come back with the scores
  it('Jina, and vLLM', async () => {
    const body = {
      model: 'jina-reranker-v2-base-multilingual',
      results: [
        { document: { text: 'b' }, index: 1, relevance_score: 0.8783142566680908 },
        { document: { text: 'c' }, index: 2, relevance_score: 0.7624675869941711 },
        { document: { text: 'a' }, index: 0, relevance_score: 0.1 },
      ],
      usage: { prompt_tokens: 815, completion_tokens: 0, total_tokens: 815 },
    }
    expect(await orderOf({ body })).toEqual(['b', 'c', 'a'])
  })

  // docs.voyageai.com/reference/reranker-api
  it('Voyage', async () => {
    const body = {
      object: 'list',
      data: [
        { relevance_score: 0.4375, index: 1 },
        { relevance_score: 0.421875, index: 0 },
        { relevance_score: 0.2, index: 2 },
      ],
      model: 'rerank-2.5',
      usage: { total_tokens: 26 },
    }
    expect(await orderOf({ body })).toEqual(['b', 'a', 'c'])
  })

  // huggingface/text-embeddings-inference, router/src/http/types.rs: Rank and RerankRequest; serde's words for a missing field
  it('TEI, which wants `texts` in batches of 32: it is told once', async () => {
    const server = await startRerankServer((request) => {
      if (request.body.texts === undefined)
        return {
          status: 422,
          headers: { 'content-type': 'text/plain' },
          body: 'Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 40',
        }
      const texts = textsOf(request)
      if (texts.length > 32) return failure(422, `batch size ${texts.length} > maximum allowed batch size 32`)
      return { body: texts.map((text, index) => ({ index, score: Number(text) })) }
    })
    const reranker = httpReranker({ url: server.url.replace(/\/v1$/, '') })
    const docids = Array.from({ length: 40 }, (_, at) => String(at))
    for (const _ of [1, 2]) expect(await orderBy(reranker, ...docids)).toEqual(docids.toReversed())
    expect(server.requests.map(({ path }) => path)).toEqual(Array(5).fill('/rerank'))
    expect(server.requests.map((request) => textsOf(request).length)).toEqual([40, 32, 8, 32, 8])
    expect(server.requests[1]!.body).toMatchObject({ query: 'q', truncate: true })
  })

  it('TEI, which first searches at the same time all find out', async () => {
    const server = await startRerankServer((request) =>
      request.body.texts === undefined
        ? failure(422, 'missing field `texts` at line 1 column 40')
        : { body: textsOf(request).map((_, index) => ({ index, score: index })) },
    )
    const reranker = httpReranker({ url: server.url })
    const searches = Array.from({ length: 5 }, () => orderBy(reranker, 'a', 'b'))
    for (const order of await Promise.all(searches)) expect(order).toEqual(['b', 'a'])
  })
})

describe('httpReranker', () => {
  const scoring = cohere((text) => text.length)

  const sent = async (options: HttpRerankerOptions, docids = ['a', 'b']) => {
    const server = await startRerankServer(scoring)
    const reranker = httpReranker({ url: server.url, ...options })
    await reranker.rerank({ text: 'who?' }, [], hits(...docids), (docid) => ({
      docid,
      title: `The ${docid}`,
      text: 'text '.repeat(3000),
    }))
    return server.requests
  }

  it('sends the query, the beginnings of the documents, the model, the key and headers', async () => {
    const [request] = await sent({
      model: 'm',
      apiKey: 'secret-key',
      headers: { 'x-tenant': 't' },
      maxCharacters: 12,
    })
    expect(request!.path).toBe('/v1/rerank')
    expect(request!.body).toEqual({
      model: 'm',
      query: 'who?',
      documents: ['The a\ntext t', 'The b\ntext t'],
    })
    expect(request!.headers).toMatchObject({ authorization: 'Bearer secret-key', 'x-tenant': 't' })
    expect(textsOf((await sent({}))[0]!)[0]).toHaveLength(4000)
  })

  it('takes server, model and key from the environment', async () => {
    const server = await startRerankServer(scoring)
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('QUERENT_RERANK_URL', `${server.url}/rerank`)
    vi.stubEnv('QUERENT_RERANK_MODEL', 'from-env')
    vi.stubEnv('QUERENT_RERANK_API_KEY', 'key-of-env')
    vi.stubEnv('OPENAI_API_KEY', 'not-for-you')
    await orderBy(httpReranker(), 'a')
    expect(server.requests[0]).toMatchObject({
      path: '/v1/rerank',
      headers: { authorization: 'Bearer key-of-env' },
      body: { model: 'from-env' },
    })
  })

  it('sends no key of another server', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('OPENAI_API_KEY', 'not-for-you')
    const [request] = await sent({})
    expect(JSON.stringify(request)).not.toContain('not-for-you')
  })

  it('sends batches, and puts their scores together', async () => {
    const server = await startRerankServer(cohere((text) => Number(text)))
    const reranker = httpReranker({ url: server.url, batchSize: 3, window: 20 })
    const docids = Array.from({ length: 20 }, (_, at) => String(at))
    expect(await orderBy(reranker, ...docids)).toEqual(docids.toReversed())
    expect(server.requests.map((request) => textsOf(request).length).toSorted()).toEqual([
      2, 3, 3, 3, 3, 3, 3,
    ])
  })

  it('sends at most 4 requests of one search at a time', async () => {
    let [running, most] = [0, 0]
    const reranker = httpReranker({
      url: 'http://localhost/v1',
      batchSize: 1,
      async fetch() {
        most = Math.max(most, ++running)
        await setImmediate()
        running--
        return Response.json({ results: [{ index: 0, relevance_score: 1 }] })
      },
    })
    const docids = Array.from({ length: 20 }, (_, at) => String(at))
    await orderBy(reranker, ...docids)
    expect(most).toBe(4)
  })

  it('tries again after a temporary failure, once unless told otherwise', async () => {
    const replies = [failure(503, 'loading'), results([0, 0.1], [1, 0.9])]
    const server = await startRerankServer(replies)
    const result = await searchWith(httpReranker({ url: server.url }), ['a', 'b'])
    expect(docidsOf(result.hits)).toEqual(['b', 'a'])
    const never = await startRerankServer(replies)
    const kept = await searchWith(httpReranker({ url: never.url, retries: 0 }), ['a', 'b'])
    expect(rerankStep(kept)?.error?.message).toContain('loading')
    expect(never.requests).toHaveLength(1)
  })

  it('says what happened without the key', async () => {
    const server = await startRerankServer(() => failure(400, 'no such model for secret-key'))
    const result = await searchWith(httpReranker({ url: server.url, model: 'm', apiKey: 'secret-key' }), [
      'a',
    ])
    const { message } = rerankStep(result)!.error!
    expect(message).toMatch(/"m" at 127\.0\.0\.1:\d+ .*400 no such model for \[key\]/)
  })

  it.each<readonly [string, HttpRerankerOptions]>([
    ['no server is named', {}],
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'http://user:password@example.com' }],
    ['window', { url: 'http://localhost', window: 1001 }],
    ['batchSize', { url: 'http://localhost', batchSize: 0 }],
    ['timeout', { url: 'http://localhost', timeout: -1 }],
    ['topN', { url: 'http://localhost', topN: 3 } as never],
  ])('refuses wrong options: %s', (name, options) => {
    expect(() => httpReranker(options)).toThrow(new RegExp(name, 'i'))
    expectError(() => httpReranker(options), 'bad-config')
  })
})
