/** Progress of a long task: a bar on a terminal, a line every few seconds in a log, nothing for a quick task. */
import { SingleBar } from 'cli-progress'
import { forTerminal } from '../../text/controls.ts'
import { say, type Terminal } from './terminal.ts'
import { formatDuration } from './words.ts'

export interface Progress {
  /** `done` of `total` items, if the total is known. A new `task` begins at 0. */
  update(task: string, done: number, total?: number): void
  /** Removes the bar. */
  stop(): void
}

/** Milliseconds before a task is shown, and between two lines without a terminal. */
const quietMs = 1000
const lineMs = 10_000
/** The rate is measured over the last seconds: a resumed build passes quickly over finished items. */
const windowMs = 10_000

/** Shows the progress of a work until it is done. */
export async function withProgress<Result>(
  terminal: Terminal,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = showProgress(terminal)
  try {
    return await work(progress)
  } finally {
    progress.stop()
  }
}

/** Progress on stderr. `now` is a clock in milliseconds. */
export function showProgress(terminal: Terminal, now: () => number = () => performance.now()): Progress {
  const { stderr } = terminal
  const isTerminal = stderr.isTTY === true
  let task: string | undefined
  let startedMs = 0
  let saidMs = 0
  let samples: { readonly ms: number; readonly done: number }[] = []
  let bar: SingleBar | undefined

  const stop = () => {
    bar?.stop()
    bar = undefined
    task = undefined
  }

  const begin = (next: string, ms: number) => {
    stop()
    task = next
    startedMs = ms
    saidMs = ms
    samples = [{ ms, done: 0 }]
  }

  /** Items per second over the last seconds. */
  const rateAt = (ms: number, done: number): number => {
    const last = samples.at(-1)!
    if (ms - last.ms >= windowMs / 10) samples.push({ ms, done })
    while (samples.length > 2 && ms - samples[1]!.ms > windowMs) samples.shift()
    const first = samples[0]!
    return ms > first.ms ? ((done - first.done) / (ms - first.ms)) * 1000 : 0
  }

  return {
    stop,
    update(given, done, total) {
      const next = forTerminal(given)
      const ms = now()
      if (next !== task) begin(next, ms)
      const rate = rateAt(ms, done)
      if (ms - startedMs < quietMs) return
      const figures = forTerminal(describe(done, total, rate))
      if (!isTerminal) {
        if (ms - saidMs < lineMs) return
        saidMs = ms
        say(terminal, `${next}: ${figures}`)
        return
      }
      if (bar === undefined) {
        bar = new SingleBar({
          format: total === undefined ? '{task}: {figures}' : '{task} {bar} {percentage}%  {figures}',
          stream: stderr as NodeJS.WriteStream,
          barsize: 24,
          hideCursor: true,
          clearOnComplete: true,
          // Querent handles Ctrl-C: it ends the task, and that removes the bar.
          gracefulExit: false,
        })
        bar.start(total ?? 0, done, { task: next, figures })
      }
      bar.update(done, { task: next, figures })
    },
  }
}

function describe(done: number, total: number | undefined, rate: number): string {
  const parts = [total === undefined ? `${done}` : `${done} of ${total}`, `${formatRate(rate)}/s`]
  if (total !== undefined && rate > 0) parts.push(`${formatDuration(((total - done) / rate) * 1000)} left`)
  return parts.join(', ')
}

function formatRate(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : String(Math.round(rate))
}
