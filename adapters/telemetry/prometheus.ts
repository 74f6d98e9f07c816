/**
 * Metrics of searches for Prometheus: an observer that counts and times, in a registry of one's own. No label holds a text.
 *
 * @module querent/prometheus
 */
import { Gauge, type Registry } from 'prom-client'
import { z } from 'zod'
import { having, parseConfig } from '../../src/config.ts'
import type { Observer, SearchReport } from '../../src/observe.ts'
import { plainReason } from '../../src/plain-reason.ts'
import { costOf, type Prices, pricesSchema } from '../../src/prices.ts'
import type { Failure, Times } from '../../src/types.ts'
import { isAborted } from './aborted.ts'
import { metricsIn } from './read-metrics.ts'

export type { Price } from '../../src/prices.ts'

/** A backend whose breaker is watched, such as the result of `resilient()`. */
export interface WatchedBackend {
  readonly name: string
  readonly resilience: { readonly state: { readonly breaker: 'closed' | 'half-open' | 'open' } }
}

export interface PrometheusOptions {
  /** The registry of `prom-client` that gets the metrics. One registry takes them once. */
  readonly registry: Registry
  /** Prices by the name of the chat model, in any currency, for `querent_cost_total`. Default: none, nothing is priced. */
  readonly prices?: Prices | undefined
  /** The backends whose breakers `querent_breaker_state` shows. Default: none. */
  readonly backends?: readonly WatchedBackend[] | undefined
}

const optionsSchema = z.strictObject({
  registry: having<Registry>('a registry of prom-client', 'registerMetric'),
  prices: pricesSchema.default({}),
  backends: z.array(having<WatchedBackend>('a backend')).default([]),
})

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const stateValues = { closed: 0, 'half-open': 1, open: 2 } as const
const stepNames = ['deciding', 'retrieving', 'fusing', 'reranking'] as const satisfies (keyof Times)[]

/**
 * @returns an observer, for `observe` of an optimizer, a search or a wrapped client
 * @throws QuerentError `bad-config` that names the wrong option; prom-client's error if the registry has these metrics already
 */
export function prometheus(options: PrometheusOptions): Observer {
  const { registry, prices, backends } = parseConfig(optionsSchema, options, 'prometheus')
  const { counter, histogram } = metricsIn(registry)

  const searches = counter('querent_searches_total', 'Searches that ended', 'outcome', 'decision', 'reason')
  const fallbacks = counter('querent_fallbacks_total', 'Searches that fell back, by the error', 'code')
  const partial = counter('querent_partial_total', 'Searches of which a list is missing or incomplete')
  const duration = histogram(
    'querent_search_duration_seconds',
    'Time of a search',
    buckets,
    'outcome',
    'decision',
  )
  const steps = histogram('querent_step_duration_seconds', 'Time of a part of a search', buckets, 'step')
  const legs = counter('querent_legs_total', 'Sub-queries at a retriever, by status', 'retriever', 'status')
  const prompts = counter('querent_prompts_total', 'Prompts of a chat model, by status', 'model', 'status')
  const tokens = counter('querent_tokens_total', 'Tokens of a chat model', 'model', 'type')
  const lookups = counter(
    'querent_cache_lookups_total',
    'Prompts that a cache of completions was asked for, by what it had',
    'model',
    'outcome',
  )
  const cost = counter('querent_cost_total', 'Cost of a chat model, in the currency of its price', 'model')
  if (backends.length > 0) watchBreakers(registry, backends)

  return {
    onLeg: ({ leg: { retriever, status, incomplete } }) =>
      legs.inc({ retriever, status: incomplete === undefined ? status : 'incomplete' }),
    onStep({ step }) {
      if (step.type !== 'ask') return
      const { model, error, cache } = step
      if (cache !== undefined) lookups.inc({ model, outcome: cache })
      prompts.inc({ model, status: statusOf(error) })
      tokens.inc({ model, type: 'prompt' }, step.tokens.prompt)
      tokens.inc({ model, type: 'completion' }, step.tokens.completion)
      const spent = costOf(step.tokens, prices[model])
      if (spent !== undefined) cost.inc({ model }, spent)
    },
    onSearch(report) {
      const { trace } = report
      const decided = { outcome: outcomeOf(report), decision: trace?.kind ?? 'none' }
      searches.inc({ ...decided, reason: plainReason(report.outcome?.reason ?? '') })
      if (trace === undefined) return
      duration.observe(decided, trace.times.total / 1000)
      for (const step of stepNames) steps.observe({ step }, trace.times[step] / 1000)
      if (trace.fallback !== undefined) fallbacks.inc({ code: trace.fallback.code })
      if (trace.partial) partial.inc()
    },
  }
}

/** Shows the breakers of these backends: 0 is closed, 1 half-open, 2 open. */
export function watchBreakers(registry: Registry, backends: readonly WatchedBackend[]): void {
  new Gauge({
    name: 'querent_breaker_state',
    help: 'Circuit breaker of a backend: 0 closed, 1 half-open, 2 open',
    labelNames: ['backend'],
    // Of several processes, the one that is worst off.
    aggregator: 'max',
    registers: [registry],
    collect() {
      for (const { name, resilience } of backends)
        this.set({ backend: name }, stateValues[resilience.state.breaker])
    },
  })
}

function statusOf(error: Failure | undefined): string {
  if (error === undefined) return 'ok'
  return isAborted(error) ? 'aborted' : 'failed'
}

/** What the caller got. In the process, there is no engine's answer to compare with. */
function outcomeOf({ error, aborted, outcome }: SearchReport): string {
  if (aborted === true) return 'aborted'
  return outcome?.kind ?? (error === undefined ? 'answered' : 'failed')
}
