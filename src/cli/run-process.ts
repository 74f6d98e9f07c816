/** Runs the command line as this process. */
import type { Terminal } from './output/terminal.ts'
import { runCli } from './run-cli.ts'

/** Ends the process with the status of the command. */
export async function runProcess(parts: Pick<Terminal, 'signal' | 'onHangup' | 'primary'>): Promise<never> {
  const { stdin, stdout, stderr, env } = process
  // The reader of the output may stop early: `querent search … | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  stderr.on('error', () => {})
  const status = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, ...parts })
  // Flush the output first. Native calls and kept connections may still be open.
  await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))))
  process.exit(status)
}

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
