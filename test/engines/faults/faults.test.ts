/**
 * A fault server stands between a caller and a real engine. Whatever it does to a search, or to the sub-queries beside it,
 * the outcome is the direct one, or a better one that says what is missing; nothing hangs, and no socket is left.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { AppOptions } from '../../../adapters/apps/drop-in/run/settings.ts'
import {
  engineAt,
  type Fault,
  type FaultServer,
  type Received,
  startFaultServer,
} from '../../support/fault-server.ts'
import { deciding } from '../../support/scripted-policy.ts'
import { createWorld, type World } from '../../support/search-world.ts'
import { type Asked, type Caller, type End, type Way, ways } from './callers.ts'
import { expectedOf, legTimeoutOf, type Place, patienceOf, places } from './expected.ts'
import { type FaultName, faultNames, faults, isSlow, oversized, tooManyForProxy } from './faults.ts'
import { judge, type Verdict } from './judge.ts'

const words = 'suspension bridge engineer'
const body = {
  query: { multi_match: { query: words, fields: ['title', 'text'] } },
  size: 100,
  _source: ['title'],
}
const subQueries = ['Brooklyn Bridge', 'Saxonburg']
const isOfSubQueries = ({ body: sent }: Received): boolean => sent.includes(subQueries[0]!)

const isMeantAt: Readonly<Record<Place, (request: Received) => boolean>> = {
  everything: () => true,
  search: (request) => !isOfSubQueries(request) && !request.path.includes('/_field_caps'),
  subQueries: isOfSubQueries,
}

/** Milliseconds: nothing takes longer, whatever fails. */
const bound = 30_000

const scripted = { policy: deciding(subQueries), rerank: false } as const
const options = (fault: FaultName, more: AppOptions = scripted): AppOptions => ({
  ...more,
  retries: isSlow(fault) ? 0 : 1,
  legTimeout: legTimeoutOf(fault),
  resilience: { retries: 1, timeout: 20_000 },
})

describe.each(['elasticsearch', 'opensearch'] as const)('before %s', (kind) => {
  let world: World
  let engine: ReturnType<typeof engineAt>
  let server: FaultServer
  let socketsBefore: number
  beforeAll(async () => {
    world = await createWorld(kind, inject(kind))
    socketsBefore = socketsOfProcess()
    engine = engineAt(world.url)
    server = await startFaultServer(engine.ask)
  })
  afterAll(async () => {
    await server.close()
    engine.close()
    await turn()
    expect(socketsOfProcess()).toBeLessThanOrEqual(socketsBefore)
    await world.close()
  })

  /** What a caller has in the end; when that is there, nothing of it goes on. */
  async function outcome(caller: Caller, asked: Asked, fault?: Fault, place: Place = 'everything') {
    server.spoil(fault && { fault, isMeant: isMeantAt[place] })
    const end = await caller.ask(asked)
    await server.quiet()
    const said = caller.said()
    await turn()
    await caller.close()
    await server.deserted()
    return { end, said, spoilt: server.spoilt }
  }

  async function through(way: Way, asked: Asked, name: FaultName, place: Place, more?: AppOptions) {
    // Where the application ends it itself, nothing else may.
    const patience = asked.ends === undefined ? patienceOf(name, place) : bound
    const fault = way.isProxy && name === 'oversized body' ? oversized(tooManyForProxy) : faults[name]
    const direct = await outcome(way.direct(server.url, patience), asked, fault, place)
    const caller = await way.through(server.url, patience, options(name, more))
    const optimized = await outcome(caller, asked, fault, place)
    return { direct: direct.end, ...optimized, verdict: judge(direct.end, optimized.end, optimized.said) }
  }

  const search = (): Asked => ({ index: world.works, bodies: [body], isMsearch: false })
  const several = (): Asked => ({
    index: world.works,
    bodies: [body, { ...body, size: 50 }],
    isMsearch: true,
  })
  const cases = faultNames.flatMap((name) => places.map((place) => [name, place] as const))

  describe.each(ways.filter((way) => way.kind === kind))('$name', (way) => {
    it('is optimized where nothing is wrong', { timeout: bound }, async () => {
      const { end: own } = await outcome(way.direct(server.url, bound), search())
      const caller = await way.through(server.url, bound, options('400'))
      const { end, said } = await outcome(caller, search())
      expect(judge(own, end, said)).toBe('fused')
    })

    it.each(cases)('%s, on %s', { timeout: bound }, async (name, place) => {
      // The time-out of OpenSearch's client ends with the head of an answer: after that, the application ends it.
      const isEnded = way.endsBodies === false && name === 'slow body' && place !== 'subQueries'
      const asked = { ...search(), ...(isEnded && { ends: 300 }) }
      const { end, spoilt, verdict } = await through(way, asked, name, place)
      expect(spoilt).toBeGreaterThan(0)
      if (isEnded) expect(nameOf(end)).toBe('RequestAbortedError')
      else expect(verdict).toBe(expectedOf(way, name, place))
    })

    // Both of Elasticsearch's clients do the same with these.
    const quick = way.name.includes('elasticsearch 8') ? [] : faultNames.filter((name) => !isSlow(name))
    const noWorse = (
      { verdict, direct }: { readonly verdict: Verdict; readonly direct: End },
      what: string,
      name?: FaultName,
    ) => {
      // The client's limit is for the caller's own request. One that asks for more may be longer, and finds what that would not.
      const isLimited = name === 'oversized body' && way.kind === 'elasticsearch' && !way.isProxy
      if (isLimited) return expect.soft(verdict, what).toContain('"status":200')
      expect.soft(verdict, what).not.toMatch(/^wrong/)
      if ('error' in direct) expect.soft(verdict, what).toMatch(/^(same|gateway)$/)
      return undefined
    }

    it.each(quick)('%s, on several searches in one', { timeout: bound }, async (name) => {
      for (const place of ['everything', 'subQueries'] as const)
        noWorse(await through(way, several(), name, place), `on ${place}`)
    })

    it.each(quick)('%s, with the policy that comes with the package', { timeout: bound }, async (name) => {
      noWorse(await through(way, search(), name, 'search', {}), 'on search', name)
    })

    it.each(['429', '502', '503', '504', 'reset mid-body', 'HTML error page'] as const)(
      '%s, once: is asked again',
      { timeout: bound },
      async (name) => {
        const { end: own } = await outcome(way.direct(server.url, bound), search())
        for (const place of ['search', 'subQueries'] as const) {
          const caller = await way.through(server.url, bound, options(name))
          server.spoil({ fault: faults[name], isMeant: isMeantAt[place], times: 1 })
          const end = await caller.ask(search())
          expect.soft(judge(own, end, caller.said()), `on ${place}`).toBe('fused')
          expect.soft([server.spoilt, server.requests], `on ${place}`).toEqual([1, 3])
          await caller.close()
          await server.deserted()
        }
      },
    )

    it.each(['429', 'reset mid-body'] as const)(
      '%s, on several searches in one: is asked again as a whole, and not once a search',
      { timeout: bound },
      async (name) => {
        const { end: own } = await outcome(way.direct(server.url, bound), several())
        for (const times of [1, Infinity]) {
          const caller = await way.through(server.url, bound, options(name))
          server.spoil({ fault: faults[name], isMeant: isMeantAt.search, times })
          const end = await caller.ask(several())
          await server.quiet()
          // Beside those, each search has its sub-queries in a request of its own, unless all has failed before they are sent.
          if (times === 1) expect.soft(server.requests).toBe(4)
          else expect.soft(server.requests).toBeLessThanOrEqual(4)
          expect.soft(server.spoilt).toBe(Math.min(times, 2))
          if (times === 1) expect.soft(judge(own, end, caller.said())).toBe('fused')
          else expect.soft('error' in end || end.status >= 400).toBe(true)
          await caller.close()
          await server.deserted()
        }
      },
    )
  })
})

const nameOf = (end: End): unknown => ('error' in end ? (end.error as Error).name : undefined)

/** Connections of this process, whoever made them. */
const socketsOfProcess = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

/** What was let go of is gone after it. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
