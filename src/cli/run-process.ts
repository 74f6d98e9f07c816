/** Runs the command line as this process. */
import type { Writable } from 'node:stream'
import { onOutputErrors } from './output/output-errors.ts'
import type { Terminal } from './output/terminal.ts'
import { runCli } from './run-cli.ts'

/** Ends the process with the status of the command. */
export async function runProcess(
  parts: Pick<Terminal, 'signal' | 'onHangup' | 'onSwitch' | 'primary'>,
): Promise<never> {
  const { stdin, stdout, stderr, env } = process
  const onlyLogs = onOutputErrors({ stdout, stderr }, (status) => process.exit(status))
  stderr.on('error', () => {})
  const status = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, onlyLogs, ...parts })
  // Flush the output first. Native calls and kept connections may still be open.
  await Promise.all([stdout, stderr].map(flushed))
  process.exit(status)
}

/** Writes nothing where nothing waits: on a full disk, even that fails. A failure is told before the next turn of the loop. */
const flushed = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (stream.writableLength > 0) stream.write('', () => resolve())
    else setImmediate(resolve)
  })

/**
 * Calls `listener` at the first SIGINT or SIGTERM, or when `npx` or `npm run` has ended that started this process: they pass no
 * SIGTERM on. A second signal kills the process at once.
 */
export function onFirstInterrupt(listener: () => void): void {
  let isInterrupted = false
  function interrupt(): void {
    isInterrupted = true
    listener()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (isInterrupted ? process.exit(130) : interrupt()))
  const { ppid: starter, env } = process
  // Package managers set it. Other programs that end may leave this one running on purpose, as shells do.
  if (env.npm_config_user_agent === undefined) return
  const watch = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(watch)
    if (!isInterrupted) interrupt()
  }, starterCheckMs).unref()
}

/** How often to look whether the starter is there. */
const starterCheckMs = 500

/** Calls `listener` at each such signal. Returns a function that removes it. */
export const onSignal = (signal: 'SIGHUP' | 'SIGUSR2') => (listener: () => void) => {
  process.on(signal, listener)
  return () => void process.off(signal, listener)
}
