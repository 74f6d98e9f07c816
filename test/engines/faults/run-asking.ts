/** The process of `asking-process.ts`: told a number it searches as often, told 0 it closes. Then it says what it holds. */
import { setImmediate as turn } from 'node:timers/promises'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { deciding } from '../../support/scripted-policy.ts'
import type { Held } from './asking-process.ts'
import { ways } from './callers.ts'

const [, , name, target] = process.argv
const way = ways.find((one) => one.name === name)!
const options = { policy: deciding(['one', 'two']), rerank: false, retries: 1 } as const
const caller = await way.through(target!, 30_000, options)
const body = { query: { match: { text: 'some words of somebody' } }, size: 100, _source: ['title'] }
const atATime = 32
const counts = { answered: 0, failed: 0 }

async function ask(times: number): Promise<void> {
  let left = times
  const askOn = async (): Promise<void> => {
    while (left-- > 0) {
      const end = await caller.ask({ index: 'works', bodies: [body], isMsearch: false })
      counts['error' in end || end.status >= 300 ? 'failed' : 'answered']++
      caller.said()
    }
  }
  await Promise.all(Array.from({ length: atATime }, askOn))
}

/** Collections after which what is still there is held, or a socket is still open. */
const patience = 50

const sockets = (): number => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length

/** Collects garbage until there is no less of it three times in a row, and all sockets are closed where they should be. */
async function held({ isClosed }: { readonly isClosed: boolean }): Promise<Held> {
  let bytes = Number.POSITIVE_INFINITY
  for (let time = 0, same = 0; time < patience && (same < 3 || (isClosed && sockets() > 0)); time++) {
    await turn()
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    same = heapUsed + external < 0.999 * bytes ? 0 : same + 1
    bytes = Math.min(bytes, heapUsed + external)
  }
  return { bytes, sockets: sockets(), ...counts }
}

process.on('message', async (times: number) => {
  await (times === 0 ? caller.close() : ask(times))
  process.send?.(await held({ isClosed: times === 0 }))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
