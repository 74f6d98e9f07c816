import { expect, it } from 'vitest'
import { startServer } from '../../../../adapters/apps/http/node-server.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { openSocket } from '../../../support/open-socket.ts'

it('waits for what is under way no longer than it was told, then ends it', async () => {
  const clock = manualClock()
  let asked: (request: Request) => void = () => {}
  const request = new Promise<Request>((resolve) => {
    asked = resolve
  })
  const server = await startServer(
    (request) => {
      asked(request)
      return new Promise(() => {})
    },
    { port: 0, grace: 500, clock },
  )
  const answering = fetch(server.url).then(
    () => 'answered',
    () => 'dropped',
  )
  const { signal } = await request
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
  let release: (response: Response) => void = () => {}
  const answer = new Promise<Response>((resolve) => {
    release = resolve
  })
  let asked: () => void = () => {}
  const arrived = new Promise<void>((resolve) => {
    asked = resolve
  })
  const server = await startServer(
    () => {
      asked()
      return answer
    },
    { port: 0, clock },
  )
  const client = await openSocket(server.url, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await arrived
  const closed = server.close()
  release(new Response('ok'))
  await closed
  expect(await client.received).toContain('ok')
  expect(clock.waiting).toBe(0)
})

it('says which address it cannot have', async () => {
  const server = await startServer(async () => new Response('ok'), { port: 0 })
  const port = Number(new URL(server.url).port)
  await expect(startServer(async () => new Response('ok'), { port })).rejects.toMatchObject({
    code: 'bad-config',
    message: expect.stringContaining(`127.0.0.1:${port}`),
  })
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
