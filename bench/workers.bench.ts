/**
 * What `querent serve --processes` brings: searches a second with one process and with one for each core, in turn, from the same
 * client, which has connections of its own that stay open. Needs `npm run build`.
 */
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { createRandom } from '../src/learn/random.ts'
import { ended, runCommand, spawnCli } from '../test/support/spawn-cli.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { inFolder } from './measuring.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 20_000
const connections = 16
/** A process that decides is only as fast as it gets after some thousand searches. */
const warmUpSeconds = 8

interface Measured {
  readonly perSecond: number
  /** Which part of a core the client took. */
  readonly client: number
}

export const run = ({ quick = false }: RunOptions = {}): Promise<BenchResult> =>
  inFolder((folder) => (quick ? measureIn(folder, 3, 1) : measureIn(folder, 10, 3)))

async function measureIn(folder: string, seconds: number, rounds: number): Promise<BenchResult> {
  const counts = [1, Math.max(2, availableParallelism())]
  const words = zipfianWords(createRandom(1))
  const corpus = join(folder, 'corpus.jsonl')
  const lines = Array.from(
    documents(size, () => words(wordsPerDocument)),
    ({ docid, text }) => JSON.stringify({ _id: docid, text }),
  )
  await writeFile(corpus, lines.join('\n'))
  const index = join(folder, 'index')
  const { status, errors } = await runCommand(['index', corpus, '--out', index])
  if (status !== 0) throw new Error(errors)
  const rows = []
  for (const policy of ['none', 'local']) {
    const found = new Map<number, Measured[]>(counts.map((count) => [count, []]))
    for (let round = 0; round < rounds; round++)
      for (const count of counts)
        found.get(count)!.push(await measured(['--index', index, '--policy', policy], count, seconds))
    const [one, all] = counts.map((count) => median(found.get(count)!))
    rows.push({
      policy,
      one_process_per_s: rounded(one!.perSecond),
      workers: counts[1]!,
      workers_per_s: rounded(all!.perSecond),
      times: rounded(all!.perSecond / one!.perSecond),
      client_cores: rounded(all!.client),
    })
  }
  return {
    name: 'workers',
    rows,
    notes: [
      `BM25 over ${size} generated documents, ${connections} connections, medians of ${rounds} × ${seconds} s.`,
      'The client shares the cores. client_cores: how much of one it took beside the workers.',
    ],
  }
}

async function measured(argv: readonly string[], workers: number, seconds: number): Promise<Measured> {
  const child = spawnCli(['serve', '--port', '0', '--processes', String(workers), ...argv])
  const end = ended(child)
  try {
    const pool = new Pool(await urlOf(child, workers), { connections, pipelining: 1 })
    await load(pool, warmUpSeconds)
    const before = process.cpuUsage()
    const perSecond = await load(pool, seconds)
    const { user, system } = process.cpuUsage(before)
    await pool.close()
    return { perSecond, client: (user + system) / 1e6 / seconds }
  } finally {
    child.kill()
    await end
  }
}

async function urlOf({ stderr }: ReturnType<typeof spawnCli>, workers: number): Promise<string> {
  let url: string | undefined
  for await (const line of createInterface({ input: stderr })) {
    url ??= /^Listening on (\S+)\/search\./.exec(line)?.[1]
    if (url !== undefined && (workers === 1 || line.endsWith('workers share the port.'))) return url
  }
  throw new Error('It ended before it listened')
}

/** Searches as fast as it is answered. @returns searches a second */
async function load(pool: Pool, seconds: number): Promise<number> {
  const words = zipfianWords(createRandom(2))
  const start = performance.now()
  let done = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - start < 1000 * seconds) {
      const path = `/search?q=${encodeURIComponent(words(wordsPerQuery))}`
      const { statusCode, body } = await pool.request({ method: 'GET', path })
      await body.dump()
      if (statusCode !== 200) throw new Error(`A search was answered with ${statusCode}`)
      done++
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return (1000 * done) / (performance.now() - start)
}

const median = (all: readonly Measured[]): Measured =>
  all.toSorted((one, other) => one.perSecond - other.perSecond)[Math.floor(all.length / 2)]!

await printWhenMain(import.meta.filename, run)
