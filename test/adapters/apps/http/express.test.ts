import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import express4 from 'express-4'
import { describe, expect, it } from 'vitest'
import { type SearchRouteOptions, searchRoute, withQuerent } from '../../../../adapters/apps/http/express.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { heldRetriever } from '../../../support/held.ts'
import { settled } from '../../../support/manual-clock.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { testBoundSearch } from './bound-search-conformance.ts'
import { type HttpShell, testHttpShell } from './conformance.ts'
import { posted, served, until } from './http-server.ts'

const header = (request: Request, name: string) => request.get(name)
const serve = (app: Express) => served(app as unknown as RequestListener)

/** What a parser that stands before refuses by itself. */
const gaps: HttpShell['gaps'] = [
  {
    reason: 'the parser has refused it',
    tests: ['refuses cut JSON', 'refuses bytes that are no UTF-8', 'refuses an encoded body with 415'],
  },
]

describe.each([
  ['5', express],
  ['4', express4],
] as const)('Express %s', (version, create) => {
  testHttpShell({
    name: `Express ${version}`,
    header,
    start: (options) => serve(create().use('/search', searchRoute(options as SearchRouteOptions))),
  })

  testHttpShell({
    name: `Express ${version}, after its parser of JSON`,
    header,
    gaps,
    start: (options) =>
      serve(
        create()
          .use(create.json({ limit: '2mb' }))
          .use('/search', searchRoute(options as SearchRouteOptions)),
      ),
  })

  testBoundSearch({
    name: `Express ${version}`,
    header,
    make: { searchRoute, withQuerent },
    start: (options, answer) =>
      serve(
        create().use(withQuerent(options), (request, response, next) => {
          answer(request.querent, String(request.query.q)).then((text) => response.send(text), next)
        }),
      ),
  })

  const optimizer = createOptimizer({ retrievers: [scriptedRetriever({ found: { who: ['a'] } })] })
  const search = () => searchRoute({ optimizer })

  describe('searchRoute', () => {
    it('stands wherever it is mounted, in routers too', async () => {
      const inner = create.Router().use('/find', search())
      const send = await serve(create().use('/api', inner).use('/search', search()))
      for (const path of ['/api/find?q=who', '/api/find/?q=who', '/search?q=who'])
        expect((await send(path)).status, path).toBe(200)
      for (const path of ['/api?q=who', '/api/find/more?q=who', '/find?q=who'])
        expect((await send(path)).status, path).toBe(404)
    })

    it('is the handler of a route as well', async () => {
      const send = await serve(create().all('/search', search()).get('/books/:shelf', search()))
      expect((await send('/search?q=who')).status).toBe(200)
      expect((await send('/search', posted({ text: 'who' }))).status).toBe(200)
      expect((await send('/books/3?q=who')).status).toBe(200)
    })

    it('passes on what is not its path, also where another route has matched before', async () => {
      const app = create()
      app.all(/.*/, (_request, _response, next) => next())
      app.use('/search', search())
      app.get('/search/advanced', (_request, response) => void response.send('a form'))
      const send = await serve(app)
      expect(await (await send('/search/advanced')).text()).toBe('a form')
      expect((await send('/search?q=who')).status).toBe(200)
    })

    it('answers the path that it is told', async () => {
      const send = await serve(create().use(searchRoute({ optimizer, path: '/find' })))
      expect([(await send('/find?q=who')).status, (await send('/?q=who')).status]).toEqual([200, 404])
    })

    it.each([
      ['raw', create.raw({ type: 'application/json' })],
      ['text', create.text({ type: 'application/json' })],
      ['several', [create.json(), create.urlencoded({ extended: true }), create.text()]],
    ])('takes a body that was parsed before: %s', async (_, parsers) => {
      const send = await serve(create().use(parsers).use('/search', search()))
      const response = await send('/search', posted({ text: 'who' }))
      expect(await response.json()).toMatchObject({ hits: [{ docid: 'a' }] })
    })

    it('does not take a form for JSON because it was parsed', async () => {
      const send = await serve(
        create()
          .use(create.urlencoded({ extended: true }))
          .use('/search', search()),
      )
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await send('/search', posted('text=who', form))).status).toBe(415)
    })

    it('says 400 where somebody read the body and kept nothing', async () => {
      const app = create()
      app.use((request, _response, next) => void request.resume().on('end', () => next()))
      const send = await serve(app.use('/search', search()))
      expect((await send('/search', posted({ text: 'who' }))).status).toBe(400)
    })

    it('leaves the headers that are there already', async () => {
      const app = create().use((_request, response, next) => {
        response.set({ 'access-control-allow-origin': '*', vary: 'origin' })
        next()
      })
      const { headers } = await (await serve(app.use('/search', search())))('/search?q=who')
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual(['*', 'origin'])
    })

    it('does not answer twice where a time-out before it has answered', async () => {
      const held = heldRetriever()
      let asked = false
      const app = create().use((_request, response, next) => {
        asked = true
        next()
        response.status(503).send('too late')
      })
      const send = await serve(
        app.use('/search', searchRoute({ optimizer: createOptimizer({ retrievers: [held] }) })),
      )
      const answering = send('/search?q=who')
      await until(() => asked)
      expect(await (await answering).text()).toBe('too late')
      held.release()
      await settled()
    })

    it("gives the application's functions the request as Express has it", async () => {
      const app = create().use((request, _response, next) => {
        Object.assign(request, { user: { tenant: 'one' } })
        next()
      })
      const retriever = scriptedRetriever()
      const filter = (_: unknown, request: Request) => Reflect.get(request, 'user')
      const options = { optimizer: createOptimizer({ retrievers: [retriever] }), filter }
      await (await serve(app.use('/search', searchRoute(options))))('/search?q=who')
      expect(retriever.calls[0]!.options.filter).toEqual({ tenant: 'one' })
    })
  })

  describe('withQuerent', () => {
    it("ends the search by a signal of the handler's own too", async () => {
      const app = create().use(withQuerent({ optimizer }))
      app.get('/books', async (request, response) => {
        const reason = await request.querent
          .search('who', { signal: AbortSignal.abort(new Error('enough')) })
          .catch((error: Error) => error.message)
        response.send(reason)
      })
      expect(await (await (await serve(app))('/books')).text()).toBe('enough')
    })

    it('does not begin for a client that has gone', async () => {
      const retriever = scriptedRetriever()
      const searched: Promise<unknown>[] = []
      const app = create().use(withQuerent({ optimizer: createOptimizer({ retrievers: [retriever] }) }))
      let reached = false
      app.get('/books', (request, response) => {
        reached = true
        response.on('close', () => searched.push(request.querent.search('who').catch(({ code }) => code)))
      })
      const client = new AbortController()
      const answering = (await serve(app))('/books', { signal: client.signal }).catch(() => {})
      await until(() => reached)
      client.abort()
      await answering
      await until(() => searched.length > 0)
      expect(await searched[0]).toBe('aborted')
      expect(retriever.calls).toEqual([])
    })

    it('passes errors on as they are', async () => {
      const forCaller = (): never => {
        throw new Error('who are you?')
      }
      const app = create().use(withQuerent({ optimizer: forCaller }))
      app.get('/books', (request, response, next) => {
        request.querent.search('who').then(({ hits }) => response.send(hits[0]!.docid), next)
      })
      const onError: ErrorRequestHandler = (error: Error, _request, response, _next) =>
        void response.status(401).send(error.message)
      expect(await (await (await serve(app.use(onError)))('/books')).text()).toBe('who are you?')
    })
  })
})
