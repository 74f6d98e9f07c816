/** The process that starts the workers of a server, hands them connections, replaces those that die, and ends them all. */
import { QuerentError } from '../../errors.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { onAbort } from '../../runtime/deadline.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { FromWorker } from './messages.ts'
import { createReplacements, maxDeaths } from './replacements.ts'
import { workerMetrics } from './worker-metrics.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

export interface WorkersOptions {
  readonly count: number
  /** Milliseconds that requests in flight have to end. Default: 10,000. */
  readonly grace?: number | undefined
}

/** Milliseconds after `grace`. A worker that has not ended then is killed. */
const rest = 5000

/**
 * Runs this command in `count` processes until it is interrupted. They listen once all of them have opened what they need.
 * Prints each line of theirs once while they start, and later each line with the number of its worker.
 *
 * @throws QuerentError `bad-config` or `unavailable` if a worker cannot start; `unavailable` if workers keep dying
 */
export async function runWorkers(
  { count, grace = 10_000 }: WorkersOptions,
  terminal: Terminal,
): Promise<void> {
  const { clock = systemClock } = terminal
  const failed = new AbortController()
  const stopping = AbortSignal.any([terminal.signal, failed.signal])
  const metrics = workerMetrics(clock)
  const pauseAfterDeath = createReplacements(clock)
  const opened = new Set<WorkerProcess>()
  const serving = new Set<WorkerProcess>()
  /** Lines of the start: all workers say the same. */
  const said = new Set<string>()
  let areServing = false

  /** Runs one worker to its end. @returns its exit status or its signal */
  async function run(place: number): Promise<number | string> {
    const worker = startWorker({
      clock,
      onMessage: (message) => heard(place, worker, message),
      onLine(line) {
        if (areServing) return say(terminal, `Worker ${place}: ${line}`)
        if (!stopping.aborted && !said.has(line)) say(terminal, line)
        said.add(line)
      },
    })
    const leave = whenAborted(stopping, () => worker.stop(grace + rest))
    const end = await worker.ended
    leave()
    serving.delete(worker)
    metrics.ended(worker)
    return end
  }

  function heard(place: number, worker: WorkerProcess, message: FromWorker): void {
    if (message.type === 'opened') {
      opened.add(worker)
      if (areServing) worker.tell({ type: 'listen' })
      else if (opened.size === count) for (const one of opened) one.tell({ type: 'listen' })
    } else if (message.type === 'listening') {
      serving.add(worker)
      if (areServing) say(terminal, `Worker ${place} serves.`)
      else if (serving.size === count) {
        areServing = true
        for (const line of [...message.lines, `${count} workers share the port.`]) say(terminal, line)
      }
    } else if (message.type === 'asked') {
      void metrics.text([...serving]).then((text) => worker.tell({ type: 'metrics', id: message.id, text }))
    } else metrics.measured(worker, message.id, message.metrics)
  }

  /** Keeps a place filled until all stop. */
  async function keep(place: number): Promise<void> {
    for (;;) {
      const end = await run(place)
      if (stopping.aborted) return
      if (!areServing) throw notStarted(place, end)
      const pause = pauseAfterDeath()
      if (pause === undefined) throw keepDying()
      say(terminal, `Worker ${place} ended (${end}). Another one takes its place.`)
      await paused(pause, clock, stopping)
      if (stopping.aborted) return
    }
  }

  const stopReopening = terminal.onHangup?.(() => {
    for (const worker of serving) worker.tell({ type: 'reopen' })
  })
  const places = Array.from({ length: count }, (_, at) => at + 1)
  const kept = places.map((place) =>
    keep(place).catch((error: unknown) => {
      failed.abort()
      throw error
    }),
  )
  // All of them have ended when this function does.
  await Promise.allSettled(kept)
  stopReopening?.()
  await Promise.all(kept)
}

/** Calls back at once if the signal is aborted already. Returns a function that removes the callback. */
function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  if (!signal.aborted) return onAbort(signal, callback)
  callback()
  return () => {}
}

function paused(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => {
      leave()
      resolve()
    })
    const leave = whenAborted(signal, () => {
      cancel()
      resolve()
    })
  })
}

/** What the worker said stands above. */
const notStarted = (place: number, end: number | string): QuerentError =>
  new QuerentError(end === 2 ? 'bad-config' : 'unavailable', `Worker ${place} could not start (${end})`, {
    remedy: 'Its own lines say why.',
  })

const keepDying = (): QuerentError =>
  new QuerentError('unavailable', `Workers ended more than ${maxDeaths} times within a minute`, {
    remedy: 'Their own lines may say why. Look at the memory: each of them holds the whole index.',
  })
