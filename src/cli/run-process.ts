/** Runs the command line as this process. */
import type { Writable } from 'node:stream'
import { onOutputErrors } from './output/output-errors.ts'
import type { Terminal } from './output/terminal.ts'
import { runCli } from './run-cli.ts'

/** Ends the process with the status of the command. */
export async function runProcess(parts: Pick<Terminal, 'signal' | 'onHangup' | 'primary'>): Promise<never> {
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

/** Calls `listener` at the first SIGINT or SIGTERM. A second one kills the process at once. */
export function onFirstInterrupt(listener: () => void): void {
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isInterrupted) process.exit(130)
      isInterrupted = true
      listener()
    })
  }
}

/** Calls `listener` at each SIGHUP. Returns a function that removes it. */
export function onHangup(listener: () => void): () => void {
  process.on('SIGHUP', listener)
  return () => void process.off('SIGHUP', listener)
}
