/** Both official clients, each of its versions, over real sockets: what they do with headers, deadlines and failures. */
import { Client as Elasticsearch9, errors as elasticsearchErrors } from '@elastic/elasticsearch'
import { Client as OpenSearch, errors as opensearchErrors } from '@opensearch-project/opensearch'
import { Client as Elasticsearch8 } from 'elasticsearch-8'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Connection } from '../../../../adapters/search/cluster/connection.ts'
import { elasticsearch } from '../../../../adapters/search/elasticsearch.ts'
import { opensearch } from '../../../../adapters/search/opensearch.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openDeadline } from '../../../../src/runtime/deadline.ts'
import type { SubQuery } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { type Answer, type RecordedRequest, startRecordingServer } from '../../../support/recording-server.ts'

const product = ['x-elastic-product', 'Elasticsearch']

const json = (status: number, body: object): Answer => ({
  status,
  headers: ['content-type', 'application/json', ...product],
  body: JSON.stringify(body),
})

/** One search that found one document. */
const found = json(200, { responses: [{ hits: { hits: [{ _index: 'mine', _id: 'd1', _score: 1 }] } }] })

async function startServer(answer: Parameters<typeof startRecordingServer>[0]) {
  const server = await startRecordingServer(answer)
  onTestFinished(() => server.close())
  return server
}

/** The value of a header, its name in whatever case. */
function header({ headers }: RecordedRequest, name: string): string | undefined {
  const place = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name)
  return place === -1 ? undefined : headers[place + 1]
}

const subQueries: readonly SubQuery[] = [{ text: 'fox', round: 1 }]

const clients = [
  {
    client: 'Elasticsearch 9',
    create: elasticsearch,
    open: (node: string) => new Elasticsearch9({ node, auth: { apiKey: 'own' } }),
    type: 'application/vnd.elasticsearch+x-ndjson; compatible-with=9',
    errors: elasticsearchErrors,
  },
  {
    client: 'Elasticsearch 8',
    create: elasticsearch,
    open: (node: string) => new Elasticsearch8({ node, auth: { apiKey: 'own' } }),
    type: 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
    errors: undefined,
  },
  {
    client: 'OpenSearch 3',
    create: opensearch,
    open: (node: string) => new OpenSearch({ node, headers: { authorization: 'ApiKey own' } }),
    type: 'application/x-ndjson',
    errors: opensearchErrors,
  },
]

/** A retriever of this client, before a server with this answer. */
async function retrieverBefore(
  { open, create }: (typeof clients)[number],
  answer: Parameters<typeof startRecordingServer>[0],
) {
  const server = await startServer(answer)
  const client = open(server.url)
  onTestFinished(() => client.close())
  return { retriever: await create({ client, index: 'mine', name: 'cluster' }), client, server }
}

// Together, since their timers tick once a second.
it("all clients end after their time with their own errors, and leave the caller's signal alone", () =>
  Promise.all(
    clients.map(async (one) => {
      const { retriever: searched } = await retrieverBefore(one, 'hang')
      const deadline = openDeadline(systemClock, { ms: 60_000, what: 'The test' })
      let events = 0
      deadline.signal.addEventListener('abort', () => events++)
      const legs = searched.retrieve(subQueries, { k: 3, signal: deadline.signal, timeout: 50 })
      await expect(legs).rejects.toMatchObject({ name: 'TimeoutError' })
      expect([events, deadline.signal.aborted]).toEqual([0, false])
      deadline.cancel()
    }),
  ))

describe.each(clients)('the client of $client', (one) => {
  const { create, type, errors } = one
  const retriever = (answer: Parameters<typeof startRecordingServer>[0]) => retrieverBefore(one, answer)

  it('sends the searches as lines, in the type that it is made for', async () => {
    const { retriever: searched, server } = await retriever(found)
    const legs = await searched.retrieve(subQueries, { k: 3 })
    expect(legs[0]?.hits).toEqual([{ docid: 'd1', score: 1, rank: 1 }])
    const [request] = server.requests
    expect(request!.path).toBe('/mine/_msearch')
    expect(header(request!, 'content-type')).toBe(type)
    const lines = request!.body.toString().split('\n')
    expect(lines.map((line) => line === '' || Object.keys(JSON.parse(line)))).toEqual([
      [],
      ['query', 'size', '_source', 'track_total_hits'],
      true,
    ])
  })

  it("sends the caller's headers in place of its own, and to nobody else", async () => {
    const { retriever: searched, server } = await retriever(found)
    const eve = searched.for({ headers: { Authorization: 'Basic eve', 'X-Tenant': 'eve' } })
    await Promise.all([eve.retrieve(subQueries, { k: 3 }), searched.retrieve(subQueries, { k: 3 })])
    const sent = server.requests.map((one) => [header(one, 'authorization'), header(one, 'x-tenant')])
    expect(sent).toHaveLength(2)
    expect(sent).toContainEqual(['Basic eve', 'eve'])
    expect(sent).toContainEqual(['ApiKey own', undefined])
  })

  it('stops at once when it is aborted, for its reason, and searches again afterwards', async () => {
    let isFirst = true
    const { retriever: searched, server } = await retriever(() => {
      const answer = isFirst ? 'hang' : found
      isFirst = false
      return answer
    })
    const controller = new AbortController()
    const reason = new Error('enough')
    const legs = searched.retrieve(subQueries, { k: 3, signal: controller.signal })
    await server.arrived(1)
    controller.abort(reason)
    await expect(legs).rejects.toBe(reason)
    // The engine sees that nobody waits any more, and cancels its task.
    await server.left(1)
    expect(await searched.retrieve(subQueries, { k: 3 })).toMatchObject([{ hits: [{ docid: 'd1' }] }])
    expect(server.requests).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 413, 429, 500, 503])(
    'passes on the error of status %i as it is, asked once',
    async (status) => {
      const body = { error: { type: 'some_exception', reason: 'why', root_cause: [] }, status }
      const { retriever: searched, server } = await retriever(json(status, body))
      const failure = await searched.retrieve(subQueries, { k: 3 }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'ResponseError', statusCode: status, body })
      if (errors !== undefined) expect(failure).toBeInstanceOf(errors.ResponseError)
      expect(server.requests).toHaveLength(1)
    },
  )

  it('rejects where what answers is no engine', async () => {
    const answer = { headers: ['content-type', 'text/html', ...product], body: '<html>' }
    const { retriever: searched } = await retriever(answer)
    await expectError(searched.retrieve(subQueries, { k: 3 }), 'retriever-failed')
  })

  it('is left open by a retriever that did not open it', async () => {
    const { retriever: searched, client } = await retriever(found)
    await searched.close()
    const again = await create({ client, index: 'mine' })
    expect((await again.retrieve(subQueries, { k: 3 }))[0]?.hits).toHaveLength(1)
  })
})

describe.each([
  { engine: 'Elasticsearch', create: elasticsearch, errors: elasticsearchErrors },
  { engine: 'OpenSearch', create: opensearch, errors: opensearchErrors },
])('a URL of $engine', ({ create, errors }) => {
  async function opened(answer: Answer, options: Connection = {}) {
    const server = await startServer(answer)
    const retriever = await create({ url: server.url, index: 'mine', ...options })
    onTestFinished(() => retriever.close())
    return { retriever, server }
  }

  it('is searched with a key, a password, or what stands in it', async () => {
    const { retriever, server } = await opened(found, { auth: { apiKey: 'secret' } })
    await retriever.retrieve(subQueries, { k: 3 })
    expect(header(server.requests[0]!, 'authorization')).toBe('ApiKey secret')

    const basic = `Basic ${Buffer.from('eve:pass').toString('base64')}`
    const other = await opened(found, { auth: { username: 'eve', password: 'pass' } })
    await other.retriever.retrieve(subQueries, { k: 3 })
    expect(header(other.server.requests[0]!, 'authorization')).toBe(basic)

    const inside = await create({ url: other.server.url.replace('//', '//eve:pass@'), index: 'mine' })
    await inside.retrieve(subQueries, { k: 3 })
    expect(header(other.server.requests[1]!, 'authorization')).toBe(basic)
    await inside.close()
  })

  it("gives a failed search the client's own kind of error", async () => {
    const part = { error: { type: 'some_exception', reason: 'why', root_cause: [] }, status: 400 }
    const { retriever } = await opened(json(200, { responses: [part] }))
    const [leg] = await retriever.retrieve(subQueries, { k: 3 })
    expect(leg?.error).toBeInstanceOf(errors.ResponseError)
    expect(leg?.error).toMatchObject({ statusCode: 400, body: part })
  })

  it('can be closed twice', async () => {
    const { retriever } = await opened(found)
    await retriever.close()
    await retriever.close()
  })

  it.each<[string, object]>([
    ['client', {}],
    ['client', { url: 'http://127.0.0.1:1', client: { transport: {}, helpers: {}, close() {} } }],
    ['url', { url: 'localhost:9200' }],
    ['url', { url: [] }],
    ['client', { client: { close() {} } }],
    ['auth', { url: 'http://127.0.0.1:1', auth: { apiKey: '' } }],
    ['auth', { client: { transport: {}, helpers: {}, close() {} }, auth: { apiKey: 'x' } }],
    ['fields', { url: 'http://127.0.0.1:1', fields: [] }],
    ['field', { url: 'http://127.0.0.1:1', field: 'x' }],
  ])('names what is wrong: %s', async (word, options) => {
    const made = create({ index: 'mine', ...options })
    await expectError(made, 'bad-config', word)
  })
})
