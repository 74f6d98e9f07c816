/** Callers that send half of something, or read none of an answer: they end, and nobody else notices them. */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { found } from '../../../support/fake-engine.ts'
import { deferred } from '../../../support/held.ts'
import { openSocket } from '../../../support/open-socket.ts'
import { engine, json, proxyBefore, query } from '../../../support/proxy-before.ts'
import { jsonHead, sendRaw, valuesOf } from '../../../support/raw-http.ts'
import type { Answer, RecordedRequest } from '../../../support/recording-server.ts'

const searched = {
  method: 'POST',
  path: '/works/_search',
  headers: [...json, 'x-querent-explain', 'header'],
  body: query,
} as const
/** The head of a request with a body, and the beginning of that. */
const halfOf = (path: string): string => `${jsonHead(path, 1000)}{"query":`
const hits = '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},"hits":{"hits":[]}}'
const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make))

describe('a head that is not sent to its end', () => {
  it.each([
    ['half a head', 'GET / HTTP/1.1\r\nhost: a\r\nx-'],
    ['nothing', ''],
  ])('is waited for as long as the option says: %s', async (_, bytes) => {
    // It also holds for the last request, which a busy process has to read in time.
    const { upstream, url } = await proxyBefore(engine, { headersTimeout: 300 })
    const waiting = await many(30, () => openSocket(url, bytes))
    for (const { received } of waiting) expect(await received).toMatch(/^HTTP\/1\.1 408 |^$/)
    expect((await sendRaw(url, { path: '/' })).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)
  })
})

describe('a body that stands still', () => {
  it.each([
    ['a search', '/works/_search'],
    ['anything', '/_bulk'],
  ])('is ended, and its caller is told: %s', async (_, path) => {
    const { url } = await proxyBefore('hang', { idleTimeout: 50 })
    const { received } = await openSocket(url, halfOf(path))
    expect(await received).toMatch(/^HTTP\/1\.1 408 .*"type":"querent_timeout"/s)
  })

  it('is ended though it waits for a connection to the engine', async () => {
    const { url } = await proxyBefore('hang', { idleTimeout: 50, connections: 1 })
    const first = await openSocket(url, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    expect(await (await openSocket(url, halfOf('/_bulk'))).received).toMatch(/^HTTP\/1\.1 408 /)
    first.socket.destroy()
  })

  it('takes what was asked of the engine along', async () => {
    const { upstream, url } = await proxyBefore('hang', { idleTimeout: 50 }, { early: true })
    const { received } = await openSocket(url, halfOf('/_bulk'))
    await upstream.left(1)
    expect(await received).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is one that does not move: a slow one may take longer than the limit', async () => {
    const { upstream, url } = await proxyBefore(engine, { idleTimeout: 1000 })
    const body = `{"index":{}}\n{"a":"${'x'.repeat(12)}"}\n`
    const { socket, received } = await openSocket(
      url,
      `POST /_bulk HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    const began = performance.now()
    for (const byte of body) {
      socket.write(byte)
      // Far less than the limit, whatever else the machine does.
      await setTimeout(40)
    }
    expect(performance.now() - began).toBeGreaterThan(1100)
    expect(await received).toMatch(/^HTTP\/1\.1 200 /)
    expect(String(upstream.requests[0]!.body)).toBe(body)
  })

  it('is not one that has come, however long the engine takes', async () => {
    const answer = deferred()
    const { upstream, url } = await proxyBefore(
      { headers: [...json], body: hits, after: answer.promise },
      { idleTimeout: 20 },
    )
    const asked = ['/_bulk', '/works/_search?scroll=1m'].map((path) => sendRaw(url, { ...searched, path }))
    const waiting = await openSocket(url, 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    await upstream.arrived(3)
    // Another caller's body has stood still for longer than these have waited.
    expect(await (await openSocket(url, halfOf('/_bulk'))).received).toMatch(/^HTTP\/1\.1 408 /)
    answer.resolve()
    for (const one of asked) expect((await one).status).toBe(200)
    expect(await waiting.received).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is not one that the engine does not take yet', async () => {
    // Answers at once to all but the large one, of which it reads nothing.
    const { url } = await proxyBefore('hang', { idleTimeout: 50 }, { early: true })
    const { socket } = await openSocket(
      url,
      `POST /_bulk HTTP/1.1\r\nhost: a\r\ncontent-length: ${64 * 1024 * 1024}\r\n\r\n`,
    )
    let isOver = false
    socket.on('close', () => {
      isOver = true
    })
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let sent = 0; sent < 64 && socket.write(chunk); sent++);
    for (let sent = 0; sent < 40; sent++) socket.write(chunk)
    for (let turn = 0; turn < 5; turn++)
      expect(await (await openSocket(url, halfOf('/_bulk'))).received).toMatch(/^HTTP\/1\.1 408 /)
    expect(isOver).toBe(false)
  })
})

describe('half-sent searches', () => {
  it('do not count: others are optimized', async () => {
    const { url } = await proxyBefore(engine, { concurrency: 4 })
    await many(20, () => openSocket(url, halfOf('/works/_search')))
    const { headers } = await sendRaw(url, searched)
    expect(valuesOf(headers, 'x-querent')).toEqual([expect.stringMatching(/^(un)?changed/)])
  })
})

describe('what the proxy says of itself', () => {
  it('is said with as many half-sent requests held as there may be', async () => {
    const { url } = await proxyBefore(engine, { most: 100 })
    const held = await many(100, () => openSocket(url, halfOf('/works/_search')))
    const full = await sendRaw(url, { path: '/' })
    expect(full.status).toBe(503)
    for (const path of ['/_querent/health', '/_querent/ready'])
      expect((await sendRaw(url, { path })).status).toBe(200)
    for (const { socket } of held) socket.destroy()
  })

  it('is said with all connections to the engine taken', async () => {
    const { upstream, url } = await proxyBefore(
      ({ method }) => (method === 'HEAD' ? { headers: ['content-length', '0'] } : 'hang'),
      { connections: 2 },
    )
    const waiting = await many(3, () => openSocket(url, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'))
    await upstream.arrived(2)
    expect((await sendRaw(url, { path: '/_querent/ready' })).status).toBe(200)
    for (const { socket } of waiting) socket.destroy()
  })
})

/** More than lies in buffers between an engine and a caller. */
const large = Buffer.alloc(50_000_000, 'x')
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

describe('an optimized answer that nobody reads', () => {
  const text = 'x'.repeat(200_000)
  const sixty = found(...Array.from({ length: 60 }, (_, place) => String(place)))
  const page = JSON.parse(hits) as { hits: { hits: unknown[] } }
  page.hits.hits = sixty.map((hit) => ({ ...hit, _source: { text } }))
  const body = JSON.stringify(page)
  const largeEngine = ({ path }: RecordedRequest): Answer => ({
    headers: [...json],
    body: path.includes('_msearch') ? `{"responses":[${hits},${hits}]}` : path === '/' ? '{}' : body,
  })
  const asked = JSON.stringify({ ...JSON.parse(query), size: 60 })
  const post = jsonHead('/works/_search', asked.length) + asked

  it('is one of the requests that may be open, until it has been read', async () => {
    const { url } = await proxyBefore(largeEngine, { most: 1 })
    const { socket } = await openSocket(url)
    socket.removeAllListeners('data').pause().write(post.replace('\r\n', '\r\nconnection: close\r\n'))
    // All of it has been written, and waits.
    await once(socket, 'readable')
    expect((await sendRaw(url, { path: '/' })).status).toBe(503)
    await once(socket.resume(), 'close')
    expect((await sendRaw(url, { path: '/' })).status).toBe(200)
  })

  it('is dropped with its connection', async () => {
    const { upstream, proxy, url } = await proxyBefore(largeEngine, { idleTimeout: 50, grace: 600_000 })
    const { socket } = await openSocket(url)
    socket.pause()
    socket.write(post)
    await upstream.arrived(2)
    // Waits for the answer to be read to its end, or to be dropped.
    await proxy.close()
    let read = 0
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
    })
    await once(socket.resume(), 'close')
    expect(read).toBeLessThan(body.length)
  })
})

describe('an answer that passes through', () => {
  it.each([
    ['anything', get('/large')],
    ['a search', jsonHead('/works/_search?scroll=1m', query.length) + query],
  ])('and that nobody reads holds no connection to the engine: %s', async (_, request) => {
    const { upstream, url } = await proxyBefore(
      ({ path }) => ({ headers: [...json], body: path === '/' ? '{}' : large }),
      { idleTimeout: 50, connections: 1 },
    )
    const { socket, received } = await openSocket(url)
    socket.pause().write(request)
    await upstream.arrived(1)
    expect((await sendRaw(url, { path: '/' })).status).toBe(200)
    socket.resume()
    expect((await received).length).toBeLessThan(large.length)
  })

  it('may take an engine as long as it likes, however little of it has come', async () => {
    const rest = new PassThrough()
    const { url } = await proxyBefore(({ path }) => (path === '/slow' ? { stream: rest } : 'hang'), {
      idleTimeout: 20,
    })
    rest.write('one ')
    const { socket, received } = await openSocket(
      url,
      get('/slow').replace('\r\n', '\r\nconnection: close\r\n'),
    )
    await once(socket, 'data')
    // Another caller's body has stood still for longer.
    for (let turn = 0; turn < 3; turn++)
      expect(await (await openSocket(url, halfOf('/_bulk'))).received).toMatch(/^HTTP\/1\.1 408 /)
    rest.end('two')
    expect(await received).toMatch(/one .*two/s)
  })
})

describe('answers that wait for an earlier one, of a caller that goes', () => {
  it('hold neither connections to the engine nor places', async () => {
    const { upstream, url } = await proxyBefore(
      (request) =>
        request.path === '/hang' ? 'hang' : request.path === '/large' ? { body: large } : engine(request),
      { connections: 5, most: 8 },
    )
    const search = jsonHead('/works/_search', query.length) + query
    for (let turn = 1; turn <= 4; turn++) {
      const { socket, received } = await openSocket(url, get('/hang') + get('/large') + search)
      // These three, a sub-query, and at first what the fields are.
      await upstream.arrived(turn * 4 + 1)
      socket.destroy()
      await received
      await upstream.left(turn)
    }
    expect((await sendRaw(url, { path: '/' })).status).toBe(200)
  })
})
