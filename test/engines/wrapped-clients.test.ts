/** The official clients, wrapped: what stays the client's own, what a search costs, and whose errors are thrown. */

import type { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { localPolicy } from '../../policies/local/local-policy.ts'
import type { SearchReport } from '../../src/observe.ts'
import { passedIn } from '../support/passed.ts'
import {
  type Answer,
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../support/recording-server.ts'
import { expectSameError, rejection } from '../support/same-error.ts'
import { deciding, leaving, patient } from '../support/scripted-policy.ts'
import { createWorld, send, type World } from '../support/search-world.ts'
import { lasting } from './expected-answer.ts'
import { type Asking, officialClients } from './official-clients.ts'

const words = 'engineer of the Brooklyn Bridge born at Saxonburg'
const query = { query: { multi_match: { query: words, fields: ['title', 'text'] } } }
const decides = {
  ...patient,
  policy: deciding(['engineers of bridges', 'born at Saxonburg']),
  rerank: false,
} as const
const leaves = { policy: leaving, rerank: false } as const

describe.each(officialClients)('$name', (official) => {
  let world: World
  /** The engine, with a record of what it is asked. */
  let engine: RecordingServer
  let bare: Asking
  beforeAll(async () => {
    world = await createWorld(official.kind, inject(official.kind))
    engine = await startRecordingServer(new URL(world.url))
    bare = official.connect(engine.url)
  })
  afterEach(() => engine.clear())
  /** What it is asked, but for what its fields are. */
  const searches = (): readonly RecordedRequest[] =>
    engine.requests.filter(({ path }) => !path.includes('_field_caps'))
  afterAll(async () => {
    await engine.close()
    await world.close()
  })
  const wrapped = (options: AppOptions = decides, client = bare): Asking => official.wrap(client, options)

  /** A wrapped client before a server that answers so, and a bare one. */
  async function behind(
    answer: Answer | ((request: RecordedRequest) => Answer),
    options: AppOptions = leaves,
    settings: JsonObject = {},
  ) {
    const server = await startRecordingServer(answer)
    onTestFinished(() => server.close())
    const bare = official.connect(server.url, settings)
    return { server, bare, wrapped: official.wrap(bare, { retries: 0, ...options }) }
  }

  describe('is the client itself', () => {
    it('has its very own properties, but for search, msearch and child', () => {
      const [one, other] = [wrapped().it, bare.it]
      expect(Object.getPrototypeOf(one)).toBe(Object.getPrototypeOf(other))
      expect(Reflect.ownKeys(one)).toEqual(Reflect.ownKeys(other))
      expect(one).toBeInstanceOf(other.constructor as never)
      let seen = 0
      for (let holder: object = other; holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
        for (const key of Reflect.ownKeys(holder)) {
          if (['search', 'msearch', 'child'].includes(String(key)))
            expect(one[key], String(key)).not.toBe(other[key])
          // A getter may give a new function each time.
          else if (Object.is(other[key], Reflect.get(other, key)))
            expect(one[key], String(key)).toBe(other[key])
          else expect(typeof one[key], String(key)).toBe(typeof other[key])
          seen++
        }
      }
      expect(seen).toBeGreaterThan(50)
    })

    it('keeps what is set on it, as a client does', () => {
      const { it } = wrapped()
      it.name = 'mine'
      expect(bare.it.name).toBe('mine')
    })

    it('can be spied upon: a spy on its search is asked once, and is gone when it is restored', async () => {
      const client = wrapped()
      const own = client.it.search
      const spy = vi.spyOn(client.it, 'search').mockImplementation((async () => 'spied') as never)
      expect(await client.it.search()).toBe('spied')
      expect(spy).toHaveBeenCalledOnce()
      spy.mockRestore()
      expect(client.it.search).toBe(own)
      await expect(client.search(world.works, query)).resolves.toHaveProperty('statusCode', 200)
    })

    it('can be instrumented: what stands around its search is asked once for each search', async () => {
      const client = wrapped()
      const own = client.it.search
      let asked = 0
      client.it.search = (...given: unknown[]) => {
        asked++
        return own(...given)
      }
      await client.search(world.works, query)
      expect(asked).toBe(1)
    })

    it('searches when its methods are taken from it', async () => {
      const { search } = wrapped().it
      const parameters =
        official.kind === 'opensearch'
          ? { index: world.works, body: query }
          : { index: world.works, ...query }
      expect(await search(parameters)).toHaveProperty(official.kind === 'opensearch' ? 'body.hits' : 'hits')
    })

    it('does not touch what it is given', async () => {
      const body = frozen({
        ...query,
        aggs: { all: { terms: { field: 'subject' } } },
        from: 3,
        _source: ['title'],
      })
      const lines = frozen([{ index: world.works }, { ...query, size: 3 }])
      await expect(
        wrapped().search(world.works, body, frozen({ headers: { 'x-a': 'b' } })),
      ).resolves.toBeDefined()
      await expect(wrapped({}).msearch(lines)).resolves.toBeDefined()
    })
  })

  describe('a query that is left alone', () => {
    it('costs the very request that the bare client sends', async () => {
      await bare.search(world.works, query)
      await wrapped(leaves).search(world.works, query)
      expect(searches()).toHaveLength(2)
      const [one, other] = searches().map(({ connection: _, ...request }) => request)
      expect(other).toEqual(one)
    })

    it('costs one request where it is re-ranked', async () => {
      const { rerank } = await localPolicy()
      await wrapped({ policy: leaving, rerank: rerank! }).search(world.works, query)
      expect(searches()).toHaveLength(1)
    })

    it.each([
      ['a search that is not understood', { ...query, sort: ['serial'] }],
      ['a search without a body', {}],
      ['a search whose body is a text', JSON.stringify({ ...query, sort: ['serial'] })],
    ])('costs the very request that the bare client sends, as %s', async (_, body) => {
      for (const client of [bare, wrapped(decides), wrapped({})])
        await client.search(world.works, body, typeof body === 'string' ? asJson : {})
      const [one, ...others] = searches().map(({ connection: _, ...request }) => request)
      expect(others).toEqual([one, one])
    })

    it('costs the very request that the bare client sends in an msearch', async () => {
      const lines = [{ index: world.works }, query, { index: world.copies }, query, {}, { size: 0 }]
      const own = await bare.msearch(lines)
      const answer = await wrapped(leaves).msearch(lines)
      const [one, other] = searches().map(({ connection: _, ...request }) => request)
      expect(searches()).toHaveLength(2)
      expect(other).toEqual(one)
      expect(withoutTook(answer.body)).toEqual(withoutTook(own.body))
    })
  })

  describe('a query that is decided on', () => {
    it('costs two requests: its own, and one for all sub-queries', async () => {
      await wrapped().search(world.works, { ...query, aggs: { all: { terms: { field: 'subject' } } } })
      expect(
        searches()
          .map(({ method, path }) => `${method} ${path}`)
          .sort(),
      ).toEqual([`POST /${world.works}/_msearch`, `POST /${world.works}/_search`])
      const lines = String(searches().find(({ path }) => path.endsWith('_msearch'))!.body)
        .trim()
        .split('\n')
      expect(lines).toHaveLength(4)
      for (const line of lines) expect(line).not.toContain('aggs')
    })

    it('is searched in a point in time, without its index', async () => {
      const id = await openPit(world)
      const body = { ...query, pit: { id, keep_alive: '1m' } }
      const reports: SearchReport[] = []
      const answer = await wrapped({
        ...decides,
        observe: { onSearch: (report) => reports.push(report) },
      }).search(undefined, body)
      expect(
        searches()
          .map(({ path }) => path)
          .sort(),
      ).toEqual(['/_msearch', '/_search'])
      expect(reports[0]!.trace).toMatchObject({ kind: 'decompose', partial: false })
      const own = (await bare.search(undefined, body)).body as JsonObject
      expect(Object.keys(answer.body as object).sort()).toEqual(Object.keys(own).sort())
    })

    it('has what its own request brings, however late that is', async () => {
      let arrived = (): void => {}
      const after = new Promise<void>((resolve) => {
        arrived = resolve
      })
      const counted = oneAnswer.replace('"took":1', '"took":1,"aggregations":{"all":{"value":7}}')
      const { wrapped } = await behind(({ path }) => {
        if (path.includes('_field_caps'))
          return { headers: json, body: '{"fields":{"text":{"text":{"type":"text"}}}}' }
        if (!path.endsWith('_msearch')) return { headers: json, body: counted, after }
        // The sub-queries have been answered by the time that the search itself is.
        setImmediate(arrived)
        return { headers: json, body: twoAnswers }
      }, decides)
      const { body } = await wrapped.search('any', query)
      expect(body).toMatchObject({ aggregations: { all: { value: 7 } }, _shards: { total: 3 } })
    })

    it('has its words where a body was written as a text', async () => {
      const reports: SearchReport[] = []
      const client = wrapped({ ...decides, observe: { onSearch: (report) => reports.push(report) } })
      const [one, other] = [
        await client.search(world.works, JSON.stringify(query), asJson),
        await client.search(world.works, query),
      ]
      expect(reports.map(passedIn)).toEqual([undefined, undefined])
      expect(lasting(one.body)).toEqual(lasting(other.body))
    })
  })

  describe('what it gives', () => {
    it.each([
      ['left alone', leaves],
      ['decided on', decides],
    ])('has the whole of a result for a query that is %s', async (_, options) => {
      const own = await bare.search(world.works, query)
      const result = await wrapped(options).search(world.works, query)
      expect(Object.keys(result).sort()).toEqual(Object.keys(own).sort())
      expect(result.statusCode).toBe(200)
      expect(result.warnings).toEqual(own.warnings)
      expect(Object.keys(result.headers).sort()).toEqual(Object.keys(own.headers).sort())
      expect(Object.keys(result.meta).sort()).toEqual(Object.keys(own.meta).sort())
      expect((result.meta as { name: string }).name).toBe((own.meta as { name: string }).name)
    })

    it.each([
      ['left alone', leaves],
      ['decided on', decides],
    ])('has the warnings of a query that is %s', async (_, options) => {
      const headers = [
        'content-type',
        'application/json',
        'warning',
        '299 Elasticsearch-9 "old"',
        'x-elastic-product',
        'Elasticsearch',
      ]
      const { bare, wrapped } = await behind(
        ({ path }) => ({ headers, body: path.endsWith('_msearch') ? twoAnswers : oneAnswer }),
        options,
      )
      const own = await bare.search('any', query)
      const result = await wrapped.search('any', query)
      expect(own.warnings).toEqual(['299 Elasticsearch-9 "old"'])
      expect(result.warnings).toEqual(own.warnings)
    })

    it("is a stream where a stream is asked for: the engine's own bytes", async () => {
      const { body } = await wrapped().search(world.works, query, { asStream: true })
      const own = await bare.search(world.works, query, { asStream: true })
      expect(lasting(JSON.parse(await text(body as Readable)))).toEqual(
        lasting(JSON.parse(String(await buffer(own.body as Readable)))),
      )
      expect(searches()).toHaveLength(2)
    })

    it.each([leaves, decides])("is the error's body where its status is ignored", async (options) => {
      const [own, result] = await Promise.all(
        [bare, wrapped(options)].map((client) => client.search('qx-missing', query, { ignore: [404] })),
      )
      expect(result!.statusCode).toBe(404)
      expect(result!.body).toEqual(own!.body)
    })

    it('has nothing of ours unless that is asked for', async () => {
      const plain = await wrapped().search(world.works, query)
      const told = await wrapped().search(world.works, query, { context: { querent: { explain: true } } })
      expect(JSON.stringify(plain.body)).not.toContain('_querent')
      expect(told.body).toMatchObject({ _querent: { decision: 'decompose' } })
      const { hits } = (told.body as { readonly hits: { readonly hits: readonly JsonObject[] } }).hits
      expect(hits.map(({ _querent: about }) => (about as JsonObject).rank)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ])
    })
  })

  describe('errors', () => {
    const kinds: readonly (readonly [string, (client: Asking) => Promise<unknown>])[] = [
      ['a missing index', (client) => client.search('qx-missing', query)],
      [
        'a query that is refused',
        (client) => client.search(undefined, { query: { match: { text: { query: words, nonsense: 1 } } } }),
      ],
      ['a part that is not known', (client) => client.search(undefined, { ...query, nonsense: 1 })],
      ['lines without an end', (client) => client.msearch([{}])],
    ]

    it.each(kinds)("are the client's own for %s", async (_, ask) => {
      const own = await rejection(ask(bare))
      for (const options of [leaves, decides, {}])
        expectSameError(await rejection(ask(wrapped(options))), own)
      expect(own).toBeInstanceOf(official.errors.ResponseError)
    })

    const answers: readonly (readonly [string, Answer, string])[] = [
      ...[401, 403, 413, 429, 500, 502, 503, 504].map(
        (status) =>
          [
            `status ${status}`,
            { status, headers: json, body: '{"error":"no","status":1}' },
            'ResponseError',
          ] as const,
      ),
      [
        'a page of HTML',
        { status: 500, headers: ['content-type', 'text/html'], body: '<html>' },
        'ResponseError',
      ],
      ['a body that is cut', { status: 200, headers: json, body: '{"took":' }, 'DeserializationError'],
      ['a connection that is cut', 'cut', 'ConnectionError'],
      ['no answer in time', 'hang', 'TimeoutError'],
    ]

    it.each(answers)("are the client's own for %s", async (_, answer, name) => {
      for (const options of [leaves, decides, {}]) {
        // Only where no answer comes: on a busy machine another one may take that long.
        const requestTimeout = answer === 'hang' ? 300 : 30_000
        const { bare, wrapped } = await behind(answer, options, { requestTimeout })
        const own = await rejection(bare.search('any', query))
        expectSameError(await rejection(wrapped.search('any', query)), own)
        expect(own).toBeInstanceOf(official.errors[name])
      }
    })

    it("are the client's own where no server is", async () => {
      const closed = await startRecordingServer('cut')
      await closed.close()
      const bare = official.connect(closed.url)
      const own = await rejection(bare.search('any', query))
      expectSameError(
        await rejection(official.wrap(bare, { ...decides, retries: 0 }).search('any', query)),
        own,
      )
      expect(own).toBeInstanceOf(official.errors.ConnectionError)
    })

    if (official.kind === 'elasticsearch')
      it("are the client's own where the server is none of its product", async () => {
        const { bare, wrapped } = await behind(
          { headers: ['content-type', 'application/json'], body: oneAnswer },
          decides,
        )
        const own = await rejection(bare.search('any', query))
        expectSameError(await rejection(wrapped.search('any', query)), own)
        expect(own).toBeInstanceOf(official.errors.ProductNotSupportedError)
      })

    it("are nobody's where only sub-queries fail", async () => {
      const { bare, wrapped } = await behind(
        ({ path }) =>
          path.endsWith('_msearch')
            ? { status: 503, headers: json, body: '{}' }
            : { headers: json, body: oneAnswer },
        { ...decides, resilience: { retries: 0, timeout: 60_000 } },
      )
      const [answer, own] = [await wrapped.search('any', query), await bare.search('any', query)]
      expect(lasting(answer.body)).toEqual(lasting(own.body))
    })
  })

  describe('msearch', () => {
    const lines = (): JsonObject[] => [
      ...[{ index: world.works }, query],
      ...[{ index: world.works }, { ...query, sort: ['serial'], size: 2 }],
      ...[{ index: 'qx-missing' }, query],
      ...[{ index: world.copies }, { ...query, size: 5 }],
      ...[{ index: world.works }, { ...query, aggs: { texts: { terms: { field: 'text' } } } }],
      ...[{ index: world.routed, routing: 'north' }, query],
    ]

    it('keeps the order and the errors of its searches, and optimizes those that it understands', async () => {
      const own = responsesOf(await bare.msearch(lines()))
      engine.clear()
      const reports: SearchReport[] = []
      const responses = responsesOf(
        await wrapped({ ...decides, observe: { onSearch: (report) => reports.push(report) } }).msearch(
          lines(),
        ),
      )
      expect(responses).toHaveLength(6)
      for (const place of [1, 2, 4]) expect(lasting(responses[place])).toEqual(lasting(own[place]))
      for (const place of [0, 3, 5]) {
        const alone = lines()[place * 2 + 1] as JsonObject
        const { index, ...querystring } = lines()[place * 2] as { readonly index: string }
        const expected = await wrapped().search(index, alone, { querystring })
        expect(lasting(without(responses[place]!, 'status'))).toEqual(lasting(expected.body))
        expect(responses[place]!.status).toBe(200)
      }
      expect(reports).toHaveLength(6)
      const passed = reports.flatMap((report) => passedIn(report) ?? [])
      expect(passed.sort()).toEqual([
        expect.stringContaining('sorted'),
        'the engine answered 400',
        'the engine answered 404',
      ])
    })

    it('searches sub-queries where the search itself does', async () => {
      await wrapped().msearch(lines(), { index: world.pattern })
      const legs = searches()
        .slice(1)
        .flatMap(({ body }) =>
          String(body)
            .trim()
            .split('\n')
            .filter((_, place) => place % 2 === 0)
            .map((line) => JSON.parse(line) as JsonObject),
        )
      expect(legs.length).toBeGreaterThan(0)
      const places = new Set(legs.map((leg) => JSON.stringify(leg)))
      const asked = lines().filter((_, place) => place % 2 === 0)
      for (const leg of places) expect(asked.map((header) => JSON.stringify(header))).toContain(leg)
    })

    it('asks for all of its searches in one request, also where it asks for more of them', async () => {
      await wrapped({}).msearch(lines())
      const [first] = searches()
      expect(String(first!.body).trim().split('\n')).toHaveLength(12)
      for (const { body } of searches().slice(1)) expect(String(body)).not.toContain('serial')
    })

    it('gives a search whose change the engine refuses as it is', async () => {
      const body = { ...query, size: 100, _source: false, stored_fields: ['shelf'] }
      const { wrapped } = await behind(({ path, body }) => {
        const lines = String(body)
          .trim()
          .split('\n')
          .filter((_, place) => place % 2 === 1)
        const answers = lines.map((line) => (line.includes('"summary"') ? refusal : oneAnswer))
        return {
          headers: json,
          body: path.endsWith('_msearch') ? `{"took":1,"responses":[${answers}]}` : oneAnswer,
        }
      }, {})
      const { responses } = (await wrapped.msearch([{ index: 'any' }, body])).body as { responses: unknown[] }
      expect(responses).toEqual([JSON.parse(oneAnswer)])
    })

    it('has what its URL says in every search', async () => {
      const options = { index: world.routed, querystring: { routing: 'north', rest_total_hits_as_int: true } }
      const answer = responsesOf(await wrapped().msearch([{}, query], options))
      const legs = searches().find(({ body }) => String(body).includes('engineers of bridges'))!
      expect(String(legs.body)).toContain('"routing":"north"')
      expect((answer[0]!.hits as JsonObject).total).toBeTypeOf('number')
      for (const { _routing } of (answer[0]!.hits as { hits: JsonObject[] }).hits)
        expect(typeof _routing).toBe('string')
      const alone = await wrapped().search(world.routed, query, { querystring: options.querystring })
      expect(lasting(without(answer[0]!, 'status'))).toEqual(lasting(alone.body))
    })
  })

  describe('children', () => {
    it('are wrapped, and share the connections of their parent', async () => {
      const child = wrapped().child({ headers: { 'x-child': 'yes' } })
      expect(child.it.connectionPool).toBe(bare.it.connectionPool)
      await child.search(world.works, query)
      expect(searches()).toHaveLength(2)
      for (const { headers } of searches()) expect(headers).toContain('x-child')
    })
  })

  describe('an end by the caller', () => {
    if (official.kind === 'elasticsearch')
      it('comes with a signal, for the search and its sub-queries', async () => {
        const { server, bare, wrapped } = await behind('hang', decides)
        const stop = new AbortController()
        const ending = rejection(wrapped.search('any', query, { signal: stop.signal }))
        await server.arrived(2)
        stop.abort()
        const error = await ending
        await server.left(2)
        const stopped = new AbortController()
        const bareEnding = rejection(bare.search('any', query, { signal: stopped.signal }))
        await server.arrived(3)
        stopped.abort()
        expect(Object.keys(error as object)).toEqual(Object.keys((await bareEnding) as object))
        expect(error).toBeInstanceOf(official.errors.RequestAbortedError)
      })

    if (official.kind === 'elasticsearch')
      it('may be there before: nothing is sent', async () => {
        const error = await rejection(wrapped().search(world.works, query, { signal: AbortSignal.abort() }))
        expectSameError(
          error,
          await rejection(bare.search(world.works, query, { signal: AbortSignal.abort() })),
        )
        expect(searches()).toHaveLength(0)
      })

    if (official.kind === 'opensearch')
      it("comes with the promise's abort, for the search and its sub-queries", async () => {
        const { server, bare, wrapped } = await behind('hang', decides)
        const [error, own] = await Promise.all(
          [wrapped, bare].map(async ({ it }, place) => {
            const asked = (it.search as (parameters: unknown) => Promise<unknown> & { abort(): void })({
              index: `any${place}`,
              body: query,
            })
            const ending = rejection(asked)
            await server.arrived(3)
            asked.abort()
            return ending
          }),
        )
        await server.left(3)
        expect(error).toBeInstanceOf(official.errors.RequestAbortedError)
        expectSameError(error, own)
      })
  })

  if (official.kind === 'opensearch')
    it('calls back as the client does', async () => {
      type WithCallback = (...given: unknown[]) => { abort(): void } | Promise<unknown>
      const called = (client: Asking, ...given: readonly unknown[]): Promise<[unknown, unknown]> =>
        new Promise((resolve) => {
          const returned = (client.it.search as WithCallback)(...given, (error: unknown, result: unknown) =>
            resolve([error, result]),
          )
          expect(typeof (returned as { abort(): void }).abort).toBe('function')
          expect(returned).not.toBeInstanceOf(Promise)
        })
      const good = { index: world.works, body: query }
      for (const given of [[good], [good, { headers: { 'x-a': 'b' } }]]) {
        const [error, result] = await called(wrapped(), ...given)
        expect(error).toBeNull()
        expect(result).toMatchObject({ statusCode: 200, body: { hits: { total: { relation: 'gte' } } } })
      }
      const bad = { index: 'qx-missing', body: query }
      const [error, result] = await called(wrapped(), bad)
      const [own, ownResult] = await called(bare, bad)
      expectSameError(error, own)
      expect(Object.keys(result as object).sort()).toEqual(Object.keys(ownResult as object).sort())
    })

  if (official.kind === 'opensearch')
    it('asks the client itself for what it cannot read', async () => {
      class Parameters {
        index = world.copies
        body = query
      }
      const search = wrapped().it.search as (...given: unknown[]) => Promise<{ body: unknown }>
      expect(lasting((await search(new Parameters())).body)).toEqual(
        lasting((await bare.search(world.copies, query)).body),
      )
    })

  it("tells the client's own events of every request", async () => {
    const events: string[] = []
    const emitter = (official.kind === 'opensearch' ? bare.it : bare.it.diagnostic) as EventEmitter
    const listen = (name: string) => (error: unknown) => void events.push(error ? `${name}!` : name)
    const listeners = ['request', 'response'].map((name) => [name, listen(name)] as const)
    for (const [name, listener] of listeners) emitter.on(name, listener)
    onTestFinished(() => listeners.forEach(([name, listener]) => void emitter.off(name, listener)))
    await wrapped(leaves).search(world.works, query)
    expect(events).toEqual(['request', 'response'])
    await wrapped().search(world.works, query)
    // One more asks what the fields are.
    expect(events.filter((name) => name === 'request')).toHaveLength(4)
    expect(events.filter((name) => name === 'response')).toHaveLength(4)
    await rejection(wrapped().search('qx-missing', query))
    expect(events).toContain('response!')
  })
})

/** Clients take a body that is a text for plain text. */
const asJson = { headers: { 'content-type': 'application/json' } }

const json = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const oneAnswer = JSON.stringify({
  took: 1,
  timed_out: false,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: {
    total: { value: 1, relation: 'eq' },
    max_score: 1,
    hits: [{ _index: 'any', _id: '1', _score: 1, _source: {} }],
  },
})
const twoAnswers = `{"took":1,"responses":[${oneAnswer},${oneAnswer}]}`
const refusal = '{"error":{"type":"refused","reason":"no"},"status":400}'

async function openPit({ kind, url, works }: World): Promise<string> {
  const path = kind === 'elasticsearch' ? '_pit' : '_search/point_in_time'
  const { id, pit_id } = await send(url, 'POST', `/${works}/${path}?keep_alive=1m`)
  return String(id ?? pit_id)
}

const responsesOf = ({ body }: { readonly body: unknown }): readonly JsonObject[] =>
  (body as { readonly responses: readonly JsonObject[] }).responses

const withoutTook = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'took' ? undefined : value)))

const without = (object: JsonObject, key: string): JsonObject => {
  const { [key]: _, ...rest } = object
  return rest
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const item of Object.values(Object.freeze(value))) frozen(item)
  return value
}
