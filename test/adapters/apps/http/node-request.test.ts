import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { searchHandler } from '../../../../adapters/apps/http/fetch.ts'
import { nodeListener } from '../../../../adapters/apps/http/node-request.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { testHttpShell } from './conformance.ts'
import { served } from './http-server.ts'

testHttpShell({
  name: 'node:http',
  header: (request: Request, name) => request.headers.get(name),
  start: (options) => served(nodeListener(searchHandler(options as Parameters<typeof searchHandler>[0]))),
})

/** Serves the handler, and writes bytes to it. */
async function written(bytes: string): Promise<string> {
  const handle = searchHandler({ optimizer: createOptimizer({ retrievers: [scriptedRetriever()] }) })
  const { url } = await served(nodeListener(handle))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

/** What a handler sees of a request that is written as these bytes. */
async function seen(bytes: string): Promise<Request> {
  let request: Request | undefined
  const { url } = await served(
    nodeListener(async (asked) => {
      request = asked
      return new Response('ok')
    }),
  )
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes)
  await text(socket)
  return request!
}

describe('nodeListener', () => {
  it.each(['//', '/%', '*', 'http://[', '/search/../..', '/\\search'])(
    'does not stumble over the path %s',
    async (path) => {
      expect(await written(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40\d /,
      )
    },
  )

  it.each(['', 'a b', 'x/search?q=1#', 'user@x', '[::1', 'x:99999'])(
    'does not stumble over the host %j, nor takes its path',
    async (host) => {
      const request = await seen(`GET /there HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(request.url).toBe('http://localhost/there')
    },
  )

  it('passes address and headers on as they are', async () => {
    const request = await seen(
      'GET /search?q=%C3%A4&q=+b HTTP/1.1\r\nhost: search.example:8080\r\nX-One: 1\r\nX-One: 2\r\nconnection: close\r\n\r\n',
    )
    expect(request.url).toBe('http://search.example:8080/search?q=%C3%A4&q=+b')
    expect(request.headers.get('x-one')).toBe('1, 2')
  })

  it('takes the whole address that a client of a proxy sends', async () => {
    const request = await seen(
      'GET http://other.example/search?q=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    expect(request.url).toBe('http://other.example/search?q=1')
  })

  it('has no search for TRACE, which the web has no request for', async () => {
    const answered = await written('TRACE /search?q=who HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(answered).toMatch(/^HTTP\/1\.1 501 /)
    expect(answered).toContain('"code":"not-implemented"')
  })

  it('is heard by a client that writes all of a large body before it reads', async () => {
    const size = 900_000
    const { url } = await served(
      nodeListener(searchHandler({ optimizer: createOptimizer({ retrievers: [scriptedRetriever()] }) })),
    )
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      `POST /search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
    )
    const chunk = Buffer.alloc(2 ** 16, ' ')
    for (let left = size; left > 0; left -= chunk.length) {
      if (!socket.write(chunk.subarray(0, left))) await once(socket, 'drain')
    }
    // The connection is as good as before.
    socket.write('GET /search?q=who HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const answered = await text(socket)
    expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it('reads no more than a megabyte of what it refuses, and leaves the connection', async () => {
    const handle = searchHandler({ optimizer: createOptimizer({ retrievers: [scriptedRetriever()] }) })
    const { url } = await served(nodeListener(handle))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      'POST /search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n',
    )
    socket.write(Buffer.alloc(2 ** 20 + 1, ' '))
    const answered = await text(socket)
    expect(answered).toMatch(/^HTTP\/1\.1 413 /)
    expect(answered.toLowerCase()).toContain('connection: close')
  })

  it('keeps cookies apart', async () => {
    const { url } = await served(
      nodeListener(async () => {
        const headers = new Headers([
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ])
        return new Response(null, { headers })
      }),
    )
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })
})
