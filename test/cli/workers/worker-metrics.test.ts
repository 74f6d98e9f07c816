import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { type ToWorker, workerMetrics } from '../../../src/cli/workers/worker-metrics.ts'

type All = ReturnType<typeof workerMetrics>

/** A worker that answers with the metrics of a registry of its own, as JSON makes them, or not at all. */
function worker(all: () => All, told: (text: string) => void) {
  const registers = [new Registry()]
  const counter = new Counter({ name: 'searches_total', help: 'h', labelNames: ['outcome'], registers })
  const histogram = new Histogram({ name: 'seconds', help: 'h', buckets: [1], registers })
  const gauge = new Gauge({ name: 'memory', help: 'h', registers })
  const highest = new Gauge({ name: 'breaker', help: 'h', aggregator: 'max', registers })
  const one = {
    answers: true,
    isConnected: () => true,
    send(message: ToWorker) {
      if (message === 'measure' && one.answers) void measure()
      else if (typeof message === 'object') told(message.text)
      return true
    },
  }
  async function measure() {
    const measured = JSON.parse(JSON.stringify(await registers[0]!.getMetricsAsJSON()))
    all().heard(one, { measured }, new Set())
  }
  return { one, counter, histogram, gauge, highest }
}

function two(patience?: number) {
  const metrics = workerMetrics(patience)
  let resolve: (text: string) => void = () => {}
  const [a, b] = [1, 2].map(() =>
    worker(
      () => metrics,
      (text) => resolve(text),
    ),
  ) as [Both, Both]
  a.counter.inc({ outcome: 'as-is' }, 3)
  b.counter.inc({ outcome: 'as-is' }, 4)
  b.counter.inc({ outcome: 'rewrite' }, 5)
  a.histogram.observe(0.5)
  b.histogram.observe(2)
  a.gauge.set(10)
  b.gauge.set(20)
  a.highest.set(2)
  b.highest.set(0)
  /** What `a` is told, where these serve. */
  const asked = (...serving: readonly Both[]) =>
    new Promise<string[]>((done) => {
      resolve = (text) => done(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
      metrics.heard(a.one, { asked: 1 }, new Set(serving.map(({ one }) => one)))
    })
  return { metrics, a, b, asked }
}
type Both = ReturnType<typeof worker>

it('sums up, or does what an aggregator says', async () => {
  const { a, b, asked } = two()
  expect((await asked(a, b)).sort()).toEqual([
    'breaker 2',
    'memory 30',
    'searches_total{outcome="as-is"} 7',
    'searches_total{outcome="rewrite"} 5',
    'seconds_bucket{le="+Inf"} 2',
    'seconds_bucket{le="1"} 1',
    'seconds_count 2',
    'seconds_sum 2.5',
  ])
})

it('keeps what a worker that has ended had counted, and not what it held', async () => {
  const { metrics, a, b, asked } = two()
  await asked(a, b)
  metrics.ended(b.one)
  a.counter.inc({ outcome: 'as-is' })
  expect(await asked(a)).toEqual(
    expect.arrayContaining([
      'searches_total{outcome="as-is"} 8',
      'searches_total{outcome="rewrite"} 5',
      'seconds_count 2',
      'memory 10',
    ]),
  )
})

it('does not wait for a worker that ends, nor long for one that says nothing', async () => {
  const ending = two(60_000)
  ending.b.one.answers = false
  const first = ending.asked(ending.a, ending.b)
  ending.metrics.ended(ending.b.one)
  expect(await first).toContain('searches_total{outcome="as-is"} 3')

  const silent = two(20)
  silent.b.one.answers = false
  expect(await silent.asked(silent.a, silent.b)).toContain('searches_total{outcome="as-is"} 3')
})
