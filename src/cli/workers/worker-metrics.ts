/** The metrics of all workers as those of one process. */
import { AggregatorRegistry } from 'prom-client'
import type { Clock } from '../../runtime/clock.ts'
import type { Metrics } from './messages.ts'
import type { WorkerProcess } from './worker-process.ts'

type Measured = Pick<WorkerProcess, 'tell'>

export interface WorkerMetrics {
  /** Asks these workers, and sums up what they say. One that does not answer counts with what it said last. */
  text(workers: readonly Measured[]): Promise<string>
  /** A worker has answered. */
  measured(worker: Measured, id: number, metrics: Metrics): void
  /** A worker has ended. What it counted still counts: a total that falls would look like a restart. */
  ended(worker: Measured): void
}

/** Milliseconds that a worker has to answer. */
const patience = 2000

export function workerMetrics(clock: Clock): WorkerMetrics {
  const latest = new Map<Measured, Metrics>()
  /** Whose answer is missing, by question, and what happens when none is. */
  const waiting = new Map<number, { readonly missing: Set<Measured>; readonly done: () => void }>()
  let past: Promise<Metrics> = Promise.resolve([])
  let questions = 0

  const sum = (all: readonly Metrics[]) => AggregatorRegistry.aggregate(all.map((one) => [...one]))

  async function ask(workers: readonly Measured[]): Promise<void> {
    if (workers.length === 0) return
    const id = questions++
    await new Promise<void>((resolve) => {
      const cancel = clock.after(patience, done)
      function done(): void {
        cancel()
        waiting.delete(id)
        resolve()
      }
      waiting.set(id, { missing: new Set(workers), done })
      for (const worker of workers) worker.tell({ type: 'measure', id })
    })
  }

  function isHeard(worker: Measured, id: number): void {
    const question = waiting.get(id)
    question?.missing.delete(worker)
    if (question?.missing.size === 0) question.done()
  }

  return {
    async text(workers) {
      await ask(workers)
      return sum([...latest.values(), await past]).metrics()
    },
    measured(worker, id, metrics) {
      latest.set(worker, metrics)
      isHeard(worker, id)
    },
    ended(worker) {
      const counted = latest.get(worker)?.filter(({ type }) => type !== 'gauge') ?? []
      latest.delete(worker)
      past = past.then((before) => sum([before, counted]).getMetricsAsJSON())
      for (const id of [...waiting.keys()]) isHeard(worker, id)
    },
  }
}
