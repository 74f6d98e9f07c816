/**
 * Rewards a second of the reward server, which runs in this process; its clients are in another. The bars: with a warm cache
 * 5,000 in batches, 1,500 one at a time over 64 connections, and memory that stays as it is over a million rewards.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type RewardServer, startRewardServer } from '../adapters/apps/reward-server/server.ts'
import { buildIndex } from '../src/index-folder/build.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { createRandom } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import { collectGarbage } from '../test/support/collect-garbage.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { rounded } from './numbers.ts'
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

type Row = Record<string, string | number>

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-bench-'))
  const scale = quick ? 0.05 : 1
  try {
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
    const rows: Row[] = []
    async function measure(
      name: string,
      { url }: RewardServer,
      load: Omit<Load, 'url' | 'items'>,
    ): Promise<void> {
      rows.push(await measured(name, { ...load, url, items }))
    }
    const all = queries * rollouts
    await measure('cold, batches', server, { connections: 1, itemsPerRequest: batch, rewards: all })
    await measure('cold, batches, stage 1', firstStage, {
      connections: 1,
      itemsPerRequest: batch,
      rewards: all,
    })
    await measure('warm, batches', server, {
      connections: 1,
      itemsPerRequest: batch,
      rewards: 100_000 * scale,
    })
    await measure('warm, batches, stage 1', firstStage, {
      connections: 1,
      itemsPerRequest: batch,
      rewards: 100_000 * scale,
    })
    await measure('warm, single', server, { connections: 64, itemsPerRequest: 1, rewards: 50_000 * scale })
    await measure('warm, single, fresh connections', server, {
      connections: 64,
      itemsPerRequest: 1,
      rewards: 20_000 * scale,
      fresh: true,
    })
    const many = { connections: 4, itemsPerRequest: batch }
    await measure('warm, a million: the first tenth', server, { ...many, rewards: 100_000 * scale })
    await measure('warm, a million: the rest', server, { ...many, rewards: 900_000 * scale })
    await Promise.all([server.close(), firstStage.close()])
    await index.close()
    return {
      name: 'reward-server',
      rows,
      notes: [
        `BM25 over ${size} generated documents, depth 100; ${queries} queries × ${rollouts} answers of 1 to 3 sub-queries, 2 relevant documents each.`,
        `Batches of ${batch}. cpu_us: processor time of the server a reward. The client is a process of its own on the same machine.`,
        'heap_mb: what the server holds after a collection, before and after. rss_mb: what is resident then.',
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measured(name: string, load: Load): Promise<Row> {
  const before = held()
  const cpuBefore = process.cpuUsage()
  const { seconds, p50, p99 } = await inProcess<Seen>(import.meta.filename, [JSON.stringify(load)])
  const { user, system } = process.cpuUsage(cpuBefore)
  const after = held()
  return {
    case: name,
    connections: load.connections,
    rewards: load.rewards,
    rewards_per_s: Math.round(load.rewards / seconds),
    p50_ms: rounded(p50),
    p99_ms: rounded(p99),
    cpu_us: Math.round((user + system) / load.rewards),
    heap_before_mb: before.heap,
    heap_after_mb: after.heap,
    rss_before_mb: before.rss,
    rss_after_mb: after.rss,
  }
}

function held(): { readonly heap: number; readonly rss: number } {
  collectGarbage()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: rounded(heapUsed / 2 ** 20), rss: rounded(rss / 2 ** 20) }
}

/** Items of all queries, their answers one after the other as a trainer has them. */
function lines(words: (count: number) => string): string {
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
  const bodies: Buffer[] = []
  for (let start = 0; start < all.length; start += itemsPerRequest)
    bodies.push(Buffer.from(`{"items":[${all.slice(start, start + itemsPerRequest).join(',')}]}`))
  const requests = Math.ceil(rewards / itemsPerRequest)
  const agent = new Agent({ keepAlive: !fresh, maxSockets: connections })
  const times: number[] = []
  let next = 0
  async function worker(): Promise<void> {
    while (next < requests) {
      const start = performance.now()
      const said = await post(`${url}/v1/reward`, bodies[next++ % bodies.length]!, agent)
      if (!said.includes('"error":null')) throw new Error(said.slice(0, 500))
      times.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  return { seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

function post(url: string, body: Buffer, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-length': body.length } },
      (response) => {
        text(response).then(resolve, reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

await answer(import.meta.filename, (load) => send(JSON.parse(load!)))
await printWhenMain(import.meta.filename, run)
