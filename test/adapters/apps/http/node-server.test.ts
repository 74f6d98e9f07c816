import { expect, it } from 'vitest'
import type { Answered } from '../../../../adapters/apps/http/answered.ts'
import { startServer } from '../../../../adapters/apps/http/node-server.ts'
import { expectError } from '../../../support/expect-error.ts'
import { deferred } from '../../../support/held.ts'
import { manualClock, settled } from '../../../support/manual-clock.ts'
import { openSocket } from '../../../support/open-socket.ts'

it('waits for what is under way no longer than it was told, then ends it', async () => {
  const clock = manualClock()
  const asked = deferred<Request>()
  const server = await startServer(
    (request) => {
      asked.resolve(request)
      return new Promise(() => {})
    },
    { port: 0, grace: 500, clock },
  )
  const answering = fetch(server.url).then(
    () => 'answered',
    () => 'dropped',
  )
  const { signal } = await asked.promise
  let isClosed = false
  const closed = server.close().then(() => {
    isClosed = true
  })
  await clock.advance(499)
  expect([isClosed, signal.aborted]).toEqual([false, false])
  await clock.advance(1)
  await closed
  expect(await answering).toBe('dropped')
  expect(signal.aborted).toBe(true)
  expect(clock.waiting).toBe(0)
})

it('tells of each request what became of it, also where no answer began', async () => {
  const clock = manualClock()
  const answered: Answered[] = []
  const server = await startServer(
    async (request) => {
      await clock.advance(7)
      if (request.url.endsWith('/hangs')) return new Promise(() => {})
      return new Response('ok', { status: 202 })
    },
    { port: 0, grace: 500, clock, onAnswered: (one) => answered.push(one) },
  )
  await (await fetch(`${server.url}/here?q=words`)).text()
  const hanging = fetch(`${server.url}/hangs`).catch(() => 'dropped')
  while (clock.now() < 14) await settled()
  const closed = server.close()
  await clock.advance(500)
  await closed
  expect(await hanging).toBe('dropped')
  const request = { method: 'GET', client: '127.0.0.1' }
  expect(answered).toEqual([
    { ...request, path: '/here', search: 'q=words', status: 202, complete: true, ms: 7 },
    { ...request, path: '/hangs', complete: false, ms: 507 },
  ])
})

it('closes at once where nothing is under way', async () => {
  const clock = manualClock()
  const server = await startServer(async () => new Response('ok'), { port: 0, clock })
  expect(await (await fetch(server.url)).text()).toBe('ok')
  await server.close()
  expect(clock.waiting).toBe(0)
  await expect(fetch(server.url)).rejects.toThrow()
})

it('drops the connection of what was under way with its answer, though its client would keep it', {
  timeout: 4000, // Node keeps a connection for 5 s
}, async () => {
  const clock = manualClock()
  const [answer, asked] = [deferred<Response>(), deferred()]
  const server = await startServer(
    () => {
      asked.resolve()
      return answer.promise
    },
    { port: 0, clock },
  )
  const client = await openSocket(server.url, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await asked.promise
  const closed = server.close()
  answer.resolve(new Response('ok'))
  await closed
  expect(await client.received).toContain('ok')
  expect(clock.waiting).toBe(0)
})

it('says which address it cannot have', async () => {
  const server = await startServer(async () => new Response('ok'), { port: 0 })
  const port = Number(new URL(server.url).port)
  await expectError(
    startServer(async () => new Response('ok'), { port }),
    'bad-config',
    `127.0.0.1:${port}`,
  )
  await server.close()
})

it.each([
  ['sent nothing', ''],
  ['sent half a head', 'GET / HTTP/1.1\r\nhost:'],
])('does not wait for a connection that has %s', async (_, bytes) => {
  const clock = manualClock()
  const server = await startServer(async () => new Response('ok'), { port: 0, clock })
  const { received } = await openSocket(server.url, bytes)
  expect(await (await fetch(server.url)).text()).toBe('ok')
  await server.close()
  expect(await received).toBe('')
  expect(clock.waiting).toBe(0)
})
