/**
 * What telemetry adds to a search: the same searches by two optimizers, one with an observer and one without, in turns. Spans go through the SDK of OpenTelemetry to an exporter that drops them. Each observer has
 * a process of its own, because a context manager slows down everything in its process. Needs `npm run build`.
 */
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { Registry } from 'prom-client'
// The package as it is published, which is what users run.
import { createOptimizer, type Observer, type Optimizer, type Retriever } from 'querent'
import { lineLogger, searchLogs } from 'querent/logs'
import { openTelemetry } from 'querent/opentelemetry'
import { localPolicy } from 'querent/policies/local'
import { prometheus } from 'querent/prometheus'
import { createRandom } from '../src/learn/random.ts'
import { generatedBm25, wordsPerQuery, zipfianWords } from './generated.ts'
import { inTurns } from './measuring.ts'
import { median, microseconds, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

const observed = ['nothing', 'spans', 'spans of one in ten', 'metrics', 'logs'] as const
type Observed = (typeof observed)[number]
type Row = BenchResult['rows'][number]

const warmUp = 100
const words = zipfianWords(createRandom(1))

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const searches = quick ? 100 : 1_000
  const rows: Row[] = []
  for (const name of observed) rows.push(...(await inProcess<Row[]>(import.meta.filename, [name, searches])))
  return {
    name: 'telemetry',
    rows: rows.toSorted((one, other) => String(one.search).localeCompare(String(other.search))),
    notes: [
      `${searches} searches. added: the difference, query by query; of "a retriever that answers at once" the processor time of a search, the least of 40 batches.`,
      'nothing: two optimizers without an observer, which shows how exact the figures are.',
    ],
  }
}

async function rowsOf(name: Observed, searches: number): Promise<Row[]> {
  // Before anything has turned on the context manager.
  const without = await leastCpu(createOptimizer({ retrievers: [instant] }))
  const observe = await observerOf(name)
  const withIt = await leastCpu(createOptimizer({ retrievers: [instant], observe }))
  const rows: Row[] = [rowOf('a retriever that answers at once', name, without, withIt - without)]
  const small = [await generatedBm25(5_000, words)]
  const parts = await localPolicy({ retrievers: small })
  for (const [search, options] of [
    ['none, 5,000 documents', { retrievers: small }],
    ['none, 50,000 documents', { retrievers: [await generatedBm25(50_000, words)] }],
    ['local, 5,000 documents', { retrievers: small, ...parts }],
  ] as const) {
    const [plain, observing] = [createOptimizer(options), createOptimizer({ ...options, observe })]
    const [before, after] = await inTurns(searches, warmUp, () => {
      const text = words(wordsPerQuery)
      return [() => plain.search(text), () => observing.search(text)]
    })
    const added = after.map((ms, call) => ms - before[call]!)
    rows.push(rowOf(search, name, median(before), median(added)))
  }
  return rows
}

const rowOf = (search: string, name: Observed, before: number, added: number): Row => ({
  search,
  observed: name,
  without_p50_us: microseconds(before),
  added_p50_us: microseconds(added),
  added_percent: rounded((100 * added) / before),
})

async function observerOf(name: Observed): Promise<Observer | undefined> {
  if (name === 'nothing') return undefined
  if (name === 'metrics') return prometheus({ registry: new Registry() })
  if (name === 'logs') return searchLogs({ logger: lineLogger(() => {}) })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const dropping: SpanExporter = { export: (_, done) => done({ code: 0 }), shutdown: () => Promise.resolve() }
  const provider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(dropping)],
    ...(name === 'spans of one in ten' && { sampler: new TraceIdRatioBasedSampler(0.1) }),
  })
  return (await openTelemetry({ tracer: provider.getTracer('bench') })).observe
}

const hits = Array.from({ length: 100 }, (_, at) => ({ docid: `d${at}`, score: 100 - at, rank: at + 1 }))
const instant: Retriever = {
  name: 'bm25',
  retrieve: async (subQueries) => subQueries.map((subQuery) => ({ retriever: 'bm25', subQuery, hits })),
}

/** Processor time of a search in milliseconds. Others on the machine can only make a batch look longer. */
async function leastCpu({ search }: Optimizer): Promise<number> {
  let least = Infinity
  for (let batch = 0; batch < 40; batch++) {
    const before = process.cpuUsage()
    for (let count = 0; count < 250; count++) await search('some words')
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 250_000)
    // Spans are exported between searches, after all of them.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return least
}

await answer(import.meta.filename, (name, searches) => rowsOf(name as Observed, Number(searches)))
await printWhenMain(import.meta.filename, run)
