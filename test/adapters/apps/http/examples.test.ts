/** The examples of docs/http.md answer, and refuse a request that lacks its parameter with 400. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApp } from '../../../../examples/http/callers.ts'
import { app as expressApp } from '../../../../examples/http/express.ts'
import fetchModule, { app as honoApp } from '../../../../examples/http/fetch.ts'
import { app as koaApp } from '../../../../examples/http/koa.ts'
import { app as mcpApp } from '../../../../examples/http/mcp.ts'
import { hono, koa, app as pageApp } from '../../../../examples/http/playground.ts'
import { createOptimizer, type Query } from '../../../../src/index.ts'
import { served } from './http-server.ts'

const dune = { hits: [{ rank: 1, docid: 'dune' }] }
koaApp.silent = true

it.each([
  ['Bun, Deno and Workers', fetchModule.fetch],
  ['Hono', honoApp.fetch],
])('the fetch handler answers in %s', async (_, handle) => {
  const response = await handle(new Request('http://localhost/search?q=desert'))
  expect([response.status, await response.json()]).toMatchObject([200, dune])
})

describe.each([
  ['Express', expressApp],
  ['Koa', koaApp.callback()],
] as const)('in %s', (_, listener) => {
  it('the route answers', async () => {
    const send = await served(listener)
    const response = await send('/search?q=desert')
    expect([response.status, await response.json()]).toMatchObject([200, dune])
  })

  it('the handler answers, and refuses a request without its parameter', async () => {
    const send = await served(listener)
    const response = await send('/books?title=dune')
    expect([response.status, await response.json()]).toMatchObject([200, [{ docid: 'dune' }]])
    for (const parameters of ['', '?title=a&title=b', '?title[a]=b'])
      expect((await send(`/books${parameters}`)).status, parameters).toBe(400)
  })
})

it.each([
  ['as a fetch handler', async () => hono.fetch(new Request('http://localhost/playground'))],
  ['in Express', async () => (await served(pageApp))('/playground')],
  ['in Koa', async () => (await served(koa.callback()))('/playground')],
])('the page answers %s', async (_, get) => {
  const response = await get()
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^<!doctype html>/)])
})

it('the tools for agents answer', async () => {
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('host', 'localhost')
      return mcpApp.fetch(new Request(url, { ...init, headers }))
    },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const found = await client.callTool({ name: 'search', arguments: { query: 'desert' } })
  expect(found.structuredContent).toMatchObject({ hits: [{ rank: 1, docid: 'dune' }] })
})

it('the handler answers on the server of Node', async () => {
  vi.stubEnv('PORT', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { server } = await import('../../../../examples/http/node.ts')
  onTestFinished(() => void server.close())
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/search?q=desert`)
  expect([response.status, await response.json()]).toMatchObject([200, dune])
})

it('each caller searches with its own credentials and filter', async () => {
  const searches: [string, Query['filter']][] = []
  const optimizerFor = (credentials: string) =>
    createOptimizer({
      retrievers: [
        {
          name: 'records',
          async retrieve(subQueries, { filter }) {
            searches.push([credentials, filter])
            return subQueries.map((subQuery) => ({ retriever: 'records', subQuery, hits: [] }))
          },
        },
      ],
    })
  const app = createApp((authorization = '') => {
    const [tenant, credentials] = authorization.split(' ') as [string, string]
    return { tenant, credentials }
  }, optimizerFor)
  const send = await served(app)
  for (const authorization of ['north key-1', 'south key-2'])
    expect((await send('/search?q=desert', { headers: { authorization } })).status).toBe(200)
  expect(searches).toEqual([
    ['key-1', { term: { tenant: 'north' } }],
    ['key-2', { term: { tenant: 'south' } }],
  ])
})
