/** The process of `asking-process.ts`: told a number it searches as often, told 0 it closes; then it says what it holds. */
import { setImmediate as turn } from 'node:timers/promises'
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

function held(): Held {
  const { heapUsed, external } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length
  return { bytes: heapUsed + external, sockets, ...counts }
}

process.on('message', async (times: number) => {
  await (times === 0 ? caller.close() : ask(times))
  // What is let go of in one turn is rubbish in the next.
  for (let time = 0; time < 3; time++) {
    await turn()
    globalThis.gc?.()
  }
  process.send?.(held())
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
