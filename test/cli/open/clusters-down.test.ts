/** One of several clusters is down when a command starts, over real HTTP. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerOf, found } from '../../support/fake-engine.ts'
import { startLoopbackServer } from '../../support/loopback-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { startedServe } from '../../support/started-serve.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const others: Readonly<Record<string, object>> = {
  _mapping: { works: { mappings: {} } },
  _field_caps: { fields: { contents: { text: { type: 'text' } } } },
  _count: { count: 2 },
  _msearch: { responses: [answerOf(found('a', 'b'))] },
  _search: answerOf(found('a', 'b')),
}

/** A cluster with two documents, which answers with 503 while it is down. */
async function cluster() {
  const state = { isDown: false, requests: 0 }
  const { server, url } = await startLoopbackServer((request, response) => {
    state.requests++
    const name = Object.keys(others).find((one) => request.url!.includes(one))
    response.writeHead(state.isDown ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(state.isDown ? { error: 'down' } : others[name ?? '_search']))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url, state }
}

/** The address of a cluster that is not there. */
async function goneUrl(): Promise<string> {
  const { server, url } = await startLoopbackServer(() => {})
  await new Promise((resolve) => server.close(resolve))
  return url
}

async function configOf(urls: Readonly<Record<string, string>>, more = {}): Promise<string> {
  const config = join(await temporaryFolder(), 'querent.json')
  const retrievers = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, { engine: 'opensearch', url, index: 'works', ...more }]),
  )
  await writeFile(config, JSON.stringify({ retrievers }))
  return config
}

interface Found {
  readonly hits: readonly { readonly docid: string; readonly document?: object }[]
  readonly partial: boolean
  readonly trace: {
    readonly steps: readonly {
      readonly legs?: readonly { readonly retriever: string; readonly status: string }[]
    }[]
  }
}
const statusesOf = ({ trace }: Found) =>
  trace.steps.flatMap(({ legs = [] }) => legs.map(({ retriever, status }) => [retriever, status]))
const search = ['search', 'bridge', '--policy', 'none', '--json', '--trace', '--config']

describe('querent search', () => {
  it.each([
    ['is not there', goneUrl],
    [
      'says so',
      async () => {
        const { url, state } = await cluster()
        state.isDown = true
        return url
      },
    ],
  ])('is partial, and names the cluster that %s', async (_, down) => {
    const { url } = await cluster()
    const config = await configOf({ gone: await down(), here: url })
    const { status, output, errors } = await runToEnd([...search, config])
    expect(status).toBe(0)
    expect(errors).toContain('engine:gone')
    const result = JSON.parse(output) as Found & { readonly trace: Found }
    expect(result.hits.map(({ docid }) => docid)).toEqual(['a', 'b'])
    expect(result.hits.every(({ document }) => document !== undefined)).toBe(true)
    expect(result.trace.partial).toBe(true)
    expect(statusesOf(result)).toEqual(
      expect.arrayContaining([
        ['engine:gone', 'failed'],
        ['engine:here', 'ok'],
      ]),
    )
  })

  it('fails if no cluster answers, as evaluate does if one does not', async () => {
    const { url } = await cluster()
    const { status, errors } = await runToEnd([
      ...search,
      await configOf({ gone: await goneUrl(), away: await goneUrl() }),
    ])
    expect([status, errors]).toEqual([1, expect.stringContaining('127.0.0.1')])
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'queries.jsonl'), '{"_id": "1", "text": "bridge"}\n')
    await writeFile(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\n1\ta\t1\n')
    const config = await configOf({ gone: await goneUrl(), here: url })
    const files = ['--queries', join(folder, 'queries.jsonl'), '--qrels', join(folder, 'qrels.tsv')]
    const evaluated = await runToEnd(['evaluate', folder, ...files, '--policy', 'none', '--config', config])
    expect([evaluated.status, evaluated.errors]).toEqual([1, expect.stringContaining('127.0.0.1')])
  })

  it('is still refused for a mistake', async () => {
    const [one, other] = [await cluster(), await goneUrl()]
    const config = await configOf({ here: one.url, gone: other }, { vector: { field: 'v' } })
    expect((await runToEnd([...search, config])).status).not.toBe(0)
  })
})

it('querent serve searches the folder alone until the cluster is there', async () => {
  const { url: engine, state } = await cluster()
  state.isDown = true
  const { url, end, terminal } = await startedServe(
    '--policy',
    'none',
    '--config',
    await configOf({ late: engine }),
  )
  expect(terminal.errors()).toContain('engine:late')
  const searched = async () => (await (await fetch(`${url}/search?q=planet&explain=1`)).json()) as Found
  const alone = await searched()
  expect([alone.partial, alone.hits.map(({ docid }) => docid)]).toEqual([true, ['dune']])
  expect(statusesOf(alone)).toContainEqual(['engine:late', 'failed'])
  state.isDown = false
  const both = await searched()
  expect(both.partial).toBe(false)
  expect(both.hits.map(({ docid }) => docid).sort()).toEqual(['a', 'b', 'dune'])
  await end()
})
