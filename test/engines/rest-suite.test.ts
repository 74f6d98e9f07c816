/**
 * OpenSearch's own tests of its REST interface, directly and through the proxy: each ends in the same way. They are
 * published for a version that is older than the server, and some want what this server does not have: those fail, and
 * are named in `rest-suite/known-failures.ts`; through the proxy they fail at the same step.
 *
 * How they end directly is recorded. Each push runs a test directly only where it ends otherwise through the proxy, and
 * without a policy and in shadow only where it searches. `--full` and `QUERENT_RECORD=1` run every test in all four ways.
 */
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createProxy, type ProxyOptions } from '../../adapters/apps/proxy/proxy.ts'
import { installRestSuite, restSuite } from '../../scripts/install-rest-suite.mjs'
import { startEngine } from '../support/engines.ts'
import { isFull } from '../support/tier.ts'
import { type Compared, compare, openSuite } from './rest-suite/compare.ts'
import { directEnds, readDirectEnds, recordDirectEnds } from './rest-suite/direct-ends.ts'
import { knownFailures } from './rest-suite/known-failures.ts'
import type { Ended } from './rest-suite/run.ts'

type Way = 'policy none' | 'in shadow' | 'the default policy'

const isRecording = process.env.QUERENT_RECORD === '1'
let tests: readonly Compared[] = []
const closing: (() => Promise<void>)[] = []

async function proxied(options: ProxyOptions): Promise<string> {
  const proxy = await createProxy(options)
  closing.unshift(() => proxy.close())
  return proxy.listen(0)
}

/** Where there is one, a disk in memory: thousands of indices are made and deleted, and a disk is waited for each time. */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail = 0, bsize = 0 } = await statfs(memory).catch(
    () => ({}) as { bavail?: number; bsize?: number },
  )
  return bavail * bsize > 2 ** 30 ? memory : tmpdir()
}

beforeAll(async () => {
  const state = await installRestSuite()
  if (state !== true) throw new Error(state)
  vi.stubEnv('TMPDIR', await quickFolder())
  const repositories = await mkdtemp(join(tmpdir(), 'querent-repositories-'))
  closing.unshift(() => rm(repositories, { recursive: true, force: true }))
  const { urls, stop } = await startEngine('opensearch', {
    // As the suite's own README asks for, and as OpenSearch's build has it.
    settings: {
      'path.repo': repositories,
      'node.attr.testattr': 'test',
      'script.disable_max_compilations_rate': 'true',
      plugin: 'org.opensearch.plugin.repository.url.URLRepositoryModulePlugin',
      'repositories.url.allowed_urls': 'http://snapshot.*',
      // A small heap that waits to be collected is refused with 429 now and then: what requests hold is counted instead.
      'indices.breaker.total.use_real_memory': 'false',
    },
  })
  closing.unshift(stop)
  const [target = ''] = urls
  const start = performance.now()
  const addresses = {
    directly: target,
    'policy none': await proxied({ target, policy: 'none' }),
    'in shadow': await proxied({ target, shadow: { log: join(repositories, 'shadow.jsonl') } }),
    'the default policy': await proxied({ target }),
  }
  const recorded = isFull || isRecording ? undefined : readDirectEnds()
  tests = await compare(openSuite(restSuite), addresses, recorded)
  if (isRecording) recordDirectEnds(tests)
  process.stdout.write(`${report(tests)}, in ${Math.round((performance.now() - start) / 1000)} s\n`)
})

afterAll(async () => {
  for (const close of closing) await close()
  vi.unstubAllEnvs()
})

describe("OpenSearch's REST suite", () => {
  it('passes directly, but for what is known', () => {
    const ends = directEnds(tests)
    expect(Object.keys(ends.failed).sort()).toEqual(Object.keys(knownFailures).sort())
    expect(ends).toEqual(readDirectEnds())
    expect(tests.length).toBeGreaterThan(1400)
  })

  it('ends in the same way through the proxy without a policy, test by test', () => {
    expect(printed(differing('policy none'), 'policy none')).toEqual([])
    expect(inWay('policy none').length).toBeGreaterThan(500)
  })

  it('ends in the same way in shadow, test by test', () => {
    expect(printed(differing('in shadow'), 'in shadow')).toEqual([])
    expect(inWay('in shadow').length).toBeGreaterThan(500)
  })

  it('ends in the same way with the default policy, but for the order that it gives to what it optimizes', () => {
    const others = differing('the default policy').filter((test) => !isReordered(test['the default policy']))
    expect(printed(others, 'the default policy')).toEqual([])
    expect(searches().optimized).toBeGreaterThan(25)
  })
})

/** The tests that ran in a way. */
const inWay = (way: Way): readonly (Compared & Record<Way, Ended>)[] =>
  tests.filter((test): test is Compared & Record<Way, Ended> => test[way] !== undefined)

/** A test that ends the same fails at the same step, if it does. */
const differing = (way: Way): readonly (Compared & Record<Way, Ended>)[] =>
  inWay(way).filter(({ directly, [way]: other }) => directly.end !== other.end || directly.at !== other.at)

/** Which tests differ, and how they end, as a failure of this file prints them. */
const printed = (differ: readonly (Compared & Partial<Record<Way, Ended>>)[], way: Way): readonly string[] =>
  differ.map((test) => `${test.name}: directly ${endOf(test.directly)}; ${way} ${endOf(test[way]!)}`)

const endOf = ({ end, at, why }: Ended): string => [end, at, why].filter((part) => part !== '').join(', ')

/** What a search that was optimized says of its hits: which they are, their scores and how many. */
const isReordered = ({ at, isOfOptimized }: Ended): boolean =>
  isOfOptimized && /: match (\{hits\.(hits\.\d+\._(id|score|source)|max_score|total))/.test(at)

/** What became of the searches behind the proxy with the default policy: how many of each. */
function searches(): Readonly<Record<string, number>> {
  const of = (what: string): string => (/^(un)?changed/.test(what) ? 'optimized' : what)
  const counts: Record<string, number> = { optimized: 0 }
  for (const what of tests.flatMap((test) => test['the default policy'].said))
    counts[of(what)] = (counts[of(what)] ?? 0) + 1
  return counts
}

function report(all: readonly Compared[]): string {
  const of = (end: Ended['end']): number => all.filter(({ directly }) => directly.end === end).length
  return [
    `${all.length} tests: directly ${of('passed')} passed, ${of('failed')} failed`,
    `${of('skipped')} skipped by the suite’s own rules`,
    `through the proxy without a policy ${differing('policy none').length} of ${inWay('policy none').length} ended differently`,
    `in shadow ${differing('in shadow').length} of ${inWay('in shadow').length}`,
    `with the default policy ${differing('the default policy').length}, whose searches were ${JSON.stringify(searches())}`,
  ].join('; ')
}
