/**
 * A worker of `querent serve --workers` or `querent proxy --processes`: the same command, in a process that its primary starts
 * and stops. Ctrl-C and service managers signal all processes at once, so it stops at the first signal, too.
 */
import { onFirstInterrupt, onHangup, runProcess } from './run-process.ts'
import { connectPrimary } from './workers/primary-link.ts'

const interrupt = new AbortController()
const { primary, onStop, onReopen } = connectPrimary()
onStop(() => interrupt.abort())
onFirstInterrupt(() => interrupt.abort())
await runProcess({
  signal: interrupt.signal,
  primary,
  onHangup(listener) {
    const stops = [onHangup(listener), onReopen(listener)]
    return () => {
      for (const stop of stops) stop()
    }
  },
})
