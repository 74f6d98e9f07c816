/** The processes of engine.bench.ts beside the engine: two proxies, and the client that loads them. */

import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
// The package as it is published, which is what users run.
import { createProxy } from 'querent/proxy'
import { Agent, Pool, request } from 'undici'
import { median, percentile } from './numbers.ts'

/** What the client is to do: so many requests a second, or as many as it can over so many connections. */
export interface Load {
  readonly urls: readonly string[]
  readonly seconds: number
  readonly connections: number
  /** Absent: as many as it can. */
  readonly perSecond?: number
}

export interface Seen {
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
}

/** Starts a proxy before the target in a process of its own. */
export function startRole(
  role: 'bare' | 'querent',
  target: string,
): Promise<{ readonly url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), [role, target])
  return new Promise((resolve, reject) => {
    child.once('message', (url) => resolve({ url: String(url), stop: () => child.kill() }))
    child.once('exit', (code) => reject(new Error(`The ${role} proxy ended with ${code}`)))
  })
}

/** What one would write with the same library: a pool, and nothing looked at. */
function bareProxy(target: string): Promise<string> {
  const pool = new Pool(target, { connections: 256, pipelining: 1 })
  const server = createServer((incoming, outgoing) => {
    const { connection: _, host: __, ...headers } = incoming.headers
    pool
      .request({
        path: incoming.url!,
        method: incoming.method as 'GET',
        headers,
        body: incoming.method === 'GET' ? null : incoming,
      })
      .then(({ statusCode, headers: answered, body }) => {
        outgoing.writeHead(statusCode, answered)
        body.pipe(outgoing)
      })
      .catch(() => outgoing.destroy())
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`)
    })
  })
}

/** Sends requests, one URL after the other. With a rate, each begins at its time, whatever became of those before it. */
export async function load({ urls, seconds, connections, perSecond }: Load): Promise<Seen> {
  const dispatcher = new Agent({ connections })
  const times: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let next = 0
  async function one(due: number): Promise<void> {
    const { statusCode, body } = await request(urls[next++ % urls.length]!, { dispatcher })
    await body.arrayBuffer()
    if (statusCode !== 200) throw new Error(`${urls[0]} answered ${statusCode}`)
    times.push(performance.now() - due)
  }
  if (perSecond === undefined) {
    const worker = async (): Promise<void> => {
      while (performance.now() < end) await one(performance.now())
    }
    await Promise.all(Array.from({ length: connections }, worker))
  } else {
    const sent: Promise<void>[] = []
    for (let count = 0; count < seconds * perSecond; count++) {
      const due = start + (count * 1000) / perSecond
      const wait = due - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      sent.push(one(performance.now()))
    }
    await Promise.all(sent)
  }
  const elapsed = (performance.now() - start) / 1000
  await dispatcher.close()
  return { p50: median(times), p99: percentile(times, 0.99), perSecond: times.length / elapsed }
}

const [role, target = ''] = process.argv.slice(2)
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const proxy = await createProxy({ target })
  process.send!(role === 'bare' ? await bareProxy(target) : await proxy.listen(0))
}
