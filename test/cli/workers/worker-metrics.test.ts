import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { ToWorker } from '../../../src/cli/workers/messages.ts'
import { type WorkerMetrics, workerMetrics } from '../../../src/cli/workers/worker-metrics.ts'
import { manualClock, settled } from '../../support/manual-clock.ts'

/** A worker that answers with the metrics of a registry of its own, as JSON makes them, or not at all. */
function worker(all: () => WorkerMetrics) {
  const registers = [new Registry()]
  const counter = new Counter({ name: 'searches_total', help: 'h', labelNames: ['outcome'], registers })
  const histogram = new Histogram({ name: 'seconds', help: 'h', buckets: [1], registers })
  const gauge = new Gauge({ name: 'memory', help: 'h', registers })
  const highest = new Gauge({ name: 'breaker', help: 'h', aggregator: 'max', registers })
  const one = {
    answers: true,
    async tell(message: ToWorker) {
      if (message.type !== 'measure' || !one.answers) return
      const metrics = JSON.parse(JSON.stringify(await registers[0]!.getMetricsAsJSON()))
      all().measured(one, message.id, metrics)
    },
  }
  return { one, counter, histogram, gauge, highest }
}

function two() {
  const clock = manualClock()
  const metrics = workerMetrics(clock)
  const [a, b] = [worker(() => metrics), worker(() => metrics)]
  a.counter.inc({ outcome: 'as-is' }, 3)
  b.counter.inc({ outcome: 'as-is' }, 4)
  b.counter.inc({ outcome: 'rewrite' }, 5)
  a.histogram.observe(0.5)
  b.histogram.observe(2)
  a.gauge.set(10)
  b.gauge.set(20)
  a.highest.set(2)
  b.highest.set(0)
  return { clock, metrics, a, b }
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('the metrics of workers', () => {
  it('are summed up, or what their aggregator says', async () => {
    const { metrics, a, b, clock } = two()
    expect(lines(await metrics.text([a.one, b.one])).sort()).toEqual([
      'breaker 2',
      'memory 30',
      'searches_total{outcome="as-is"} 7',
      'searches_total{outcome="rewrite"} 5',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_bucket{le="1"} 1',
      'seconds_count 2',
      'seconds_sum 2.5',
    ])
    expect(clock.waiting).toBe(0)
  })

  it('hold what a worker that has ended had counted, and not what it held', async () => {
    const { metrics, a, b } = two()
    await metrics.text([a.one, b.one])
    metrics.ended(b.one)
    a.counter.inc({ outcome: 'as-is' })
    const after = lines(await metrics.text([a.one]))
    expect(after).toEqual(
      expect.arrayContaining([
        'searches_total{outcome="as-is"} 8',
        'searches_total{outcome="rewrite"} 5',
        'seconds_count 2',
        'memory 10',
      ]),
    )
    metrics.ended(a.one)
    expect(lines(await metrics.text([]))).toContain('seconds_count 2')
  })

  it('do not wait for a worker that ends, nor long for one that says nothing', async () => {
    const { metrics, a, b, clock } = two()
    b.one.answers = false
    const first = metrics.text([a.one, b.one])
    await settled()
    metrics.ended(b.one)
    expect(lines(await first)).toContain('searches_total{outcome="as-is"} 3')

    const { metrics: again, a: c, b: d, clock: time } = two()
    await again.text([c.one, d.one])
    d.one.answers = false
    const late = again.text([c.one, d.one])
    await time.advance(2000)
    expect(lines(await late)).toContain('searches_total{outcome="as-is"} 7')
    expect([clock.waiting, time.waiting]).toEqual([0, 0])
  })
})
