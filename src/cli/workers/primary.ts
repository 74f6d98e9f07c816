/** The process that starts the workers of a server, which share its port, replaces those that die, and ends them all. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { QuerentError } from '../../errors.ts'
import { onAbort } from '../../runtime/deadline.ts'
import { say, type Terminal } from '../output/terminal.ts'
import { type FromWorker, tell, workerMetrics } from './worker-metrics.ts'

/** More deaths than this within so many milliseconds, and something is wrong that another worker does not cure. */
const [maxDeaths, period] = [5, 60_000]

/**
 * Runs this command in `count` processes until it is interrupted. Prints each line of theirs once while they start, and later each
 * line with the number of its worker.
 *
 * @throws QuerentError `bad-config` or `unavailable` if a worker cannot start; `unavailable` if workers keep dying
 */
export async function runWorkers(count: number, terminal: Terminal): Promise<void> {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../worker.js', import.meta.url)),
    args: process.argv.slice(2),
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const failed = new AbortController()
  const stopping = AbortSignal.any([terminal.signal, failed.signal])
  const metrics = workerMetrics()
  const serving = new Set<Worker>()
  /** Lines of the start: all workers say the same. */
  const said = new Set<string>()
  let areServing = false
  let isSwitched = false
  let deaths: number[] = []

  /** Runs one worker to its end. @returns its exit status or its signal */
  async function run(place: number): Promise<number | string> {
    const worker = cluster.fork()
    // Its end tells that it could not be started.
    worker.on('error', () => {})
    worker.on('message', (message: FromWorker) => {
      if ('lines' in message) isListening(place, worker, message.lines)
      else metrics.heard(worker, message, serving)
    })
    createInterface({ input: worker.process.stderr! }).on('line', (line) => {
      if (areServing) return say(terminal, `Worker ${place}: ${line}`)
      if (!stopping.aborted && !said.has(line)) say(terminal, line)
      said.add(line)
    })
    const leave = onAbort(stopping, () => tell(worker, 'stop'))
    if (stopping.aborted) tell(worker, 'stop')
    const [status, signal] = await once(worker.process, 'close').catch(({ message }) => [message])
    leave()
    serving.delete(worker)
    metrics.ended(worker)
    return status ?? signal
  }

  function isListening(place: number, worker: Worker, lines: readonly string[]): void {
    serving.add(worker)
    if (isSwitched) tell(worker, 'switch')
    const isStart = !areServing && serving.size === count
    const start = [...lines, `${count} workers share the port.`]
    for (const line of isStart ? start : areServing ? [`Worker ${place} is ready.`] : []) say(terminal, line)
    areServing ||= isStart
  }

  /** Keeps a place filled until all stop. */
  async function keep(place: number): Promise<void> {
    while (!stopping.aborted) {
      const end = await run(place)
      if (stopping.aborted) return
      if (!areServing)
        throw new QuerentError(
          end === 2 ? 'bad-config' : 'unavailable',
          `Worker ${place} could not start (${end})`,
          {
            remedy: "See the worker's log above.",
          },
        )
      const now = performance.now()
      deaths = [...deaths.filter((at) => now - at < period), now]
      if (deaths.length > maxDeaths)
        throw new QuerentError('unavailable', `Workers ended more than ${maxDeaths} times within a minute`, {
          remedy: "See the workers' logs above, and check the memory: each worker holds the whole index.",
        })
      say(terminal, `Worker ${place} ended (${end}). Another one takes its place.`)
      await setTimeout(250 * (deaths.length - 1), undefined, { signal: stopping }).catch(() => {})
    }
  }

  const stopReopening = terminal.onHangup?.(() => {
    for (const worker of serving) worker.process.kill('SIGHUP')
  })
  const stopSwitching = terminal.onSwitch?.(() => {
    isSwitched = !isSwitched
    for (const worker of serving) tell(worker, 'switch')
  })
  const kept = Array.from({ length: count }, (_, at) => keep(at + 1))
  await Promise.all(kept).catch(() => failed.abort())
  // All of them have ended when this function does.
  await Promise.allSettled(kept)
  stopReopening?.()
  stopSwitching?.()
  await Promise.all(kept)
}
