/** The proxy as a server: its memory, its connections, its certificates, and how it ends. */
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { openSocket } from '../support/open-socket.ts'
import { proxyBefore } from '../support/proxy-before.ts'
import { startProxyProcess } from '../support/proxy-process.ts'
import { sendBytes, sendRaw, valuesOf } from '../support/raw-http.ts'
import { type Answer, type RecordedRequest, startRecordingServer } from '../support/recording-server.ts'
import { deciding } from '../support/scripted-policy.ts'
import { createWorld, send } from '../support/search-world.ts'
import { selfSigned } from '../support/self-signed.ts'

const decides = { policy: deciding(['one', 'two']), rerank: false, retries: 0 } as const
const json = ['content-type', 'application/json'] as const
const query = JSON.stringify({ query: { match: { text: 'a question of somebody' } } })
const searched = { method: 'POST', path: '/works/_search', headers: json, body: query } as const
const hits = '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},"hits":{"hits":[]}}'

/** A request that is under way; its connection is in the caller's hands. */
function begin(
  url: string,
  { method, path, headers }: { method: string; path: string; headers: readonly string[] },
): ClientRequest {
  const sent = sendHttp(`${url}${path}`, {
    method,
    headers: { [headers[0]!]: headers[1] },
    agent: new Agent(),
  })
  sent.on('error', () => {})
  return sent
}

const megabyte = 1024 * 1024
const chunk = Buffer.alloc(megabyte / 4, '{"index":{}}\n{"text":"some words of a document"}\n')
/** So many megabytes, none of them before it is asked for. */
function* megabytes(count: number): Generator<Buffer> {
  for (let sent = 0; sent < count * 4; sent++) yield chunk
}

describe('memory', () => {
  const large = 100
  /** Until a process holds as much as it does when it streams, since it collects its rubbish when there is some. */
  const warmUp = 40
  /** What streams in constant memory may take: buffers of sockets, and rubbish. */
  const allowed = 60 * megabyte

  it.each([
    ['a bulk', '/_bulk', 'none'],
    ['a bulk, where searches are optimized', '/_bulk', 'decides'],
    ['a search that is too long to be read', '/works/_search', 'decides'],
  ] as const)('stays as it is under a request of 100 MB: %s', async (_, path, policy) => {
    const upstream = await startRecordingServer(
      { headers: [...json], body: '{"errors":false}' },
      { discards: true },
    )
    const proxy = await startProxyProcess(upstream.url, policy)
    onTestFinished(async () => {
      await proxy.close()
      await upstream.close()
    })
    const upload = async (count: number): Promise<IncomingMessage> => {
      const sent = sendHttp(`${proxy.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      })
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      pipeline(Readable.from(megabytes(count)), sent, () => {})
      const [response] = await answered
      await buffer(response)
      return response
    }
    await upload(warmUp)
    await proxy.peak()
    const before = await proxy.peak()
    expect((await upload(large)).statusCode).toBe(200)
    const grown = (await proxy.peak()) - before
    expect(grown).toBeLessThan(allowed)
    expect(upstream.received).toBe((warmUp + large) * megabyte)
  })

  it('stays as it is under an answer of 100 MB whose reader is slow', async () => {
    let sent = 0
    function* counted(count: number): Generator<Buffer> {
      for (const one of megabytes(count)) {
        sent += one.length
        yield one
      }
    }
    const upstream = await startRecordingServer(({ path }) => ({
      stream: Readable.from(counted(Number(path.slice(1)))),
    }))
    const proxy = await startProxyProcess(upstream.url, 'none')
    onTestFinished(async () => {
      await proxy.close()
      await upstream.close()
    })
    const download = async (count: number): Promise<number> => {
      const asked = sendHttp(`${proxy.url}/${count}`).end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      let read = 0
      sent = 0
      for await (const part of response) {
        read += (part as Buffer).length
        // What has been sent and not read lies in buffers between: those of sockets, and no others.
        expect(sent - read).toBeLessThan(30 * megabyte)
      }
      return read
    }
    await download(warmUp)
    await proxy.peak()
    const before = await proxy.peak()
    expect(await download(large)).toBe(large * megabyte)
    const grown = (await proxy.peak()) - before
    expect(grown).toBeLessThan(allowed)
  })
})

describe('a caller that goes', () => {
  it.each([
    ['waiting for anything', { method: 'GET', path: '/_cat/indices', headers: json }, 1],
    ['waiting for a search that is not understood', { ...searched, path: '/works/_search?scroll=1m' }, 1],
    ['waiting for a search and its sub-queries', searched, 2],
    [
      'waiting for an msearch and its sub-queries',
      { ...searched, path: '/_msearch', body: `{}\n${query}\n` },
      2,
    ],
  ])('takes what is asked of the engine along: %s', async (_, request, count) => {
    const { upstream, url } = await proxyBefore('hang')
    const sent = begin(url, request)
    sent.end('body' in request ? request.body : undefined)
    await upstream.arrived(count)
    sent.destroy()
    await upstream.left(count)
    expect(upstream.requests).toHaveLength(count)
  })

  it('takes what it has not sent to its end along', async () => {
    const { upstream, url } = await proxyBefore('hang', {}, { early: true })
    const sent = begin(url, { method: 'POST', path: '/_bulk', headers: json })
    sent.write('{"index":{}}\n')
    await upstream.arrived(1)
    sent.destroy()
    await upstream.left(1)
  })

  it('takes a search that it has not sent to its end along: nobody is asked', async () => {
    const { upstream, url } = await proxyBefore({ headers: [...json], body: hits })
    const sent = begin(url, searched)
    sent.write(query.slice(0, 20))
    // Another request over another connection: by the time it is answered, the first half has come.
    await sendRaw(url, { path: '/' })
    sent.destroy()
    await sendRaw(url, { path: '/' })
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/', '/'])
  })

  it('takes an answer that it has not read to its end along', async () => {
    const { upstream, url } = await proxyBefore(() => ({ stream: Readable.from(megabytes(1000)) }))
    const sent = begin(url, { method: 'GET', path: '/large', headers: json })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response, 'data')
    sent.destroy()
    await upstream.left(1)
  })

  it("takes the engine's tasks along", { timeout: 300_000 }, async () => {
    const world = await createWorld('opensearch', inject('opensearch'))
    const proxy = await createProxy({ ...decides, target: world.url })
    onTestFinished(async () => {
      await proxy.close()
      await world.close()
    })
    // A script may go round a million times, and so may each function that it calls.
    const source =
      'double turn() { double s = 0; for (int i = 0; i < 900000; i++) { s += i % 7 } return s } double s = 0; for (int i = 0; i < 40; i++) { s += turn() } return 1 + s * 0'
    const match = { match: { text: 'bridge one two' } }
    const body = JSON.stringify({
      query: { function_score: { query: match, script_score: { script: { source } } } },
    })
    const url = await proxy.listen(0)
    const tasks = async (): Promise<readonly { readonly action: string; readonly cancelled?: boolean }[]> => {
      const { nodes } = await send(
        world.url,
        'GET',
        '/_tasks?actions=indices:data/read/search,indices:data/read/msearch&detailed',
      )
      const all = Object.values(
        nodes as Record<
          string,
          { tasks: Record<string, { action: string; cancelled?: boolean; description: string }> }
        >,
      )
      return all
        .flatMap(({ tasks }) => Object.values(tasks))
        .filter(({ description }) => description.includes(world.works))
    }
    type Tasks = Awaited<ReturnType<typeof tasks>>
    const until = async (isSo: (all: Tasks) => boolean): Promise<Tasks> => {
      for (;;) {
        const all = await tasks()
        if (isSo(all)) return all
      }
    }
    const leave = async (): Promise<Tasks> => {
      const sent = begin(url, { ...searched, path: `/${world.works}/_search` })
      sent.end(body)
      // The caller's own search, and the two beside it.
      await until((all) => all.filter(({ action }) => action.endsWith('/search')).length === 3)
      sent.destroy()
      return until((all) => all.every(({ cancelled }) => cancelled === true))
    }
    // A task that was cancelled is gone when its script has ended, perhaps before anybody has seen it: then once more.
    let left = await leave()
    for (let time = 0; time < 5 && left.length === 0; time++) left = await leave()
    expect(left).not.toEqual([])
  })
})

describe('an end of the proxy', () => {
  it.each([
    ['anything', { method: 'GET', path: '/_cat/indices', headers: json }],
    ['a search', searched],
  ])('waits for what is under way, and not for connections that are kept open: %s', async (_, request) => {
    let answer = (): void => {}
    const after = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { upstream, proxy, url } = await proxyBefore(
      ({ path }) => ({
        headers: [...json],
        after,
        body: path.includes('_msearch') ? `{"responses":[${hits},${hits}]}` : hits,
      }),
      { grace: 60_000 },
    )
    const agent = new Agent({ keepAlive: true })
    const asked = sendRaw(url, { ...request, agent })
    await upstream.arrived(1)
    let isClosed = false
    const closed = proxy.close().then(() => {
      isClosed = true
    })
    await expect(sendRaw(url, { path: '/' })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(isClosed).toBe(false)
    answer()
    expect((await asked).status).toBe(200)
    await closed
    agent.destroy()
  })

  it('comes after its grace, whoever waits', async () => {
    const { upstream, proxy, url } = await proxyBefore('hang', { grace: 20 })
    const asked = sendRaw(url, searched)
    const cut = expect(asked).rejects.toThrow()
    await upstream.arrived(2)
    await proxy.close()
    await cut
  })
})

describe('what the proxy says of itself', () => {
  it.each([200, 401, 404])('is that it is ready where the engine answers with %d', async (status) => {
    const { upstream, url } = await proxyBefore({ status, headers: ['content-length', '0'] })
    const answer = await sendRaw(url, { path: '/_querent/ready' })
    expect([answer.status, String(answer.body)]).toEqual([200, '{"status":"ready"}'])
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /'])
  })

  it.each([
    ['answers with 503', { status: 503, headers: ['content-length', '0'] }],
    ['ends the connection', 'cut'],
  ] as const)('is that it is not ready where the engine %s', async (_, answer) => {
    const { url } = await proxyBefore(answer)
    expect((await sendRaw(url, { path: '/_querent/ready' })).status).toBe(503)
    const health = await sendRaw(url, { path: '/_querent/health' })
    expect([health.status, String(health.body)]).toEqual([200, '{"status":"ok"}'])
  })

  it("is no matter of the engine's", async () => {
    const { upstream, url } = await proxyBefore('hang')
    const status = async (method: string, path: string) => (await sendRaw(url, { method, path })).status
    expect(await status('HEAD', '/_querent/health')).toBe(200)
    expect(await status('POST', '/_querent/health')).toBe(405)
    expect(await status('GET', '/_querent/other')).toBe(404)
    expect(upstream.requests).toHaveLength(0)
  })

  it('is that it has too much to do', async () => {
    const { upstream, url } = await proxyBefore('hang', { most: 2 })
    const waiting = [1, 2].map(() => begin(url, { method: 'GET', path: '/', headers: json }).end())
    await upstream.arrived(2)
    const { status, headers, body } = await sendRaw(url, { path: '/' })
    expect([status, valuesOf(headers, 'retry-after')]).toEqual([503, ['1']])
    expect(JSON.parse(String(body))).toMatchObject({ status: 503, error: { type: 'querent_overloaded' } })
    for (const one of waiting) one.destroy()
    await upstream.left(2)
    expect(upstream.requests).toHaveLength(2)
  })

  it('is said within 100 ms with 2,048 half-sent searches held', async () => {
    const { url } = await proxyBefore({ headers: ['content-length', '0'] })
    const half = `POST /works/_search HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`
    for (let held = 0; held < 2048; held++) await openSocket(url, half)
    expect((await sendRaw(url, { path: '/' })).status).toBe(503)
    for (const path of ['/_querent/health', '/_querent/ready']) {
      const times: number[] = []
      for (let turn = 0; turn < 5; turn++) {
        const began = performance.now()
        expect((await sendRaw(url, { path })).status).toBe(200)
        times.push(performance.now() - began)
      }
      expect(Math.min(...times), path).toBeLessThan(100)
    }
  })

  it('is why a search passed through, where its caller asks', async () => {
    const { upstream, url } = await proxyBefore(
      ({ path }) => ({
        headers: [...json],
        body: path.includes('_msearch') ? `{"responses":[${hits},${hits}]}` : hits,
      }),
      { concurrency: 1 },
    )
    const told = async (body: string, headers: readonly string[] = []): Promise<string[]> =>
      valuesOf(
        (await sendRaw(url, { ...searched, body, headers: [...json, ...headers] })).headers,
        'x-querent',
      )
    const explain = ['x-querent-explain', 'true']
    expect(await told(query, explain)).toEqual([expect.stringMatching(/^unchanged: /)])
    expect(await told(query)).toEqual([])
    expect(await told('{"size":0,"query":{"match":{"text":"x"}}}', explain)).toEqual([
      'passed through: it asks for no hits (`size: 0`)',
    ])
    expect(await told(query, [...explain, 'x-querent-optimize', 'false'])).toEqual([
      'passed through: the caller said so',
    ])
    expect(await told(query, [...explain, 'x-querent-history', 'no%JSON'])).toEqual([
      'passed through: its `x-querent-history` cannot be read',
    ])
    expect(
      upstream.requests.flatMap(({ headers }) => headers.filter((name) => name.startsWith('x-querent'))),
    ).toEqual([])
  })

  it('is that others are being optimized', async () => {
    const { upstream, url } = await proxyBefore('hang', { concurrency: 1 })
    const waiting = begin(url, searched)
    waiting.end(query)
    await upstream.arrived(2)
    const other = begin(url, searched)
    other.end(query)
    await upstream.arrived(3)
    expect(upstream.requests.map(pathOf)).toEqual(['/works/_search', '/works/_field_caps', '/works/_search'])
    waiting.destroy()
    other.destroy()
    await upstream.left(3)
  })
})

const pathOf = ({ path }: RecordedRequest): string => path.split('?')[0]!

describe('TLS', () => {
  const answer = ({ path }: RecordedRequest): Answer => ({
    headers: [...json],
    body: path.includes('_msearch') ? `{"responses":[${hits},${hits}]}` : hits,
  })

  it('is spoken with a target whose certificate is known', async () => {
    const tls = await selfSigned()
    const server = await startRecordingServer(answer, { tls })
    const proxy = await createProxy({ ...decides, target: server.url, ca: tls.cert })
    onTestFinished(async () => {
      await proxy.close()
      await server.close()
    })
    const at = await proxy.listen(0)
    expect((await sendRaw(at, { path: '/' })).status).toBe(200)
    expect((await sendRaw(at, searched)).status).toBe(200)
    expect(server.requests.map(pathOf).sort()).toEqual([
      '/',
      '/works/_field_caps',
      '/works/_msearch',
      '/works/_search',
    ])
    for (const { headers } of server.requests)
      expect(valuesOf(headers, 'host')).toEqual([new URL(server.url).host])
    expect((await sendRaw(at, { path: '/_querent/ready' })).status).toBe(200)
  })

  it('is not spoken with a target that nobody knows', async () => {
    const server = await startRecordingServer(answer, { tls: await selfSigned() })
    const other = await selfSigned()
    onTestFinished(() => server.close())
    for (const options of [{}, { ca: other.cert }]) {
      const proxy = await createProxy({ ...decides, target: server.url, ...options })
      const at = await proxy.listen(0)
      const given = await sendRaw(at, { path: '/' })
      expect(given.status).toBe(502)
      expect(String(given.body)).toMatch(/self.signed/)
      await proxy.close()
    }
    const trusting = await createProxy({ ...decides, target: server.url, rejectUnauthorized: false })
    expect((await sendRaw(await trusting.listen(0), { path: '/' })).status).toBe(200)
    await trusting.close()
    expect(server.requests).toHaveLength(1)
  })
})

it("keeps a path that stands before the target's", async () => {
  const upstream = await startRecordingServer({ headers: [...json], body: hits })
  const proxy = await createProxy({ ...decides, target: `${upstream.url}/behind/` })
  const url = await proxy.listen(0)
  onTestFinished(async () => {
    await proxy.close()
    await upstream.close()
  })
  await sendRaw(url, { path: '/_cat' })
  await sendRaw(url, searched)
  expect(upstream.requests.map(pathOf).sort()).toEqual([
    '/behind/_cat',
    '/behind/works/_field_caps',
    '/behind/works/_msearch',
    '/behind/works/_search',
  ])
})

it.each(['elasticsearch', 'opensearch'] as const)('OPTIONS * is answered as by %s', async (name) => {
  const proxy = await createProxy({ ...decides, target: inject(name) })
  const url = await proxy.listen(0)
  onTestFinished(() => proxy.close())
  const [direct, through] = await Promise.all(
    [inject(name), url].map((at) =>
      sendBytes(at, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    ),
  )
  const methodsOf = (answer: string): readonly string[] =>
    /^HTTP\/1\.1 200 OK\r\nAllow: (.*)\r\n/.exec(answer)?.[1]?.split(',').sort() ?? []
  expect(methodsOf(direct!)).toContain('PUT')
  expect(methodsOf(through!)).toEqual(methodsOf(direct!))
})

it('answers a request that it cannot read as any server does', async () => {
  const { upstream, url } = await proxyBefore({ headers: [...json], body: hits })
  expect(await sendBytes(url, 'GET / HTTP/9.9 nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect((await sendRaw(url, { path: '/' })).status).toBe(200)
  expect(upstream.requests).toHaveLength(1)
})
