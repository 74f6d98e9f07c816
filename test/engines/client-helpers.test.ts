/** The helpers of the official clients: through a wrapped client they are its own; through the proxy they find what searches find. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { deciding, patient } from '../support/scripted-policy.ts'
import { createWorld, send, type World } from '../support/search-world.ts'
import { type Asking, type OfficialClient, officialClients } from './official-clients.ts'

/** What is used of the helpers: the same in all clients. */
interface Helpers {
  search(parameters: JsonObject): Promise<JsonObject[]>
  scrollSearch(
    parameters: JsonObject,
  ): AsyncIterable<{ readonly documents: readonly JsonObject[]; clear(): Promise<void> }>
  scrollDocuments(parameters: JsonObject): AsyncIterable<JsonObject>
  msearch(options?: JsonObject): {
    search(
      header: JsonObject,
      body: JsonObject,
    ): Promise<{ readonly body: JsonObject; readonly documents: readonly JsonObject[] }>
    stop(): void
  }
  bulk(options: JsonObject & { readonly datasource: unknown }): Promise<JsonObject>
}

const words = 'engineer of the Brooklyn Bridge born at Saxonburg'
const match = (text: string): JsonObject => ({
  query: { multi_match: { query: text, fields: ['title', 'text'] } },
})
const decides: AppOptions = {
  ...patient,
  policy: deciding(['engineers of bridges', 'born at Saxonburg']),
  rerank: false,
}

describe.each(officialClients)('$name', (official) => {
  let world: World
  let bare: Asking
  beforeAll(async () => {
    world = await createWorld(official.kind, inject(official.kind))
    bare = official.connect(world.url)
  })
  afterAll(() => world.close())
  /** Parameters as the client takes them. */
  const searched = (index: string, body: JsonObject, more: JsonObject = {}): JsonObject =>
    official.kind === 'opensearch' ? { index, body, ...more } : { index, ...body, ...more }

  describe('through a wrapped client', () => {
    it("are the client's own", () => {
      expect(official.wrap(bare, decides).it.helpers).toBe(bare.it.helpers)
    })
    behaves(official, () => ({ world, client: official.wrap(bare, decides), bare, searched }))
  })

  describe.each([
    ['a policy that decides', decides],
    ['the policy that comes with the package', {}],
    ['no policy', { policy: 'none' }],
  ] as const)('through the proxy, with %s', (_, options) => {
    let client: Asking
    beforeAll(async () => {
      const proxy = await createProxy({ ...patient, ...options, target: world.url })
      client = official.connect(await proxy.listen(0))
      return () => proxy.close()
    })
    behaves(official, () => ({ world, client, bare, searched }))

    it('search: finds the documents that a search finds', async () => {
      const found = await helpersOf(client).search(searched(world.works, match(words)))
      const { body } = await client.search(world.works, match(words))
      // Elasticsearch's helper gives the id beside.
      expect(found.map(({ _id: _, ...source }) => source)).toEqual(sourcesOf(body))
      expect(found).toHaveLength(10)
    })

    it('msearch: gives each search the answer that it has alone, and its errors', async () => {
      const texts = [words, 'opera in Vienna', 'the longest river', 'who climbed Kibo']
      const helper = helpersOf(client).msearch({ operations: 3, flushInterval: 20 })
      onTestFinished(() => helper.stop())
      const missing = helper.search({ index: 'qx-missing' }, match(words)).catch((error: unknown) => error)
      const answers = await Promise.all(
        texts.map((text) => helper.search({ index: world.works }, match(text))),
      )
      for (const [place, text] of texts.entries()) {
        const alone = await client.search(world.works, match(text))
        expect(sourcesOf(answers[place]!.body)).toEqual(sourcesOf(alone.body))
        expect(answers[place]!.documents).toEqual(sourcesOf(alone.body))
      }
      expect(await missing).toBeInstanceOf(official.errors.ResponseError)
      expect(await missing).toMatchObject({ statusCode: 404 })
    })
  })
})

interface Behaving {
  readonly world: World
  readonly client: Asking
  readonly bare: Asking
  readonly searched: (index: string, body: JsonObject, more?: JsonObject) => JsonObject
}

/** What the helpers do as they always did. */
function behaves({ kind }: OfficialClient, setup: () => Behaving): void {
  it('bulk: indexes, drops what the engine refuses, and counts', async () => {
    const { world, client } = setup()
    const index = `${world.works}-bulk`
    onTestFinished(() => send(world.url, 'DELETE', `/${index}`).then(() => {}))
    const dropped: JsonObject[] = []
    const documents = Array.from({ length: 700 }, (_, number) => ({
      number: number === 5 ? 'five' : number,
      text: 'x'.repeat(200),
    }))
    await send(world.url, 'PUT', `/${index}`, '{"mappings":{"properties":{"number":{"type":"integer"}}}}')
    const stats = await helpersOf(client).bulk({
      datasource: Readable.from(documents),
      flushBytes: 20_000,
      concurrency: 3,
      refreshOnCompletion: true,
      onDocument: () => ({ index: { _index: index } }),
      onDrop: (document: JsonObject) => dropped.push(document),
    })
    expect(stats).toMatchObject({ total: 700, failed: 1, successful: 699, aborted: false })
    expect(dropped).toMatchObject([{ status: 400, document: { number: 'five' } }])
    expect(await send(world.url, 'GET', `/${index}/_count`)).toMatchObject({ count: 699 })
  })

  it('bulk: deletes and updates', async () => {
    const { world, client } = setup()
    const index = `${world.works}-bulk`
    onTestFinished(() => send(world.url, 'DELETE', `/${index}`).then(() => {}))
    const ids = ['a', 'b', 'c']
    const bulk = (onDocument: (id: string) => unknown) =>
      helpersOf(client).bulk({ datasource: ids, refreshOnCompletion: true, onDocument } as never)
    // What is indexed is the datum itself, which has to be an object.
    await helpersOf(client).bulk({
      datasource: ids.map((id) => ({ id })),
      refreshOnCompletion: true,
      onDocument: (({ id }: { id: string }) => ({ index: { _index: index, _id: id } })) as never,
    })
    expect(await bulk((id) => ({ delete: { _index: index, _id: id } }))).toMatchObject({
      total: 3,
      failed: 0,
    })
    expect(await send(world.url, 'GET', `/${index}/_count`)).toMatchObject({ count: 0 })
  })

  it("scrollSearch and scrollDocuments: come to every document once, in the engine's order", async () => {
    const { world, client, bare, searched } = setup()
    const parameters = searched(
      world.works,
      { ...match('bridge river opera novel'), size: 60 },
      kind === 'opensearch' ? { scroll: '1m' } : {},
    )
    const [own, other] = [
      await scrolled(helpersOf(bare), parameters),
      await scrolled(helpersOf(client), parameters),
    ]
    expect(own.length).toBeGreaterThan(60)
    expect(other).toEqual(own)
    const documents: JsonObject[] = []
    for await (const document of helpersOf(client).scrollDocuments(
      searched(world.works, { query: { match_all: {} }, size: 100 }),
    ))
      documents.push(document)
    expect(new Set(documents.map(({ title }) => title)).size).toBe(326)
    expect(documents).toHaveLength(326)
  })
}

async function scrolled(helpers: Helpers, parameters: JsonObject): Promise<JsonObject[]> {
  const documents: JsonObject[] = []
  for await (const page of helpers.scrollSearch(parameters)) documents.push(...page.documents)
  return documents
}

const helpersOf = ({ it }: Asking): Helpers => it.helpers as Helpers

const sourcesOf = (body: unknown): unknown[] =>
  (body as { readonly hits: { readonly hits: readonly { readonly _source: unknown }[] } }).hits.hits.map(
    ({ _source }) => _source,
  )
