/** The retrievers over Elasticsearch and OpenSearch behind a fault server: each leg is right, or says what is wrong with it. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { resilient } from '../../../adapters/resilience/resilient-retriever.ts'
import type { EngineClient } from '../../../adapters/search/cluster/client.ts'
import { elasticsearch } from '../../../adapters/search/elasticsearch.ts'
import { opensearch } from '../../../adapters/search/opensearch.ts'
import { fanOut, legStatus, type TimedLeg } from '../../../src/fan-out.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Retriever } from '../../../src/types.ts'
import { engineAt, type FaultServer, startFaultServer } from '../../support/fault-server.ts'
import { createWorld, type World } from '../../support/search-world.ts'
import { type OfficialClient, officialClients } from '../official-clients.ts'
import { type FaultName, faultNames, faults, isSlow, maxBytes } from './faults.ts'

const subQueries = ['Brooklyn Bridge', 'Saxonburg'].map((text) => ({ text, round: 1 }))

/** Milliseconds: nothing takes longer, whatever fails. */
const bound = 30_000

/** A leg's end: `right` is the list that it has without a fault. */
type End = 'right' | 'failed' | 'late' | 'incomplete'

const expected: Partial<Record<FaultName, readonly [End, End]>> = {
  'slow headers': ['late', 'late'],
  'slow body': ['late', 'late'],
  'one failed item': ['failed', 'right'],
  'shard failures': ['incomplete', 'incomplete'],
  timed_out: ['incomplete', 'incomplete'],
  'duplicate ids': ['right', 'right'],
}

function expectedOf({ kind }: OfficialClient, name: FaultName): readonly [End, End] {
  // OpenSearch's client reads all that a text can hold.
  if (kind === 'opensearch' && name === 'oversized body') return ['right', 'right']
  return expected[name] ?? ['failed', 'failed']
}

describe.each(officialClients)('over $name', (official) => {
  let world: World
  let engine: ReturnType<typeof engineAt>
  let server: FaultServer
  beforeAll(async () => {
    world = await createWorld(official.kind, inject(official.kind))
    engine = engineAt(world.url)
    server = await startFaultServer(engine.ask)
  })
  afterAll(async () => {
    await server.close()
    engine.close()
    await world.close()
  })

  /** The legs that a retriever has, when nothing of them goes on. */
  async function legsOf(
    timeout: number,
    around: (retriever: Retriever) => Retriever,
  ): Promise<readonly TimedLeg[]> {
    const client = official.connect(server.url, { maxResponseSize: maxBytes }).it as never as EngineClient
    const make = official.kind === 'elasticsearch' ? elasticsearch : opensearch
    const retriever = around(await make({ client, index: world.works, fields: ['title', 'text'] }))
    const { signal } = new AbortController()
    const legs = await fanOut([retriever], subQueries, { k: 20, timeout, signal, clock: systemClock })
    await server.quiet()
    await new Promise(setImmediate)
    await client.close()
    await server.deserted()
    return legs
  }

  const listOf = ({ hits }: TimedLeg) => hits?.map(({ docid, score }) => [docid, score])

  async function ends(name: FaultName, around = (retriever: Retriever) => retriever, times = Infinity) {
    server.spoil()
    const right = await legsOf(bound, (retriever) => retriever)
    server.spoil({ fault: faults[name], isMeant: () => true, times })
    const legs = await legsOf(isSlow(name) ? 200 : bound, around)
    return legs.map((leg, place): End | string => {
      if (leg.error !== undefined) {
        expect(leg.error.message).not.toBe('')
        return legStatus(leg)
      }
      if (leg.incomplete !== undefined) return 'incomplete'
      expect(listOf(leg)).toEqual(listOf(right[place]!))
      return 'right'
    })
  }

  it.each(faultNames)('%s', { timeout: bound }, async (name) => {
    expect(await ends(name)).toEqual(expectedOf(official, name))
    expect(server.spoilt).toBe(1)
  })

  it.each(['429', '502', '503', '504', 'reset mid-body', 'HTML error page'] as const)(
    '%s, once: is asked again where it is resilient',
    { timeout: bound },
    async (name) => {
      expect(await ends(name, (retriever) => resilient(retriever), 1)).toEqual(['right', 'right'])
      expect(server.requests).toBe(2)
    },
  )
})
