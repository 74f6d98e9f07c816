/** The metrics of all workers as those of one process. */
import type { Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'

type Metrics = readonly { readonly type: unknown }[]

/** A worker listens, and says what people are told; it asks for the metrics of all; it answers with its own. */
export type FromWorker =
  | { readonly lines: readonly string[] }
  | { readonly asked: number }
  | { readonly measured: Metrics }
export type ToWorker = 'stop' | 'measure' | 'switch' | { readonly asked: number; readonly text: string }

type Measured = Pick<Worker, 'isConnected' | 'send'>

/** Does nothing for a worker that has just ended. */
export const tell = (worker: Measured, message: ToWorker): void =>
  void (worker.isConnected() && worker.send(message, () => {}))

/** @param patience milliseconds that workers have to answer. One that does not counts with what it said last. */
export function workerMetrics(patience = 2000) {
  const latest = new Map<Measured, Metrics>()
  /** Who has not answered, for each that asked, and what to do when none is left. */
  const waiting = new Map<Set<Measured>, () => void>()
  let past: Promise<Metrics> = Promise.resolve([])
  const sum = (all: readonly Metrics[]) => AggregatorRegistry.aggregate(all.map((one) => [...one]))

  function isHeard(worker: Measured): void {
    for (const [missing, done] of waiting) if (missing.delete(worker) && missing.size === 0) done()
  }

  async function answer(asking: Measured, asked: number, workers: ReadonlySet<Measured>): Promise<void> {
    const missing = new Set(workers)
    const late = new AbortController()
    waiting.set(missing, () => late.abort())
    for (const worker of workers) tell(worker, 'measure')
    await setTimeout(patience, undefined, { signal: late.signal }).catch(() => {})
    waiting.delete(missing)
    tell(asking, { asked, text: await sum([...latest.values(), await past]).metrics() })
  }

  return {
    /** @param workers all that serve */
    heard(
      worker: Measured,
      message: Exclude<FromWorker, { lines: unknown }>,
      workers: ReadonlySet<Measured>,
    ): void {
      if ('asked' in message) return void answer(worker, message.asked, workers)
      latest.set(worker, message.measured)
      isHeard(worker)
    },
    /** What it counted still counts: a total that falls would look like a restart. */
    ended(worker: Measured): void {
      const counted = latest.get(worker)?.filter(({ type }) => type !== 'gauge') ?? []
      latest.delete(worker)
      past = past.then((before) => sum([before, counted]).getMetricsAsJSON())
      isHeard(worker)
    },
  }
}
