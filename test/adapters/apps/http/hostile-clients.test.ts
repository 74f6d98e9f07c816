/** Clients of the servers that mean harm: real connections, on which they send what no client would, or nothing. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ClientLimits } from '../../../../adapters/apps/http/client-limits.ts'
import { searchHandler } from '../../../../adapters/apps/http/fetch.ts'
import { startServer } from '../../../../adapters/apps/http/node-server.ts'
import { rerankHandler } from '../../../../adapters/apps/http/rerank.ts'
import { startRewardServer } from '../../../../adapters/apps/reward-server/server.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { ambiguousRequests } from '../../../support/ambiguous-requests.ts'
import { openSocket } from '../../../support/open-socket.ts'
import { jsonHead, sendBytes } from '../../../support/raw-http.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { openedIndex } from '../reward-server/opened.ts'

/** A server, a path that takes a body, and a body for it. */
interface Attacked {
  readonly url: string
  readonly path: string
  readonly body: string
  /** The texts that were searched. */
  searched(): readonly string[]
  close(): Promise<void>
}

async function serve(limits: ClientLimits & { readonly grace?: number } = {}): Promise<Attacked> {
  const retriever = scriptedRetriever({ found: { who: ['a'] } })
  const handle = searchHandler({ optimizer: createOptimizer({ retrievers: [retriever] }), filter: true })
  const { url, close } = await startServer(handle, { port: 0, ...limits })
  onTestFinished(close)
  const searched = () => retriever.calls.flatMap(({ texts }) => texts)
  return { url, path: '/search', body: '{"text":"who"}', searched, close }
}

async function rewardServer(limits: ClientLimits & { readonly grace?: number } = {}): Promise<Attacked> {
  const retriever = scriptedRetriever({ found: { who: ['a'] } })
  const index = await openedIndex([retriever])
  const { url, close } = await startRewardServer({ index, port: 0, limits: { body: 2 ** 16 }, ...limits })
  onTestFinished(close)
  const searched = () => retriever.calls.flatMap(({ texts }) => texts)
  return { url, path: '/retrieve', body: '{"queries":["who"]}', searched, close }
}

const servers = [
  { name: 'querent serve', start: serve },
  { name: 'querent reward-server', start: rewardServer },
]

describe.each(servers)('$name', ({ start }) => {
  describe('two requests in one', () => {
    it.each(ambiguousRequests)('are not made of one: %s', async (_, headers, rest) => {
      const { url, path, searched } = await start()
      const { socket, received } = await openSocket(
        url,
        `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${rest}`,
      )
      socket.end()
      const answers = await received
      expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(1)
      expect(answers).toMatch(/^HTTP\/1\.1 400 /)
      expect(searched()).toEqual([])
    })

    it('behind one another are two, in their order', async () => {
      const { url, path, body, searched } = await start()
      const one = jsonHead(path, body.length) + body
      const last = 'GET /nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
      const statuses = (await sendBytes(url, one + one + last)).match(/HTTP\/1\.1 \d+/g)
      expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
      expect(new Set(searched())).toEqual(new Set(['who']))
    })
  })

  describe('headers', () => {
    it.each([
      ['more than 16 KiB of them', `x: ${'y'.repeat(20_000)}\r\n`, 431],
      ['an expectation that nobody can meet', 'expect: a-miracle\r\n', 417],
      ['a name that is none', 'x y: z\r\n', 400],
    ])('are refused: %s', async (_, more, status) => {
      const { url, path, body } = await start()
      const answer = await sendBytes(url, jsonHead(path, body.length, `${more}connection: close\r\n`) + body)
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    })

    it('that are too long are answered to a client that sends on before it reads', async () => {
      const { url, path, body } = await start()
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
      const more = 'y'.repeat(2 ** 16)
      socket.write(jsonHead(path, body.length, `x: ${more}`))
      for (let sent = 0; sent < 50; sent++)
        await new Promise<void>((resolve) => socket.write(more, () => setImmediate(resolve)))
      socket.end()
      expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1\.1 431 /)
    })

    it('that ask for another protocol change nothing', async () => {
      const { url, path, body } = await start()
      const more = 'connection: upgrade, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n'
      const answer = await sendBytes(url, jsonHead(path, body.length, more) + body)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    })
  })

  it.each([
    '/search/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/search%00',
    '/./search/../health/..',
    '//etc/passwd',
  ])('reads nothing from the disk: %s', async (path) => {
    const { url } = await start()
    const answer = await sendBytes(url, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toContain('root:')
  })

  describe('a client that is slow', () => {
    it.each([
      ['with nothing', ''],
      ['with half a head', 'GET / HTTP/1.1\r\nhost: a\r\nx-'],
    ])('is waited for as long as the limit says: %s', async (_, bytes) => {
      const { url, path, body } = await start({ headersTimeout: 50 })
      const waiting = await Promise.all(Array.from({ length: 20 }, () => openSocket(url, bytes)))
      for (const { received } of waiting) expect(await received).toMatch(/^HTTP\/1\.1 408 |^$/)
      const answer = await sendBytes(url, jsonHead(path, body.length, 'connection: close\r\n') + body)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    })

    it('with its body ends with the time of a request', async () => {
      const { url, path, body, searched } = await start({ headersTimeout: 50, requestTimeout: 100 })
      const { received } = await openSocket(url, jsonHead(path, body.length) + body.slice(0, 5))
      expect(await received).toMatch(/^HTTP\/1\.1 408 |^$/)
      expect(searched()).toEqual([])
    })

    it('does not hold up others', async () => {
      const { url, path, body } = await start()
      const half = jsonHead(path, body.length) + body.slice(0, 5)
      await Promise.all(Array.from({ length: 100 }, () => openSocket(url, half)))
      const answer = await sendBytes(url, jsonHead(path, body.length, 'connection: close\r\n') + body)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    })
  })

  it('reads little of a body without end, and closes', async () => {
    const { url, path } = await start()
    const { socket, received } = await openSocket(
      url,
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
    // Whether the client still reads the answer when it finds the connection closed is up to the system.
    const over = received.then(
      (text) => expect(text).toMatch(/^HTTP\/1\.1 413 |^$/),
      ({ code }) => expect(['EPIPE', 'ECONNRESET']).toContain(code),
    )
    const chunk = `100000\r\n${' '.repeat(2 ** 20)}\r\n`
    while (!socket.destroyed && socket.bytesWritten < 2 ** 28)
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), over])
    await over
    expect(socket.bytesWritten).toBeLessThan(2 ** 26)
  })
})

describe('JSON that is meant to break something', () => {
  const deep = (count: number, open: string, end: string): string => open.repeat(count) + end.repeat(count)
  const handlers = {
    '/search': searchHandler({
      optimizer: createOptimizer({ retrievers: [scriptedRetriever()] }),
      filter: true,
    }),
    '/rerank': rerankHandler({
      name: 'any',
      score: async (_, { length }) => new Array<number>(length).fill(0),
    }),
  }
  const bombs: readonly (readonly [keyof typeof handlers, string, string, number])[] = [
    ['/search', '30,000 lists', deep(30_000, '[', ']'), 400],
    ['/search', 'a conversation of lists', `{"text":"a","history":${deep(30_000, '[', ']')}}`, 400],
    ['/search', 'lists that do not end', '['.repeat(60_000), 400],
    ['/search', 'a number beyond all', '{"text":"a","k":1e400}', 400],
    ['/search', 'a number of 60,000 digits', `{"text":"a","k":${'9'.repeat(60_000)}}`, 400],
    ['/search', 'a number between integers', '{"text":"a","k":9007199254740993}', 400],
    ['/search', 'a key that objects have by themselves', '{"text":"a","__proto__":{"polluted":true}}', 400],
    [
      '/search',
      'such a key in a turn',
      '{"text":"a","history":[{"role":"user","text":"b","__proto__":{"polluted":1}}]}',
      400,
    ],
    ['/search', 'such a key alone', '{"__proto__":{"text":"a","polluted":true}}', 400],
    [
      '/search',
      'such keys in a filter',
      '{"text":"a","filter":{"constructor":{"prototype":{"polluted":true}}}}',
      200,
    ],
    ['/rerank', '200,000 lists', `{"query":"a","documents":${deep(200_000, '[', ']')}}`, 400],
    [
      '/rerank',
      'objects in a name',
      `{"query":"a","documents":["b"],"model":${deep(10 ** 5, '{"a":[', ']}')}}`,
      400,
    ],
    ['/rerank', 'a query of a megabyte', `{"query":"${'a '.repeat(2 ** 19)}","documents":["b"]}`, 400],
    [
      '/rerank',
      'a key that objects have by themselves',
      '{"query":"a","documents":[{"__proto__":{"text":"b","polluted":1}}]}',
      400,
    ],
  ]

  it.each(bombs)('%s: %s', async (path, _, body, status) => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body })
    const response = await handlers[path](request)
    expect(response.status).toBe(status)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((await response.text()).length).toBeLessThan(100_000)
  })
})

it('an answer that nobody reads is dropped with its connection', async () => {
  const large = async () => new Response(new Uint8Array(64 * 2 ** 20))
  const { url, close } = await startServer(large, { port: 0, unreadTimeout: 50, grace: 600_000 })
  const { socket } = await openSocket(url)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  // Waits for the request that is under way.
  await once(socket, 'readable')
  await close()
  let read = 0
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  await once(socket.resume(), 'close')
  expect(read).toBeLessThan(64 * 2 ** 20)
})

it('an answer that takes its time is waited for', async () => {
  const slow = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response('late')), 300))
  const { url, close } = await startServer(slow, { port: 0, unreadTimeout: 20 })
  onTestFinished(close)
  expect(await (await fetch(url)).text()).toBe('late')
})
