import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that the system gives to connections and to servers that ask for any port: a node takes some seconds until
 * it listens, and other tests would take its port meanwhile.
 */
const [lowest, highest] = [15_000, 32_000]

/** Tries for one port. */
const attempts = 100

/** Ports of the loopback interface that nobody listens on, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  for (let tries = 0; ports.size < count && tries < attempts * count; tries++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) ports.add(port)
  }
  if (ports.size < count) throw new Error(`No ${count} ports between ${lowest} and ${highest} are free`)
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
