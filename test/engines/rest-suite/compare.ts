/** Every test of the suite, directly and through proxies, one right after the other, so that the server is in one state. */
import { type Apis, readApis } from './api.ts'
import { type Client, connect } from './client.ts'
import { checkServer, type DirectEnds } from './direct-ends.ts'
import { type Ended, runTest } from './run.ts'
import { readSuite, type SuiteTest } from './suite.ts'
import { wipe } from './wipe.ts'

/** How one test ended in each way. */
export interface Compared {
  readonly name: string
  readonly directly: Ended
  readonly 'the default policy': Ended
  /** Absent where they were left out: the proxy had no search to look at, so it does the same whatever its settings. */
  readonly 'policy none'?: Ended
  readonly 'in shadow'?: Ended
}

export interface Suite {
  readonly tests: readonly SuiteTest[]
  readonly apis: Apis
}

/** @param folder that has `api/` and `test/` */
export const openSuite = (folder: string): Suite => ({ tests: readSuite(folder), apis: readApis(folder) })

export interface Addresses {
  /** The server's own. It is wiped after each test. */
  readonly directly: string
  /** Those of proxies before it. */
  readonly 'the default policy': string
  readonly 'policy none': string
  readonly 'in shadow': string
}

/**
 * @param recorded how the tests end directly. One that ends so through the proxies is not run directly, and runs without a
 *   policy and in shadow only where it searches. Without it, every test runs in all ways.
 */
export async function compare(
  { tests, apis }: Suite,
  addresses: Addresses,
  recorded?: DirectEnds,
): Promise<readonly Compared[]> {
  const own = connect(addresses.directly)
  const optimizing = connect(addresses['the default policy'])
  const [none, shadowing] = [connect(addresses['policy none']), connect(addresses['in shadow'])]
  try {
    const version = await versionOf(own)
    if (recorded !== undefined) checkServer(recorded, version)
    await wipe(own)
    async function run(test: SuiteTest, client: Client): Promise<Ended> {
      const ended = await runTest(test, { client, apis, version })
      if (ended.end !== 'skipped') await wipe(own)
      return ended
    }

    const compared: Compared[] = []
    for (const test of tests) {
      const optimized = await run(test, optimizing)
      const searches = recorded === undefined || optimized.said.length > 0
      const left = searches ? await run(test, none) : undefined
      const shadowed = searches ? await run(test, shadowing) : undefined
      const isRecorded = (ended: Ended): boolean => ended.at === (recorded?.failed[test.name] ?? '')
      const known =
        recorded !== undefined && [optimized, left ?? optimized, shadowed ?? optimized].every(isRecorded)
      compared.push({
        name: test.name,
        directly: known ? optimized : await run(test, own),
        'the default policy': optimized,
        ...(left && { 'policy none': left }),
        ...(shadowed && { 'in shadow': shadowed }),
      })
    }
    return compared
  } finally {
    await Promise.all([own, optimizing, none, shadowing].map((client) => client.close()))
  }
}

async function versionOf(client: Client): Promise<string> {
  const { parsed } = await client.send({ method: 'GET', path: '/' })
  return (parsed as { readonly version: { readonly number: string } }).version.number
}
