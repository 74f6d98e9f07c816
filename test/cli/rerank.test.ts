/** `--rerank http`, `onnx` and `llm`, in every command that has `--rerank`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import type { Hit, Step, Trace } from '../../src/types.ts'
import { cohere, startRerankServer } from '../adapters/rerank/rerank-server.ts'
import { docidsOf } from '../fusion/lists.ts'
import { failure } from '../support/chat-server.ts'
import { settled } from '../support/manual-clock.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { startRecordingServer } from '../support/recording-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testTerminal } from '../support/test-terminal.ts'

const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet, a desert without end.' },
  { _id: 'emma', title: 'Emma', text: 'A novel of a matchmaker, and of no desert.' },
]

/** A collection, its index, a server that likes the shorter text, and a model that likes the second passage. */
async function prepared() {
  const folder = await temporaryFolder()
  const file = (name: string): string => join(folder, name)
  const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('')
  await writeFile(file('corpus.jsonl'), lines(corpus))
  await writeFile(file('queries.jsonl'), lines([{ _id: 'q', text: 'desert' }]))
  await writeFile(file('qrels.tsv'), 'query-id\tcorpus-id\tscore\nq\temma\t1\n')
  expect((await runToEnd(['index', folder, '--out', file('index')])).status).toBe(0)
  const server = await startRerankServer(cohere((text) => -text.length))
  const chat = await startOpenAIServer({ chat: () => '[2] > [1]' })
  return {
    folder,
    server,
    searching: ['--index', file('index'), '--policy', 'none'],
    http: ['--rerank', 'http', '--set', `rerankUrl=${server.url}`, '--set', 'rerankModel=m'],
    llm: ['--rerank', 'llm', '--set', `rerankUrl=${chat.url}`],
  }
}

interface Result {
  readonly hits: readonly Hit[]
  readonly trace: Trace
}

const rerankStep = ({ steps }: Trace): Step | undefined => steps.find(({ type }) => type === 'rerank')

async function json<T>(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<T> {
  const { status, output, errors } = await runToEnd(
    [...argv, '--json', ...(argv[0] === 'search' ? ['--trace'] : [])],
    { env },
  )
  expect(status, errors).toBe(0)
  return JSON.parse(output) as T
}

describe('--rerank', () => {
  it('http: search and explain', async () => {
    const { searching, http, server } = await prepared()
    for (const command of ['search', 'explain']) {
      const { hits, trace } = await json<Result>([command, 'desert', ...searching, ...http])
      expect([docidsOf(hits), rerankStep(trace)]).toMatchObject([['emma', 'dune'], { pool: 2 }])
      expect(rerankStep(trace)).not.toHaveProperty('error')
    }
    expect(server.requests.map(({ body }) => body.model)).toEqual(['m', 'm'])
  })

  it('http: server, model and key of the environment', async () => {
    const { searching, server } = await prepared()
    const env = {
      QUERENT_RERANK_URL: server.url,
      QUERENT_RERANK_MODEL: 'of-env',
      QUERENT_RERANK_API_KEY: 'key-of-env',
    }
    const { hits } = await json<Result>(['search', 'desert', ...searching, '--rerank', 'http'], env)
    expect(docidsOf(hits)).toEqual(['emma', 'dune'])
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer key-of-env' },
      body: { model: 'of-env' },
    })
  })

  it('llm: search, with the model of --chat-model unless it has its own', async () => {
    const { searching, llm } = await prepared()
    const { hits, trace } = await json<Result>([
      'search',
      'desert',
      ...searching,
      ...llm,
      '--chat-model',
      'c',
    ])
    expect(docidsOf(hits)).toEqual(['emma', 'dune'])
    expect(trace.steps).toContainEqual(expect.objectContaining({ type: 'ask', prompt: 'rerank', model: 'c' }))
    const own = await json<Result>(['search', 'desert', ...searching, ...llm, '--set', 'rerankModel=r'])
    expect(own.trace.steps).toContainEqual(expect.objectContaining({ type: 'ask', model: 'r' }))
  })

  it('evaluate and compare', async () => {
    const { folder, searching, http } = await prepared()
    const metrics = ['--metrics', 'mrr@10']
    const evaluated = await json<{ readonly metrics: unknown }>([
      'evaluate',
      folder,
      ...searching,
      ...http,
      ...metrics,
    ])
    expect(JSON.stringify(evaluated.metrics)).toContain(':1')
    const { status, output, errors } = await runToEnd([
      ...['compare', folder, ...searching.slice(0, 2), '--policies', 'none', '--reranks', 'none,http'],
      ...http.slice(2),
      ...metrics,
    ])
    expect(status, errors).toBe(0)
    expect(output).toContain('re-ranked by http')
    expect(output).toMatch(/50\.0|0\.5/)
  })

  it('keeps the fused order of a server that is late, and says so', async () => {
    const { searching } = await prepared()
    const silent = await startRerankServer(() => 'hang')
    const { output } = await runToEnd([
      ...['explain', 'desert', ...searching, '--rerank', 'http', '--set', `rerankUrl=${silent.url}`],
      ...['--set', 'rerankTimeout=20ms'],
    ])
    expect(output).toContain('The fused order stayed: The re-ranker took longer than 20 ms')
  })

  it('says that the re-ranker is dead, and how often', async () => {
    const { folder, searching } = await prepared()
    const dead = await startRerankServer(() => failure(500, 'down'))
    const http = ['--rerank', 'http', '--set', `rerankUrl=${dead.url}`]
    for (const more of [[], ['--json']]) {
      const { status, errors } = await runToEnd(['search', 'desert', ...searching, ...http, ...more])
      expect(status).toBe(0)
      expect(errors).toContain('without re-ranking')
    }
    const evaluating = ['evaluate', folder, ...searching, ...http]
    const table = await runToEnd(evaluating)
    expect(table.status).toBe(0)
    expect(table.output).toMatch(/^re-rankings failed +1 of 1$/m)
    expect(table.errors).toContain(
      "WARNING: 1 of 1 re-rankings failed, and the fused order was kept. These are NOT the re-ranker's figures.\nThe first reason: ",
    )
    expect(await json(evaluating)).toMatchObject({ failures: 0, rerankings: 1, failedRerankings: 1 })
    const page = join(folder, 'report.html')
    const compared = await runToEnd([
      ...['compare', folder, ...searching.slice(0, 2), '--policies', 'none', '--reranks', 'none,http'],
      ...[...http.slice(2), '--report', page],
    ])
    expect(compared.status).toBe(0)
    expect(compared.errors).toMatch(/WARNING: .*http, 1 of 1 /)
    expect(await readFile(page, 'utf8')).toContain('re-ranking failed, and the fused order was kept')
  })

  it('llm: tells of a failed model once', async () => {
    const { searching } = await prepared()
    const { url } = await startOpenAIServer({ chat: () => 400 })
    const llm = ['--rerank', 'llm', '--set', `rerankUrl=${url}`, '--chat-model', 'c']
    const { errors } = await runToEnd(['search', 'desert', ...searching, ...llm])
    expect(errors.match(/went on without/g)).toHaveLength(1)
    expect(errors).toContain('without re-ranking')
  })

  it.each([
    [['--rerank', 'http'], '--set rerankUrl'],
    [['--rerank', 'http', '--set', 'rerankUrl=not a url'], 'URL'],
    [['--rerank', 'llm'], '--rerank llm needs a chat model'],
    [['--rerank', 'onnx', '--set', 'rerankModel=./nowhere'], 'no folder ./nowhere'],
    [['--rerank', 'acqo'], 'has no re-ranking'],
    [
      ['--rerank', 'foo'],
      'There is no re-ranker "foo". The re-rankers are own (that of the policy), none, local, http, onnx, llm',
    ],
  ])('says before a search what is missing: %s', async (flags, message) => {
    const { searching } = await prepared()
    const { status, errors } = await runToEnd(['search', 'desert', ...searching, ...flags])
    expect(status).not.toBe(0)
    expect(errors).toContain(message)
  })

  it('http: proxy', async () => {
    const { server, http } = await prepared()
    const found = corpus.map(({ _id, ...source }, place) => ({
      _index: 'works',
      _id,
      _score: 2 - place,
      _source: source,
    }))
    const answer = {
      took: 1,
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: { total: { value: 2, relation: 'eq' }, max_score: 2, hits: found },
    }
    const fields = { fields: { title: { text: { type: 'text' } }, text: { text: { type: 'text' } } } }
    const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
    const engine = await startRecordingServer(({ path }) => ({
      headers,
      body: JSON.stringify(path.includes('_field_caps') ? fields : answer),
    }))
    onTestFinished(() => engine.close())
    const interrupt = new AbortController()
    const terminal = testTerminal({ signal: interrupt.signal })
    const ended = runCli(
      [
        ...[
          'proxy',
          '--target',
          engine.url,
          '--port',
          '0',
          '--policy',
          'none',
          '--set',
          'workers=0',
          '--explain',
        ],
        ...http,
      ],
      terminal,
    )
    const address = () => /Listening on ([^,]+),/.exec(terminal.errors())?.[1]
    while (address() === undefined) await settled()
    const response = await fetch(`${address()}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: { multi_match: { query: 'desert', fields: ['title', 'text'] } } }),
    })
    const { hits } = (await response.json()) as typeof answer
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['emma', 'dune'])
    expect(server.requests).toHaveLength(1)
    interrupt.abort()
    await ended
  })
})
