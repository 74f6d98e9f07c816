/** Searches through the proxy, as clients in any language send them: numbers without loss, media types, paging, and the words of a caller. */
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { parseAnswer } from '../../adapters/apps/proxy/json.ts'
import { createProxy, type ProxyOptions } from '../../adapters/apps/proxy/proxy.ts'
import { openaiChat } from '../../adapters/models/openai.ts'
import { completion, startChatServer } from '../support/chat-server.ts'
import { type RawRequest, sendRaw, valuesOf } from '../support/raw-http.ts'
import { type RecordingServer, startRecordingServer } from '../support/recording-server.ts'
import { deciding, leaving, patient } from '../support/scripted-policy.ts'
import { createWorld, firstSerial, send, type World } from '../support/search-world.ts'
import { lasting } from './expected-answer.ts'

const words = 'engineer of the Brooklyn Bridge born at Saxonburg'
const subQueries = ['engineers who drew a bridge', 'born at Saxonburg in Pennsylvania']
const decides = { ...patient, policy: deciding(subQueries), rerank: false } as const
const json = ['content-type', 'application/json'] as const
const match = (text: string): string =>
  `{"multi_match":{"query":${JSON.stringify(text)},"fields":["title","text"]}}`

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let world: World
  /** The engine, with a record of what it is asked. */
  let engine: RecordingServer
  let url: string
  beforeAll(async () => {
    world = await createWorld(kind, inject(kind))
    engine = await startRecordingServer(new URL(world.url))
    url = await proxyWith(decides)
  })
  const closing: (() => Promise<void>)[] = []
  afterEach(() => engine.clear())
  afterAll(async () => {
    for (const close of closing) await close()
    await engine.close()
    await world.close()
  })
  async function proxyWith(options: Omit<ProxyOptions, 'target'>): Promise<string> {
    const proxy = await createProxy({ ...options, target: engine.url })
    closing.push(() => proxy.close())
    return proxy.listen(0)
  }
  const search = async (body: string, more: Partial<RawRequest> = {}, at = url) => {
    const answer = await sendRaw(at, {
      method: 'POST',
      path: `/${world.works}/_search`,
      headers: json,
      body,
      ...more,
    })
    return { ...answer, text: String(answer.body), json: JSON.parse(String(answer.body)) as JsonObject }
  }
  const legs = (): string[] =>
    engine.requests
      .filter(({ path }) => path.includes('_msearch'))
      .flatMap(({ body }) => String(body).trim().split('\n'))

  describe('numbers', () => {
    const numbers = [
      '9007199254740993',
      '-9223372036854775808',
      '1.0',
      '1e400',
      '-0',
      '1E+2',
      '0.1000000000000000055511151231257827',
      '100000000000000000000000',
    ]

    it('arrive on every leg as they were written', async () => {
      // No index has the field: OpenSearch refuses a number that the field's type cannot hold.
      const filters = numbers.map((number) => `{"term":{"measured":${number}}}`).join()
      const { headers } = await search(
        `{"query":{"bool":{"must":[${match(words)}],"should":[${filters}]}},"min_score":0.0}`,
        { headers: [...json, 'x-querent-explain', 'header'] },
      )
      expect(valuesOf(headers, 'x-querent')).toEqual([expect.stringMatching(/^(un)?changed/)])
      const bodies = legs().filter((line) => line.includes('"query":'))
      expect(bodies).toHaveLength(2)
      for (const line of bodies) {
        for (const number of numbers) expect(line).toContain(`{"term":{"measured":${number}}}`)
        expect(line).toContain('"min_score":0.0')
      }
    })

    it('arrive as they were written where request 1 is another one', async () => {
      const at = await proxyWith({})
      await search(
        `{"query":{"bool":{"must":[${match(words)}],"filter":[{"range":{"serial":{"gte":${firstSerial}}}}]}},"from":1.0,"size":3}`,
        {},
        at,
      )
      expect(String(engine.requests[0]!.body)).toContain(`{"range":{"serial":{"gte":${firstSerial}}}}`)
    })

    it('choose the documents that they choose without us', async () => {
      const serial = firstSerial + 1n
      const body = `{"query":{"bool":{"must":[{"match":{"text":"Roebling"}}],"filter":[{"term":{"serial":${serial}}}]}}}`
      for (const at of [world.url, url, await proxyWith({})]) {
        const { text, json } = await search(body, {}, at)
        expect(text).toContain(`"serial":${serial}`)
        expect((json.hits as JsonObject).hits).toHaveLength(1)
      }
    })

    it.each([
      ['left alone', { policy: leaving, rerank: false }],
      ['re-ranked', {}],
      ['decided on', decides],
    ] as const)('come back as the engine wrote them, in an answer that is %s', async (_, options) => {
      const at = await proxyWith(options)
      const body = `{"query":${match(words)},"size":5,"fields":["serial","price"],"collapse":{"field":"subject","inner_hits":{"name":"most","size":2,"sort":[{"serial":"desc"}]}},"aggs":{"most":{"max":{"field":"serial"}},"sum":{"sum":{"field":"price"}}}}`
      const [own, given] = [await search(body, {}, world.url), await search(body, {}, at)]
      const serials = [...given.text.matchAll(/"(?:serial|sort)":\[?(\d+)/g)].map(([, serial]) => serial!)
      expect(serials.length).toBeGreaterThan(5)
      expect(
        serials.filter((serial) => BigInt(serial) % 2n === 1n && !Number.isSafeInteger(Number(serial)))
          .length,
      ).toBeGreaterThan(0)
      expect(given.text).toMatch(/"price":\d+\.0[,}]/)
      // Elasticsearch writes 1.0 as 1.0 wherever it is a double.
      const both = [own, given].map(({ text }) => lasting(parseAnswer(text)) as JsonObject)
      expect(both[1]!.aggregations).toEqual(both[0]!.aggregations)
    })
  })

  describe('bodies', () => {
    it.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const)('are understood where they are compressed: %s', async (encoding, compress) => {
      const body = `{"query":${match(words)}}`
      const sent = {
        method: 'POST',
        path: `/${world.works}/_search`,
        headers: [...json, 'content-encoding', encoding],
        body: compress(body),
      }
      const direct = await sendRaw(world.url, sent)
      const given = await sendRaw(url, sent)
      // An engine may not know an encoding: its own refusal is what comes back.
      expect(given.status).toBe(direct.status)
      if (direct.status !== 200) return expect(given.body.equals(direct.body)).toBe(true)
      expect(lasting(parseAnswer(String(given.body)))).toEqual(
        lasting(parseAnswer((await search(body)).text)),
      )
      expect(engine.requests.length).toBeGreaterThan(2)
    })

    it('are understood where the answer is to be compressed, and an optimized one is, too', async () => {
      const headers = [...json, 'accept-encoding', 'gzip']
      const body = `{"query":${match(words)},"size":30}`
      const request = { method: 'POST', path: `/${world.works}/_search`, headers, body }
      for (const at of [await proxyWith({ policy: leaving, rerank: false }), url]) {
        const answer = await sendRaw(at, request)
        expect(valuesOf(answer.headers, 'content-encoding')).toEqual(['gzip'])
        const plain = await search(body, {}, at)
        expect(lasting(JSON.parse(String(gunzipSync(answer.body))))).toEqual(lasting(plain.json))
      }
    })

    it('are understood with GET, and with a slash at the end', async () => {
      const body = `{"query":${match(words)}}`
      const usual = lasting((await search(body)).json)
      expect(lasting((await search(body, { method: 'GET' })).json)).toEqual(usual)
      expect(lasting((await search(body, { path: `/${world.works}/_search/` })).json)).toEqual(usual)
      expect(
        lasting(
          (
            await search(body, {
              headers: ['Content-Type', 'application/json; charset=UTF-8', 'Accept', '*/*'],
            })
          ).json,
        ),
      ).toEqual(usual)
    })

    it('are understood in the types of the vendor, and answered in them', async () => {
      const vendor = `application/vnd.${kind}+json; compatible-with=${kind === 'elasticsearch' ? 9 : 7}`
      const headers = ['content-type', vendor, 'accept', vendor]
      const body = `{"query":${match(words)}}`
      const direct = await search(body, { headers }, world.url).catch(() => undefined)
      const given = await search(body, { headers })
      expect(given.status).toBe(direct?.status)
      expect(valuesOf(given.headers, 'content-type')).toEqual(valuesOf(direct!.headers, 'content-type'))
      expect(valuesOf(given.headers, 'x-elastic-product')).toEqual(
        kind === 'elasticsearch' ? ['Elasticsearch'] : [],
      )
      if (given.status === 200) expect(lasting(given.json)).toEqual(lasting((await search(body)).json))
    })

    it('are answered for people where that is asked for', async () => {
      const { text, json } = await search(`{"query":${match(words)}}`, {
        path: `/${world.works}/_search?pretty`,
      })
      expect(text.split('\n').length).toBeGreaterThan(20)
      expect(lasting(json)).toEqual(lasting((await search(`{"query":${match(words)}}`)).json))
    })
  })

  it('a point in time is searched as it is, on every leg', async () => {
    const path = kind === 'elasticsearch' ? '_pit' : '_search/point_in_time'
    const { id, pit_id } = await send(
      world.url,
      'POST',
      `/${world.works},${world.copies}/${path}?keep_alive=1m`,
    )
    const pit = String(id ?? pit_id)
    const body = `{"query":${match(words)},"pit":{"id":"${pit}","keep_alive":"1m"},"size":20}`
    const given = await search(body, { path: '/_search' })
    expect(given.json).toHaveProperty('pit_id')
    expect(legs()).toHaveLength(4)
    const fused = await search(`{"query":${match(words)},"size":20}`, {
      path: `/${world.works},${world.copies}/_search`,
    })
    expect((given.json.hits as { hits: unknown[] }).hits.map(keyOf)).toEqual(
      (fused.json.hits as { hits: unknown[] }).hits.map(keyOf),
    )
  })

  it('pages are parts of one list: no hit is on two of them, and none is lost', async () => {
    for (const [name, options] of Object.entries({ fused: decides, reranked: {} })) {
      const at = await proxyWith(options)
      const page = async (from: number, size: number) => {
        const { json } = await search(`{"query":${match(words)},"from":${from},"size":${size}}`, {}, at)
        return (json.hits as { hits: unknown[] }).hits.map(keyOf)
      }
      const pages: string[] = []
      for (let from = 0; from < 100; from += 10) pages.push(...(await page(from, 10)))
      expect(new Set(pages).size, name).toBe(pages.length)
      expect(pages.length, name).toBeGreaterThan(20)
      expect(await page(0, 10), name).toEqual(pages.slice(0, 10))
    }
  })

  describe('what a caller says in headers', () => {
    it('is where the words stand', async () => {
      const body = `{"query":{"bool":{"must":[{"term":{"subject":"bridges"}}],"should":[${match('{{query}}')}]}}}`
      const headers = [...json, 'x-querent-query', encodeURIComponent(words), 'x-querent-explain', 'true']
      const given = await search(body, { headers })
      expect(given.json._querent).toMatchObject({ decision: 'decompose' })
      expect(String(engine.requests[0]!.body)).not.toContain('{{query}}')
      expect(legs().join()).not.toContain('{{query}}')
      const passed = await search(body.replace('multi_match', 'query_string'), { headers })
      expect(valuesOf(passed.headers, 'x-querent')).toEqual([expect.stringContaining('syntax')])
      expect(String(engine.requests.at(-1)!.body)).toContain(words)
    })

    it('is the conversation, which the model reads; and one answer of the model serves all pages, of that caller', async () => {
      let asked = 0
      const chat = await startChatServer(() => {
        asked++
        return completion(`{"query": "bridges number ${asked} %% engineers number ${asked}"}`)
      })
      onTestFinished(() => chat.close())
      const at = await proxyWith({
        policy: 'acqo',
        chat: openaiChat({ baseUrl: chat.url, model: 'any' }),
      })
      const history = encodeURIComponent(
        JSON.stringify([
          { role: 'user', text: 'Tell me of Zanzibar' },
          { role: 'agent', text: 'An island' },
        ]),
      )
      const page = (from: number, who = 'one') =>
        search(
          `{"query":${match(words)},"from":${from}}`,
          { headers: [...json, 'x-querent-history', history, 'authorization', who] },
          at,
        )
      await page(0)
      expect(JSON.stringify(chat.requests[0]!.body)).toContain('Zanzibar')
      expect(asked).toBe(1)
      await page(10)
      await page(20)
      expect(asked).toBe(1)
      await page(10, 'another')
      expect(asked).toBe(2)
      for (const { headers } of engine.requests) expect(headers).not.toContain('x-querent-history')
    })
  })

  it('an msearch keeps its order, its errors and its numbers', async () => {
    const line = (header: JsonObject, body: string): string => `${JSON.stringify(header)}\n${body}\n`
    const filtered = `{"query":{"bool":{"must":[${match(words)}],"filter":[{"range":{"serial":{"gte":${firstSerial}}}}]}},"size":2}`
    const body = [
      line({ index: world.works }, filtered),
      line({ index: 'qx-missing' }, filtered),
      line({ index: world.works }, `{"query":${match(words)},"sort":["serial"],"size":1}`),
      line({ index: world.copies, preference: '_local' }, `{"query":${match(words)},"size":2}`),
    ].join('')
    const ask = async (at: string) => {
      const answer = await sendRaw(at, {
        method: 'POST',
        path: '/_msearch',
        headers: ['content-type', 'application/x-ndjson'],
        body,
      })
      return parseAnswer(String(answer.body)) as { readonly responses: readonly JsonObject[] }
    }
    const [own, given] = [await ask(world.url), await ask(url)]
    expect(given.responses.map(({ status }) => status)).toEqual([200, 404, 200, 200])
    for (const place of [1, 2]) expect(lasting(given.responses[place])).toEqual(lasting(own.responses[place]))
    for (const [place, index, alone] of [
      [0, world.works, filtered],
      [3, world.copies, `{"query":${match(words)},"size":2}`],
    ] as const) {
      const { text } = await search(alone, { path: `/${index}/_search` })
      const { status: _, ...response } = given.responses[place]!
      expect(lasting(response)).toEqual(lasting(parseAnswer(text)))
    }
    expect(legs().filter((line) => line.includes('engineers who drew')).length).toBeGreaterThan(2)
    expect(new Set(legs().filter((line) => line.startsWith('{"index":')))).toEqual(
      new Set([
        `{"index":"${world.works}"}`,
        '{"index":"qx-missing"}',
        `{"index":"${world.copies}","preference":"_local"}`,
      ]),
    )
  })

  it("the policy that comes with the package answers in the engine's shape, whatever it decides", async () => {
    const at = await proxyWith({})
    const texts = [
      words,
      'Which bridge did the man who drew the Verrazzano-Narrows Bridge build before it, and who hired him?',
      'opera',
      'Who directed the film in which the Golden Gate Bridge is torn down?',
    ]
    for (const text of texts) {
      const body = `{"query":${match(text)},"highlight":{"fields":{"text":{}}},"_source":["title"]}`
      const [own, given] = [await search(body, {}, world.url), await search(body, {}, at)]
      expect(Object.keys(given.json)).toEqual(Object.keys(own.json))
      expect(Object.keys(given.json.hits as object)).toEqual(Object.keys(own.json.hits as object))
      const hits = (given.json.hits as { hits: JsonObject[] }).hits
      expect(hits.length).toBe((own.json.hits as { hits: JsonObject[] }).hits.length)
      for (const hit of hits) {
        expect(Object.keys(hit).filter((key) => key !== 'highlight')).toEqual([
          '_index',
          '_id',
          '_score',
          '_source',
        ])
        expect(Object.keys(hit._source as object)).toEqual(['title'])
      }
      expect(hits.map(({ _score }) => _score)).toEqual(
        hits.map(({ _score }) => _score as number).toSorted((one, other) => other - one),
      )
    }
  })
})

const keyOf = (hit: unknown): string => {
  const { _index, _id } = hit as JsonObject
  return `${String(_index)} ${String(_id)}`
}
