/** The commands on real clusters, as they are typed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { clusterDocuments } from '../../adapters/search/cluster/documents.ts'
import { connectElasticsearch } from '../../adapters/search/elasticsearch.ts'
import { connectOpensearch } from '../../adapters/search/opensearch.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ubiLogs } from '../support/ubi-logs.ts'
import { testIndexName } from './test-index.ts'

const elasticsearch = await connectElasticsearch({ url: inject('elasticsearch') })
const opensearch = await connectOpensearch({ url: inject('opensearch') })
const servers = [
  { kind: 'elasticsearch', engine: elasticsearch, url: inject('elasticsearch') },
  { kind: 'opensearch', engine: opensearch, url: inject('opensearch') },
] as const

const question = 'Which opera is catalogued as K. 620?'

describe.each(servers)('the command line on $kind', ({ kind, engine, url }) => {
  const target = (name: string): string[] => ['--engine', kind, '--url', url, '--name', name]

  /** The sample in an index, and a configuration in which it is `engine:here`. */
  async function world(...flags: readonly string[]) {
    const name = testIndexName(engine)
    const folder = await temporaryFolder()
    const config = join(folder, 'querent.json')
    const definition = { engine: kind, url, index: name }
    await writeFile(
      config,
      JSON.stringify({ retrievers: { here: definition }, legTimeout: '20s', timeout: '60s' }),
    )
    const indexed = await runToEnd(['index', sampleFolder, ...target(name), ...flags])
    return { name, folder, config, indexed, path: (file: string) => join(folder, file) }
  }

  it('indexes a corpus once', async () => {
    const { name, indexed } = await world()
    expect(indexed).toMatchObject({ status: 0, output: '' })
    expect(indexed.errors).toContain(`${name}: 217 documents, 217 of them written`)
    const again = await runToEnd(['index', sampleFolder, ...target(name), '--json'])
    expect(JSON.parse(again.output)).toMatchObject({ name, documents: 217, written: 0, indexed: 217 })
  })

  it('searches and explains with the local policy', async () => {
    const { config } = await world()
    const found = await runToEnd([
      'search',
      question,
      '--config',
      config,
      '--retrievers',
      'engine:here',
      '--json',
      '--trace',
    ])
    expect(found.status).toBe(0)
    const { hits, trace } = JSON.parse(found.output)
    expect(hits.map(({ docid }: { docid: string }) => docid)).toContain('the-magic-flute')
    expect(hits[0].document.title).toBeTypeOf('string')
    expect(trace).toMatchObject({ policy: 'local', partial: false })
    expect(trace.steps[0].legs).toMatchObject([{ retriever: 'engine:here', status: 'ok' }])
    expect(trace.steps.map(({ type }: { type: string }) => type)).toContain('rerank')

    // All that is defined is searched where nothing is chosen.
    const explained = await runToEnd(['explain', question, '--config', config, '--policy', 'none', '--json'])
    for (const { score, recomputed } of JSON.parse(explained.output).hits)
      expect(recomputed).toBeCloseTo(score, 12)
  })

  it('evaluates, and compares with an index in a folder', async () => {
    const { config, path } = await world()
    const common = ['--config', config, '--metrics', 'recall@5,ndcg@10', '--json']
    const flags = ['--retrievers', 'engine:here', '--policy', 'none']
    const evaluated = await runToEnd(['evaluate', sampleFolder, ...flags, ...common])
    expect(JSON.parse(evaluated.output)).toMatchObject({ queries: 36, failures: 0 })

    expect(await runToEnd(['index', sampleFolder, '--out', path('index')])).toMatchObject({ status: 0 })
    const both = ['--index', path('index'), '--retrievers', 'bm25', '--retrievers', 'engine:here']
    const compared = await runToEnd(['compare', sampleFolder, ...both, '--policies', 'none', ...common])
    expect(compared).toMatchObject({ status: 0 })
    const { systems } = JSON.parse(compared.output)
    expect(systems.map(({ name }: { name: string }) => name)).toEqual(['bm25', 'engine:here'])
    const recalls = systems.map(({ scores }: { scores: { mean: number }[] }) => scores[0]!.mean)
    // The same BM25 and nearly the same stems and stop words.
    expect(Math.abs(recalls[0] - recalls[1])).toBeLessThan(0.03)
  })

  it('trains a policy and searches with it', async () => {
    const { config, path } = await world()
    const out = path('policy.json')
    const on = ['--config', config, '--retrievers', 'engine:here']
    const trained = await runToEnd(['train', sampleFolder, ...on, '--out', out])
    expect(trained).toMatchObject({ status: 0, output: '' })
    expect(JSON.parse(await readFile(out, 'utf8')).trainedOn).toMatchObject([{ retrievers: ['engine:here'] }])
    const found = await runToEnd(['search', question, ...on, '--policy', out])
    expect(found.errors).toMatch(/^local: /m)
  })

  it('goes on after kill -9, with every document there once', async () => {
    const name = testIndexName(engine)
    const main = new URL('../../src/cli/main.ts', import.meta.url).pathname
    const corpus = join(await temporaryFolder(), 'corpus.jsonl')
    const lines = Array.from({ length: 20_000 }, (_, at) =>
      JSON.stringify({ _id: `n${at}`, text: `number ${at}` }),
    )
    await writeFile(corpus, lines.join('\n'))
    const child = spawn(process.execPath, ['--import', 'tsx', main, 'index', corpus, ...target(name)])
    const documents = clusterDocuments(engine, { index: name })
    const closed = once(child, 'close')
    for (let count = 0; count === 0 && child.exitCode === null; ) {
      const refresh = { name: 'refresh', method: 'POST', path: `/${name}/_refresh` } as const
      count = await engine.send(refresh).then(
        () => documents.count(),
        () => 0,
      )
    }
    child.kill('SIGKILL')
    expect(await closed).toEqual([null, 'SIGKILL'])
    const before = await documents.count()
    expect(before).toBeLessThan(20_000)
    const again = await runToEnd(['index', corpus, ...target(name), '--json'])
    const { written, indexed } = JSON.parse(again.output)
    expect(indexed).toBe(20_000)
    expect(written).toBeLessThanOrEqual(20_000 - before)
    expect(written).toBeGreaterThan(0)
  })

  it('makes judgments from User Behavior Insights', async () => {
    const [queriesIndex, eventsIndex] = [testIndexName(engine), testIndexName(engine)]
    const logs = ubiLogs()
    // More than one page of a scroll.
    const more = Array.from({ length: 2500 }, (_, at) => ({ ...logs.queries[0], query_id: `more-${at}` }))
    const keyword = { type: 'keyword' }
    for (const [name, records] of [
      [queriesIndex, [...logs.queries, ...more]],
      [eventsIndex, logs.events],
    ] as const) {
      const properties = { timestamp: { type: 'date' }, query_id: keyword, action_name: keyword }
      await engine.send({
        name: 'create',
        method: 'PUT',
        path: `/${name}`,
        body: { mappings: { properties } },
      })
      await engine.write(
        name,
        records.map((source, at) => ({ id: String(at), source })),
      )
      await engine.send({ name: 'refresh', method: 'POST', path: `/${name}/_refresh` })
    }
    const judge = async (queries: string, ...flags: readonly string[]) => {
      const out = join(await temporaryFolder(), 'judged')
      const from = [
        '--engine',
        kind,
        '--url',
        url,
        '--set',
        `queriesIndex=${queries}`,
        '--set',
        `eventsIndex=${eventsIndex}`,
      ]
      const made = await runToEnd(['clicks', ...from, '--out', out, '--json', ...flags])
      return { ...made, queries: () => readFile(join(out, 'queries.jsonl'), 'utf8') }
    }
    const all = await judge(queriesIndex)
    expect(all).toMatchObject({ status: 0 })
    expect(all.errors).toContain('1 query id')
    expect(JSON.parse(all.output)).toMatchObject({ searches: 2507, unclicked: 2501, queries: 6 })
    const chosen = ['--set', 'actions=purchase', '--set', 'application=shop', '--since', '2026-01-03']
    expect(await (await judge(queriesIndex, ...chosen)).queries()).toBe('{"_id":"c1","text":"words of q4"}\n')
    const missing = await judge(`${queriesIndex}-gone`)
    expect([missing.status, missing.errors]).toEqual([2, expect.stringContaining(`${queriesIndex}-gone`)])
  })

  it.each<[string, readonly string[], string]>([
    ['no URL', ['--engine', kind, '--name', 'x'], '--url is missing'],
    ['no name', ['--engine', kind, '--url', url], '--name is missing'],
    ['a folder as well', [...target('x'), '--out', 'x'], '--out and --engine'],
    ['no engine', ['--url', url, '--name', 'x'], 'need --engine'],
    [
      'another engine',
      ['--engine', 'solr', '--url', url, '--name', 'x'],
      'must be elasticsearch or opensearch',
    ],
  ])('refuses to index with %s', async (_, flags, message) => {
    const { status, errors } = await runToEnd(['index', sampleFolder, ...flags])
    expect(status).toBe(2)
    expect(errors).toContain(message)
  })

  it("says that an index is somebody else's, or is not there", async () => {
    const name = testIndexName(engine)
    await engine.send({ name: 'create', method: 'PUT', path: `/${name}`, body: {} })
    expect(await runToEnd(['index', sampleFolder, ...target(name)])).toMatchObject({
      status: 1,
      errors: expect.stringContaining('querent index'),
    })
    const config = join(await temporaryFolder(), 'querent.json')
    const definition = { engine: kind, url, index: 'querent-test-nowhere' }
    await writeFile(config, JSON.stringify({ retrievers: { here: definition } }))
    expect(await runToEnd(['search', question, '--config', config])).toMatchObject({
      status: 1,
      errors: expect.stringContaining('[querent-test-nowhere]'),
    })
  })
})

describe('vectors on a cluster', () => {
  const name = () => testIndexName(elasticsearch)
  const target = (index: string) => [
    '--engine',
    'elasticsearch',
    '--url',
    inject('elasticsearch'),
    '--name',
    index,
  ]

  it('are indexed, not computed again after an interruption, and searched beside the words', async () => {
    const index = name()
    const stopping = new AbortController()
    let requests = 0
    // The first request asks for the size of vectors, the second embeds a batch that is kept.
    const server = await startOpenAIServer({
      beforeEmbedding: () => void (++requests === 3 && stopping.abort()),
    })
    const env = { OPENAI_BASE_URL: server.url }
    const argv = ['index', sampleFolder, ...target(index), '--dense', '--model', 'openai:scripted']
    const stopped = await runToEnd(argv, { env, signal: stopping.signal })
    expect(stopped).toMatchObject({
      status: 130,
      errors: expect.stringContaining('documents so far'),
    })

    expect(await runToEnd(argv, { env })).toMatchObject({ status: 0 })
    const embedded = server.embedded.filter((text) => text !== 'dimensions')
    // The batch that was under way may have been sent and not written.
    expect(embedded.length - 217).toBeLessThanOrEqual(32)
    expect(new Set(embedded).size).toBe(217)

    const config = join(await temporaryFolder(), 'querent.json')
    const definition = {
      engine: 'elasticsearch',
      url: inject('elasticsearch'),
      index,
      vector: { field: 'vector' },
    }
    await writeFile(
      config,
      JSON.stringify({ retrievers: { here: definition }, legTimeout: '20s', timeout: '60s' }),
    )
    const found = await runToEnd(['search', question, '--config', config, '--json', '--trace'], { env })
    expect(found.status).toBe(0)
    const { trace } = JSON.parse(found.output)
    expect(trace.steps[0].legs).toMatchObject([
      { retriever: 'engine:here', status: 'ok' },
      { retriever: 'engine:here-vector', status: 'ok' },
    ])
  })
})
