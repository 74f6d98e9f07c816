/** What the proxy does not optimize passes through it: every byte of a request, and every byte of its answer. */
import { once } from 'node:events'
import { Agent } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { proxyBefore } from '../support/proxy-before.ts'
import { type RawRequest, sendBytes, sendRaw, valuesOf, withoutNames } from '../support/raw-http.ts'
import {
  type RecordedAnswer,
  type RecordingServer,
  startRecordingServer,
} from '../support/recording-server.ts'
import { deciding, leaving } from '../support/scripted-policy.ts'

const decides = { policy: deciding(['one', 'two']), rerank: false } as const
const query = JSON.stringify({ query: { match: { text: 'a question of somebody' } } })
const json = ['Content-Type', 'application/json'] as const

/** Headers that a connection has of its own: where they stand, and how they are written, is the connection's. */
const framing = ['host', 'content-length', 'connection', 'transfer-encoding', 'keep-alive', 'expect']

describe('a request', () => {
  let upstream: RecordingServer
  let url: string
  beforeAll(async () => {
    upstream = await startRecordingServer({ headers: ['content-type', 'application/json'], body: '{}' })
    const proxy = await createProxy({ ...decides, target: upstream.url })
    url = await proxy.listen(0)
    return async () => {
      await upstream.close()
      await proxy.close()
    }
  })
  afterEach(() => upstream.clear())

  const searching = (more: Partial<RawRequest> = {}): RawRequest => ({
    method: 'POST',
    path: '/works/_search',
    headers: json,
    body: query,
    ...more,
  })
  const typed = (type: string, more: readonly string[] = []): readonly string[] => [
    'Content-Type',
    type,
    ...more,
  ]
  const lines = `{"index":"works"}\n${query}\n`
  const requests: readonly (readonly [string, RawRequest])[] = [
    ['anything else', { path: '/_cat/indices?v&h=index,health&s=index:desc' }],
    ['an index with escapes', { path: '/%3Clogs-%7Bnow%2Fd%7D%3E%2Cother%2c%41/_count?q=a%20b+c%2B' }],
    ['a path with more than it needs', { path: '//works//_doc/../%2e%2e/x;y=1?' }],
    [
      'a document under an id with escapes',
      {
        method: 'PUT',
        path: '/a/_doc/x%20y%2Fz?routing=%C3%A9',
        headers: json,
        body: '{"n":9007199254740993,"m":1.0 }',
      },
    ],
    [
      'a bulk, compressed',
      {
        method: 'POST',
        path: '/_bulk',
        headers: typed('application/x-ndjson', ['Content-Encoding', 'gzip']),
        body: gzipSync(lines),
      },
    ],
    [
      'a DELETE with a body',
      { method: 'DELETE', path: '/_search/scroll', headers: json, body: '{"scroll_id":"x"}' },
    ],
    ['a POST with an empty body', { method: 'POST', path: '/works/_refresh', body: '' }],
    ['a POST without a body', { method: 'POST', path: '/works/_refresh' }],
    ['OPTIONS', { method: 'OPTIONS', path: '/' }],
    ['PATCH', { method: 'PATCH', path: '/x', headers: json, body: '{}' }],
    ['a search without a body', { path: '/works/_search' }],
    ['a search in the URL', { path: '/works/_search?q=title:x&df=text' }],
    ['a search in the URL, beside a body', searching({ path: '/works/_search?q=title:x' })],
    [
      'a search in ?source=',
      { path: `/works/_search?source=${encodeURIComponent(query)}&source_content_type=application/json` },
    ],
    [
      'a search by GET with a body that is not understood',
      searching({ method: 'GET', body: '{"sort":["serial"],"query":{"match":{"text":"x"}}}' }),
    ],
    ['a search that scrolls', searching({ path: '/works/_search?scroll=1m' })],
    ['a search with a parameter that is not known', searching({ path: '/works/_search?some=thing' })],
    [
      'a search in YAML',
      searching({ headers: typed('application/yaml'), body: 'query: {match: {text: x}}' }),
    ],
    [
      'a search in CBOR',
      searching({ headers: typed('application/cbor'), body: Buffer.from('bf657175657279a0ff', 'hex') }),
    ],
    [
      'a search in SMILE',
      searching({ headers: typed('application/smile'), body: Buffer.from('3a290a05fa', 'hex') }),
    ],
    ['a search for YAML', searching({ headers: typed('application/json', ['Accept', 'application/yaml']) })],
    ['a search for CBOR by format', searching({ path: '/works/_search?format=cbor' })],
    ['a search without a type', searching({ headers: [] })],
    [
      'a search that is signed',
      searching({
        headers: typed('application/json', [
          'Authorization',
          'AWS4-HMAC-SHA256 Credential=a/20260101/eu/es/aws4_request, Signature=b',
          'X-Amz-Content-Sha256',
          'c',
        ]),
      }),
    ],
    [
      'a search whose caller says so',
      searching({ headers: typed('application/json', ['X-Querent-Optimize', 'false']) }),
    ],
    ['a search that is no JSON', searching({ body: '{"query":' })],
    [
      'a search with a key twice',
      searching({ body: '{"query":{"match":{"text":"a"}},"query":{"match":{"text":"b"}}}' }),
    ],
    ['a search with a byte order mark', searching({ body: `\uFEFF${query}` })],
    ['a search in UTF-16', searching({ body: Buffer.from(query, 'utf16le') })],
    [
      'a search that is not UTF-8',
      searching({
        body: Buffer.concat([
          Buffer.from('{"query":{"match":{"text":"caf'),
          Buffer.from([0xe9]),
          Buffer.from('"}}}'),
        ]),
      }),
    ],
    [
      'a search that is longer than is read',
      searching({ body: query.replace('somebody', 'x'.repeat(600_000)) }),
    ],
    [
      'a search in an encoding that is not known',
      searching({
        headers: typed('application/json', ['Content-Encoding', 'zstd']),
        body: Buffer.from('28b52ffd', 'hex'),
      }),
    ],
    [
      'a search that is not of its encoding',
      searching({ headers: typed('application/json', ['Content-Encoding', 'gzip']) }),
    ],
    [
      'a search that is bigger than it looks',
      searching({
        headers: typed('application/json', ['Content-Encoding', 'gzip']),
        body: gzipSync(query.replace('somebody', 'x'.repeat(50_000_000))),
      }),
    ],
    ['a search template', searching({ path: '/works/_search/template', body: '{"source":{},"params":{}}' })],
    ['an asynchronous search', searching({ path: '/works/_async_search' })],
    [
      'an msearch template',
      searching({
        path: '/_msearch/template',
        headers: typed('application/x-ndjson'),
        body: '{}\n{"id":"x"}\n',
      }),
    ],
    [
      'an msearch with one line too few',
      searching({ path: '/_msearch', headers: typed('application/x-ndjson'), body: `${lines}{}\n` }),
    ],
    [
      'an msearch that is not understood',
      searching({ path: '/_msearch', headers: typed('application/x-ndjson'), body: '{}\r\n{"size":0}\r\n' }),
    ],
    [
      'an msearch with filter_path',
      searching({ path: '/_msearch?filter_path=took', headers: typed('application/x-ndjson'), body: lines }),
    ],
    [
      'a body in chunks',
      {
        method: 'POST',
        path: '/_bulk',
        headers: typed('application/x-ndjson', ['Transfer-Encoding', 'chunked']),
        body: lines,
      },
    ],
    [
      'headers of all kinds',
      {
        path: '/',
        headers: [
          ...[
            'X-First',
            '1',
            'x-FIRST',
            '2',
            'X-Empty',
            '',
            'X-Latin',
            'caf\u00e9',
            'Accept',
            'a/b;q=0.1, c/d',
          ],
          ...['Authorization', 'ApiKey abc==', 'es-security-runas-user', 'somebody', 'securitytenant', 'a b'],
          ...['Cookie', 'a=b', 'Cookie', 'c=d', 'X-Opaque-Id', 'x'.repeat(3000), 'traceparent', '00-a-b-01'],
          ...['Accept-Encoding', 'gzip, deflate', 'User-Agent', 'curl', 'Elastic-Api-Version', '2023-10-31'],
        ],
      },
    ],
  ]

  it.each(requests)('arrives as it was sent: %s', async (_, request) => {
    const { headers = [], body = '', method = 'GET', path } = request
    await sendRaw(url, request)
    expect(upstream.requests).toHaveLength(1)
    const [seen] = upstream.requests
    expect(`${seen!.method} ${seen!.path}`).toBe(`${method} ${path}`)
    expect(withoutNames(seen!.headers, ...framing)).toEqual(
      withoutNames(headers, ...framing, 'x-querent-optimize'),
    )
    expect(valuesOf(seen!.headers, 'host')).toEqual([new URL(url).host])
    expect(seen!.body.equals(Buffer.from(body))).toBe(true)
  })

  it("that is left alone arrives as it was sent, an optimized one with its caller's headers", async () => {
    const hits = '{"took":1,"hits":{"hits":[]}}'
    const { upstream, url } = await proxyBefore(
      { headers: ['content-type', 'application/json'], body: hits },
      { policy: leaving, rerank: false },
    )
    const body = '{ "query" : {"match":{"text":"a question"}} , "min_score": 1.0 }'
    const headers = [
      'content-type',
      'application/vnd.elasticsearch+json; compatible-with=9',
      'X-Mine',
      'yes',
      'accept-encoding',
      'gzip',
    ]
    const answer = await sendRaw(url, { method: 'GET', path: '/a%2Cb/_search?pretty', headers, body })
    expect(upstream.requests).toHaveLength(1)
    const [seen] = upstream.requests
    expect(`${seen!.method} ${seen!.path}`).toBe('GET /a%2Cb/_search?pretty')
    expect(withoutNames(seen!.headers, ...framing)).toEqual(headers)
    expect(String(seen!.body)).toBe(body)
    expect(String(answer.body)).toBe(hits)
  })

  it("that is optimized keeps the escapes of its path on every leg, and its vendor's types", async () => {
    const hits = '{"took":1,"hits":{"hits":[]}}'
    const { upstream, url } = await proxyBefore(({ path }) => ({
      headers: [...json],
      body: path.includes('_msearch') ? `{"responses":[${hits},${hits}]}` : hits,
    }))
    const headers = [
      'Content-Type',
      'application/vnd.elasticsearch+json; compatible-with=9',
      'Accept',
      'application/vnd.elasticsearch+json; compatible-with=9',
      'X-Mine',
      'yes',
    ]
    await sendRaw(url, {
      method: 'POST',
      path: '/%3Clogs-%7Bnow%2Fd%7D%3E%2cother/_search',
      headers,
      body: query,
    })
    const sent = upstream.requests.filter(({ path }) => !path.includes('_field_caps'))
    expect(sent).not.toHaveLength(upstream.requests.length)
    expect(sent.map(({ path }) => path).sort()).toEqual(
      ['_msearch', '_search'].map((name) => `/%3Clogs-%7Bnow%2Fd%7D%3E%2cother/${name}`),
    )
    for (const { headers } of upstream.requests) expect(valuesOf(headers, 'x-mine')).toEqual(['yes'])
    for (const { headers, path } of sent) {
      const form = path.endsWith('_msearch') ? 'x-ndjson' : 'json'
      expect(valuesOf(headers, 'content-type')).toEqual([
        `application/vnd.elasticsearch+${form}; compatible-with=9`,
      ])
    }
  })

  it('goes without what belongs to its connection', async () => {
    const hop = [
      'Connection',
      'close, X-Hop',
      'X-Hop',
      '1',
      'Keep-Alive',
      'timeout=5',
      'TE',
      'trailers',
      'Proxy-Connection',
      'x',
      'Upgrade',
      'h2c',
    ]
    await sendRaw(url, { path: '/', headers: [...hop, 'X-Kept', '2'] })
    const [seen] = upstream.requests
    expect(withoutNames(seen!.headers, 'host')).toEqual(['connection', 'keep-alive', 'X-Kept', '2'])
  })

  it("waits for the proxy's own go-ahead where it expects one", async () => {
    const bytes = (path: string, more: string) =>
      `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\nExpect: 100-continue\r\nConnection: close\r\n${more}\r\n${query}`
    for (const path of ['/_bulk', '/works/_search?scroll=1m']) {
      const answer = await sendBytes(url, bytes(path, ''))
      expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    }
    for (const { headers, body } of upstream.requests) {
      expect(valuesOf(headers, 'expect')).toEqual([])
      expect(String(body)).toBe(query)
    }
  })

  it('may be of HTTP/1.0', async () => {
    const answer = await sendBytes(url, 'GET /old HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{\}$/s)
    expect(upstream.requests[0]!.path).toBe('/old')
  })

  it('shares connections with those before it', async () => {
    const { upstream, url } = await proxyBefore(
      { headers: [...json], body: '{"took":1,"hits":{"hits":[]}}' },
      { policy: leaving, rerank: false },
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sent: RawRequest[] = [
      { path: '/' },
      { method: 'HEAD', path: '/' },
      { method: 'POST', path: '/_bulk', headers: json, body: '{}\n' },
      { method: 'GET', path: '/works/_search', headers: json, body: query },
      { method: 'GET', path: '/works/_search?scroll=1m', headers: json, body: query },
      { method: 'DELETE', path: '/works' },
    ]
    for (let round = 0; round < 5; round++)
      for (const request of sent) await sendRaw(url, { ...request, agent })
    agent.destroy()
    expect(upstream.requests).toHaveLength(30)
    expect(upstream.connections).toBe(1)
  })
})

describe('an answer', () => {
  const large = Buffer.alloc(3_000_000, 'abcdefghij')
  const answers: readonly [string, RecordedAnswer, method?: string][] = [
    ['of JSON', { headers: ['content-type', 'application/json', 'content-length', '2'], body: '{}' }],
    [
      'with headers of all kinds',
      {
        headers: [
          'X-Elastic-Product',
          'Elasticsearch',
          'WARNING',
          '299 a "b"',
          'Warning',
          '299 c "d"',
          'Set-Cookie',
          'a=b',
          'set-cookie',
          'c=d',
          'X-Latin',
          'caf\u00e9',
          'x-empty',
          '',
          'Date',
          'never',
          'content-length',
          '2',
        ],
        body: 'ok',
      },
    ],
    ['with a message of its own', { status: 200, message: 'Fine by me', headers: ['content-length', '0'] }],
    [
      'in chunks',
      {
        headers: ['content-type', 'text/plain', 'transfer-encoding', 'chunked'],
        body: ['one', 'two', Buffer.from([0, 255, 10])],
      },
    ],
    [
      'that is compressed',
      {
        headers: ['content-encoding', 'gzip', 'content-type', 'application/json'],
        body: gzipSync('{"a":1}'),
      },
    ],
    ['without a body', { status: 204, headers: ['x-a', 'b'] }],
    ['that nothing has changed', { status: 304, headers: ['etag', '"x"'] }],
    [
      'to HEAD, with the length of what is not there',
      { headers: ['content-length', '12345', 'content-type', 'application/json'] },
      'HEAD',
    ],
    [
      'to HEAD, that there is nothing',
      { status: 404, headers: ['content-type', 'application/json', 'content-length', '99'] },
      'HEAD',
    ],
    ['of a few megabytes', { headers: ['content-length', String(large.length)], body: large }],
    ['that is elsewhere', { status: 301, headers: ['location', '/there', 'content-length', '0'] }],
    ['that is too much', { status: 429, headers: ['retry-after', '7', 'content-length', '2'], body: '{}' }],
    [
      'that is an error in HTML',
      { status: 502, message: 'Bad Gateway', headers: ['content-type', 'text/html'], body: '<html>' },
    ],
    [
      'of a status that nobody knows',
      { status: 599, message: 'Odd', headers: ['content-length', '1'], body: 'x' },
    ],
    ['of JSON that is none', { headers: ['content-type', 'application/json'], body: '{"took":' }],
    ['to a search, without hits', { headers: ['content-type', 'application/json'], body: '{"took":1}' }],
  ]

  describe.each([
    ['to anything', { path: '/_cat/health' }],
    [
      'to a search that is not understood',
      { method: 'POST', path: '/works/_search?scroll=1m', headers: json, body: query },
    ],
    ['to a search that is', { method: 'POST', path: '/works/_search', headers: json, body: query }],
    [
      'to an msearch',
      {
        method: 'POST',
        path: '/_msearch',
        headers: ['content-type', 'application/x-ndjson'],
        body: `{}\n${query}\n`,
      },
    ],
  ] as const)('%s', (_, request) => {
    it.each(answers)('comes back as it was given: %s', async (_, answer, method?: string) => {
      const { upstream, url } = await proxyBefore(answer)
      const asked = method === undefined ? request : { method, path: '/works' }
      const [own, given] = [await sendRaw(upstream.url, asked), await sendRaw(url, asked)]
      expect([given.status, given.message]).toEqual([own.status, own.message])
      expect(
        withoutNames(given.headers, 'connection', 'keep-alive', 'transfer-encoding', ...lengthOf(own)),
      ).toEqual(withoutNames(own.headers, 'connection', 'keep-alive', 'transfer-encoding'))
      expect(given.body.equals(own.body)).toBe(true)
    })
  })

  it('keeps its headers beside the one that says why it passed through', async () => {
    const own = [
      'WARNING',
      '299 a "b"',
      'Set-Cookie',
      'a=b',
      'X-Mine',
      '1',
      'Warning',
      '299 c "d"',
      'set-cookie',
      'c=d',
      'Content-Length',
      '2',
    ]
    const { url } = await proxyBefore({ headers: own, body: '{}' })
    const request = { method: 'POST', path: '/works/_search?scroll=1m', body: query }
    const { headers } = await sendRaw(url, { ...request, headers: [...json, 'x-querent-explain', 'true'] })
    expect(valuesOf(headers, 'x-querent')).toEqual(['passed through: it is read in batches (`scroll`)'])
    for (const name of ['warning', 'set-cookie', 'x-mine', 'content-length'])
      expect(valuesOf(headers, name), name).toEqual(valuesOf(own, name))
    const given = withoutNames(headers, 'x-querent', 'connection', 'keep-alive')
    expect(given).toHaveLength(own.length)
  })

  it('has no header that the engine did not send', async () => {
    const { url } = await proxyBefore({ headers: ['content-length', '0'] })
    const { headers } = await sendRaw(url, { path: '/' })
    expect(withoutNames(headers, 'connection', 'keep-alive')).toEqual(['content-length', '0'])
    const refused = await createProxy({ policy: 'none', target: 'http://127.0.0.1:9' })
    const at = await refused.listen(0)
    onTestFinished(() => refused.close())
    expect(valuesOf((await sendRaw(at, { path: '/' })).headers, 'x-elastic-product')).toEqual([])
  })

  it('goes without what belongs to its connection', async () => {
    const headers = [
      'Connection',
      'X-Hop',
      'X-Hop',
      '1',
      'Proxy-Authenticate',
      'x',
      'X-Kept',
      '2',
      'Content-Length',
      '0',
    ]
    const { url } = await proxyBefore({ headers })
    const given = await sendRaw(url, { path: '/' })
    expect(withoutNames(given.headers, 'connection', 'keep-alive')).toEqual([
      'X-Kept',
      '2',
      'Content-Length',
      '0',
    ])
  })

  it.each([
    ['GET', undefined],
    ['POST', '{"index":{}}\n{}\n'],
    ['POST', 'x'.repeat(5_000_000)],
  ])("is a bad gateway in the engine's own shape where the engine is not there: %s", async (method, body) => {
    const gone = await startRecordingServer('cut')
    await gone.close()
    const proxy = await createProxy({ ...decides, retries: 0, target: gone.url })
    const url = await proxy.listen(0)
    onTestFinished(() => proxy.close())
    const asked = { method, ...(body !== undefined && { body }) }
    for (const path of ['/_bulk', '/works/_search']) {
      const { status, body } = await sendRaw(url, { ...asked, path, headers: json })
      expect(status).toBe(502)
      expect(JSON.parse(String(body))).toMatchObject({
        status: 502,
        error: { type: 'querent_bad_gateway', root_cause: [{}] },
      })
    }
  })

  it('may come before the request has been sent', async () => {
    const { url } = await proxyBefore(
      { status: 413, headers: ['content-length', '7'], body: 'too big' },
      decides,
      { early: true },
    )
    const { status, body } = await sendRaw(url, {
      method: 'POST',
      path: '/_bulk',
      headers: json,
      body: Buffer.alloc(20_000_000, 'x'),
    })
    expect([status, String(body)]).toEqual([413, 'too big'])
  })

  it.each([
    [
      'after others that are no answer yet',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 Fine\r\nX-A: b\r\nContent-Length: 4\r\n\r\nbody',
    ],
    ['of HTTP/1.0, which ends with its connection', 'HTTP/1.0 200 Fine\r\nX-A: b\r\n\r\nbody'],
    [
      'of HTTP/1.1, which ends with its connection',
      'HTTP/1.1 200 Fine\r\nX-A: b\r\nConnection: close\r\n\r\nbody',
    ],
    [
      'with trailers, which are its connection’s',
      'HTTP/1.1 200 Fine\r\nX-A: b\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n4\r\nbody\r\n0\r\nX-T: 1\r\n\r\n',
    ],
  ])('is whole: %s', async (_, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(bytes))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = await createProxy({
      ...decides,
      retries: 0,
      target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    })
    const url = await proxy.listen(0)
    onTestFinished(async () => {
      server.close()
      await proxy.close()
    })
    for (const request of [
      { path: '/' },
      { method: 'POST', path: '/works/_search', headers: json, body: query },
    ]) {
      const { status, message, headers, body } = await sendRaw(url, request)
      expect([status, message, String(body)]).toEqual([200, 'Fine', 'body'])
      expect(valuesOf(headers, 'x-a')).toEqual(['b'])
    }
  })

  it('that is cut is cut for the caller, who cannot take it for whole', async () => {
    const { upstream, url } = await proxyBefore({
      headers: ['content-length', '10'],
      body: 'five!',
      cut: true,
    })
    for (const at of [upstream.url, url]) await expect(sendRaw(at, { path: '/' })).rejects.toThrow()
  })
})

/** What ends with its connection has a length, once it was read as a whole. */
const lengthOf = ({ headers }: { readonly headers: readonly string[] }): string[] =>
  valuesOf(headers, 'content-length').length === 0 ? ['content-length'] : []
