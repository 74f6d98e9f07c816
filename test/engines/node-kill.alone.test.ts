/**
 * A cluster of two nodes loses one by kill -9 under a steady load, and takes it back: the one that is not the master, and the
 * master.
 *
 * The wrapped clients know both nodes, and have retries that outlast what a cluster needs to have a master and its shards
 * again: 60, with waits between that grow to a second. Nobody waits for longer than a minute. A search may not leave out
 * shards that cannot be had, so that an answer is whole or an error; all else is as the clients have it by default.
 */

import type { EventEmitter } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { type Engine, startEngine } from '../support/engines.ts'
import { passedIn } from '../support/passed.ts'
import { startRecordingServer } from '../support/recording-server.ts'
import { deciding, leaving } from '../support/scripted-policy.ts'
import { seed } from '../support/seed.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { isFull } from '../support/tier.ts'
import { type Asking, officialClients } from './official-clients.ts'
import { createSampleIndex } from './sample-index.ts'
import { type Outcome, percentiles, startLoad } from './steady-load.ts'

const { queries } = await readBeir(sampleFolder)

const deadline = 60_000
const retries = 60
/**
 * Of the nodes. What a search has open on one node stays so for five minutes by default when the node that asked is killed,
 * and the copy of the shard there cannot be taken into service again until then.
 */
const nodeSettings = { 'search.default_keep_alive': '5s', 'search.keep_alive_interval': '1s' }
/**
 * Of the client itself, as it has them by default; the second is 30 s with some clients, and none with others. A node that
 * is killed resets its connections, so only a machine that is too slow ever waits for that.
 */
const settings = { maxRetries: 3, requestTimeout: 30_000 } as const
const scripted = deciding((words) => [`${words} engineer`, 'bridges of New York', 'novel born in Dublin'])

interface Kind {
  readonly name: string
  readonly perSecond: number
  /** Absent for the bare client, which is there to be compared with. */
  readonly options?: AppOptions
}

const kinds: readonly Kind[] = [
  { name: 'three sub-queries', perSecond: 10, options: { retries, policy: scripted, rerank: false } },
  { name: 'the local policy', perSecond: 5, options: { retries } },
  { name: 'the bare client', perSecond: 5 },
]

const engines = ['elasticsearch', 'opensearch'] as const
const killed = ['the one that is not the master', 'the master'] as const
/** Each push kills the master of one engine and the other node of the other engine; the seed says which. */
const killedOf = (kind: (typeof engines)[number]): readonly (typeof killed)[number][] =>
  isFull ? killed : [killed[(seed + engines.indexOf(kind)) % killed.length]!]

describe.each(engines)('two nodes of %s', (kind) => {
  const client = officialClients.find((one) => one.kind === kind)!
  let cluster: Engine
  let index: string
  /** How many hits each question has on a cluster that is whole. */
  const found = new Map<string, number>()
  beforeAll(async () => {
    cluster = await startEngine(kind, { nodes: 2, settings: nodeSettings })
    const copied = { number_of_shards: 2, number_of_replicas: 1, 'allocation.max_retries': 100 }
    index = (await createSampleIndex(cluster.urls[0]!, copied)).name
    await untilGreen()
    // Nothing is measured of machines that have not searched yet.
    for (const url of cluster.urls) {
      const warm = client.connect(url, settings)
      for (const { text } of [...queries, ...queries]) found.set(text, await search(warm, text))
      await closeOf(warm)
    }
  })
  afterAll(() => cluster?.stop())

  const untilGreen = () =>
    vi.waitFor(
      async () => {
        const health = '_cluster/health?wait_for_status=green&wait_for_nodes=2&timeout=1s'
        for (const url of cluster.urls) {
          const response = await fetch(`${url}/${health}`)
          expect(response.status, await response.text()).toBe(200)
        }
      },
      { timeout: 120_000, interval: 100 },
    )

  async function master(): Promise<number> {
    const what = kind === 'elasticsearch' ? 'master' : 'cluster_manager'
    const name = await (await fetch(`${cluster.urls[0]}/_cat/${what}?h=node`)).text()
    return Number(name.trim().replace('node-', '')) - 1
  }

  function load({ name, perSecond, options }: Kind) {
    const bare = client.connect('', { node: undefined, nodes: [...cluster.urls], ...settings })
    const seen = { sent: 0, shed: 0, withoutHelp: 0 }
    /** Why searches passed through, other than for load. */
    const reasons = new Set<string>()
    countSearches(bare, () => seen.sent++)
    const asking =
      options === undefined
        ? bare
        : client.wrap(bare, {
            ...options,
            observe: {
              onSearch(report) {
                const { trace, error } = report
                const passed = passedIn(report)
                if (passed !== undefined && isOfLoad(passed)) seen.shed++
                else if (passed !== undefined) reasons.add(passed)
                else if (error !== undefined || trace?.partial || trace?.fallback) seen.withoutHelp++
              },
            },
          })
    const running = startLoad(perSecond, async (place) => {
      const { text } = queries[place % queries.length]!
      expect(await search(asking, text)).toBeGreaterThanOrEqual(found.get(text)!)
    })
    return { name, seen, reasons, running, isWrapped: options !== undefined, close: () => closeOf(bare) }
  }

  /** How many hits it has. */
  async function search(asking: Asking, words: string): Promise<number> {
    const body = { size: 5, query: { multi_match: { query: words, fields: ['title', 'text'] } } }
    const querystring = { allow_partial_search_results: 'false' }
    const answer = (await asking.search(index, body, { querystring })).body as JsonObject
    expect(answer).toMatchObject({ timed_out: false, _shards: { failed: 0 } })
    return (answer.hits as { readonly hits: readonly unknown[] }).hits.length
  }

  it.each(killedOf(kind))('lose no search when %s is killed and comes back', async (which) => {
    const place = await master()
    const node = cluster.nodes[which === 'the master' ? place : 1 - place]!
    const loads = kinds.map(load)
    const [{ running: pace }] = loads as [(typeof loads)[number]]
    await pace.more(40)
    const killed = performance.now()
    await node.kill()
    await pace.more(60)
    const started = performance.now()
    await node.start()
    await untilGreen()
    const whole = performance.now()
    await pace.more(40)

    const times = [started, whole].map((time) => ((time - killed) / 1000).toFixed(1))
    process.stdout.write(`${kind}: ${which} killed, started after ${times[0]} s, green after ${times[1]} s\n`)
    for (const { name, seen, reasons, running, isWrapped, close } of loads) {
      const outcomes = await running.stop()
      await close()
      const failed = outcomes.filter(({ ms, failure }) => failure !== undefined || ms > deadline)
      const between = (from: number, to: number) =>
        percentiles(outcomes.filter(({ at }) => at >= from && at < to))
      process.stdout.write(
        [
          `  ${name}: ${outcomes.length} searches, ${failed.length} failed${spanOf(failed, killed)},`,
          ` ${seen.sent - outcomes.length} sent again, ${seen.withoutHelp} without all of their sub-queries, ${seen.shed} passed through\n`,
          `    p50/p99/slowest in ms: before ${between(0, killed)}, during ${between(killed, whole)},`,
          ` after ${between(whole, Number.POSITIVE_INFINITY)}\n`,
        ].join(''),
      )
      expect(outcomes.filter(({ at }) => at > killed && at < started).length).toBeGreaterThan(20)
      expect([...reasons]).toEqual([])
      if (isWrapped) expect(failed).toEqual([])
    }
  })
})

describe.each(officialClients)('a search by $name', (client) => {
  it('is sent again where OpenSearch lost a node in the middle of it, which has status 500', async () => {
    const type = 'search_phase_execution_exception'
    const lost = {
      root_cause: [],
      type,
      failed_shards: [],
      caused_by: { type: 'node_not_connected_exception' },
    }
    const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
    let asked = 0
    const server = await startRecordingServer(() =>
      ++asked === 1
        ? { status: 500, headers, body: JSON.stringify({ error: lost, status: 500 }) }
        : { headers, body: '{"took":1,"hits":{"hits":[]}}' },
    )
    onTestFinished(() => server.close())
    const wrapped = client.wrap(client.connect(server.url, { maxRetries: 3 }), {
      policy: leaving,
      rerank: false,
    })
    const { statusCode } = await wrapped.search('any', { query: { match: { text: 'bridge' } } })
    expect([statusCode, asked]).toEqual([200, 2])
  })
})

/** Whether a search passed through since the machine had too much to do. */
const isOfLoad = (reason: string): boolean => /^(the event loop is late|too many searches)/.test(reason)

/** Told of each search that the client sends, its own retries among them, and of no `_msearch`. */
function countSearches({ it }: Asking, told: () => void): void {
  const events = (it.diagnostic ?? it) as EventEmitter
  events.on('request', (_error, { meta }: { meta: { request: { params: { path: string } } } }) => {
    if (meta.request.params.path.endsWith('/_search')) told()
  })
}

const closeOf = ({ it }: Asking): Promise<void> => (it.close as () => Promise<void>).call(it)

/** When the failed ones were started, in seconds after the kill, and how the first of them failed. */
function spanOf(failed: readonly Outcome[], killed: number): string {
  const [first, last] = [failed[0], failed.at(-1)]
  if (first === undefined || last === undefined) return ''
  const [from, to] = [first, last].map(({ at }) => ((at - killed) / 1000).toFixed(1))
  return ` (of those started from ${from} s to ${to} s after the kill; the first: ${first.failure})`
}
