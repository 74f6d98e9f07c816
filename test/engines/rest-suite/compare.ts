/** Every test of the suite in several ways, one right after the other, so that the server is in one state for all. */
import { type Apis, readApis } from './api.ts'
import { type Client, connect } from './client.ts'
import { type Ended, runTest } from './run.ts'
import { readSuite, type SuiteTest } from './suite.ts'
import { wipe } from './wipe.ts'

/** How one test ended in each way. */
export interface Compared<Way extends string> {
  readonly name: string
  readonly ends: Readonly<Record<Way, Ended>>
}

export interface Suite {
  readonly tests: readonly SuiteTest[]
  readonly apis: Apis
}

/** @param folder that has `api/` and `test/` */
export const openSuite = (folder: string): Suite => ({ tests: readSuite(folder), apis: readApis(folder) })

/**
 * @param engine the server’s own address, which is wiped after each test
 * @param ways addresses that lead to it
 */
export async function compare<Way extends string>(
  { tests, apis }: Suite,
  engine: string,
  ways: Readonly<Record<Way, string>>,
): Promise<readonly Compared<Way>[]> {
  const own = connect(engine)
  const clients = Object.entries<string>(ways).map(([way, url]) => [way, connect(url)] as const)
  try {
    const version = await versionOf(own)
    await wipe(own)
    const compared: Compared<Way>[] = []
    for (const test of tests) {
      const ends: [string, Ended][] = []
      for (const [way, client] of clients) {
        const ended = await runTest(test, { client, apis, version })
        if (ended.end !== 'skipped') await wipe(own)
        ends.push([way, ended])
      }
      compared.push({ name: test.name, ends: Object.fromEntries(ends) as Record<Way, Ended> })
    }
    return compared
  } finally {
    await Promise.all([own, ...clients.map(([, client]) => client)].map((client) => client.close()))
  }
}

async function versionOf(client: Client): Promise<string> {
  const { parsed } = await client.send({ method: 'GET', path: '/' })
  return (parsed as { readonly version: { readonly number: string } }).version.number
}
