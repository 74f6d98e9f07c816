/** The server's metrics, in Prometheus format. They contain no query and no document. */
import { Registry } from 'prom-client'
import type { Reward } from '../../../src/training/rewards/reward.ts'
import type { SearcherCounts } from '../../../src/training/rewards/searcher.ts'
import { metricsIn } from '../../telemetry/read-metrics.ts'

export interface Metrics {
  /** The content type of `text`. */
  readonly type: string
  text(): Promise<string>
  /** Records an answered request. */
  request(request: { readonly path: string; readonly status: number; readonly ms: number }): void
  /** Records the results of the rollouts of an answered request. */
  rollouts(path: string, rollouts: readonly (Reward | Error)[]): void
  batch(batch: { readonly ms: number }): void
}

export interface MetricsSources {
  readonly searcher: () => SearcherCounts
  /** Unanswered requests, and the bytes of their bodies. */
  readonly queue: () => { readonly requests: number; readonly bytes: number }
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const rewardBuckets = [-0.1, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3, 4, 6]

export function createMetrics({ searcher, queue }: MetricsSources): Metrics {
  const registry = new Registry()
  const { counter, histogram, total, gauge } = metricsIn(registry)
  const requests = counter(
    'querent_requests_total',
    'Requests answered, by path and status',
    'path',
    'status',
  )
  const latency = histogram('querent_request_seconds', 'Time from a request to its answer', seconds, 'path')
  const items = counter('querent_items_total', 'Answers of the model that were priced or refused', 'path')
  const rewards = histogram(
    'querent_reward',
    'Rewards given; their sum by their count is the mean',
    rewardBuckets,
  )
  const malformed = counter('querent_format_failures_total', 'Answers outside of the grammar')
  const errors = counter('querent_item_errors_total', 'Answers that could not be priced')
  const batches = histogram(
    'querent_retrieval_seconds',
    'Time of a batch of searches in all retrievers',
    seconds,
  )
  total('querent_cache_hits_total', 'Searches answered by the cache', () => searcher().hits)
  total('querent_cache_misses_total', 'Searches that the cache did not have', () => searcher().misses)
  total('querent_searches_joined_total', 'Searches that joined one under way', () => searcher().joined)
  gauge('querent_cache_entries', 'Searches in the cache', () => searcher().entries)
  gauge('querent_cache_bytes', 'Bytes of the cache, estimated', () => searcher().bytes)
  gauge('querent_searches_waiting', 'Searches waiting or under way', () => searcher().waiting)
  gauge('querent_queue_requests', 'Requests not answered yet', () => queue().requests)
  gauge('querent_queue_bytes', 'Bytes of their bodies', () => queue().bytes)
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())

  return {
    type: registry.contentType,
    text: () => registry.metrics(),
    request({ path, status, ms }) {
      requests.inc({ path, status })
      latency.observe({ path }, ms / 1000)
    },
    rollouts(path, priced) {
      items.inc({ path }, priced.length)
      for (const reward of priced) {
        if (reward instanceof Error) errors.inc()
        else {
          rewards.observe(reward.score)
          if (reward.format === 0) malformed.inc()
        }
      }
    },
    batch: ({ ms }) => batches.observe(ms / 1000),
  }
}
