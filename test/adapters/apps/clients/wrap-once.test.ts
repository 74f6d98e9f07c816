/** A client is wrapped once: to wrap it again changes its options. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SearchReport } from '../../../../src/observe.ts'
import { type Asking, officialClients } from '../../../engines/official-clients.ts'
import { expectError } from '../../../support/expect-error.ts'
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

  it('is the same client, wrapped twice with the same options', async () => {
    const { bare, sent } = await connected()
    const wrapped = official.wrap(bare, decides)
    const twice = official.wrap(wrapped, {})
    expect(twice.it).toBe(wrapped.it)
    expect(official.wrap(wrapped, { ...decides, window: undefined }).it).toBe(wrapped.it)
    expect(await sent(twice)).toEqual(['/any/_msearch', '/any/_search'])
  })

  it('has the options of the second time in place of those of the same name, and searches once', async () => {
    const { bare, sent } = await connected()
    const reports: SearchReport[] = []
    const onSearch = (report: SearchReport): void => void reports.push(report)
    const wrapped = official.wrap(bare, { ...decides, observe: { onSearch } })
    const other = official.wrap(wrapped, leaves)
    expect(other.it).not.toBe(wrapped.it)
    expect(await sent(other)).toEqual(['/any/_search'])
    expect(reports.map(({ trace }) => trace?.policy)).toEqual(['leaving'])
    expect(await sent(wrapped)).toEqual(['/any/_msearch', '/any/_search'])
    expectError(() => official.wrap(wrapped, { police: 'none' } as never), 'bad-config', 'police')
  })

  it('has children that are wrapped already', async () => {
    const { bare, sent } = await connected()
    const child = official.wrap(bare, decides).child({ headers: { 'x-child': 'yes' } })
    expect(official.wrap(child, {}).it).toBe(child.it)
    expect(await sent(official.wrap(child, leaves))).toEqual(['/any/_search'])
  })
})
