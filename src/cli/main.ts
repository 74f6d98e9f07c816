#!/usr/bin/env node
import { runCli } from './run-cli.ts'

// After a search, FAISS's threads would spin for a while in case another one follows, and each would keep a core from the
// embedding model. Their library (OpenMP) reads this variable when it is loaded, which is later.
process.env.OMP_WAIT_POLICY ??= 'passive'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal kills the process at once.
    if (interrupt.signal.aborted) process.exit(130)
    process.stderr.write('querent: stopping …\n')
    interrupt.abort()
  })
}
// The reader of the output may stop early: `querent search … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.stderr.on('error', () => {})

const onHangup = (listener: () => void) => {
  process.on('SIGHUP', listener)
  return () => void process.off('SIGHUP', listener)
}

const { stdin, stdout, stderr, env } = process
const { signal } = interrupt
const status = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, signal, onHangup })
// Flush the output first. Native calls and kept connections may still be open.
await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))))
process.exit(status)
