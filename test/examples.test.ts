/** The code that the pages show is part of an example, and every example runs. The slow ones do so in test/live. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { RetrieverQueryEngine } from '@llamaindex/core/query-engine'
import { getResponseSynthesizer } from '@llamaindex/core/response-synthesizers'
import { BaseRetriever } from '@llamaindex/core/retriever'
import { MockLanguageModelV3, MockRerankingModelV3 } from 'ai/test'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { memoryStore } from '../adapters/cache/store.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { bestRank } from '../examples/best-rank-fusion.ts'
import { createArticleSearch } from '../examples/cluster.ts'
import { wordsAndVectors } from '../examples/cluster-with-vectors.ts'
import { createWeighedSearch } from '../examples/cluster-with-weights.ts'
import { createCachedClient } from '../examples/drop-in/cached-decisions.ts'
import { createRunAsClient, users } from '../examples/drop-in/run-as.ts'
import { startSigningProxy } from '../examples/drop-in/signing-proxy.ts'
import { searchShop } from '../examples/filters.ts'
import { fuseFitted } from '../examples/fitted-fusion.ts'
import { followUp } from '../examples/follow-up-policy.ts'
import { askWithSearch, withRerankingModel } from '../examples/frameworks/ai-sdk.ts'
import { textsFor } from '../examples/frameworks/langchain.ts'
import { QuerentRetriever } from '../examples/frameworks/llamaindex.ts'
import { createLoggedOptimizer } from '../examples/logs.ts'
import { createMeasuredOptimizer } from '../examples/metrics.ts'
import { newestFirst } from '../examples/newest-first.ts'
import { createObservedOptimizer } from '../examples/observe.ts'
import { ollamaChat } from '../examples/ollama-chat.ts'
import { createTracedOptimizer, createTracedProxy } from '../examples/opentelemetry.ts'
import { byRankScore, byRrf0, byRrf60 } from '../examples/rank-score.ts'
import { withCrossEncoder, withLanguageModel, withServer } from '../examples/reranking.ts'
import { createResilientOptimizer, load } from '../examples/resilience.ts'
import { substringSearch } from '../examples/substring-search.ts'
import { titles } from '../examples/titles-policy.ts'
import { trigramEmbedder } from '../examples/trigram-embedder.ts'
import { explain } from '../src/explain.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { ChatModel, Document, Hit, Run } from '../src/types.ts'
import { describeEmbedder } from './adapters/models/conformance.ts'
import { testRetriever } from './adapters/search/conformance.ts'
import { docidsOf, ranked } from './fusion/lists.ts'
import { expectError } from './support/expect-error.ts'
import { answerOf, capsOf, found } from './support/fake-engine.ts'
import { blocksOf, dedented, pages, readPage, tableOf } from './support/markdown.ts'
import { type Answer, type RecordedRequest, startRecordingServer } from './support/recording-server.ts'
import { hits, scriptedChat, scriptedRetriever } from './support/scripted.ts'

const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.m?ts$|\.mjs$/.test(name))
  .map((name) => join('examples', name))

const blocks = pages.flatMap((page) =>
  blocksOf(page, 'ts', 'js').map((block) => [page, titleOf(block), block] as const),
)

it.each(blocks)('%s: the code is part of an example: %s', (_page, _title, block) => {
  expect(examples.some((file) => isPartOf(readPage(file), block))).toBe(true)
})

it.each(examples)('%s is run by a test', (file) => {
  const engines = ['test/engines/example-apps.test.ts', 'test/engines/searchkit.test.ts']
  const tests = ['test/examples.test.ts', 'test/live/examples.test.ts', ...engines]
  const http = 'test/adapters/apps/http/examples.test.ts'
  const name = file.replace('examples/apps/', '').replace('-optimized', '').replace('.ts', '')
  expect([...tests, http].filter((test) => readPage(test).includes(name))).not.toEqual([])
})

/** Its first line that says something. */
function titleOf(block: string): string {
  return block.split('\n').find((line) => line !== '' && !line.startsWith('import'))!
}

/** Whether each paragraph of the block stands in the file, in this order, wherever it is indented to. */
function isPartOf(file: string, block: string): boolean {
  const lines = file.split('\n')
  let from = 0
  return block
    .trim()
    .split(/\n\n+/)
    .every((paragraph) => {
      const wanted = dedented(paragraph)
      const height = wanted.split('\n').length
      for (let at = from; at + height <= lines.length; at++) {
        if (dedented(lines.slice(at, at + height).join('\n')) !== wanted) continue
        from = at + height
        return true
      }
      return false
    })
}

testRetriever({
  name: 'substring',
  create: substringSearch,
  gaps: [
    {
      reason: 'it does not declare that it narrows, and is never asked to',
      tests: [
        'applies the conditions of each sub-query, and the filter beside them',
        'knows the values of fields in the documents that pass the filter',
      ],
    },
  ],
})

describeEmbedder('trigrams', async (instructions) => trigramEmbedder(instructions))

it('a misspelled name is nearest to the name', async () => {
  const texts = ['Bram Stoker', 'Mary Shelley', 'James Joyce', 'Mary Shelly']
  const vectors = await trigramEmbedder().embed(texts, { kind: 'document' })
  const cosines = vectors
    .slice(0, 3)
    .map((vector) => vector.reduce((sum, x, at) => sum + x * vectors[3]![at]!, 0))
  expect(cosines.indexOf(Math.max(...cosines))).toBe(1)
})

it('lists are fused as docs/fusion.md works it out by hand', () => {
  const orders = tableOf('docs/fusion.md', 'list').map(([name, order]) => [name, order!.split(', ')])
  expect(Object.fromEntries(orders)).toEqual({
    byRankScore: docidsOf(byRankScore),
    byRrf0: docidsOf(byRrf0),
    byRrf60: docidsOf(byRrf60),
  })
  const byHand = tableOf('docs/fusion.md', 'fused').map(([place]) => place)
  expect(byRankScore.map(({ rank, docid }) => `${rank} ${docid}`)).toEqual(byHand)
  expect(byRankScore.map(({ score }) => score)).toEqual([1, 1, 1, 1 / 3, 1 / 3])
})

it('a shop shows first what the words of a query ask for', async () => {
  const { docids, filters } = await searchShop('light hiking boot under 80 euros')
  expect(docids).toEqual(['shoe', 'boot'])
  expect(filters).toEqual([{ words: 'under 80 euros', condition: { field: 'price', lt: 80 } }])
  expect((await searchShop('light hiking boot')).docids).toEqual(['boot', 'shoe'])
})

it('a fitted fusion trusts the run that was right', () => {
  const runs = (good: string, bad: string): Run[] =>
    [good, bad].map((docid) => new Map([['q', ranked(docid).hits]]))
  const fused = fuseFitted(runs('a', 'b'), new Map([['q', new Map([['a', 1]])]]), runs('x', 'y'))
  expect(docidsOf(fused.get('q')!)).toEqual(['x', 'y'])
})

it('limits and retries stand around a retriever and around a request', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const optimizer = createResilientOptimizer(await substringSearch([{ docid: 'd', text: 'a quay' }]))
  expect(docidsOf((await optimizer.search('quay')).hits)).toEqual(['d'])
  expect(log.mock.calls).toEqual([[{ running: 0, queued: 0, breaker: 'closed', retries: 0, shed: 0 }]])

  let requests = 0
  const url = await serve((_, response) => void response.writeHead(++requests === 1 ? 503 : 200).end('here'))
  expect(await load(url)).toBe('here')
  expect(requests).toBe(2)
})

describe('in frameworks', async () => {
  const retrievers = [await buildWinkBm25([{ docid: 'dune', text: 'Dune is a novel.' }])]
  const optimizer = createOptimizer({ retrievers })

  it('LangChain gets documents', async () => {
    expect(await textsFor(optimizer, 'novel')).toEqual(['[dune] Dune is a novel.'])
  })

  it('LlamaIndex gets nodes, and answers from them in its query engine', async () => {
    const retriever = new QuerentRetriever(optimizer)
    expect(retriever).toBeInstanceOf(BaseRetriever)
    const metadata = { model: 'scripted', contextWindow: 4096 }
    const prompts: string[] = []
    const complete = async ({ prompt }: { readonly prompt: string }) => {
      prompts.push(prompt)
      return { text: 'A novel.', raw: null }
    }
    const synthesizer = getResponseSynthesizer('compact', { llm: { metadata, complete } as never })
    const engine = new RetrieverQueryEngine(retriever, synthesizer)
    const { message, sourceNodes } = await engine.query({ query: 'Which novel?' })
    expect(message.content).toBe('A novel.')
    expect(prompts.join()).toContain('Dune is a novel.')
    expect(sourceNodes).toMatchObject([{ score: 1, node: { id_: 'dune', text: 'Dune is a novel.' } }])
  })

  it('a model of the AI SDK gets a tool', async () => {
    const tools: string[] = []
    const model = new MockLanguageModelV3({
      doGenerate: async (call) => {
        tools.push(...(call.tools ?? []).map(({ name }) => name))
        return {
          content: [{ type: 'text', text: 'A novel.' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        }
      },
    })
    expect(await askWithSearch(optimizer, model, 'What is Dune?')).toBe('A novel.')
    expect(tools).toEqual(['search'])
  })

  it('a re-ranking model of the AI SDK orders hits', async () => {
    const model = new MockRerankingModelV3({
      doRerank: async ({ documents: { values } }) => ({
        ranking: values.map((_, index) => ({ index, relevanceScore: index })),
      }),
    })
    const bm25 = scriptedRetriever({ found: { who: ['a', 'b'] } })
    const documents = {
      documents: async (docids: readonly string[]) => docids.map((docid) => ({ docid, text: docid })),
    }
    const { search } = withRerankingModel([{ ...bm25, ...documents }], model)
    expect(docidsOf((await search('who')).hits)).toEqual(['b', 'a'])
  })
})

describe('the policies of docs/extending.md', () => {
  it('each name in the query is searched by itself', async () => {
    const bm25 = scriptedRetriever({ found: { 'Mary Shelley': ['shelley'], 'Bram Stoker': ['stoker'] } })
    const optimizer = createOptimizer({ retrievers: [bm25], policy: titles })
    const { hits, trace } = await optimizer.search('Who was older, Mary Shelley or Bram Stoker?')
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([
      ['Who was older, Mary Shelley or Bram Stoker?'],
      ['Mary Shelley', 'Bram Stoker'],
    ])
    expect(docidsOf(hits)).toEqual(['shelley', 'stoker'])
    expect(trace.fallback).toBeUndefined()
  })

  it('a second round follows the best document, and the answer cites what it was read from', async () => {
    const texts = { dracula: 'Written by Bram Stoker.', stoker: 'Born in Dublin.', noise: 'Nothing.' }
    const bm25 = {
      ...scriptedRetriever({
        found: { 'Where was its author born?': ['dracula', 'noise'], 'Bram Stoker': ['stoker'] },
      }),
      documents: async (docids: readonly string[]) =>
        docids.map((docid): Document => ({ docid, text: texts[docid as keyof typeof texts] })),
    }
    const chat = scriptedChat(['Bram Stoker', 'In Dublin.'])
    const optimizer = createOptimizer({ retrievers: [bm25], policy: followUp, chat })
    const result = await optimizer.search('Where was its author born?')
    expect(result).toMatchObject({ answer: 'In Dublin.', citations: ['dracula', 'stoker'] })
    expect(docidsOf(result.hits)).toEqual(['dracula', 'stoker', 'noise'])
    expect(chat.calls[1]!.messages[1]!.content).toContain('Born in Dublin.')
    expect(await optimizer.search('nothing')).toMatchObject({ hits: [] })
  })
})

it('a fusion method of your own merges lists, and its scores are explained', async () => {
  const fusion = bestRank()
  // b is first in the second list; a is first in the first one, and comes first by its docid.
  expect(docidsOf(fusion.fuse([ranked('a', 'b', 'c'), ranked('b', 'd')]))).toEqual(['a', 'b', 'd', 'c'])
  expect(fusion.fuse([ranked('a', 'b')], { k: 1, depth: 1 })).toEqual([{ docid: 'a', score: 1, rank: 1 }])
  const bm25 = scriptedRetriever({ found: { quay: ['x', 'y'] } })
  const { hits, trace } = await createOptimizer({ retrievers: [bm25], fusion }).search('quay')
  expect(hits[1]!.provenance).toMatchObject([{ retriever: 'bm25', rank: 2, score: 1 }])
  for (const { score, recomputed } of explain(trace, fusion)) expect(recomputed).toBe(score)
})

it('a re-ranker of your own orders the best hits anew, and keeps what fusion gave them', async () => {
  const years: Readonly<Record<string, number>> = { a: 1990, b: 2020, c: 2020 }
  const bm25 = {
    ...scriptedRetriever({ found: { quay: ['a', 'b', 'c'] } }),
    documents: async (docids: readonly string[]) =>
      docids.map((docid) => ({ docid, text: '', metadata: { year: years[docid] } })),
  }
  const { search } = createOptimizer({ retrievers: [bm25], rerank: newestFirst() })
  const { hits } = await search('quay', { k: 2 })
  expect(hits).toMatchObject([
    { docid: 'b', rank: 1, fused: { rank: 2 } },
    { docid: 'c', rank: 2, fused: { rank: 3 } },
  ])
})

it('re-rankers from outside order the hits', async () => {
  const texts = { a: 'a quay with a long text', b: 'a quay' }
  const bm25 = {
    ...scriptedRetriever({ found: { quay: ['a', 'b'] } }),
    documents: async (docids: readonly string[]) =>
      docids.map((docid): Document => ({ docid, text: texts[docid as keyof typeof texts] })),
  }
  const url = await serve(async (request, response) => {
    const { documents } = (await json(request)) as { readonly documents: readonly string[] }
    const results = documents.map((text, index) => ({ index, relevance_score: -text.length }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
  })
  const chat = scriptedChat(['[2] > [1]'])
  for (const { search } of [withServer([bm25], url), withLanguageModel([bm25], chat)])
    expect(docidsOf((await search('quay')).hits)).toEqual(['b', 'a'])
  await expectError(withCrossEncoder([bm25], './nowhere'), expect.stringMatching(/missing-(model|package)/))
})

it('words and vectors of one backend are two lists of one request', async () => {
  const asked: unknown[] = []
  const listsOf = (queries: readonly string[], docid: string): Hit[][] => queries.map(() => hits(docid))
  const retriever = wordsAndVectors({
    async search(queries, k) {
      asked.push([queries, k])
      return { words: listsOf(queries, 'by-words'), vectors: listsOf(queries, 'by-vectors') }
    },
  })
  const result = await createOptimizer({ retrievers: [retriever] }).search('quay')
  expect(asked).toEqual([[['quay'], 100]])
  expect(docidsOf(result.hits).sort()).toEqual(['by-vectors', 'by-words'])
})

it('an observer logs what fell back, and counts failed legs', async () => {
  const lines: string[] = []
  const broken = scriptedRetriever({ name: 'broken', fails: new Error('gone') })
  const bm25 = scriptedRetriever({ found: { quay: ['d'] } })
  const { optimizer, failures } = createObservedOptimizer([bm25, broken], (line) => lines.push(line))
  await optimizer.search('quay')
  expect([...failures]).toEqual([['broken', 1]])
  expect(lines).toEqual([])
  const alone = createObservedOptimizer([broken], (line) => lines.push(line))
  await expect(alone.optimizer.search('quay')).rejects.toThrow('gone')
  expect(lines).toEqual(['failed: gone'])
})

it('examples/metrics.ts counts in the given registry', async () => {
  const registry = new Registry()
  const retriever = scriptedRetriever({ found: { quay: ['d'] } })
  await createMeasuredOptimizer([retriever], registry).search('quay')
  expect(await registry.metrics()).toContain('querent_searches_total{outcome="answered",decision="as-is"')
})

it('examples/logs.ts writes a line for a search that is partial, and none for one that is whole', async () => {
  const lines: string[] = []
  const whole = scriptedRetriever({ found: { quay: ['d'] } })
  const broken = scriptedRetriever({ name: 'broken', fails: new Error('gone') })
  await createLoggedOptimizer([whole], (line) => lines.push(line)).search('quay')
  expect(lines).toEqual([])
  await createLoggedOptimizer([whole, broken], (line) => lines.push(line)).search('quay')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['search is partial'])
})

it('examples/opentelemetry.ts works without an SDK', async () => {
  const optimizer = await createTracedOptimizer([scriptedRetriever({ found: { quay: ['d'] } })])
  expect(docidsOf((await optimizer.search('quay')).hits)).toEqual(['d'])
  const proxy = await createTracedProxy('http://127.0.0.1:9')
  const health = await fetch(`${await proxy.listen(0)}/_querent/health`)
  expect(await health.json()).toEqual({ status: 'ok' })
  await proxy.close()
})

describe('before a server', () => {
  const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
  const one = JSON.stringify(answerOf(found('a'))).replaceAll('"works"', '"articles"')
  const engine = ({ path }: RecordedRequest): Answer => {
    const body = path.endsWith('_msearch') ? `{"took":1,"responses":[${one}]}` : one
    return { headers, body: path === '/' ? '{"version":{"number":"9.0.0"}}' : body }
  }

  it('examples/cluster.ts searches an index with its filter', async () => {
    const server = await startRecordingServer(engine)
    onTestFinished(() => server.close())
    const optimizer = await createArticleSearch(server.url)
    onTestFinished(() => optimizer.close())
    expect(docidsOf((await optimizer.search('quay')).hits)).toEqual(['a'])
    const [search] = server.requests.filter(({ path }) => path.includes('_msearch'))
    expect(String(search!.body)).toContain('{"term":{"published":true}}')
  })

  it('examples/cluster-with-weights.ts searches words, and the weights that a server gives them', async () => {
    const found = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
    const json = (value: unknown) => ({ status: 200, headers: found, body: JSON.stringify(value) })
    const server = await startRecordingServer(({ path }) =>
      path === '/embed_sparse'
        ? json([[{ index: 2829, value: 1.25 }]])
        : json({ responses: [{ hits: { hits: [] } }, { hits: { hits: [] } }] }),
    )
    onTestFinished(() => server.close())
    const retriever = await createWeighedSearch(server.url, server.url)
    onTestFinished(() => retriever.close())
    const legs = await retriever.retrieve([{ text: 'quay', round: 0 }], { k: 3 })
    expect(legs.map((leg) => [leg.retriever, leg.hits])).toEqual([
      ['elasticsearch', []],
      ['elasticsearch-sparse', []],
    ])
    const [encoded, searched] = server.requests.map(({ body }) => String(body))
    expect(JSON.parse(encoded!)).toEqual({ inputs: ['quay'], truncate: true })
    expect(searched).toContain('{"sparse_vector":{"field":"weights","query_vector":{"2829":1.25}}}')
  })

  it('examples/drop-in/elasticsearch.ts searches with its conversation, and explains', async () => {
    const server = await startRecordingServer(engine)
    onTestFinished(() => server.close())
    vi.stubEnv('ELASTICSEARCH_URL', server.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { searchAfter } = await import('../examples/drop-in/elasticsearch.ts')
    const response = await searchAfter([{ role: 'user', text: 'Who built the bridge?' }], 'and when?')
    expect(response.hits.hits[0]?._id).toBe('a')
    expect(server.requests.map(({ path }) => path)).toContain('/articles/_search')
  })

  it('examples/drop-in/rules.ts leaves the logs to the engine', async () => {
    const server = await startRecordingServer(engine)
    onTestFinished(() => server.close())
    vi.stubEnv('ELASTICSEARCH_URL', server.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { client } = await import('../examples/drop-in/rules.ts')
    await client.search({ index: 'logs-1', query: { match: { text: 'quay' } } })
    expect(server.requests.map(({ path }) => path)).toEqual(['/logs-1/_search'])
  })

  it('examples/drop-in/signing-proxy.ts signs what it sends on', async () => {
    const server = await startRecordingServer(engine)
    onTestFinished(() => server.close())
    const credentials = async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' })
    const { proxy, url } = await startSigningProxy(server.url, credentials, 0)
    onTestFinished(() => proxy.close())
    expect((await fetch(`${url}/articles/_count`)).status).toBe(200)
    const signature = server.requests.at(-1)!.headers.find((value) => value.startsWith('AWS4-HMAC-SHA256'))
    expect(signature).toContain('/eu-central-1/es/aws4_request')
  })
})

/** A server that answers every search as an engine does that has text in its fields. */
async function startSmallEngine() {
  const server = await startRecordingServer(({ path, body }) => {
    const lines = body.toString().trimEnd().split('\n').length / 2
    const answer = answerOf(found('a', 'b'))
    const content = path.includes('_field_caps')
      ? capsOf({ url: { fields: 'text' } } as unknown as Parameters<typeof capsOf>[0]).body
      : path.includes('_msearch')
        ? { took: 1, responses: Array.from({ length: lines }, () => ({ ...answer, status: 200 })) }
        : answer
    const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
    return { headers, body: JSON.stringify(content) }
  })
  onTestFinished(() => server.close())
  return server
}

it('users whom a transport sets are told apart', async () => {
  const server = await startSmallEngine()
  const client = createRunAsClient(server.url)
  const search = (name: string) =>
    users.run({ name }, () => client.search({ index: 'works', query: { match: { text: 'some words' } } }))
  for (const name of ['ada', 'ada', 'grace']) await search(name)
  const caps = server.requests.filter(({ path }) => path.includes('_field_caps'))
  const asked = caps.map(({ headers }) => headers[headers.indexOf('es-security-runas-user') + 1])
  expect(asked).toEqual(['ada', 'grace'])
})

it('decisions of a model are kept in a store, for another client of the same caller', async () => {
  const server = await startSmallEngine()
  let asked = 0
  const chat: ChatModel = {
    name: 'scripted',
    async complete() {
      asked++
      return { text: 'Documents: 1', tokens: { prompt: 1, completion: 1 } }
    },
  }
  const store = memoryStore()
  for (let times = 0; times < 2; times++) {
    const client = createCachedClient(server.url, chat, store)
    const { hits } = await client.search({ index: 'works', query: { match: { text: 'some words' } } })
    expect(hits.hits).toHaveLength(2)
  }
  expect(asked).toBe(1)
})

it('a chat model on a protocol of its own answers, and says why it does not', async () => {
  const asked: unknown[] = []
  const answers = [
    { status: 200, body: { message: { content: 'Yes.' }, prompt_eval_count: 12, eval_count: 3 } },
    { status: 404, body: { error: 'no such model' } },
    { status: 200, body: { message: { content: '' } } },
  ]
  const url = await serve(async (request, response) => {
    const { status, body } = answers[asked.push(await json(request)) - 1]!
    response.writeHead(status).end(JSON.stringify(body))
  })
  const chat = ollamaChat('small', url)
  const messages = [{ role: 'user', content: 'Does it rain?' }] as const
  expect(await chat.complete(messages, { maxTokens: 5 })).toEqual({
    text: 'Yes.',
    tokens: { prompt: 12, completion: 3 },
  })
  expect(asked).toEqual([
    { model: 'small', messages, stream: false, options: { num_ctx: 8192, num_predict: 5 } },
  ])
  await expectError(chat.complete(messages), 'chat-failed', /small.*404/)
  await expectError(chat.complete(messages), 'chat-failed')
  const reason = new Error('enough')
  await expect(chat.complete(messages, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

/** A server on a free port of this machine until the test is over: its address. */
async function serve(listener: Parameters<typeof createServer>[1] & object): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
