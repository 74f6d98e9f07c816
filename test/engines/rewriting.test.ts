/** What a search asks for is what comes back: values, numbers of words, ties and bare hits, through the wrapped clients and the proxy. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isObject, type JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { startRecordingServer } from '../support/recording-server.ts'
import { deciding, patient } from '../support/scripted-policy.ts'
import { createWorld, send, type World } from '../support/search-world.ts'
import { type Optimizing, type Search, waysTo } from './ways.ts'

const tenants = ['acme', 'globex', 'initech', 'hooli', 'smith and jones']
const nouns = ['bridge', 'tower', 'river', 'engineer', 'tunnel']

/** The sub-queries of a policy at its worst: the values of everybody else. */
const decides: AppOptions = { ...patient, policy: deciding([...tenants, 'the bridge']), rerank: false }

/** Every tenant has documents about everything, and about every other tenant. */
const documents = tenants.flatMap((tenant) =>
  [...nouns, ...tenants].map((noun) => ({ tenant, title: `the ${noun}`, body: `${tenant} about ${noun}` })),
)

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  const url = inject(kind)
  const name = `qx-tenants-${randomBytes(5).toString('hex')}`
  const [owned, mixed] = [`${name}-owned`, `${name}-mixed`]
  let world: World

  beforeAll(async () => {
    world = await createWorld(kind, url)
    const text = { type: 'text' }
    const keyword = { type: 'keyword' }
    await createIndex(owned, { tenant: keyword, title: { ...text, fields: { keyword } }, body: text })
    // What is a value in one index is a text in the other.
    await createIndex(mixed, { tenant: text, title: text, body: text })
  })
  afterAll(async () => {
    await send(url, 'DELETE', `/${owned},${mixed}`)
    await world.close()
  })

  async function createIndex(index: string, properties: JsonObject): Promise<void> {
    const settings = { number_of_shards: 1, number_of_replicas: 0 }
    await send(url, 'PUT', `/${index}`, JSON.stringify({ settings, mappings: { properties } }))
    const lines = documents.flatMap((document, place) => [
      JSON.stringify({ index: { _id: String(place) } }),
      JSON.stringify(document),
    ])
    await send(url, 'POST', `/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`, 'application/x-ndjson')
  }

  describe.each(waysTo(kind, url))('$name', (way) => {
    let optimizing: Optimizing
    let reranking: Optimizing
    beforeAll(async () => {
      optimizing = await way.optimizing(decides)
      reranking = await way.optimizing({})
    })
    afterAll(async () => {
      await optimizing.close()
      await reranking.close()
    })
    const searchOf = (query: JsonObject, index = owned): Search => ({
      index,
      parameters: {},
      body: { query, size: 50 },
    })

    it.each<readonly [string, (tenant: string) => JsonObject]>([
      ['a match alone', (tenant) => ({ match: { tenant } })],
      ['a match in must', (query) => ({ bool: { must: [{ match: { tenant: { query } } }] } })],
      ['a multi_match', (query) => ({ multi_match: { query, fields: ['tenant', 'title.keyword'] } })],
      ['a query_string', (query) => ({ query_string: { query: `"${query}"`, default_field: 'tenant' } })],
      ['a simple_query_string', (query) => ({ simple_query_string: { query, fields: ['tenant'] } })],
      [
        'a match beside words',
        (tenant) => ({ bool: { must: [{ match: { title: 'the' } }, { match: { tenant } }] } }),
      ],
      [
        'a match beside the same words',
        (tenant) => ({ bool: { must: [{ match: { body: tenant } }, { match: { tenant } }] } }),
      ],
      [
        'a match that must hold, beside words that may',
        (tenant) => ({ bool: { must: [{ match: { tenant } }], should: [{ match: { body: tenant } }] } }),
      ],
      [
        'a match in a constant_score, beside words',
        (tenant) => ({
          bool: {
            must: [{ constant_score: { filter: { match: { tenant } } } }, { match: { body: tenant } }],
          },
        }),
      ],
    ])('%s brings no other tenant', async (_, bodyOf) => {
      for (const one of [optimizing, reranking])
        for (const tenant of [...tenants, ...tenants]) {
          const hits = hitsOf(await one.ask(searchOf(bodyOf(tenant))))
          // Lucene's syntax looks for each word of a value by itself.
          expect(hits.length > 0 || tenant.includes(' ')).toBe(true)
          expect(hits.filter(({ _source }) => (_source as JsonObject).tenant !== tenant)).toEqual([])
        }
    })

    it('a field that is a text elsewhere is a condition where both are searched', async () => {
      const search = searchOf({ match: { tenant: 'acme' } }, `${owned},${mixed}`)
      const own = hitsOf(await way.bare(search))
      expect(hitsOf(await optimizing.ask(search))).toEqual(own)
      const alone = searchOf({ match: { tenant: 'acme' } }, mixed)
      expect(hitsOf(await optimizing.ask(alone)).length).toBeGreaterThan(hitsOf(await way.bare(alone)).length)
    })

    it('words that must all match, or most of them, bring nothing else', async () => {
      for (const strict of [{ operator: 'and' }, { minimum_should_match: '75%' }])
        for (const query of ['globex about tower', 'acme about bridge']) {
          const search = searchOf({ match: { body: { query, ...strict } } })
          const own = hitsOf(await way.bare(search))
          for (const one of [optimizing, reranking]) {
            const ids = hitsOf(await one.ask(search)).map(({ _id }) => _id)
            expect(ids.toSorted()).toEqual(own.map(({ _id }) => _id).toSorted())
          }
        }
    })

    it('hits that are sorted by score, and then by something else, are fused by score', async () => {
      const sorted = { index: owned, parameters: {} }
      const sort = ['_score', { tenant: 'desc' }]
      const query = { match: { title: 'bridge' } }
      const own = hitsOf(await way.bare({ ...sorted, body: { query, sort } }))
      const given = hitsOf(await optimizing.ask({ ...sorted, body: { query, sort } }))
      expect(own.length).toBeLessThan(given.length)
      for (const hit of given) {
        expect(hit._score).toBeTypeOf('number')
        expect(hit.sort).toHaveLength(2)
      }
      // Each tenant's title is found with one score: the tie is broken in its list.
      expect(given[0]).toMatchObject({ _id: own[0]!._id })
    })

    it('hits without _id come back without', async () => {
      const body = {
        query: { multi_match: { query: 'bridge', fields: ['title', 'body'] } },
        stored_fields: '_none_',
        docvalue_fields: ['tenant'],
      }
      const own = hitsOf(await way.bare({ index: owned, parameters: {}, body }))
      for (const one of [optimizing, reranking]) {
        const given = hitsOf(await one.ask({ index: owned, parameters: {}, body }))
        expect(given.length).toBeGreaterThanOrEqual(own.length)
        for (const hit of given) expect(Object.keys(hit).sort()).toEqual(Object.keys(own[0]!).sort())
      }
      expect(hitsOf(await optimizing.ask({ index: owned, parameters: {}, body }))).not.toHaveLength(
        own.length,
      )
    })

    it('words in the URL are put in other words', async () => {
      const search = (parameters: Search['parameters']) => ({ index: owned, parameters, body: {} })
      const counted = async (parameters: Search['parameters']) =>
        [
          hitsOf(await way.bare(search(parameters))),
          hitsOf(await optimizing.ask(search(parameters))),
        ] as const
      const [own, given] = await counted({ q: 'tower', df: 'title', size: '50' })
      expect(given.length).toBeGreaterThan(own.length)
      const all: readonly Search['parameters'][] = [
        { q: 'tower AND globex', df: 'body', size: '50' },
        { q: 'globex tower', df: 'body', default_operator: 'AND', size: '50' },
        { q: 'acme', df: 'tenant', size: '50' },
      ]
      for (const parameters of all) {
        const [bare, same] = await counted(parameters)
        expect(same, JSON.stringify(parameters)).toEqual(bare)
      }
    })
  })

  it('what fields are is asked once, as the caller', async () => {
    const engine = await startRecordingServer(new URL(url))
    try {
      const [way] = waysTo(kind, engine.url)
      const optimizing = await way!.optimizing(decides)
      for (let turn = 0; turn < 5; turn++)
        await optimizing.ask({
          index: owned,
          parameters: {},
          body: { query: { match: { title: 'bridge' } } },
        })
      const asked = engine.requests.filter(({ path }) => path.includes('_field_caps'))
      expect(asked.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
        `GET /${owned}/_field_caps`,
      ])
      await optimizing.close()
    } finally {
      await engine.close()
    }
  })
})

function hitsOf(answer: unknown): readonly JsonObject[] {
  const hits = isObject(answer) && isObject(answer.hits) ? answer.hits.hits : undefined
  if (!Array.isArray(hits)) throw new Error(JSON.stringify(answer).slice(0, 500))
  return hits
}
