/** The system's clock: an answer that arrived in time is not late only because the process was too busy to read it. */
import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { fanOut } from '../../src/fan-out.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Retriever } from '../../src/types.ts'

/** Blocks the event loop. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('delivers a message that arrived while the event loop was blocked before it calls back', async () => {
  const { port1, port2 } = new MessageChannel()
  const order: string[] = []
  await new Promise<void>((resolve) => {
    const done = (what: string) => () => {
      if (order.push(what) === 2) resolve()
    }
    port2.on('message', done('answer'))
    systemClock.after(20, done('deadline'))
    port1.postMessage('here')
    block(100)
  })
  port1.close()
  expect(order).toEqual(['answer', 'deadline'])
})

/** A server that answers while this thread is blocked. */
const server = `
  const { createServer } = require('node:http')
  const server = createServer((request, response) => response.end('[]')).listen(0, '127.0.0.1', () =>
    require('node:worker_threads').parentPort.postMessage(server.address().port))`

it('does not treat a leg as late if its answer arrived in time', async () => {
  const worker = new Worker(server, { eval: true })
  const [port] = await once(worker, 'message')
  const get = async (): Promise<void> => void (await (await fetch(`http://127.0.0.1:${port}`)).text())
  try {
    // Opens the connection that the leg will use.
    await get()
    const retriever: Retriever = {
      name: 'engine',
      async retrieve(subQueries) {
        const answer = get()
        // The answer arrives long before the deadline, but the blocked process reads it long after.
        setImmediate(() => setImmediate(() => block(500)))
        await answer
        return subQueries.map((subQuery) => ({ retriever: 'engine', subQuery, hits: [] }))
      },
    }
    const legs = await fanOut([retriever], [{ text: 'a', round: 1 }], {
      k: 10,
      timeout: 250,
      signal: new AbortController().signal,
      clock: systemClock,
    })
    expect(legs.map(({ error }) => error?.message)).toEqual([undefined])
  } finally {
    await worker.terminate()
  }
})

it('can be canceled while it waits once more', async () => {
  let isCalled = false
  const cancel = systemClock.after(1, () => {
    isCalled = true
  })
  block(50)
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      cancel()
      // Later than the callback would come.
      setTimeout(resolve, 100)
    })
  })
  expect(isCalled).toBe(false)
})
