/**
 * Rewards a second of the reward server, which runs in this process; its clients are in another. The bars: with a warm cache
 * 5,000 in batches, 1,500 one at a time over 64 connections, and memory that stays as it is over a million rewards.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { type RewardServer, startRewardServer } from '../adapters/apps/reward-server/server.ts'
import { buildIndex } from '../src/index-folder/build.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { createRandom } from '../src/learn/random.ts'
import { documents, type Words, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { heldMegabytes, inFolder } from './measuring.ts'
import { median, percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 5_000
const queries = 500
const rollouts = 8
const batch = 256

/** What the client does. */
interface Load {
  readonly url: string
  /** A file of items, a line each; they are sent over and over. */
  readonly items: string
  readonly connections: number
  readonly itemsPerRequest: number
  readonly rewards: number
  /** Whether every request opens a connection of its own, as Python's urllib does. */
  readonly fresh?: boolean
}

/** What the client saw. */
interface Seen {
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

type Row = BenchResult['rows'][number]

export const run = ({ quick = false }: RunOptions = {}): Promise<BenchResult> =>
  inFolder((folder) => measureIn(folder, quick ? 0.05 : 1))

async function measureIn(folder: string, scale: number): Promise<BenchResult> {
  const words = zipfianWords(createRandom(1))
  await buildIndex(
    documents(size, () => words(wordsPerDocument)),
    { out: join(folder, 'index') },
  )
  const index = await openIndex(join(folder, 'index'))
  const items = join(folder, 'items.jsonl')
  await writeFile(items, lines(words))
  const server = await startRewardServer({ index, port: 0, defaults: { eta: 0.6 } })
  const firstStage = await startRewardServer({ index, port: 0, defaults: { eta: 0.6, stage: 1 } })
  const batches = { connections: 1, itemsPerRequest: batch }
  const single = { connections: 64, itemsPerRequest: 1 }
  const many = { connections: 4, itemsPerRequest: batch }
  const cases: readonly (readonly [string, RewardServer, Omit<Load, 'url' | 'items'>])[] = [
    ['cold, batches', server, { ...batches, rewards: queries * rollouts }],
    ['cold, batches, stage 1', firstStage, { ...batches, rewards: queries * rollouts }],
    ['warm, batches', server, { ...batches, rewards: 100_000 * scale }],
    ['warm, batches, stage 1', firstStage, { ...batches, rewards: 100_000 * scale }],
    ['warm, single', server, { ...single, rewards: 50_000 * scale }],
    ['warm, single, fresh connections', server, { ...single, rewards: 20_000 * scale, fresh: true }],
    ['warm, a million: the first tenth', server, { ...many, rewards: 100_000 * scale }],
    ['warm, a million: the rest', server, { ...many, rewards: 900_000 * scale }],
  ]
  const rows: Row[] = []
  for (const [name, { url }, load] of cases) rows.push(await measured(name, { ...load, url, items }))
  await Promise.all([server.close(), firstStage.close()])
  await index.close()
  return {
    name: 'reward-server',
    rows,
    notes: [
      `BM25 over ${size} generated documents, depth 100; ${queries} queries × ${rollouts} answers of 1 to 3 sub-queries, 2 relevant documents each.`,
      `Batches of ${batch}. cpu_us: processor time of the server a reward. The client is a process of its own on the same machine.`,
      'heap_mb: what the server holds after a collection, before and after.',
    ],
  }
}

async function measured(name: string, load: Load): Promise<Row> {
  const before = heldMegabytes()
  const cpuBefore = process.cpuUsage()
  const { seconds, p50, p99 } = await inProcess<Seen>(import.meta.filename, [JSON.stringify(load)])
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    case: name,
    connections: load.connections,
    rewards: load.rewards,
    rewards_per_s: Math.round(load.rewards / seconds),
    p50_ms: rounded(p50),
    p99_ms: rounded(p99),
    cpu_us: Math.round((user + system) / load.rewards),
    heap_before_mb: rounded(before.heap),
    heap_after_mb: rounded(heldMegabytes().heap),
  }
}

/** Items of all queries, their answers one after the other as a trainer has them. */
function lines(words: Words): string {
  const random = createRandom(2)
  const all: string[] = []
  for (let query = 0; query < queries; query++) {
    const golds = [`d${random.integer(size)}`, `d${random.integer(size)}`]
    for (let rollout = 0; rollout < rollouts; rollout++) {
      const subQueries = Array.from({ length: 1 + random.integer(3) }, () => words(wordsPerQuery))
      all.push(
        JSON.stringify({
          completion: JSON.stringify({ query: subQueries.join(' %% ') }),
          ground_truth: golds,
        }),
      )
    }
  }
  return all.join('\n')
}

/** The client: so many connections, each with a request under way until all are sent. */
async function send({
  url,
  items,
  connections,
  itemsPerRequest,
  rewards,
  fresh = false,
}: Load): Promise<Seen> {
  const all = (await readFile(items, 'utf8')).split('\n')
  const bodies: string[] = []
  for (let start = 0; start < all.length; start += itemsPerRequest)
    bodies.push(`{"items":[${all.slice(start, start + itemsPerRequest).join(',')}]}`)
  const requests = Math.ceil(rewards / itemsPerRequest)
  const dispatcher = new Agent({ connections })
  const times: number[] = []
  let next = 0
  async function worker(): Promise<void> {
    while (next < requests) {
      const body = bodies[next++ % bodies.length]!
      const start = performance.now()
      const response = await request(`${url}/v1/reward`, { method: 'POST', body, dispatcher, reset: fresh })
      const said = await response.body.text()
      if (!said.includes('"error":null')) throw new Error(said.slice(0, 500))
      times.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - start) / 1000
  await dispatcher.close()
  return { seconds, p50: median(times), p99: percentile(times, 0.99) }
}

await answer(import.meta.filename, (load) => send(JSON.parse(load!)))
await printWhenMain(import.meta.filename, run)
