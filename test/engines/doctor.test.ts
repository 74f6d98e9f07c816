/** `querent doctor` before real clusters: what it foretells of a search is what the proxy does with it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Diagnosis } from '../../adapters/apps/drop-in/run/parse-with-mapping.ts'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { sendRaw, valuesOf } from '../support/raw-http.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { patient } from '../support/scripted-policy.ts'
import { createWorld, type World } from '../support/search-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const words = 'engineer of the Brooklyn Bridge born at Saxonburg'
const bodies = [
  { query: { multi_match: { query: words, fields: ['title', 'text'] } } },
  { query: { match: { text: words } } },
  { query: { match: { text: words } }, sort: ['_doc'] },
  { query: { match: { serial: '12' } } },
  { query: { match_all: {} } },
  { query: { bool: { must: [{ match: { text: words } }], filter: [{ exists: { field: 'title' } }] } } },
]

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(kind, inject(kind))
  })
  afterAll(() => world.close())

  it('is told by its version, and its searches as the proxy treats them', async () => {
    const queries = join(await temporaryFolder(), 'queries.jsonl')
    await writeFile(queries, bodies.map((body) => `${JSON.stringify(body)}\n`).join(''))
    const argv = ['--target', world.url, '--name', world.works, '--queries', queries, '--json']
    const { status, output } = await runToEnd(['doctor', ...argv])
    expect(status).toBe(0)
    const { engine, version, fields, searches } = JSON.parse(output)
    expect([engine, version]).toEqual([kind, expect.stringMatching(/^\d+\.\d+\.\d+/)])
    expect(fields.text).toEqual(expect.arrayContaining(['text', 'title']))

    const proxy = await createProxy({ ...patient, target: world.url })
    try {
      const url = await proxy.listen(0)
      const said: string[] = []
      for (const body of bodies) {
        const answer = await sendRaw(url, {
          method: 'POST',
          path: `/${world.works}/_search`,
          headers: ['content-type', 'application/json', 'x-querent-explain', 'header'],
          body: JSON.stringify(body),
        })
        said.push(valuesOf(answer.headers, 'x-querent')[0]!)
      }
      const foretold = searches.map(({ canChange, reason }: Diagnosis) => (canChange ? undefined : reason))
      const happened = said.map((one) => /^passed through: (.*)$/.exec(one)?.[1])
      expect(foretold).toEqual(happened)
      expect(foretold.slice(0, 2)).toEqual([undefined, undefined])
      expect(foretold.filter((reason: string | undefined) => reason !== undefined).length).toBeGreaterThan(0)
    } finally {
      await proxy.close()
    }
  })
})
