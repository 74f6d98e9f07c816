/** `querent compare` before a real engine, on four collections: a proxy that runs and one in the process give the same figures. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { collectionFolder, collectionsMissing, needsCollections } from '../support/collections.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { send } from '../support/search-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const body = '{"query":{"multi_match":{"query":"{query}","fields":["title^3","text"]}}}'

describe.skipIf(collectionsMissing)(`compare --through and --target ${needsCollections}`, () => {
  it.each(['esci-mini-train', 'feedbackqa-train', 'nq-train', 'scifact'])('%s', async (name) => {
    const [url, index] = [inject('elasticsearch'), `qx-through-${name}`]
    const source = collectionFolder(name)
    const indexed = await runToEnd(
      ['index', source, '--engine', 'elasticsearch', '--url', url, '--name', index].flat(),
    )
    expect(indexed.status, indexed.errors).toBe(0)
    const proxy = await createProxy({ target: url, legTimeout: 60_000, budget: { timeout: 60_000 } })
    try {
      const folder = join(await temporaryFolder(), name)
      await mkdir(folder)
      const queries = (await readFile(join(source, 'queries.jsonl'), 'utf8')).split('\n').slice(0, 25)
      await writeFile(join(folder, 'queries.jsonl'), queries.join('\n'))
      await writeFile(join(folder, 'qrels.tsv'), await readFile(join(source, 'qrels.tsv')))
      await writeFile(join(folder, 'search.json'), body)
      const argv = ['compare', folder, '--name', index, '--body', join(folder, 'search.json'), '--json']
      const figures = async (...flags: readonly string[]) => {
        const { status, output, errors } = await runToEnd([...argv, ...flags])
        expect(status, errors).toBe(0)
        const { systems, outcomes, queries } = JSON.parse(output)
        const scores = systems.map(({ scores }: { readonly scores: unknown }) => scores)
        const values = queries.map(({ results }: { readonly results: readonly { values: unknown }[] }) =>
          results.map(({ values }) => values),
        )
        return { scores, outcomes, values }
      }
      const through = await figures('--through', await proxy.listen(0))
      const patient = ['--set', 'legTimeout=1m', '--timeout', '1m']
      expect(await figures('--target', url, ...patient)).toEqual(through)
      expect(JSON.stringify(through.outcomes)).toContain('changed')
    } finally {
      await proxy.close()
      await send(url, 'DELETE', `/${index}`)
    }
  })
})
