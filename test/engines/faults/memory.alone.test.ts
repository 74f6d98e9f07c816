/** Thousands of searches through a server that does something wrong with every other request: memory stays as it is. */
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { type AskEngine, engineAt, type Fault, give, startFaultServer } from '../../support/fault-server.ts'
import { createWorld, type EngineKind } from '../../support/search-world.ts'
import { isFull } from '../../support/tier.ts'
import { startAsking } from './asking-process.ts'
import { ways } from './callers.ts'
import { faultNames, faults, isSlow } from './faults.ts'

const megabyte = 1024 * 1024
const warmUp = 2000
const all = isFull ? 10_000 : 6000
/** What a process may hold more after all searches than after the warm-up: a leak of 525 bytes in each is more. */
const allowed = ((all - warmUp) / 2000) * megabyte

/** A real engine's answer, which is given again and again. */
async function recorded(kind: EngineKind): Promise<AskEngine> {
  const world = await createWorld(kind, inject(kind))
  const engine = engineAt(world.url)
  const body = { query: { match: { text: 'suspension bridge engineer' } }, size: 5, _source: false }
  const search = {
    method: 'POST',
    path: `/${world.works}/_search`,
    headers: ['content-type', 'application/json'],
  }
  const one = await engine.ask({ ...search, body: Buffer.from(JSON.stringify(body)) })
  engine.close()
  await world.close()
  const two = Buffer.from(`{"took":1,"responses":[${one.body},${one.body}]}`)
  return async ({ path }) => (path.includes('_msearch') ? { ...one, body: two } : one)
}

/** All faults that take no time, in turn, and a sound answer between two. */
function rotating(): Fault {
  const quick = faultNames.filter((name) => !isSlow(name)).map((name) => faults[name] as Fault)
  let turn = 0
  return async (exchange) => {
    const place = turn++
    const { response, engine, request } = exchange
    if (place % 2 === 0) return give(response, await engine(request))
    return quick[((place - 1) / 2) % quick.length]!(exchange)
  }
}

/** A wrapped client and a proxy: what they share is the same for the others. */
const tested = ways.filter(({ name }) => /elasticsearch 9|proxy before opensearch/.test(name))

describe.each(tested)('$name', ({ name, kind }) => {
  it(`holds no more after ${all} searches than after ${warmUp}, and no socket`, {
    timeout: 300_000,
  }, async () => {
    const server = await startFaultServer(await recorded(kind))
    server.spoil({ fault: rotating(), isMeant: () => true })
    const asking = await startAsking(name, server.url)
    onTestFinished(async () => {
      await asking.end()
      await server.close()
    })
    const before = await asking.ask(warmUp)
    const after = await asking.ask(all - warmUp)
    await server.quiet()
    expect(after.answered + after.failed).toBe(all)
    expect(Math.min(after.answered, after.failed)).toBeGreaterThan(all / 10)
    const grown = after.bytes - before.bytes
    process.stdout.write(`${name}: ${grown} bytes more after ${all - warmUp} searches, ${allowed} allowed\n`)
    expect(grown).toBeLessThan(allowed)
    const closed = await asking.close()
    await server.deserted()
    expect(closed.sockets).toBe(0)
  })
})
