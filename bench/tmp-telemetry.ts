/**
 * What telemetry adds to a search: the same searches by two optimizers, one with an observer and one without, one right after
 * the other, in alternating order. Spans go through the SDK of OpenTelemetry to an exporter that drops them.
 */
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { Registry } from 'prom-client'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { lineLogger, searchLogs } from '../adapters/telemetry/logs.ts'
import { openTelemetry } from '../adapters/telemetry/opentelemetry.ts'
import { prometheus } from '../adapters/telemetry/prometheus.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { createRandom } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import type { Observer } from '../src/observe.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { microseconds } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 5_000
const warmUp = 100

const dropping: SpanExporter = {
  export: (_, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
}

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const searches = 4000
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(dropping)] })
  const { observe: spans } = await openTelemetry({ tracer: provider.getTracer('bench') })
  const observers: Readonly<Record<string, Observer | undefined>> = {
    nothing: undefined,
    spans,
    metrics: prometheus({ registry: new Registry() }),
    logs: searchLogs({ logger: lineLogger(() => {}) }),
  }
  const words = zipfianWords(createRandom(1))
  const retrievers = [await buildWinkBm25(Array.from(documents(size, () => words(wordsPerDocument))))]
  const local = await localPolicy({ retrievers })
  const rows = []
  for (const [policy, parts] of [['local', local] as const]) {
    const plain = createOptimizer({ retrievers, ...parts })
    for (const [observed, observe] of Object.entries(observers)) {
      const optimizer = createOptimizer({ retrievers, ...parts, observe })
      const times = { without: [] as number[], with: [] as number[], added: [] as number[] }
      for (let search = -warmUp; search < searches; search++) {
        const text = words(wordsPerQuery)
        const took = { without: 0, with: 0 }
        for (const side of search % 2 === 0
          ? (['without', 'with'] as const)
          : (['with', 'without'] as const)) {
          const start = performance.now()
          await (side === 'with' ? optimizer : plain).search(text)
          took[side] = performance.now() - start
        }
        if (search < 0) continue
        times.without.push(took.without)
        times.with.push(took.with)
        times.added.push(took.with - took.without)
      }
      for (const all of Object.values(times)) all.sort((a, b) => a - b)
      const [before, added] = [quantile(times.without, 0.5), quantile(times.added, 0.5)]
      rows.push({
        policy,
        observed,
        without_p50_us: microseconds(before),
        with_p50_us: microseconds(quantile(times.with, 0.5)),
        added_p50_us: microseconds(added),
        added_percent: Number(((100 * added) / before).toFixed(1)),
      })
    }
  }
  await provider.shutdown()
  context.disable()
  return {
    name: 'telemetry',
    rows,
    notes: [
      `BM25 over ${size} generated documents, ${searches} searches. added: the difference, query by query.`,
      'nothing: two optimizers without an observer, which shows how exact the figures are.',
    ],
  }
}

await printWhenMain(import.meta.filename, run)
