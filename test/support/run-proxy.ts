/** A process with a proxy in it: it sends its address, and how much memory it held whenever it is asked. */
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { collectGarbage } from './collect-garbage.ts'
import { deciding } from './scripted-policy.ts'

const [, , target, policy] = process.argv
const proxy = await createProxy({
  target: target!,
  policy: policy === 'none' ? 'none' : deciding(['one', 'two']),
  rerank: false,
  maxDelay: 60_000,
})

/** Growth that is looked at more closely. */
const suspicious = 10 * 1024 * 1024

const held = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
collectGarbage()
let start = held()
let peak = start
const look = (): void => {
  // When garbage is collected is up to V8, and it takes its time on a busy machine.
  if (held() - start >= suspicious) collectGarbage()
  peak = Math.max(peak, held())
}
setInterval(look, 10)

process.on('message', () => {
  look()
  process.send?.(peak)
  collectGarbage()
  start = held()
  peak = start
})
process.on('disconnect', () => process.exit())
process.send?.(await proxy.listen(0))
