/**
 * A worker of `querent serve --processes` or `querent proxy --processes`: the same command, in a process that its primary starts
 * and stops. Ctrl-C and service managers signal all processes at once, so it stops at the first signal, too. `node:cluster` ends it
 * if its primary has died.
 */
import type { Registry } from 'prom-client'
import { onFirstInterrupt, onSignal, runProcess } from './run-process.ts'
import type { FromWorker, ToWorker } from './workers/worker-metrics.ts'

const interrupt = new AbortController()
const asking = new Map<number, (text: string) => void>()
let measured: Pick<Registry, 'getMetricsAsJSON'> | undefined
let questions = 0
const switches = new Set<() => void>()

const tell = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {})

process.on('message', async (message: ToWorker) => {
  if (message === 'stop') interrupt.abort()
  else if (message === 'switch') for (const listener of switches) listener()
  else if (message === 'measure') tell({ measured: (await measured?.getMetricsAsJSON()) ?? [] })
  else {
    asking.get(message.asked)?.(message.text)
    asking.delete(message.asked)
  }
})
onFirstInterrupt(() => interrupt.abort())
// The primary passes it on, also to workers that come later.
process.on('SIGUSR2', () => {})
await runProcess({
  signal: interrupt.signal,
  onHangup: onSignal('SIGHUP'),
  onSwitch(listener) {
    switches.add(listener)
    return () => void switches.delete(listener)
  },
  primary: {
    listening: (lines) => tell({ lines }),
    share(registry) {
      measured = registry
      return () =>
        new Promise((resolve) => {
          const asked = questions++
          asking.set(asked, resolve)
          tell({ asked })
        })
    },
  },
})
