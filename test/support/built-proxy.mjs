// @ts-check
/**
 * The proxy as it is published, with its defaults or the options of a second argument, in a process of its own. Started with `fork`, it sends its address. To each
 * message it answers with the most milliseconds for which the event loop has been held since the last one.
 */
import { readFileSync } from 'node:fs'
import { createProxy } from 'querent/proxy'

/** Milliseconds between two looks. */
const every = 5

let looked = performance.now()
let waited = waitedMs()
let most = 0

function look() {
  const now = performance.now()
  const waitedNow = waitedMs()
  most = Math.max(most, now - looked - (waitedNow - waited) - every)
  looked = now
  waited = waitedNow
}

/** Milliseconds that the main thread was ready to run while other processes had the processors. 0 where that is not known. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

const proxy = await createProxy({ target: process.argv[2] ?? '', ...JSON.parse(process.argv[3] ?? '{}') })
setInterval(look, every)
process.on('message', () => {
  look()
  process.send?.(most)
  most = 0
})
process.on('disconnect', () => process.exit())
process.send?.(await proxy.listen(0))
