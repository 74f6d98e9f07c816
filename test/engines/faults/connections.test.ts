/** The faults of a connection: refused, a name that nobody has, a certificate that nobody trusts; and what is left of one. */
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Policy } from '../../../src/policy.ts'
import { engineAt, type Fault, give, startFaultServer } from '../../support/fault-server.ts'
import { deciding } from '../../support/scripted-policy.ts'
import { createWorld, type EngineKind } from '../../support/search-world.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { officialClients } from '../official-clients.ts'
import { type Caller, type End, ways } from './callers.ts'
import { faults } from './faults.ts'
import { judge } from './judge.ts'

const body = { query: { match: { text: 'suspension bridge engineer' } }, size: 100 }
const subQueries = ['Brooklyn Bridge', 'Saxonburg']
const split = deciding(subQueries)
const options = { policy: split, rerank: false, retries: 1 } as const

/** Milliseconds: nothing takes longer, whatever fails. */
const bound = 30_000

async function behind(kind: EngineKind) {
  const world = await createWorld(kind, inject(kind))
  const engine = engineAt(world.url)
  const server = await startFaultServer(engine.ask)
  onTestFinished(async () => {
    await server.close()
    engine.close()
    await world.close()
  })
  return { server, asked: { index: world.works, bodies: [body], isMsearch: false } }
}

async function askOnce(caller: Caller): Promise<End> {
  const end = await caller.ask({ index: 'any', bodies: [body], isMsearch: false })
  await caller.close()
  return end
}

describe.each(ways)('$name', (way) => {
  const places: readonly (readonly [string, () => Promise<string>])[] = [
    [
      'connect refused',
      async () => {
        const { url, close } = await startFaultServer(async () => Promise.reject(new Error('not asked')))
        await close()
        return url
      },
    ],
    ['DNS failure', async () => 'http://fault.invalid:9200'],
    [
      'TLS failure',
      async () => {
        const notAsked = async () => Promise.reject(new Error('not asked'))
        const server = await startFaultServer(notAsked, await selfSigned())
        onTestFinished(() => server.close())
        return server.url
      },
    ],
  ]

  it.each(places)('%s', { timeout: bound }, async (_, placed) => {
    const url = await placed()
    const direct = await askOnce(way.direct(url, bound))
    expect(direct).toHaveProperty('error')
    const through = await way.through(url, bound, options)
    expect(judge(direct, await askOnce(through), through.said())).toBe(way.isProxy ? 'gateway' : 'same')
  })

  it('connect refused, to the sub-queries alone', { timeout: bound }, async () => {
    const { server, asked } = await behind(way.kind)
    const direct = way.direct(server.url, bound)
    const own = await direct.ask(asked)
    await direct.close()
    // It answers the search, ends its connection, and takes no other.
    const last: Fault = async ({ request, engine, response, refuse }) => {
      const { status, headers, body: bytes } = await engine(request)
      refuse()
      give(response, { status, headers: [...headers, 'connection', 'close'], body: bytes })
    }
    server.spoil({ fault: last, isMeant: () => true })
    // As the policy that comes with the package: it decides when it has seen the answer.
    const after: Policy = {
      ...split,
      async run(query, tools) {
        await tools.original()
        return split.run(query, tools)
      },
    }
    const caller = await way.through(server.url, bound, { ...options, policy: after })
    const end = await caller.ask(asked)
    const said = caller.said()
    expect(server.spoilt).toBe(1)
    expect(judge(own, end, said)).toBe('said')
    // The code alone: the message has the address of the engine.
    expect(said).toEqual([
      expect.stringMatching(/^unchanged: hits may be missing, (ConnectionError|Error): An error that/),
    ])
    await caller.close()
    await server.deserted()
  })
})

describe.each(officialClients)('$name', (official) => {
  it('keeps its nodes in use where sub-queries were late', { timeout: bound }, async () => {
    const { server, asked } = await behind(official.kind)
    const client = official.connect(server.url)
    const wrapped = official.wrap(client, { ...options, legTimeout: 200 })
    server.spoil({ fault: faults['slow headers'], isMeant: ({ path }) => path.endsWith('_msearch') })
    // A search on a busy machine may have no time for sub-queries.
    while (server.spoilt < 3) await wrapped.search(asked.index, body)
    const { connections } = client.it.connectionPool as {
      connections: readonly { readonly status: string }[]
    }
    expect(connections.map(({ status }) => status)).toEqual(['alive'])
    await (client.it.close as () => Promise<void>)()
    await server.deserted()
  })
})
