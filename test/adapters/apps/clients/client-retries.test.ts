/** How often a search is sent through a wrapped client: as often as the client sends it, and more only where it would not. */
import type { EventEmitter } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/settings.ts'
import { officialClients } from '../../../engines/official-clients.ts'
import { type Answer, startRecordingServer } from '../../../support/recording-server.ts'
import { deciding, leaving } from '../../../support/scripted-policy.ts'

const json = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const query = { query: { match: { text: 'bridge' } } }
const leaves = { policy: leaving, rerank: false } as const
const decides = { policy: deciding(['bridges']), rerank: false } as const
const lostNode = JSON.stringify({
  error: {
    root_cause: [],
    type: 'search_phase_execution_exception',
    failed_shards: [],
    caused_by: { type: 'node_not_connected_exception' },
  },
  status: 500,
})
const answering = (status: number, body = '{"error":"no"}'): Answer => ({ status, headers: json, body })

/** `maxRetries` as the client and as the request have it. The clients’ default is 3. */
const settings: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['by default', { maxRetries: 3 }, {}],
  ['with maxRetries: 0', { maxRetries: 0 }, {}],
  ['with maxRetries: 1 for the request', { maxRetries: 3 }, { maxRetries: 1 }],
  ['with maxRetries: 0 for the request', { maxRetries: 3 }, { maxRetries: 0 }],
]

const faults: readonly (readonly [string, Answer])[] = [
  ['cuts connections', 'cut'],
  ['answers 503', answering(503)],
]

describe.each(officialClients)('$name', (official) => {
  /** How many searches are sent before the client gives up, its own retries among them. */
  async function sent(
    answer: Answer,
    client: JsonObject,
    request: JsonObject,
    options?: AppOptions,
    path: '/any/_search' | '/any/_msearch' = '/any/_search',
    body: JsonObject = query,
  ): Promise<number> {
    const server = await startRecordingServer(answer)
    onTestFinished(() => server.close())
    const bare = official.connect(server.url, client)
    let count = 0
    // What comes over a connection that is cut, the client's HTTP library may send twice.
    const events = (bare.it.diagnostic ?? bare.it) as EventEmitter
    events.on('request', (_error, { meta }: { meta: { request: { params: { path: string } } } }) => {
      if (meta.request.params.path === path) count++
    })
    const asking = options === undefined ? bare : official.wrap(bare, options)
    const settings = { retryBackoff: () => 0, ...request }
    const asked =
      path === '/any/_search'
        ? asking.search('any', body, settings)
        : asking.msearch([{}, body, {}, body], { index: 'any', ...settings })
    await expect(asked).rejects.toBeInstanceOf(Error)
    return count
  }

  describe.each(settings)('%s', (_, client, request) => {
    it.each(faults)(
      'an engine that %s gets no more searches than from the client alone',
      async (_, answer) => {
        const own = await sent(answer, client, request)
        for (const options of [leaves, decides])
          expect(await sent(answer, client, request, options)).toBe(own)
        expect(own).toBe(1 + Number(request.maxRetries ?? client.maxRetries))
        const many = await sent(answer, client, request, undefined, '/any/_msearch')
        expect(await sent(answer, client, request, leaves, '/any/_msearch')).toBe(many)
      },
    )
  })

  it('is asked again where it has too much to do, or lost a node, which the client does not do', async () => {
    for (const answer of [answering(429), answering(500, lostNode)]) {
      const counts = [
        sent(answer, { maxRetries: 3 }, {}),
        sent(answer, { maxRetries: 3 }, {}, leaves),
        sent(answer, { maxRetries: 3 }, { maxRetries: 1 }, leaves),
      ]
      expect(await Promise.all(counts)).toEqual([1, 3, 3])
    }
  })

  it('is not asked again by a client, or for a request, with maxRetries: 0', async () => {
    for (const answer of [answering(429), answering(500, lostNode)]) {
      const counts = [
        sent(answer, { maxRetries: 0 }, {}, leaves),
        sent(answer, { maxRetries: 3 }, { maxRetries: 0 }, leaves),
        sent(answer, { maxRetries: 0 }, { maxRetries: 1 }, leaves),
      ]
      expect(await Promise.all(counts)).toEqual([1, 1, 3])
    }
  })

  it('is asked as often as the wrapped client was told to, on top of the client’s own retries', async () => {
    const options = { ...leaves, retries: 1 }
    const counts = [
      sent(answering(503), { maxRetries: 0 }, {}, options),
      sent(answering(503), { maxRetries: 1 }, {}, options),
      sent(answering(503), { maxRetries: 1 }, { maxRetries: 0 }, options),
    ]
    expect(await Promise.all(counts)).toEqual([2, 4, 1])
  })

  it('is asked as often for searches that pass through', async () => {
    const options = { ...leaves, retries: 1 }
    const own = { query: { term: { text: 'bridge' } } }
    const lost = answering(500, lostNode)
    const counts = [
      sent(answering(503), { maxRetries: 1 }, {}, options, '/any/_search', own),
      sent(answering(503), { maxRetries: 1 }, {}, options, '/any/_msearch', own),
      sent(lost, { maxRetries: 3 }, {}, leaves, '/any/_search', own),
      sent(lost, { maxRetries: 0 }, {}, leaves, '/any/_search', own),
    ]
    expect(await Promise.all(counts)).toEqual([4, 4, 3, 1])
  })

  it('is given up on as soon as by the client alone, whose waits between are its own', async () => {
    const closed = await startRecordingServer('cut')
    await closed.close()
    // The waits are random: all of them are as short as they can be.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => random.mockRestore())
    const bare = official.connect(closed.url)
    const times = await Promise.all(
      [bare, official.wrap(bare, leaves), official.wrap(bare, decides)].map(async (client) => {
        const start = performance.now()
        await expect(client.search('any', query, { maxRetries: 1 })).rejects.toBeInstanceOf(
          official.errors.ConnectionError,
        )
        return performance.now() - start
      }),
    )
    const [own, ...wrapped] = times as [number, ...number[]]
    for (const time of wrapped) expect(time).toBeLessThan(1.5 * own + 250)
  })
})
