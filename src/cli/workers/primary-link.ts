/** The primary process, as its worker sees it. */
import type { Registry } from 'prom-client'
import type { Primary } from '../output/terminal.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface PrimaryLink {
  readonly primary: Primary
  /** Calls back when the primary wants this worker to end. */
  onStop(listener: () => void): void
  /** Calls back when the primary wants the index opened again. Returns a function that removes the listener. */
  onReopen(listener: () => void): () => void
}

/** A worker ends by itself if its primary has died: `node:cluster` sees to that. */
export function connectPrimary(): PrimaryLink {
  const stops = new Set<() => void>()
  const reopens = new Set<() => void>()
  const asking = new Map<number, (text: string) => void>()
  let measure: (() => ReturnType<Registry['getMetricsAsJSON']>) | undefined
  let mayListen: () => void = () => {}
  let questions = 0

  const tell = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {})

  process.on('message', async (message: ToWorker) => {
    if (message.type === 'listen') mayListen()
    else if (message.type === 'reopen') for (const listener of reopens) listener()
    else if (message.type === 'stop') for (const listener of stops) listener()
    else if (message.type === 'measure')
      tell({ type: 'measured', id: message.id, metrics: (await measure?.()) ?? [] })
    else {
      asking.get(message.id)?.(message.text)
      asking.delete(message.id)
    }
  })

  return {
    primary: {
      opened() {
        const answered = new Promise<void>((resolve) => {
          mayListen = resolve
        })
        tell({ type: 'opened' })
        return answered
      },
      listening: (lines) => tell({ type: 'listening', lines }),
      share(registry) {
        measure = () => registry.getMetricsAsJSON()
        return () =>
          new Promise((resolve) => {
            const id = questions++
            asking.set(id, resolve)
            tell({ type: 'asked', id })
          })
      },
    },
    onStop: (listener) => void stops.add(listener),
    onReopen(listener) {
      reopens.add(listener)
      return () => void reopens.delete(listener)
    },
  }
}
