/** Filters that are read out of the words, through wrapped clients and the proxy, on real engines. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import type { SearchReport } from '../../src/observe.ts'
import type { Step } from '../../src/types.ts'
import { leaving, patient } from '../support/scripted-policy.ts'
import { send } from '../support/search-world.ts'
import { officialClients } from './official-clients.ts'

const brands = ['Northwind', 'Aurora', 'Kestrel']
/** 60 boots of three brands, from 20 to 197 euros, of two shops. Only the second shop has Kestrel. */
const products = Array.from({ length: 60 }, (_, at) => {
  const shop = at % 2 === 0 ? 'first' : 'second'
  const brand = shop === 'first' ? brands[at % 4 === 0 ? 0 : 1]! : brands[at % 3]!
  return {
    id: `p${at}`,
    title: `Hiking boots ${at}`,
    text: 'Boots for long hikes.',
    brand,
    price: 20 + 3 * at,
    shop,
  }
})
const filters = { brand: 'keyword', price: 'EUR' } as const
const words = 'Northwind hiking boots under 80 euros'
const body = { query: { multi_match: { query: words, fields: ['title', 'text'] } }, size: 10 }
const passes = ({ brand, price }: { readonly brand: string; readonly price: number }): boolean =>
  brand === 'Northwind' && price < 80

const linesOf = (values: readonly object[]): string =>
  values.map((one) => `${JSON.stringify(one)}\n`).join('')

interface Answer {
  readonly hits: {
    readonly hits: readonly { readonly _id: string; readonly _source: (typeof products)[number] }[]
  }
}

describe.each(officialClients)('$name', (official) => {
  const url = inject(official.kind)
  const index = `qx-${randomBytes(5).toString('hex')}-shop`
  const bare = official.connect(url)
  const reports: SearchReport[] = []
  const options: AppOptions = {
    ...patient,
    policy: leaving,
    filters,
    observe: { onSearch: (report) => void reports.push(report) },
  }
  const wrapped = official.wrap(bare, options)
  beforeAll(async () => {
    const types = { brand: { type: 'keyword' }, price: { type: 'float' }, shop: { type: 'keyword' } }
    await send(url, 'PUT', `/${index}`, JSON.stringify({ mappings: { properties: types } }))
    const lines = products.flatMap(({ id, ...source }) => [{ index: { _id: id } }, source])
    await send(url, 'POST', `/${index}/_bulk?refresh=true`, linesOf(lines), 'application/x-ndjson')
  })
  afterAll(() => send(url, 'DELETE', `/${index}`))

  const answerTo = async (asked: JsonObject, client = wrapped): Promise<Answer> =>
    (await client.search(index, asked)).body as Answer
  const idsOf = ({ hits }: Answer): string[] => hits.hits.map(({ _id }) => _id)
  const filterSteps = (): Extract<Step, { readonly type: 'filter' }>[] =>
    reports.at(-1)!.trace!.steps.filter((step) => step.type === 'filter')

  it('shows what passes first, and everything else behind it', async () => {
    const all = { ...body, size: 60 }
    const found = await answerTo(all)
    const expected = products.filter(passes).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(3)
    expect(idsOf(found).slice(0, expected.length).sort()).toEqual(expected.sort())
    expect(idsOf(found).sort()).toEqual(idsOf(await answerTo(all, bare)).sort())
    expect(filterSteps()).toMatchObject([
      {
        read: [
          { words: 'Northwind', condition: { field: 'brand', is: ['Northwind'] } },
          { words: 'under 80 euros', condition: { field: 'price', lt: 80 } },
        ],
      },
    ])
  })

  it('has pages without a hit on two of them', async () => {
    const pages: string[] = []
    for (const from of [0, 5, 10, 15, 20]) pages.push(...idsOf(await answerTo({ ...body, from, size: 5 })))
    expect(new Set(pages).size).toBe(25)
    const expected = products.filter(passes).map(({ id }) => id)
    expect(pages.slice(0, expected.length).sort()).toEqual(expected.sort())
  })

  it('learns no values of documents that the body rules out', async () => {
    const inShop = (shop: string, text: string): JsonObject => ({
      query: {
        bool: {
          must: [{ multi_match: { query: text, fields: ['title', 'text'] } }],
          filter: [{ term: { shop } }],
        },
      },
    })
    await answerTo(inShop('first', 'Kestrel boots'))
    expect(filterSteps()).toEqual([])
    const found = await answerTo(inShop('second', 'Kestrel boots'))
    expect(filterSteps()).toMatchObject([{ read: [{ condition: { field: 'brand', is: ['Kestrel'] } }] }])
    expect(found.hits.hits[0]!._source.brand).toBe('Kestrel')
    expect(found.hits.hits.every(({ _source }) => _source.shop === 'second')).toBe(true)
  })

  it('drops a filter that nothing passes, and says so', async () => {
    const text = 'hiking boots under 10 euros'
    const asked = { ...body, query: { match: { title: text } } }
    expect(idsOf(await answerTo(asked))).toEqual(idsOf(await answerTo(asked, bare)))
    expect(filterSteps()).toMatchObject([{ read: [{ dropped: 'empty' }] }])
  })

  it('is the same through the proxy', async () => {
    const proxy = await createProxy({ target: url, policy: leaving, filters, rerank: false })
    try {
      const through = official.connect(await proxy.listen(0))
      expect(idsOf(await answerTo(body, through))).toEqual(idsOf(await answerTo(body)))
    } finally {
      await proxy.close()
    }
  })
})
