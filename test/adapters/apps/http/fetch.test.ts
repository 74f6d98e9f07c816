import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { searchHandler } from '../../../../adapters/apps/http/fetch.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { expectError } from '../../../support/expect-error.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { type HttpShell, testHttpShell } from './conformance.ts'
import type { Send } from './http-server.ts'

const header: HttpShell['header'] = (request: Request, name) => request.headers.get(name)

/** A handler in this process. */
const called =
  (handle: (request: Request) => Response | Promise<Response>): Send =>
  async (path, init) =>
    handle(new Request(`http://example.org${path}`, init))

testHttpShell({
  name: 'the fetch handler',
  header,
  start: async (options) => called(searchHandler(options as Parameters<typeof searchHandler>[0])),
})

testHttpShell({
  name: 'Hono',
  header,
  async start(options) {
    const handle = searchHandler(options as Parameters<typeof searchHandler>[0])
    const app = new Hono({ strict: false }).all('/search', (context) => handle(context.req.raw))
    return called((request) => app.fetch(request))
  },
})

describe('searchHandler', () => {
  const optimizer = createOptimizer({ retrievers: [scriptedRetriever({ found: { who: ['a'] } })] })

  it('answers another path where it is told to, `/` too', async () => {
    expect((await called(searchHandler({ optimizer, path: '/api/find' }))('/api/find?q=who')).status).toBe(
      200,
    )
    expect((await called(searchHandler({ optimizer, path: '/' }))('/?q=who')).status).toBe(200)
    expect((await called(searchHandler({ optimizer, path: '/' }))('/search?q=who')).status).toBe(404)
  })

  it('answers HEAD of another path without a body', async () => {
    const response = await called(searchHandler({ optimizer }))('/nowhere', { method: 'HEAD' })
    expect([response.status, response.body]).toEqual([404, null])
  })

  it.each([
    [{}, 'optimizer'],
    [{ optimizer: {} }, 'optimizer'],
    [{ optimizer, path: 'search' }, 'path: must begin with a slash'],
    [{ optimizer, path: '/search/' }, 'path: must begin with a slash and not end with one'],
    [{ optimizer, maxHits: 0 }, 'maxHits'],
    [{ optimizer, limit: -1 }, 'limit'],
    [{ optimizer, filter: 'yes' }, 'filter: must be true, false or a function'],
    [{ optimizer, document: true }, 'document'],
  ])('says which option is wrong: %j', (options, named) => {
    expectError(() => searchHandler(options as Parameters<typeof searchHandler>[0]), 'bad-config', named)
  })
})
