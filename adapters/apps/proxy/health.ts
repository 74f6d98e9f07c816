/** The proxy's own endpoints: whether it runs, its load, whether the target answers, and its metrics. */
import type { IncomingMessage } from 'node:http'
import { Registry } from 'prom-client'
import type { Observer } from '../../../src/observe.ts'
import type { Prices } from '../../../src/prices.ts'
import { prometheus, watchBreakers } from '../../telemetry/prometheus.ts'
import { metricsIn } from '../../telemetry/read-metrics.ts'
import type { Load } from '../drop-in/run/load.ts'
import type { SearchSettings } from '../drop-in/run/settings.ts'
import { ownAnswer } from './own-answer.ts'
import { pathOf } from './route.ts'
import type { ProxyAnswer } from './send.ts'
import type { Target } from './target.ts'

/** Milliseconds that the target has to answer. */
const patience = 2000

interface OwnState {
  readonly target: Target
  readonly load: Load
  readonly metrics: ProxyMetrics | undefined
  /** Further paths that the proxy answers. */
  readonly pages: readonly string[]
  /** Resolves when the policy has started its threads. */
  readonly warming: Promise<void>
}

/** The answer to a request about the proxy itself. `undefined` for all other requests. Parameters have no meaning: probes add some. */
export function health(
  { url = '', method }: IncomingMessage,
  { target, load, metrics, pages, warming }: OwnState,
): ProxyAnswer | Promise<ProxyAnswer> | undefined {
  if (!url.startsWith('/_querent/')) return undefined
  if (method !== 'GET' && method !== 'HEAD') return ownAnswer(405, { status: 'only GET' })
  const path = pathOf(url)
  if (path === '/_querent/health') return ownAnswer(200, { status: 'ok' })
  if (path === '/_querent/ready') return warming.then(() => ready(target))
  if (path === '/_querent/load') return ownAnswer(200, load.counts)
  if (path === '/_querent/metrics' && metrics !== undefined) return metrics.answer()
  const others = [...(metrics === undefined ? [] : ['/_querent/metrics']), ...pages]
  const known = ['/_querent/health', '/_querent/ready', '/_querent/load', ...others]
  return ownAnswer(404, { status: `there are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}` })
}

async function ready(target: Target): Promise<ProxyAnswer> {
  try {
    const signal = AbortSignal.timeout(patience)
    const { statusCode, body } = await target.probe.request({
      path: target.pathOf('/'),
      method: 'HEAD',
      signal,
    })
    await body.dump()
    // A target that demands a password is up.
    return statusCode < 500
      ? ownAnswer(200, { status: 'ready' })
      : ownAnswer(503, { status: `the target answers with ${statusCode}` })
  } catch (error) {
    return ownAnswer(503, { status: `the target does not answer: ${(error as Error).message}` })
  }
}

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
  const observe = prometheus({ registry, prices })
  const { counter, total, gauge } = metricsIn(registry)
  const requests = counter(
    'querent_proxy_requests_total',
    'Requests answered, searches and all others, by status',
    'status',
  )
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
