/** One worker, as its primary sees it. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { toError } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface WorkerProcess {
  /** Does nothing for a worker that has just ended. */
  tell(message: ToWorker): void
  /** Lets it end, and kills it after `ms`. */
  stop(ms: number): void
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

export interface StartOptions {
  readonly onMessage: (message: FromWorker) => void
  /** A line that it writes on stderr. */
  readonly onLine: (line: string) => void
  readonly clock: Clock
}

/** Starts this command once more, with the same arguments. Its stdout is that of this process. */
export function startWorker({ onMessage, onLine, clock }: StartOptions): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../worker.js', import.meta.url)),
    args: process.argv.slice(2),
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const worker = cluster.fork()
  let cancelKill = (): void => {}
  createInterface({ input: worker.process.stderr! }).on('line', onLine)
  worker.on('message', onMessage)
  // `ended` tells that it could not be started.
  worker.on('error', () => {})
  const tell = (message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message, () => {})
  }
  return {
    tell,
    stop(ms) {
      tell({ type: 'stop' })
      cancelKill = clock.after(ms, () => worker.process.kill('SIGKILL'))
    },
    ended: once(worker.process, 'close')
      .then(
        ([status, signal]): number | string => status ?? signal,
        (thrown: unknown) => toError(thrown).message,
      )
      .finally(() => cancelKill()),
  }
}
