/** The proxy's metrics, in Prometheus format: those of its searches, its requests and its load. */
import { Counter, Registry } from 'prom-client'
import type { Observer } from '../../../src/observe.ts'
import type { Prices } from '../../../src/prices.ts'
import { prometheus, watchBreakers } from '../../telemetry/prometheus.ts'
import { readMetrics } from '../../telemetry/read-metrics.ts'
import type { SearchSettings } from '../drop-in/run/settings.ts'
import { ownAnswer } from './own-answer.ts'
import type { ProxyAnswer } from './send.ts'

export interface ProxyMetrics {
  readonly observe: Observer
  /** Shows the load and the breaker of these settings. */
  watch(settings: Pick<SearchSettings, 'load' | 'limits'>): void
  /** Counts a request that was answered with this status. */
  answered(status: number): void
  /** The answer to a request for the metrics. */
  answer(): Promise<ProxyAnswer>
}

/** @throws prom-client's error if the registry has these metrics already */
export function createProxyMetrics(registry = new Registry(), prices: Prices = {}): ProxyMetrics {
  const registers = [registry]
  const observe = prometheus({ registry, prices })
  const requests = new Counter({
    name: 'querent_proxy_requests_total',
    help: 'Requests answered, searches and all others, by status',
    labelNames: ['status'] as const,
    registers,
  })
  const { total, gauge } = readMetrics(registry)
  gauge('querent_proxy_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())

  return {
    observe,
    watch({ load, limits }) {
      gauge('querent_proxy_optimizing', 'Searches being optimized now', () => load.counts.optimizing)
      total('querent_proxy_admitted_total', 'Searches that were optimized', () => load.counts.admitted)
      total(
        'querent_proxy_shed_total',
        'Searches that passed through because of load',
        () => load.counts.shed,
      )
      watchBreakers(registry, [{ name: 'engine', resilience: limits.legs }])
    },
    answered: (status) => requests.inc({ status }),
    answer: async () => ownAnswer(200, await registry.metrics(), registry.contentType),
  }
}
