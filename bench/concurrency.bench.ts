/**
 * Many searches at once: how many come through, how long each takes and what memory they need, with backends that wait as
 * a cluster does, and with BM25, which shares this process's one thread. Each case runs in a process of its own.
 */
import { setTimeout } from 'node:timers/promises'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { none } from '../policies/none.ts'
import { createRandom } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Retriever } from '../src/types.ts'
import { collectGarbage } from '../test/support/collect-garbage.ts'
import { modelAtOnce, retrieverAtOnce, subQueriesOf } from './backends.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 5_000
const depth = 100
const waitMs = 10
const backends = ['waiting', 'bm25'] as const
const systems = ['bare', 'none', 'acqo'] as const

type Row = Record<string, string | number>

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const seconds = quick ? 1 : 4
  const rows: Row[] = []
  for (const backend of backends)
    for (const system of systems)
      for (const concurrent of [1, 8, 64])
        rows.push(await inProcess<Row>(import.meta.filename, [backend, system, concurrent, seconds]))
  return {
    name: 'concurrency',
    rows,
    notes: [
      `Two retrievers, depth ${depth}, ${seconds} s a row; as soon as a search ends, the next begins.`,
      `waiting: answers after a timer of ${waitMs} ms. bm25: ${size} generated documents, searched in this process's one thread.`,
      'bare: the query in both retrievers, without the optimizer. acqo: a chat model that answers at once with 3 sub-queries.',
      'cpu_us: processor time a search, garbage collection included: what limits the throughput of one process.',
      'peak_mb: most resident memory above that before the first search. kept_mb: heap still held after the last one.',
    ],
  }
}

async function measure(backend: string, system: string, concurrent: number, seconds: number): Promise<Row> {
  const words = zipfianWords(createRandom(1))
  const retrievers = backend === 'bm25' ? await bm25s(() => words(wordsPerDocument)) : clusters()
  const search = searchOf(system, retrievers, () => words(wordsPerQuery))
  await load(search, concurrent, seconds / 4)

  collectGarbage()
  const before = process.memoryUsage()
  const cpuBefore = process.cpuUsage()
  const { times, elapsed, peak } = await load(search, concurrent, seconds)
  const { user, system: kernel } = process.cpuUsage(cpuBefore)
  const searches = times.length
  times.sort((a, b) => a - b)
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  times.length = 0
  collectGarbage()
  return {
    backend,
    system,
    concurrent,
    searches_per_s: Math.round((1000 * searches) / elapsed),
    p50_ms: rounded(p50),
    p95_ms: rounded(p95),
    cpu_us: Math.round((user + kernel) / searches),
    peak_mb: megabytes(peak - before.rss),
    kept_mb: megabytes(process.memoryUsage().heapUsed - before.heapUsed),
  }
}

/** One search by a system with the next query. */
function searchOf(
  system: string,
  retrievers: readonly Retriever[],
  nextText: () => string,
): () => Promise<unknown> {
  if (system === 'bare') {
    return () => {
      const batch = subQueriesOf([nextText()])
      return Promise.all(retrievers.map((retriever) => retriever.retrieve(batch, { k: depth })))
    }
  }
  const chat = modelAtOnce(() => [nextText(), nextText(), nextText()])
  const optimizer = createOptimizer({ retrievers, policy: system === 'acqo' ? acqo() : none(), chat, depth })
  return () => optimizer.search(nextText())
}

async function bm25s(nextText: () => string): Promise<Retriever[]> {
  const texts = Array.from(documents(size, nextText))
  return [await buildWinkBm25(texts), await buildWinkBm25(texts, { name: 'other', k1: 1.2, b: 0.75 })]
}

function clusters(): Retriever[] {
  return ['one', 'two'].map((name, seed) =>
    retrieverAtOnce(name, { depth, seed, wait: () => setTimeout(waitMs) }),
  )
}

/** Keeps so many searches under way. Gives the milliseconds that each took, those of all, and the most bytes resident. */
async function load(
  search: () => Promise<unknown>,
  concurrent: number,
  seconds: number,
): Promise<{ times: number[]; elapsed: number; peak: number }> {
  const times: number[] = []
  let peak = 0
  const began = performance.now()
  const end = began + 1000 * seconds
  async function worker(): Promise<void> {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await search()
      times.push(performance.now() - start)
      if (times.length % 100 === 0) peak = Math.max(peak, process.memoryUsage.rss())
    }
  }
  await Promise.all(Array.from({ length: concurrent }, worker))
  return { times, elapsed: performance.now() - began, peak }
}

const megabytes = (bytes: number): number => rounded(Math.max(0, bytes) / 2 ** 20)

await answer(import.meta.filename, (backend, system, concurrent, seconds) =>
  measure(backend!, system!, Number(concurrent), Number(seconds)),
)
await printWhenMain(import.meta.filename, run)
