/** A process with a proxy in it: it sends its address, and how much memory it held whenever it is asked. */
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { deciding } from './scripted-policy.ts'

const [, , target, policy] = process.argv
const proxy = await createProxy({
  target: target!,
  policy: policy === 'none' ? 'none' : deciding(['one', 'two']),
  rerank: false,
})

let peak = 0
const look = (): void => {
  peak = Math.max(peak, process.memoryUsage().rss)
}
setInterval(look, 10)

process.on('message', () => {
  look()
  process.send?.(peak)
  globalThis.gc?.()
  peak = 0
})
process.on('disconnect', () => process.exit())
process.send?.(await proxy.listen(0))
