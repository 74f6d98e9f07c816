/** A cluster of the configuration whose definition does not say what to search. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startRecordingServer } from '../../support/recording-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface World {
  /** Field → type. Absent: the cluster does not tell. */
  readonly types?: Readonly<Record<string, string>>
  /** What the definition says beside engine, address and index. */
  readonly definition?: object
}

/** A search in a cluster that another program filled, and that finds nothing. */
async function searched({ types, definition }: World) {
  const server = await startRecordingServer(({ path }) => {
    const headers = ['content-type', 'application/json']
    const answer = (body: object, status = 200) => ({ headers, status, body: JSON.stringify(body) })
    if (path.startsWith('/docs/_mapping')) return answer({ docs: { mappings: {} } })
    if (path.includes('/_field_caps')) {
      if (types === undefined) return answer({ error: { type: 'security_exception' }, status: 403 }, 403)
      const caps = Object.entries(types).map(([name, type]) => [name, { [type]: { type } }])
      return answer({ fields: Object.fromEntries(caps) })
    }
    if (path.includes('/_count')) return answer({ count: 3 })
    return answer({ responses: [{ status: 200, hits: { hits: [] } }] })
  })
  onTestFinished(() => server.close())
  const config = join(await temporaryFolder(), 'querent.json')
  const cluster = { engine: 'opensearch', url: server.url, index: 'docs', ...definition }
  await writeFile(config, JSON.stringify({ retrievers: { here: cluster } }))
  const ended = await runToEnd(['search', 'x', '--config', config, '--policy', 'none'])
  return { ...ended, paths: server.requests.map(({ path }) => path.split('?')[0]) }
}

it('is refused where the index lacks the default field, with the fields that hold text', async () => {
  const { status, errors } = await searched({
    types: { headline: 'text', body: 'semantic_text', year: 'long' },
  })
  expect(status).toBe(2)
  expect(errors).toContain('"contents"')
  expect(errors).toContain('"fields": ["headline"]')
  expect((await searched({ types: { year: 'long' } })).errors).toContain('engine:here')
})

it.each<[string, World]>([
  ['has that field', { types: { contents: 'text' } }],
  ['has no fields yet', { types: {} }],
  ['does not tell', {}],
  ['is told what to search', { types: { body: 'text' }, definition: { fields: ['body'] } }],
  [
    'is searched by a body',
    { types: { body: 'text' }, definition: { body: { query: { match: { body: '{{query}}' } } } } },
  ],
  ['is several', { types: { contents: 'text' }, definition: { index: ['docs', 'more'] } }],
])('is searched where the index %s', async (_, world) => {
  const { status, errors } = await searched(world)
  expect([status, errors]).toEqual([0, expect.stringContaining('Nothing was found.')])
})

it('is asked of all indexes', async () => {
  const { status, paths } = await searched({
    types: { body: 'text' },
    definition: { index: ['docs', 'more'] },
  })
  expect(status).toBe(2)
  expect(paths).toEqual(['/docs,more/_field_caps'])
})
