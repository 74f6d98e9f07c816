/** Metrics of searches: what is counted and timed, in whose registry; and a dashboard that asks for nothing else. */
import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createProxyMetrics } from '../../../adapters/apps/proxy/health.ts'
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedChat } from '../../../adapters/cache/cached-chat.ts'
import { type PrometheusOptions, prometheus } from '../../../adapters/telemetry/prometheus.ts'
import { QuerentError } from '../../../src/errors.ts'
import { reportSearch } from '../../../src/observe.ts'
import type { OptimizerOptions } from '../../../src/optimizer.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { found, leave, silentChat, split, splitting } from './left-search.ts'

function measured(options: Partial<OptimizerOptions> = {}, others: Partial<PrometheusOptions> = {}) {
  const registry = new Registry()
  const observe = prometheus({ registry, ...others })
  const optimizer = splitting({ observe, ...options })
  /** The value of a metric with these labels, as Prometheus would read it; undefined where there is none. */
  async function value(name: string, labels: Readonly<Record<string, string>> = {}) {
    const written = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
    const start = written.length === 0 ? `${name} ` : `${name}{${written.join(',')}} `
    const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(start))
    return line === undefined ? undefined : Number(line.slice(start.length))
  }
  return { registry, observe, search: optimizer.search, value }
}

describe('prometheus', () => {
  it('counts searches, sub-queries, prompts, tokens and cost, and times the parts of a search', async () => {
    const prices = { scripted: { prompt: 2, completion: 8 } }
    const { search, value } = measured({}, { prices })
    const { trace } = await search('secret words')
    expect(
      await value('querent_searches_total', { outcome: 'answered', decision: 'decompose', reason: '' }),
    ).toBe(1)
    expect(await value('querent_legs_total', { retriever: 'bm25', status: 'ok' })).toBe(3)
    expect(await value('querent_prompts_total', { model: 'scripted', status: 'ok' })).toBe(1)
    const { prompt, completion } = trace.tokens
    expect(await value('querent_tokens_total', { model: 'scripted', type: 'prompt' })).toBe(prompt)
    expect(await value('querent_tokens_total', { model: 'scripted', type: 'completion' })).toBe(completion)
    const cost = (prompt * 2 + completion * 8) / 1_000_000
    expect(await value('querent_cost_total', { model: 'scripted' })).toBeCloseTo(cost, 12)
    expect(
      await value('querent_search_duration_seconds_sum', { outcome: 'answered', decision: 'decompose' }),
    ).toBeCloseTo(trace.times.total / 1000, 9)
    for (const step of ['deciding', 'retrieving', 'fusing', 'reranking'] as const)
      expect(await value('querent_step_duration_seconds_sum', { step })).toBeCloseTo(
        trace.times[step] / 1000,
        9,
      )
    expect(await value('querent_partial_total')).toBe(0)
  })

  it('counts what went wrong by its cause', async () => {
    const down = new Error('secret words are down')
    const broken = measured({
      retrievers: [
        scriptedRetriever({ name: 'bm25', found }),
        scriptedRetriever({ name: 'broken', fails: down }),
      ],
      chat: scriptedChat(['nonsense.', 'nonsense.']),
    })
    const { trace } = await broken.search('secret words')
    expect(await broken.value('querent_fallbacks_total', { code: trace.fallback!.code })).toBe(1)
    expect(await broken.value('querent_partial_total')).toBe(1)
    expect(await broken.value('querent_legs_total', { retriever: 'broken', status: 'failed' })).toBe(1)
    expect(await broken.value('querent_prompts_total', { model: 'scripted', status: 'failed' })).toBe(1)

    const failed = measured({ retrievers: [scriptedRetriever({ name: 'broken', fails: down })] })
    await expect(failed.search('secret words')).rejects.toThrow('down')
    expect(
      await failed.value('querent_searches_total', { outcome: 'failed', decision: 'none', reason: '' }),
    ).toBe(1)
    reportSearch(failed.observe, { outcome: { kind: 'passed through', reason: '`titel`: none of 20' } })
    expect(
      await failed.value('querent_searches_total', {
        outcome: 'passed through',
        decision: 'none',
        reason: '…: none of …',
      }),
    ).toBe(1)
    expect(await failed.registry.metrics()).not.toMatch(/secret|a reason/)
  })

  it('counts a search whose caller left, and its prompt, apart from what failed', async () => {
    const { search, value } = measured({ chat: silentChat })
    await leave({ search }, new QuerentError('aborted', 'The client has gone'))
    expect(await value('querent_prompts_total', { model: 'silent', status: 'aborted' })).toBe(1)
    expect(await value('querent_prompts_total', { model: 'silent', status: 'failed' })).toBeUndefined()
    await leave({ search })
    expect(await value('querent_searches_total', { outcome: 'aborted', decision: 'none', reason: '' })).toBe(
      2,
    )
    expect(
      await value('querent_searches_total', { outcome: 'failed', decision: 'none', reason: '' }),
    ).toBeUndefined()
  })

  it('counts what a cache of completions had', async () => {
    const cache = createCache()
    const { search, value } = measured({ chat: cachedChat(scriptedChat([split]), cache, { scope: [] }) })
    for (let times = 0; times < 3; times++) await search('secret words')
    const counted = (outcome: string) => value('querent_cache_lookups_total', { model: 'scripted', outcome })
    expect([await counted('miss'), await counted('hit'), await counted('joined')]).toEqual([1, 2, undefined])
    expect(await value('querent_prompts_total', { model: 'scripted', status: 'ok' })).toBe(3)
  })

  it('shows the state of breakers', async () => {
    const state: { breaker: 'closed' | 'half-open' | 'open' } = { breaker: 'closed' }
    const { value } = measured({}, { backends: [{ name: 'cluster', resilience: { state } }] })
    const read = () => value('querent_breaker_state', { backend: 'cluster' })
    expect(await read()).toBe(0)
    state.breaker = 'half-open'
    expect(await read()).toBe(1)
    state.breaker = 'open'
    expect(await read()).toBe(2)
  })

  it('rejects wrong options, and a registry that has the metrics', () => {
    expectError(() => prometheus({ registry: {} as Registry }), 'bad-config', /registry/)
    const registry = new Registry()
    prometheus({ registry })
    expect(() => prometheus({ registry })).toThrow('already been registered')
  })
})

describe('the dashboard', () => {
  const dashboard = JSON.parse(readFileSync('examples/integrations/grafana/querent.json', 'utf8'))
  const queries: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  )
  const counts = { optimizing: 0, admitted: 0, shed: 0 }
  const metrics = async () => {
    const registry = new Registry()
    createProxyMetrics(registry).watch({
      load: { counts } as never,
      limits: { legs: { state: { breaker: 'closed' } } } as never,
    })
    return registry.getMetricsAsJSON()
  }

  it('shows every metric, and no other', async () => {
    const named = queries.flatMap((query) => query.match(/querent_\w+/g) ?? [])
    const shown = new Set(named.map((name) => name.replace(/_(bucket|sum|count)$/, '')))
    expect([...shown].sort()).toEqual((await metrics()).map(({ name }) => name).sort())
  })

  it('groups by labels that its metrics have', async () => {
    // Prometheus itself adds these two to whatever it reads.
    const added = ['job', 'instance', 'le']
    const registry = new Registry()
    prometheus({ registry })
    for (const query of queries) {
      const labels = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(', '))
      const name = /querent_\w+/.exec(query)![0].replace(/_(bucket|sum|count)$/, '')
      const metric = registry.getSingleMetric(name) as { labelNames?: string[] } | undefined
      if (metric === undefined) continue
      for (const label of labels) expect([...added, ...(metric.labelNames ?? [])]).toContain(label)
    }
  })

  it('places its panels side by side, each with an identifier of its own', () => {
    const panels: { id: number; gridPos: { x: number; y: number; w: number } }[] = dashboard.panels
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })
})
