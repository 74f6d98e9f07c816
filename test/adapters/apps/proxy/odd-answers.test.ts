/** Answers of a target as no client library expects them, and connections that end at the wrong moment. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProxy } from '../../../../adapters/apps/proxy/proxy.ts'
import { openSocket } from '../../../support/open-socket.ts'
import { sendBytes } from '../../../support/raw-http.ts'
import { deciding } from '../../../support/scripted-policy.ts'

const query = JSON.stringify({ query: { match: { text: 'a question of somebody' } } })
const hits = '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},"hits":{"hits":[]}}'

/** The bytes of a request. */
const bytesOf = (line: string, body = ''): string =>
  `${line} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const get = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
const search = bytesOf('POST /works/_search', query)
const bulk = bytesOf('POST /_bulk', '{"index":{}}\n{}\n')

/** A proxy before a server on TCP that does what a test says with each request, which it counts on its connection, from 1. */
async function proxyTo(answer: (socket: Socket, count: number) => void) {
  let [connections, requests] = [0, 0]
  const server = createServer((socket) => {
    connections++
    let count = 0
    let waiting = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      waiting += chunk.toString('latin1')
      // A body, where there is one, comes with its head: these are small.
      if (!waiting.includes('\r\n\r\n')) return
      waiting = ''
      requests++
      answer(socket, ++count)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy = await createProxy({
    policy: deciding(['one', 'two']),
    rerank: false,
    retries: 0,
    target: `http://127.0.0.1:${port}`,
    connections: 1,
  })
  const url = await proxy.listen(0)
  onTestFinished(async () => {
    await proxy.close()
    server.close()
  })
  return { url, requests: () => requests, connections: () => connections }
}

/** An answer with this head. */
const answering =
  (head: string, body = hits) =>
  (socket: Socket): void => {
    socket.write(Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`, 'latin1'))
  }

const requests = [
  ['anything', get],
  ['a bulk', bulk],
  ['a search', search],
  ['a search that passes through', bytesOf('POST /works/_search?scroll=1m', query)],
] as const

describe.each(requests)('the answer to %s', (_, request) => {
  it('may have a head of any length that an engine writes', async () => {
    const warnings = Array.from(
      { length: 1500 },
      (_, place) => `warning: 299 - "${place} ${'x'.repeat(190)}"`,
    )
    const { url } = await proxyTo(answering(`200 OK\r\n${warnings.join('\r\n')}`))
    const answer = await sendBytes(url, request)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer.split('warning: 299').length - 1).toBe(1500)
  })

  it.each([
    ['Latin letters', 'Tr\u00e8s bien'],
    ['UTF-8', Buffer.from('Tr\u00e8s bien').toString('latin1')],
    ['a tab', 'Fine\tby me'],
    ['nothing', ''],
  ])('may have a reason of %s', async (_, reason) => {
    const { url } = await proxyTo(answering(`299 ${reason}\r\nx-kept: yes`))
    const answer = await sendBytes(url, request)
    expect(answer).toMatch(/^HTTP\/1\.1 299 [\t -~]*\r\n.*x-kept: yes\r\n.*\r\n\r\n\{/s)
  })
})

describe('a kept connection that ends when it is used again', () => {
  /** Answers the first request of a connection, and ends it at the next one. */
  const once = (socket: Socket, count: number): void => {
    if (count > 1) socket.destroy()
    else answering('200 OK')(socket)
  }

  it.each([
    ['GET', get],
    ['HEAD', get.replace('GET', 'HEAD')],
  ])('is one for another: %s', async (method, request) => {
    const ways = {
      GET: once,
      HEAD: (socket: Socket, count: number) =>
        count > 1 ? socket.destroy() : void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n'),
    }
    const { url, requests, connections } = await proxyTo(ways[method as 'GET'])
    for (let turn = 0; turn < 3; turn++) expect(await sendBytes(url, request)).toMatch(/^HTTP\/1\.1 200 /)
    expect([requests(), connections()]).toEqual([5, 3])
  })

  it.each([
    ['a POST', bulk],
    ['a GET with a body', bytesOf('GET /works/_search?scroll=1m', query)],
    ['a DELETE', get.replace('GET', 'DELETE')],
  ])("is the caller's to ask again where that may not be done for it: %s", async (_, request) => {
    const { url, requests } = await proxyTo(once)
    expect(await sendBytes(url, request)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await sendBytes(url, request)).toMatch(/^HTTP\/1\.1 502 /)
    expect(requests()).toBe(2)
  })

  it('is replaced once', async () => {
    const { url, requests } = await proxyTo((socket) => void socket.destroy())
    expect(await sendBytes(url, get)).toMatch(/^HTTP\/1\.1 502 /)
    expect(requests()).toBe(2)
  })

  it('is not replaced where some of an answer has come', async () => {
    const { url, requests } = await proxyTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy())
    })
    const { received } = await openSocket(url, get)
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n(half)?$/s)
    expect(requests()).toBe(1)
  })
})
