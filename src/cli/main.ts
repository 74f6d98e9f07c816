#!/usr/bin/env node
import { onFirstInterrupt, onSignal, runProcess } from './run-process.ts'

// After a search, FAISS's threads would spin for a while in case another one follows, and each would keep a core from the
// embedding model. Their library (OpenMP) reads this variable when it is loaded, which is later.
process.env.OMP_WAIT_POLICY ??= 'passive'

const interrupt = new AbortController()
onFirstInterrupt(() => {
  process.stderr.write('querent: stopping …\n')
  interrupt.abort()
})
await runProcess({
  signal: interrupt.signal,
  onHangup: onSignal('SIGHUP'),
  onSwitch: onSignal('SIGUSR2'),
})
