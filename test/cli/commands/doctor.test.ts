/** `querent doctor`: what it says of a cluster and of searches. test/engines has the same before real clusters. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Diagnosis } from '../../../adapters/apps/drop-in/run/parse-with-mapping.ts'
import { valuesOf } from '../../support/raw-http.ts'
import { type RecordedRequest, startRecordingServer } from '../../support/recording-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const types = {
  title: 'text',
  text: 'text',
  'title.keyword': 'keyword',
  year: 'integer',
  _id: '_id',
  author: 'object',
}
const capsOf = (all: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(all).map(([name, type]) => [name, { [type]: { type } }]))

async function engine(root: { status?: number; body: object }, caps = capsOf(types)) {
  const server = await startRecordingServer(({ path }: RecordedRequest) => {
    const headers = ['content-type', 'application/json']
    if (path === '/') return { headers, status: root.status ?? 200, body: JSON.stringify(root.body) }
    if (!path.startsWith('/works/')) return { headers, status: 404, body: '{"error":{}}' }
    return { headers, body: JSON.stringify({ fields: caps }) }
  })
  onTestFinished(() => server.close())
  return server
}
async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'queries.jsonl')
  await writeFile(path, text)
  return path
}

const opensearch = { body: { version: { distribution: 'opensearch', number: '3.1.0' } } }

describe('querent doctor', () => {
  it('says which engine answers, and which fields hold text', async () => {
    const { url } = await engine(opensearch)
    const { status, output } = await runToEnd(['doctor', '--target', url, '--name', 'works'])
    expect(status).toBe(0)
    expect(output).toContain(`${url} answers: opensearch 3.1.0`)
    expect(output).toContain('Text fields: title, text; 2 other fields')
    expect(output).toContain('Read as titles: title. As texts: text')
  })

  it('says which searches can change, and why the others cannot, or by re-ranking alone', async () => {
    const { url } = await engine(opensearch)
    const bodies = [
      'who wrote the letters',
      { query: { match: { text: 'who wrote the letters' } } },
      { query: { match: { 'title.keyword': 'Letters' } } },
      { query: { match: { year: '1984' } } },
      { query: { match: { text: 'letters' } }, sort: [{ year: 'desc' }] },
      { query: { match_all: {} } },
      { query: { match: { text: { query: 'one more', operator: 'and' } } } },
      { query: { match: { titel: 'letters' } } },
      ...Array.from({ length: 10 }, () => ({ query: { match_all: {} } })),
    ]
    const lines = bodies.map((body) => (typeof body === 'string' ? body : JSON.stringify(body)))
    const queries = await fileOf(`${lines.join('\n')}\n`)
    const argv = ['doctor', '--target', url, '--name', 'works', '--queries', queries]
    const { output } = await runToEnd([...argv, '--json'])
    const { searches, ...others } = JSON.parse(output)
    expect(others).toEqual({
      target: url,
      engine: 'opensearch',
      version: '3.1.0',
      fields: { text: ['title', 'text'], others: 2 },
    })
    const can = searches.slice(0, 8).map(({ canChange, reason }: Diagnosis) => [canChange, reason])
    expect(can).toEqual([
      [true, undefined],
      [true, undefined],
      [false, '`title.keyword` is a field for whole values, by its name'],
      [false, '`year` is an integer field'],
      [false, expect.stringContaining('`_score`')],
      [false, 'it matches all documents'],
      [true, expect.stringContaining('`operator: and`')],
      [false, '`titel`: no such field'],
    ])
    const { output: text } = await runToEnd(argv)
    expect(text).toMatch(/^3 of 18 .* {2}15 .* {4}11 × /ms)
  })

  it('knows every type of text, as searches do', async () => {
    const { url } = await engine(
      opensearch,
      capsOf({ title: 'search_as_you_type', text: 'semantic_text', year: 'integer' }),
    )
    const { output } = await runToEnd(['doctor', '--target', url, '--name', 'works'])
    expect(output).toContain('Text fields: title, text; 1 other field')
  })

  it.each(['{"query":{"match":{"text":"who built the bridge"}}', '{bad', '[1]', ' {"a": 1', '"x"\n[]'])(
    'names the line of a body that is none: %j',
    async (text) => {
      const { url } = await engine(opensearch)
      const queries = await fileOf(`words\n${text}\n`)
      const { status, output, errors } = await runToEnd(['doctor', '--target', url, '--queries', queries])
      expect([status, output]).toEqual([1, ''])
      const line = 1 + text.split('\n').length
      expect(errors).toContain(`${queries}:${line}: `)
    },
  )

  it('says that the file has no searches', async () => {
    const { url } = await engine(opensearch)
    const { output } = await runToEnd(['doctor', '--target', url, '--queries', await fileOf('\n')])
    expect(output).toContain('The file of --queries has no searches.')
    expect(output).not.toContain('Add --queries')
  })

  it('sends the credentials of the address, and does not repeat them', async () => {
    const server = await engine({ status: 401, body: {} })
    const url = server.url.replace('//', '//somebody:secret@')
    const { status, output, errors } = await runToEnd(['doctor', '--target', url])
    expect(status).toBe(1)
    expect(errors).toContain('answers 401')
    expect(errors).toContain('QUERENT_ENGINE_API_KEY')
    expect(output + errors).not.toContain('secret')
    const basic = `Basic ${Buffer.from('somebody:secret').toString('base64')}`
    expect(valuesOf(server.requests[0]!.headers, 'authorization')).toEqual([basic])
  })

  it('says what is wrong with the address or the index', async () => {
    const server = await engine({ body: {} })
    const { errors } = await runToEnd(['doctor', '--target', `${server.url}/nope`])
    expect(errors).toContain(
      'not as Elasticsearch or OpenSearch do. Check --target: its address, and the path',
    )
    const { url } = await engine(opensearch)
    const missing = await runToEnd(['doctor', '--target', url, '--name', 'nowhere'])
    expect(missing.errors).toContain('404')
    await server.close()
    const gone = await runToEnd(['doctor', '--target', server.url])
    expect([gone.status, gone.errors]).toEqual([1, expect.stringContaining('127.0.0.1')])
  })
})
