/** How often a search is sent through a wrapped client: as often as the client sends it, and again where the client would not. */
import type { EventEmitter } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { leftToUs } from '../../adapters/apps/clients/retries.ts'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { officialClients } from '../engines/official-clients.ts'
import { type Answer, startRecordingServer } from '../support/recording-server.ts'
import { deciding, leaving } from '../support/scripted-policy.ts'

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

/** `maxRetries` as the client and as the request have it. The clients' default is 3. */
const settings: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['by default', { maxRetries: 3 }, {}],
  ['with maxRetries: 0', { maxRetries: 0 }, {}],
  ['with maxRetries: 1 for the request', { maxRetries: 3 }, { maxRetries: 1 }],
  ['with maxRetries: 0 for the request', { maxRetries: 3 }, { maxRetries: 0 }],
]

const faults: readonly Answer[] = ['cut', answering(503)]

describe('leftToUs', () => {
  const failures = {
    cut: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    503: { statusCode: 503 },
    429: { statusCode: 429 },
    lost: { statusCode: 500, body: JSON.parse(lostNode) as unknown },
    500: { statusCode: 500 },
    404: { statusCode: 404 },
  }
  const left = (retries: number | undefined, ofClient: unknown, ofRequest?: unknown): string[] => {
    const isLeft = leftToUs(retries, { ofClient, ofRequest })
    return Object.entries(failures).flatMap(([name, failure]) => (isLeft(failure) ? [name] : []))
  }

  it('is what the client does not send again and may pass', () => {
    expect(left(undefined, 3)).toEqual(['429', 'lost'])
    // A client that does not say how often it retries has its default.
    expect(left(undefined, undefined)).toEqual(['429', 'lost'])
    expect(left(undefined, 0, 1)).toEqual(['429', 'lost'])
  })

  it('is nothing where the caller wants to fail at once', () => {
    expect(left(undefined, 0)).toEqual([])
    expect(left(undefined, 3, 0)).toEqual([])
    expect(left(5, 3, 0)).toEqual([])
  })

  it('is all that may pass where the wrapped client says how often', () => {
    expect(left(1, 3)).toEqual(['429', '503', 'cut', 'lost'])
    expect(left(1, 0)).toEqual(['429', '503', 'cut', 'lost'])
  })
})

describe.each(officialClients)('an engine behind $name', (official) => {
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

  it.each(settings)('gets no more searches than from the client alone, %s', async (_, client, request) => {
    const counts = faults.map(async (answer) => {
      const search = [undefined, leaves, decides].map((options) => sent(answer, client, request, options))
      const msearch = [undefined, leaves].map((options) =>
        sent(answer, client, request, options, '/any/_msearch'),
      )
      return Promise.all([...search, ...msearch])
    })
    const times = 1 + Number(request.maxRetries ?? client.maxRetries)
    expect(await Promise.all(counts)).toEqual(faults.map(() => Array(5).fill(times)))
  })

  it.each([
    ['is busy', answering(429)],
    ['has lost a node', answering(500, lostNode)],
  ])('gets a search again where it %s, which the client does not send again', async (_, answer) => {
    const counts = [
      sent(answer, { maxRetries: 3 }, {}),
      sent(answer, { maxRetries: 3 }, {}, leaves),
      sent(answer, { maxRetries: 3 }, { maxRetries: 1 }, leaves),
      // Not from a client, or for a request, with `maxRetries: 0`.
      sent(answer, { maxRetries: 0 }, {}, leaves),
      sent(answer, { maxRetries: 3 }, { maxRetries: 0 }, leaves),
      sent(answer, { maxRetries: 0 }, { maxRetries: 1 }, leaves),
    ]
    expect(await Promise.all(counts)).toEqual([1, 3, 3, 1, 1, 3])
  })

  it("gets a search as often as `retries` says, on top of the client's own retries", async () => {
    const options = { ...leaves, retries: 1 }
    const counts = [
      sent(answering(503), { maxRetries: 0 }, {}, options),
      sent(answering(503), { maxRetries: 1 }, {}, options),
      sent(answering(503), { maxRetries: 1 }, { maxRetries: 0 }, options),
    ]
    expect(await Promise.all(counts)).toEqual([2, 4, 1])
  })

  it('gets a search that passes through as often', async () => {
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
})
