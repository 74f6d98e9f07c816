import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import Koa, { type Context, type Middleware } from 'koa'
import { describe, expect, it } from 'vitest'
import { type SearchRouteOptions, searchRoute, withQuerent } from '../../../../adapters/apps/http/koa.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import type { Retriever } from '../../../../src/types.ts'
import { heldRetriever } from '../../../support/held.ts'
import { settled } from '../../../support/manual-clock.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { testBoundSearch } from './bound-search-conformance.ts'
import { testHttpShell } from './conformance.ts'
import { posted, served, until } from './http-server.ts'

const header = (context: Context, name: string) => context.get(name) || undefined

/** An application without a log on the terminal. */
function serve(...middleware: readonly Middleware[]) {
  const app = new Koa()
  app.silent = true
  for (const one of middleware) app.use(one)
  const listener = app.callback()
  return served((request, response) => void listener(request, response))
}

/** As parsers for Koa do: the value in `context.request.body`. */
const parser: Middleware = async (context, next) => {
  if (context.is('json')) {
    try {
      Object.assign(context.request, { body: JSON.parse(String(await buffer(context.req))) })
    } catch {
      context.throw(400, 'no JSON')
    }
  }
  await next()
}

testHttpShell({
  name: 'Koa 3',
  header,
  start: (options) => serve(searchRoute(options as SearchRouteOptions)),
})

testHttpShell({
  name: 'Koa 3, after a parser of JSON',
  header,
  gaps: [
    {
      reason: 'the parser has refused it',
      tests: ['refuses cut JSON', 'refuses no body', 'refuses an encoded body with 415'],
    },
  ],
  start: (options) => serve(parser, searchRoute(options as SearchRouteOptions)),
})

testBoundSearch({
  name: 'Koa 3',
  header,
  make: { searchRoute, withQuerent },
  start: (options, answer) =>
    serve(withQuerent(options), async (context) => {
      context.body = await answer(context.querent, String(context.query.q))
    }),
})

const optimizer = createOptimizer({ retrievers: [scriptedRetriever({ found: { who: ['a'] } })] })

describe('searchRoute', () => {
  it('passes on what is not its path', async () => {
    const send = await serve(searchRoute({ optimizer, path: '/find' }), (context) => {
      context.body = `somebody else's ${context.path}`
    })
    expect((await send('/find?q=who')).status).toBe(200)
    expect(await (await send('/find/more')).text()).toBe("somebody else's /find/more")
  })

  it('stands below a mount that cuts the path', async () => {
    const mount: Middleware = async (context, next) => {
      context.path = context.path.replace(/^\/api/, '') || '/'
      await next()
    }
    const send = await serve(mount, searchRoute({ optimizer, path: '/' }))
    expect((await send('/api?q=who')).status).toBe(200)
  })

  it('leaves the answer to whoever stands before: its headers, its body, its length', async () => {
    const seen: unknown[] = []
    const outer: Middleware = async (context, next) => {
      context.set('vary', 'origin')
      await next()
      seen.push(context.status, context.length, Buffer.isBuffer(context.body))
      context.set('x-after', '1')
    }
    const { headers } = await (await serve(outer, searchRoute({ optimizer })))('/search?q=who')
    expect([headers.get('vary'), headers.get('x-after')]).toEqual(['origin', '1'])
    expect(seen).toEqual([200, Number(headers.get('content-length')), true])
  })

  it('takes a body that was parsed before', async () => {
    const send = await serve(parser, searchRoute({ optimizer }))
    expect(await (await send('/search', posted({ text: 'who' }))).json()).toMatchObject({
      hits: [{ docid: 'a' }],
    })
  })

  it('answers without a body where the application does', async () => {
    const send = await serve(
      searchRoute({
        optimizer: () => {
          throw new Response(null, { status: 403 })
        },
      }),
    )
    const response = await send('/search?q=who')
    expect([response.status, await response.text()]).toEqual([403, ''])
  })
})

/** An optimizer with a retriever that never answers, beside others, and the signal that this one was asked with. */
function neverAnswered(...others: readonly Retriever[]) {
  const silent = heldRetriever()
  const lasting = createOptimizer({
    retrievers: [...others, silent],
    budget: { timeout: 50_000 },
    legTimeout: 50_000,
  })
  return { lasting, asked: silent.asked }
}

describe('a stream', () => {
  /** An application, and what it reports as errors. */
  async function reporting(...middleware: readonly Middleware[]) {
    const app = new Koa()
    const errors: Error[] = []
    app.on('error', (error: Error) => errors.push(error))
    for (const one of middleware) app.use(one)
    const listener = app.callback()
    const closed: Promise<unknown>[] = []
    const send = await served((request, response) => {
      closed.push(once(response, 'close'))
      void listener(request, response)
    })
    return { send, errors, closed: () => Promise.all(closed) }
  }

  it('that a client leaves is no error of the application', async () => {
    const { lasting, asked } = neverAnswered(scriptedRetriever({ found: { who: ['a'] } }))
    const { send, errors, closed } = await reporting(searchRoute({ optimizer: lasting }))
    const client = new AbortController()
    const response = await send('/search?q=who&stream=1', { signal: client.signal })
    await response.body!.getReader().read()
    client.abort()
    const signal = await asked
    await until(() => signal.aborted)
    await closed()
    await settled()
    expect(errors).toEqual([])
  })

  it('leaves other errors to the application', async () => {
    const wrong = new Error('the middleware before it is wrong')
    const before: Middleware = async (_context, next) => {
      await next()
      throw wrong
    }
    const { send, errors } = await reporting(before, searchRoute({ optimizer }))
    expect((await send('/search?q=who&stream=1')).status).toBe(500)
    expect(errors).toEqual([wrong])
  })
})
