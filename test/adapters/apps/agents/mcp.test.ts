/** The tools, called by the official client over MCP's own pair of transports and over HTTP, both without a network. */
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type McpServerOptions, mcpHandler, mcpServer } from '../../../../adapters/apps/agents/mcp.ts'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { acqo } from '../../../../policies/acqo/acqo.ts'
import { QuerentError } from '../../../../src/errors.ts'
import { createOptimizer, type OptimizerOptions } from '../../../../src/optimizer.ts'
import type { Policy } from '../../../../src/policy.ts'
import { expectError } from '../../../support/expect-error.ts'
import { heldRetriever } from '../../../support/held.ts'
import { scriptedChat, scriptedRetriever } from '../../../support/scripted.ts'

const documents = [
  { docid: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { docid: 'herbert', title: 'Frank Herbert', text: 'An American writer, born in Tacoma.' },
  { docid: 'emma', text: 'A novel of a matchmaker, written by Jane Austen.' },
]
const bm25 = await buildWinkBm25(documents)

/** Answers with what it found. */
const answering: Policy = {
  name: 'answering',
  async run(_, tools) {
    const hits = tools.fuse(await tools.original())
    return { hits, citations: hits.slice(0, 1).map(({ docid }) => docid), answer: 'Tacoma [1].' }
  },
}

async function connected(
  options: Partial<McpServerOptions> = {},
  made: Partial<OptimizerOptions> = {},
): Promise<Client> {
  const optimizer = createOptimizer({ retrievers: [bm25], ...made })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const makeServer = await mcpServer({ optimizer, ...options })
  await makeServer().connect(far)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(near)
  onTestFinished(() => client.close())
  return client
}

const call = (client: Client, name: string, input: Record<string, unknown>) =>
  client.callTool({ name, arguments: input })
const textOf = ({ content }: Awaited<ReturnType<typeof call>>) => {
  const [block] = content
  return block?.type === 'text' ? block.text : ''
}
const docidsOf = ({ structuredContent }: Awaited<ReturnType<typeof call>>) =>
  (structuredContent as { readonly hits: readonly { readonly docid: string }[] }).hits.map(
    ({ docid }) => docid,
  )

describe('the tools', () => {
  it('are search and explain, with schemas; answer only where there are answers', async () => {
    const { tools } = await (await connected({ about: 'novels' })).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'explain'])
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', required: ['query'], additionalProperties: false })
      expect(Object.keys(inputSchema.properties!)).toEqual([
        ...['query', 'conversation', 'intent'],
        ...['k', 'exclude'],
      ])
      expect(outputSchema).toMatchObject({ type: 'object', required: expect.arrayContaining(['hits']) })
      expect(annotations).toMatchObject({ readOnlyHint: true })
    }
    expect(tools[0]?.description).toContain('What is searched: novels.')
    const more = await (await connected({ answers: true, filter: true })).listTools()
    expect(more.tools.map(({ name }) => name)).toEqual(['search', 'answer', 'explain'])
    for (const { inputSchema } of more.tools) expect(inputSchema.properties).toHaveProperty('filter')
  })

  it('search finds documents, as structured content and as text', async () => {
    const client = await connected({ maxText: 20 })
    const found = await call(client, 'search', { query: 'who wrote the novel of a desert planet', k: 2 })
    expect(found.structuredContent).toMatchObject({
      hits: [
        { rank: 1, docid: 'dune', title: 'Dune', text: 'A novel of a desert ' },
        { rank: 2, docid: 'emma', text: 'A novel of a matchma' },
      ],
      decision: { kind: 'as-is', subQueries: ['who wrote the novel of a desert planet'] },
      partial: false,
    })
    expect(textOf(found)).toBe(
      '1. Dune (docid: dune)\nA novel of a desert \n\n2. emma (docid: emma)\nA novel of a matchma',
    )
    expect(textOf(await call(client, 'search', { query: 'zebra' }))).toBe('Nothing was found.')
    const bare = await call(await connected({ maxText: 0 }), 'search', { query: 'planet' })
    expect(textOf(bare)).toBe('1. Dune (docid: dune)')
  })

  it('search says why nothing was found, what its hits have instead, and what to try', async () => {
    const client = await connected({ maxText: 0 }, { relax: true })
    const found = await call(client, 'search', { query: 'plannet Herbret' })
    expect(found.structuredContent).toMatchObject({
      hits: [{ docid: 'dune' }, { docid: 'herbert' }],
      nothingFound: { missing: ['plannet', 'Herbret'], query: 'planet herbert' },
    })
    expect(textOf(found).split('\n').slice(0, 4)).toEqual([
      'Nothing was found, since no document that it may find has some of its words (plannet, Herbret); shown is what has all of its words, also where they are spelled nearly alike.',
      ...['Try: planet herbert', '', '1. Dune (docid: dune)'],
    ])
    expect(textOf(await call(client, 'search', { query: 'zebra' }))).toBe(
      'Nothing was found, since no document that it may find has some of its words (zebra).\nTry other words, or another filter if there is one.',
    )
  })

  it('search leaves out what the agent has read', async () => {
    const found = await call(await connected(), 'search', { query: 'novel', k: 1, exclude: ['dune'] })
    expect(docidsOf(found)).toEqual(['emma'])
  })

  it.each(['search', 'explain', 'answer'])('%s takes null for every argument but the query', async (name) => {
    const client = await connected({ answers: true, filter: true })
    const { tools } = await client.listTools()
    const optional = Object.keys(tools.find((tool) => tool.name === name)!.inputSchema.properties!).slice(1)
    const unwanted = Object.fromEntries(optional.map((argument) => [argument, null]))
    const [plain, strict] = [
      await call(client, name, { query: 'novel' }),
      await call(client, name, { query: 'novel', ...unwanted }),
    ]
    const [found, same] = [plain, strict].map((result) => textOf(result).replaceAll(/\d+ ms/g, ''))
    expect(same).toBe(found)
    expect(textOf(await call(client, name, { query: null }))).toContain('query: must be text')
  })

  it('numbers may come as text, and docids as numbers; what is not clearly meant so is refused', async () => {
    const numbered = ['1', '2', '2024'].map((docid) => ({ docid, text: `a novel of 2024, ${docid}` }))
    const client = await connected({}, { retrievers: [await buildWinkBm25(numbered)] })
    const found = await call(client, 'search', { query: 'novel', k: ' 1 ', exclude: [2024, '2'] })
    expect(docidsOf(found)).toEqual(['1'])
    for (const k of ['three', '1e2', '-1', '0', '51', 1.5, true, ''])
      expect(textOf(await call(client, 'search', { query: 'novel', k })), String(k)).toContain('k: must be')
    for (const exclude of [[1.5], [true], 'dune', [null]])
      expect(textOf(await call(client, 'search', { query: 'novel', exclude }))).toContain('must be')
    const { tools } = await client.listTools()
    expect(tools[0]?.inputSchema.properties).toMatchObject({
      k: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      exclude: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    })
  })

  it('search shows the conversation and the intent to a policy that asks', async () => {
    const chat = scriptedChat([JSON.stringify({ query: 'Frank Herbert' })])
    const client = await connected({}, { policy: acqo(), chat })
    const conversation = [
      { role: 'user', text: 'Who wrote Dune?' },
      { role: 'assistant', text: 'Frank Herbert.' },
    ]
    const found = await call(client, 'search', {
      query: 'Where was he born?',
      conversation,
      intent: 'a quiz',
    })
    expect(docidsOf(found)[0]).toBe('herbert')
    expect(JSON.stringify(chat.calls)).toMatch(/A1: Frank Herbert\..*a quiz.*Where was he born/)
  })

  it('answer gives the answer and what it was read from', async () => {
    const client = await connected({ answers: true }, { policy: answering })
    const answered = await call(client, 'answer', { query: 'Where was the American writer born?' })
    expect(answered.structuredContent).toMatchObject({
      answer: 'Tacoma [1].',
      citations: [{ docid: 'herbert', title: 'Frank Herbert' }],
    })
    expect(textOf(answered)).toBe('Tacoma [1].\n\n[1] Frank Herbert (docid: herbert)')
    // The search tool saves the cost of an answer.
    expect(JSON.stringify(await call(client, 'search', { query: 'writer' }))).not.toContain('Tacoma [1]')
  })

  it('answer is an error where no answer could be written', async () => {
    const client = await connected({ answers: true })
    const answered = await call(client, 'answer', { query: 'novel' })
    expect(answered.isError).toBe(true)
    expect(textOf(answered)).toContain('No answer could be written')
  })

  it('answer says that the documents do not tell it', async () => {
    const none: Policy = {
      ...answering,
      run: async (_query, tools) => ({ hits: tools.fuse(await tools.original()), unanswered: true }),
    }
    const client = await connected({ answers: true }, { policy: none })
    const answered = await call(client, 'answer', { query: 'novel' })
    expect([answered.isError, answered.structuredContent]).toMatchObject([
      undefined,
      { unanswered: true, citations: [] },
    ])
    expect(textOf(answered)).toContain('No answer in the documents.')
  })

  it('explain tells the decision, the requests and the lists of each hit', async () => {
    const client = await connected()
    const explained = await call(client, 'explain', { query: 'desert planet', k: 1 })
    expect(explained.structuredContent).toMatchObject({
      hits: [{ docid: 'dune', foundBy: [{ retriever: 'bm25', query: 'desert planet', rank: 1, share: 1 }] }],
      requests: [{ retriever: 'bm25', query: 'desert planet', round: 0, status: 'ok', hits: 1 }],
      reranked: 0,
    })
    expect(textOf(explained)).toContain('1. Dune (docid: dune); rank 1 in bm25 for "desert planet" (100 %)')
  })
})

describe('errors', () => {
  it.each([
    ['query', {}],
    ['query', { query: '  ' }],
    ['k', { query: 'a', k: 0 }],
    ['k', { query: 'a', k: 51 }],
    ['exclude.1', { query: 'a', exclude: ['b', true] }],
    ['conversation.0.role', { query: 'a', conversation: [{ role: 'system', text: 'b' }] }],
    ['filter', { query: 'a', filter: { term: { tenant: 7 } } }],
  ])('name the field %s', async (field, input) => {
    const refused = await call(await connected(), 'search', input)
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain(field)
  })

  it('of backends become a tool error without their words, which the operator gets', async () => {
    const errors: string[] = []
    const broken = scriptedRetriever({ fails: new Error('password=secret was refused') })
    const client = await connected(
      { onError: ({ message }) => errors.push(message) },
      { retrievers: [broken] },
    )
    const refused = await call(client, 'search', { query: 'a' })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toMatch(/^A search backend failed/)
    expect(JSON.stringify(refused)).not.toContain('secret')
    expect(errors).toEqual(['password=secret was refused'])
  })

  it('of Querent become sentences', async () => {
    const broken = scriptedRetriever({ fails: new QuerentError('bad-list', 'no list') })
    const refused = await call(await connected({}, { retrievers: [broken] }), 'search', { query: 'a' })
    expect(textOf(refused)).toMatch(/^[A-Z][^.]+\. [A-Z][^.]+\.$/)
  })

  it('in the options are named', async () => {
    const optimizer = createOptimizer({ retrievers: [bm25] })
    await expectError(mcpServer({ optimizer, maxHits: 0 }), 'bad-config', /mcpServer: maxHits/)
    await expectError(mcpHandler({ optimizer, path: 'mcp' }), 'bad-config', /mcpHandler: path/)
    await expectError(mcpHandler({ optimizer, maxText: -1 }), 'bad-config', /maxText/)
  })
})

it('a filter goes to the retrievers where the operator allows it', async () => {
  const retriever = scriptedRetriever({ found: { a: ['x'] } })
  const client = await connected({ filter: true }, { retrievers: [retriever] })
  expect(docidsOf(await call(client, 'search', { query: 'a', filter: { term: { tenant: 7 } } }))).toEqual([
    'x',
  ])
  expect(retriever.calls[0]?.options.filter).toEqual({ term: { tenant: 7 } })
})

it('a call that the client cancels aborts the legs', async () => {
  const hanging = heldRetriever()
  const patient = { legTimeout: 600_000, budget: { timeout: 600_000 } }
  const client = await connected({}, { retrievers: [hanging], ...patient })
  const user = new AbortController()
  const calling = client.callTool({ name: 'search', arguments: { query: 'a' } }, { signal: user.signal })
  const aborted = once(await hanging.asked, 'abort')
  user.abort(new Error('enough'))
  await expect(calling).rejects.toThrow('enough')
  await aborted
})

describe('over HTTP', async () => {
  const optimizer = createOptimizer({ retrievers: [bm25] })
  const handle = await mcpHandler({ optimizer })
  const at = 'http://127.0.0.1:8179/mcp'
  const post = (url: string, headers: Readonly<Record<string, string>>) =>
    handle(
      new Request(url, {
        method: 'POST',
        headers: { host: new URL(url).host, 'content-type': 'application/json', ...headers },
        body: '{}',
      }),
    )

  it.each([{ mode: 'legacy' } as const, { mode: 'auto' } as const])(
    'a client of the protocol "$mode" searches',
    async (versionNegotiation) => {
      const transport = new StreamableHTTPClientTransport(new URL(at), {
        fetch: (url, init) => {
          const headers = new Headers(init?.headers)
          headers.set('host', new URL(url).host)
          return handle(new Request(url, { ...init, headers }))
        },
      })
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
      await client.connect(transport)
      expect(docidsOf(await call(client, 'search', { query: 'desert planet' }))).toEqual(['dune'])
      const strict = { query: 'desert planet', conversation: null, intent: null, k: null, exclude: null }
      expect(docidsOf(await call(client, 'search', strict))).toEqual(['dune'])
      await client.close()
    },
  )

  it('other hosts, pages of other sites and other paths are refused', async () => {
    expect((await post('http://rebound.example/mcp', {})).status).toBe(403)
    expect((await post(at, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('http://127.0.0.1:8179/other', {})).status).toBe(404)
    const open = await mcpHandler({
      optimizer,
      hosts: ['search.example'],
      origins: ['https://app.example'],
      path: '/tools',
    })
    const headers = { host: 'search.example', origin: 'https://app.example' }
    const answer = await open(
      new Request('http://search.example/tools', { method: 'POST', headers, body: '{}' }),
    )
    expect([403, 404]).not.toContain(answer.status)
    await expectError(mcpHandler({ optimizer, origins: ['app.example'] }), 'bad-config', /origins/)
  })
})
