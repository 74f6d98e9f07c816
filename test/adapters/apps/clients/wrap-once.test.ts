/** What is wrapped: a client, once, and by the wrapper of its engine. */
import { Client as Elasticsearch9 } from '@elastic/elasticsearch'
import { Client as OpenSearch3 } from '@opensearch-project/opensearch'
import { Client as Elasticsearch8 } from 'elasticsearch-8'
import { describe, expect, it, onTestFinished } from 'vitest'
import { querent as querentElasticsearch } from '../../../../adapters/apps/clients/elasticsearch.ts'
import { querent as querentOpensearch } from '../../../../adapters/apps/clients/opensearch.ts'
import type { SearchReport } from '../../../../src/observe.ts'
import { type Asking, officialClients } from '../../../engines/official-clients.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { startRecordingServer } from '../../../support/recording-server.ts'
import { deciding, leaving } from '../../../support/scripted-policy.ts'

const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const query = { query: { match: { text: 'bridge' } } }
const leaves = { policy: leaving, rerank: false } as const
const decides = { policy: deciding(['bridges']), rerank: false } as const

describe.each(officialClients)('$name', (official) => {
  async function connected() {
    const one = JSON.stringify(answerOf(found('a')))
    const server = await startRecordingServer(({ path }) => ({
      headers,
      body: path.endsWith('_msearch') ? `{"took":1,"responses":[${one}]}` : one,
    }))
    onTestFinished(() => server.close())
    /** The paths of what is sent for one search. */
    async function sent(client: Asking): Promise<string[]> {
      server.clear()
      expect((await client.search('any', query)).body).toHaveProperty('hits.hits.0._id', 'a')
      return server.requests
        .map(({ path }) => path)
        .filter((path) => !path.includes('_field_caps'))
        .sort()
    }
    return { bare: official.connect(server.url), sent }
  }

  it('is the same client where it is wrapped twice', async () => {
    const { bare, sent } = await connected()
    const wrapped = official.wrap(bare, decides)
    const twice = official.wrap(wrapped, {})
    expect(twice.it).toBe(wrapped.it)
    expect(official.wrap(wrapped, { ...decides, window: undefined }).it).toBe(wrapped.it)
    expect(await sent(twice)).toEqual(['/any/_msearch', '/any/_search'])
  })

  it('has the options given the second time in place of those of the same name, and searches once', async () => {
    const { bare, sent } = await connected()
    const reports: SearchReport[] = []
    const onSearch = (report: SearchReport): void => void reports.push(report)
    const wrapped = official.wrap(bare, { ...decides, observe: { onSearch } })
    const other = official.wrap(wrapped, leaves)
    expect(other.it).not.toBe(wrapped.it)
    expect(await sent(other)).toEqual(['/any/_search'])
    expect(reports.map(({ trace }) => trace?.policy)).toEqual(['leaving'])
    expect(await sent(wrapped)).toEqual(['/any/_msearch', '/any/_search'])
    expect(() => official.wrap(wrapped, { police: 'none' } as never)).toThrow('police')
  })

  it('has children that are wrapped already', async () => {
    const { bare, sent } = await connected()
    const child = official.wrap(bare, decides).child({ headers: { 'x-child': 'yes' } })
    expect(official.wrap(child, {}).it).toBe(child.it)
    expect(await sent(official.wrap(child, leaves))).toEqual(['/any/_search'])
  })
})

const node = 'http://127.0.0.1:9'

it.each<readonly [(client: never) => unknown, object, string]>([
  [querentElasticsearch, new OpenSearch3({ node }), "Import querent from 'querent/opensearch'."],
  [querentElasticsearch, querentOpensearch(new OpenSearch3({ node })), "'querent/opensearch'"],
  [querentOpensearch, new Elasticsearch9({ node }), "Import querent from 'querent/elasticsearch'."],
  [querentOpensearch, new Elasticsearch8({ node }), "Import querent from 'querent/elasticsearch'."],
  [querentOpensearch, querentElasticsearch(new Elasticsearch9({ node })), "'querent/elasticsearch'"],
])('%o refuses a client of the other engine, and names the import', (querent, client, remedy) => {
  const wrap = (): unknown => querent(client as never)
  expect(wrap).toThrow(expect.objectContaining({ code: 'bad-config' }))
  expect(wrap).toThrow(remedy)
})

it.each([{}, undefined, null, node, { node }, { search() {}, msearch() {} }])(
  'what is no client is refused: %j',
  (client) => {
    const refused = expect.objectContaining({ code: 'bad-config' })
    expect(() => querentElasticsearch(client as never)).toThrow(refused)
    expect(() => querentOpensearch(client as never)).toThrow(refused)
  },
)
