/** The proxy signs what it sends (AWS SigV4); that it does so rightly is what another library says. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as sendHttp } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProxy, type ProxyOptions } from '../../../../adapters/apps/proxy/proxy.ts'
import type { SignOptions } from '../../../../adapters/apps/proxy/sign.ts'
import { collectGarbage, collectYoungGarbage } from '../../../support/collect-garbage.ts'
import { expectError } from '../../../support/expect-error.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { proxyBefore, query } from '../../../support/proxy-before.ts'
import { type RawRequest, sendRaw, valuesOf } from '../../../support/raw-http.ts'
import {
  type Answer,
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../../support/recording-server.ts'
import { deciding, patient } from '../../../support/scripted-policy.ts'
import { sha256, signaturesOf } from '../../../support/signature.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const now = () => Date.UTC(2026, 7, 30, 12, 36)
const sign = { region: 'eu-central-1', credentials, now } as const
const decides = { ...patient, policy: deciding(['one', 'two']), rerank: false } as const
const json = ['Content-Type', 'application/json'] as const

const between = (answer: Parameters<typeof proxyBefore>[0], options: Partial<ProxyOptions> = {}) =>
  proxyBefore(answer, { sign, ...options })

/** Each request that came is signed for this service, with these credentials, at the time that the test says. */
function expectSigned(
  { requests, url }: RecordingServer,
  { service = 'es', ...options }: Pick<SignOptions, 'service'> & { credentials?: typeof credentials } = {},
): void {
  for (const request of requests) {
    const { given, expected } = signaturesOf(request, { ...sign, service, ...options })
    expect(given, `${request.method} ${request.path}`).toEqual(expected)
    expect(given[0]).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date')
    expect(valuesOf(request.headers, 'host')).toEqual([new URL(url).host])
    expect(valuesOf(request.headers, 'x-amz-date')).toEqual(['20260830T123600Z'])
    expect(valuesOf(request.headers, 'x-amz-content-sha256')).toEqual([sha256(request.body)])
  }
}

/** An engine that finds something else for each text. */
const engine = ({ path, body }: RecordedRequest): Answer => {
  const lines = String(body).trim().split('\n')
  const answerTo = (text: string) =>
    answerOf(text.includes('"one"') ? found('b') : text.includes('"two"') ? found('c', 'b') : found('a'))
  const answer = path.includes('_msearch')
    ? {
        took: 1,
        responses: lines
          .filter((_, place) => place % 2 === 1)
          .map((line) => ({ ...answerTo(line), status: 200 })),
      }
    : answerTo(String(body))
  return { headers: ['content-type', 'application/json'], body: JSON.stringify(answer) }
}

describe('what passes through', () => {
  let upstream: RecordingServer
  let url: string
  beforeAll(async () => {
    upstream = await startRecordingServer({ headers: [...json], body: '{}' })
    const proxy = await createProxy({ ...decides, sign, target: upstream.url })
    url = await proxy.listen(0)
    return async () => {
      await upstream.close()
      await proxy.close()
    }
  })
  beforeEach(() => upstream.clear())

  const requests: readonly (readonly [string, RawRequest])[] = [
    ['the root', { path: '/' }],
    ['HEAD', { method: 'HEAD', path: '/works' }],
    ['parameters without a value', { path: '/_cat/indices?v&h=index,health&s=index:desc' }],
    ['parameters of odd characters', { path: "/works/_search?q=a%20b+c%2B(d)*'!~e%C3%A9&df=te%2Fxt" }],
    ['a parameter twice, out of order', { path: '/_search?b=2&a=2&b=1&a=1&A=0' }],
    ['parameters behind a semicolon', { path: '/_cat/health?v;format=json' }],
    ['an index with escapes', { path: '/%3Clogs-%7Bnow%2Fd%7D%3E%2Cother%2c%41/_count' }],
    ['names with commas, stars and more', { path: "/a,b*,-c:d/_doc/it's(1)!@$=~" }],
    ['a path with more than it needs', { path: '//works//_doc/../x;y=1?' }],
    [
      'a document under an id with escapes',
      {
        method: 'PUT',
        path: '/a/_doc/x%20y%2Fz?routing=%C3%A9',
        headers: json,
        body: '{"n":9007199254740993}',
      },
    ],
    ['an empty body', { method: 'POST', path: '/works/_refresh', body: '' }],
    ['no body', { method: 'DELETE', path: '/works' }],
    [
      'bytes',
      { method: 'POST', path: '/_bulk', headers: ['Content-Encoding', 'gzip'], body: gzipSync(query) },
    ],
    [
      'chunks',
      {
        method: 'POST',
        path: '/_bulk',
        headers: [...json, 'Transfer-Encoding', 'chunked'],
        body: `${query}\n`,
      },
    ],
    [
      'a body that is longer than is held in memory',
      { method: 'POST', path: '/_bulk', body: Buffer.alloc(3e6, 'ab') },
    ],
    [
      'a search that is not understood',
      { method: 'POST', path: '/_search?scroll=1m', headers: json, body: query },
    ],
    [
      'a search that is longer than is read',
      {
        method: 'POST',
        path: '/_search',
        headers: json,
        body: query.replace('somebody', 'x'.repeat(600_000)),
      },
    ],
    [
      'headers of all kinds',
      {
        path: '/',
        headers: [
          'X-Opaque-Id',
          'a  b',
          'Accept',
          'a/b, c/d',
          'Cookie',
          'a=b',
          'Cookie',
          'c=d',
          'User-Agent',
          'x',
        ],
      },
    ],
  ]

  it.each(requests)('is signed: %s', async (_, request) => {
    const { headers = [], body = '', method = 'GET' } = request
    expect((await sendRaw(url, request)).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)
    expectSigned(upstream)
    const [seen] = upstream.requests
    expect(seen!.method).toBe(method)
    expect(seen!.body.equals(Buffer.from(body))).toBe(true)
    const pairs = headers.flatMap((name, place) => (place % 2 === 0 ? [[name, headers[place + 1]!]] : []))
    for (const [name] of pairs.filter(([name]) => name !== 'Transfer-Encoding'))
      expect(valuesOf(seen!.headers, name!.toLowerCase())).toEqual(valuesOf(headers, name!.toLowerCase()))
  })

  it.each([
    ['/a?v&h=index,health', '/a?v=&h=index%2Chealth'],
    ["/a?q=b+c%2B(d)*'!~", '/a?q=b%20c%2B%28d%29%2A%27%21~'],
    ['/a%2fb?', '/a%2fb'],
    ['/_cat/health?v;format=json', '/_cat/health?v=&format=json'],
    ['/a?b=1&X-Amz-Signature=c&x-amz-date=d', '/a?b=1'],
  ])('has its parameters as they are signed: %s', async (path, sent) => {
    await sendRaw(url, { path })
    expect(upstream.requests.map(({ path }) => path)).toEqual([sent])
  })

  it('has a length where it came in chunks', async () => {
    const headers = ['Transfer-Encoding', 'chunked']
    await sendRaw(url, { method: 'POST', path: '/_bulk', headers, body: 'seven..' })
    const [seen] = upstream.requests
    expect(valuesOf(seen!.headers, 'content-length')).toEqual(['7'])
    expect(valuesOf(seen!.headers, 'transfer-encoding')).toEqual([])
  })

  it('goes without the credentials that it came with', async () => {
    for (const authorization of [
      'Basic eDp5',
      'AWS4-HMAC-SHA256 Credential=a/b/c/es/aws4_request, Signature=d',
    ]) {
      const own = [
        'Authorization',
        authorization,
        'X-Amz-Date',
        '20200101T000000Z',
        'X-Amz-Security-Token',
        'e',
      ]
      await sendRaw(url, {
        path: '/',
        headers: [...own, 'X-Amz-Content-Sha256', 'f', 'X-Amzn-Trace-Id', 'g'],
      })
    }
    expectSigned(upstream)
    for (const { headers } of upstream.requests) {
      expect(valuesOf(headers, 'x-amz-security-token')).toEqual([])
      expect(valuesOf(headers, 'x-amzn-trace-id')).toEqual(['g'])
    }
  })

  it('is asked for with a signature by /_querent/ready', async () => {
    expect((await sendRaw(url, { path: '/_querent/ready' })).status).toBe(200)
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /'])
    expectSigned(upstream)
  })
})

describe('a search', () => {
  it('is optimized, and each of its requests is signed', async () => {
    const { upstream, url } = await between(engine)
    const request = { method: 'POST', path: '/works/_search?routing=a+b', headers: json, body: query }
    const { status, body } = await sendRaw(url, request)
    expect(status).toBe(200)
    const ids = JSON.parse(String(body)).hits.hits.map(({ _id }: { _id: string }) => _id)
    expect(ids).toEqual(['b', 'c', 'a'])
    expect(upstream.requests.map(({ path }) => path).sort()).toEqual([
      expect.stringMatching(/^\/works\/_field_caps\?/),
      '/works/_msearch',
      '/works/_search?routing=a%20b',
    ])
    expectSigned(upstream)
  })

  it('is changed with the method of its caller, and signed with it', async () => {
    const { upstream, url } = await between(engine)
    const body = JSON.stringify({ ...JSON.parse(query), from: 1, size: 1 })
    expect((await sendRaw(url, { path: '/works/_search', headers: json, body })).status).toBe(200)
    expect(upstream.searches.map(({ method }) => method)).toEqual(['GET', 'GET'])
    expect(upstream.searches.some((request) => String(request.body).includes('"from":0'))).toBe(true)
    expectSigned(upstream)
  })

  it('is optimized where its caller signed it', async () => {
    const { upstream, url } = await between(engine)
    const own = ['Authorization', 'AWS4-HMAC-SHA256 Credential=a/b/c/es/aws4_request, Signature=d']
    const headers = [...json, ...own, 'X-Amz-Date', '20200101T000000Z', 'x-querent-explain', 'header']
    const answer = await sendRaw(url, { method: 'POST', path: '/works/_search', headers, body: query })
    expect(valuesOf(answer.headers, 'x-querent')).toEqual([expect.stringMatching(/^(un)?changed/)])
    expect(upstream.requests).toHaveLength(3)
    expectSigned(upstream)
  })

  it('is optimized among others, each of their requests signed', async () => {
    const { upstream, url } = await between(engine)
    const body = `{"index":"works"}\n${query}\n{"index":"works"}\n{"size":0}\n`
    const headers = ['Content-Type', 'application/x-ndjson']
    const answer = await sendRaw(url, { method: 'POST', path: '/_msearch', headers, body })
    const { responses } = JSON.parse(String(answer.body))
    expect(responses[0].hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['b', 'c', 'a'])
    expect(upstream.requests.length).toBeGreaterThan(1)
    expectSigned(upstream)
  })
})

describe('credentials', () => {
  it('may be temporary, and are asked for with each request', async () => {
    let asked = 0
    const temporary = async () => ({
      ...credentials,
      accessKeyId: `AKID${++asked}`,
      sessionToken: `token ${asked}`,
    })
    const { upstream, url } = await between({ body: '{}' }, { sign: { ...sign, credentials: temporary } })
    for (const path of ['/', '/x']) await sendRaw(url, { path })
    for (const [place, request] of upstream.requests.entries()) {
      const signer = {
        ...sign,
        service: 'es',
        credentials: { ...credentials, accessKeyId: `AKID${place + 1}` },
      }
      const { given, expected } = signaturesOf(request, signer)
      expect(given).toEqual(expected)
      expect(given[0]).toContain('x-amz-security-token')
      expect(valuesOf(request.headers, 'x-amz-security-token')).toEqual([`token ${place + 1}`])
    }
  })

  it('that cannot be had are said to be so, and nothing is sent', async () => {
    let fails = true
    const asked = async () => {
      if (fails) throw new Error('the role is gone')
      return credentials
    }
    const { upstream, url } = await between(engine, { sign: { ...sign, credentials: asked } })
    const requests = [{ path: '/' }, { method: 'POST', path: '/works/_search', headers: json, body: query }]
    for (const request of requests) {
      const { status, body } = await sendRaw(url, request)
      expect(status).toBe(502)
      expect(JSON.parse(String(body))).toMatchObject({
        error: { type: 'querent_not_signed', reason: 'It cannot be signed: the role is gone' },
      })
    }
    expect(upstream.requests).toEqual([])
    fails = false
    expect((await sendRaw(url, { path: '/' })).status).toBe(200)
  })

  it('are those of a service and a region', async () => {
    const { upstream, url } = await between({ body: '{}' }, { sign: { ...sign, service: 'aoss' } })
    await sendRaw(url, { method: 'POST', path: '/works/_search', headers: json, body: query })
    expectSigned(upstream, { service: 'aoss' })
    for (const { headers } of upstream.requests) {
      const [signature] = valuesOf(headers, 'authorization')
      expect(signature).toContain('Credential=AKIDEXAMPLE/20260830/eu-central-1/aoss/aws4_request')
      // Serverless refuses a signature over the length.
      expect(signature).not.toContain('content-length')
    }
  })

  it.each([
    [{ region: '', credentials }, 'region'],
    [{ ...sign, service: 's3' }, 'service'],
    [{ ...sign, credentials: { accessKeyId: 'a' } }, 'credentials'],
    ['eu', 'sign'],
  ])('that are wrong are said to be so when the proxy is made: %j', async (sign, place) => {
    const made = createProxy({ policy: 'none', target: 'http://127.0.0.1:9', sign: sign as never })
    await expectError(made, 'bad-config', place)
  })
})

describe('a long body', () => {
  const chunk = Buffer.alloc(1_000_000, 'abcdefghij')
  /** As many megabytes, made as they are read. */
  const megabytes = (count: number, onChunk: (sent: number) => void = () => {}): Readable =>
    Readable.from(
      (function* () {
        for (let sent = 0; sent < count; sent++) {
          onChunk(sent)
          yield chunk
        }
      })(),
      { objectMode: false },
    )
  function sendStream(url: string, body: Readable, headers: Readonly<Record<string, string>> = {}) {
    const sent = sendHttp(`${url}/_bulk`, { method: 'POST', headers })
    sent.on('error', () => {})
    body.on('error', () => {}).pipe(sent)
    return sent
  }

  it('of 50 MB is hashed and sent, and memory does not hold it', async () => {
    const { upstream, url } = await proxyBefore({ body: '{}' }, { sign }, { discards: true })
    const folder = await temporaryFolder()
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const allowed = 20_000_000
    const held = () => process.memoryUsage().arrayBuffers
    collectGarbage()
    const start = held()
    let most = 0
    const look = () => {
      // When rubbish is collected is up to whichever Node runs this.
      if (held() - start >= allowed) collectYoungGarbage()
      if (held() - start >= allowed) collectGarbage()
      most = Math.max(most, held() - start)
    }
    // While the body comes below; here, while it is sent on.
    const looking = setInterval(look, 50)
    onTestFinished(() => clearInterval(looking))
    const [answer] = await once(
      sendStream(
        url,
        megabytes(50, (sent) => sent % 10 === 9 && look()),
      ),
      'response',
    )
    expect(answer.statusCode).toBe(200)
    expect(upstream.received).toBe(50_000_000)
    expect(most).toBeLessThan(allowed)
    const whole = Buffer.concat(Array.from({ length: 50 }, () => chunk))
    const [request] = upstream.requests
    const { given, expected } = signaturesOf({ ...request!, body: whole }, { ...sign, service: 'es' })
    expect(given).toEqual(expected)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['said', { 'content-length': String(200e6) }],
    ['found out', {}],
  ])('of more than 100 MiB is refused: %s', async (_, headers) => {
    const { upstream, url } = await between({ body: '{}' })
    const [answer] = await once(sendStream(url, megabytes(105), headers), 'response')
    expect(answer.statusCode).toBe(413)
    let text = ''
    for await (const part of answer) text += part
    expect(JSON.parse(text)).toMatchObject({
      status: 413,
      error: { type: 'querent_not_signed', reason: expect.stringContaining('104857600') },
    })
    expect(upstream.requests).toEqual([])
  })

  it('that cannot be kept is said to be so', async () => {
    vi.stubEnv('TMPDIR', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { upstream, url } = await between({ body: '{}' })
    const { status, body } = await sendRaw(url, { method: 'POST', path: '/_bulk', body: Buffer.alloc(1e6) })
    expect(status).toBe(502)
    expect(JSON.parse(String(body)).error).toMatchObject({
      type: 'querent_not_signed',
      reason: expect.stringContaining('It cannot be signed: ENOENT'),
    })
    expect(upstream.requests).toEqual([])
  })

  it('that is cut is not sent', async () => {
    const { upstream, url } = await between({ body: '{}' })
    const body = megabytes(50)
    const sent = sendStream(url, body, { 'content-length': String(100e6) })
    await once(body, 'end')
    const closed = new Promise((resolve) => sent.on('close', resolve))
    sent.destroy()
    await closed
    await sendRaw(url, { path: '/' })
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/'])
  })
})
