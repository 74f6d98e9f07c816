/**
 * Canaries: every secret that Querent is given is a word that occurs nowhere else, and servers that repeat what they were sent. None may
 * be in an answer, a page, a log, metrics, a trace or an error. Each test first makes sure that the secrets were used.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../src/cli/run-cli.ts'
import { posted } from './adapters/apps/http/http-server.ts'
import { failure, type SeenRequest, startChatServer } from './support/chat-server.ts'
import { answerOf, found } from './support/fake-engine.ts'
import { settled } from './support/manual-clock.ts'
import { sendRaw } from './support/raw-http.ts'
import { startRecordingServer } from './support/recording-server.ts'
import { runToEnd } from './support/run-to-end.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { testTerminal } from './support/test-terminal.ts'

const secrets = {
  OPENAI_API_KEY: 'canary-of-the-chat-model',
  QUERENT_RERANK_API_KEY: 'canary-of-the-re-ranker',
  QUERENT_PAGE_TOKEN: 'canary-of-the-page',
  QUERENT_ENGINE_API_KEY: 'canary-of-the-engine',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'canary-of-aws',
  AWS_SESSION_TOKEN: 'canary-of-the-session',
}
const callers = { authorization: 'Bearer canary-of-the-caller', cookie: 'session=canary-of-the-browser' }
const everything = ['--metrics', '--log', 'debug', '--set', 'logText=true', '--set', 'chatRetries=0']

/** A server that refuses every request, and repeats its credentials as some do. */
async function repeating() {
  const seen: SeenRequest[] = []
  const server = await startChatServer((request) => {
    seen.push(request)
    return failure(401, `Incorrect API key: ${request.headers.authorization}`)
  })
  onTestFinished(() => server.close())
  return { url: server.url, keys: () => seen.map(({ headers }) => headers.authorization) }
}

/** An index of three documents, and one judged query. */
async function collection() {
  const folder = await temporaryFolder()
  const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')
  const texts = ['a desert planet', 'a desert', 'a planet']
  await writeFile(join(folder, 'corpus.jsonl'), lines(texts.map((text, id) => ({ _id: `d${id}`, text }))))
  await writeFile(join(folder, 'queries.jsonl'), lines([{ _id: 'q', text: 'desert planet' }]))
  await writeFile(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq\td0\t1\n')
  const index = join(folder, 'index')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  return { folder, index }
}

/** A server's command, until `end`, which gives all that it printed. */
async function started(argv: readonly string[]) {
  const interrupt = new AbortController()
  const terminal = testTerminal({ signal: interrupt.signal, env: secrets })
  let isOver = false
  const ended = runCli([...argv, '--port', '0'], terminal).finally(() => {
    isOver = true
  })
  const address = () => /Listening on (http:\/\/[\d.:]+)/.exec(terminal.errors())?.[1]
  while (address() === undefined && !isOver) await settled()
  expect(address(), terminal.errors()).toBeDefined()
  const end = async (): Promise<string> => {
    interrupt.abort()
    await ended
    return terminal.errors() + terminal.output()
  }
  return { url: address()!, end }
}

it.each(['acqo', 'none'])('of querent serve with %s: in no answer, page, metric or log', async (policy) => {
  const { index } = await collection()
  const [chat, reranker] = [await repeating(), await repeating()]
  const { url, end } = await started([
    ...['serve', '--index', index, '--policy', policy, '--chat-url', chat.url, '--set', 'accessLog=true'],
    ...['--rerank', 'http', '--set', `rerankUrl=${reranker.url}`, ...everything],
  ])
  const requests: readonly (readonly [string, RequestInit?])[] = [
    ['/search?q=desert&explain=1'],
    ['/search', posted({ text: 'desert planet', explain: true, stream: true })],
    ['/search', posted('{"text":')],
    ['/', { headers: { accept: 'text/html' } }],
    [`/?token=${secrets.QUERENT_PAGE_TOKEN}`, { headers: { accept: 'text/html' } }],
    ['/', posted({ text: 'planet', explain: true })],
    ['/v1/rerank', posted({ query: 'planet', documents: ['a planet'] })],
    ['/v1/vector_stores/any/search', posted({ query: 'planet' })],
    ['/retrieval', posted({ knowledge_id: 'any', query: 'planet', retrieval_setting: { top_k: 1 } })],
    ...['/metrics', '/health', '/openapi.json', '/nowhere'].map((path) => [path] as const),
  ]
  const answers: string[] = []
  for (const [path, init] of requests) {
    const headers = { ...callers, ...(init?.headers as Record<string, string>) }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    answers.push(
      `${path} ${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`,
    )
  }
  const printed = await end()
  // A search that fell back is not re-ranked.
  if (policy === 'acqo') expect(chat.keys()).toContain(`Bearer ${secrets.OPENAI_API_KEY}`)
  else expect(reranker.keys()).toContain(`Bearer ${secrets.QUERENT_RERANK_API_KEY}`)
  expect(printed.match(/"msg":"search/g)!.length).toBeGreaterThan(2)
  // The path of the page with its token is ours, above.
  expect(answers.join('\n').replaceAll(/^\/\?token=\S+/gm, '')).not.toMatch(/canary/)
  expect(printed).not.toMatch(/canary/)
})

it.each([
  ['with the credentials of its callers', [] as string[]],
  ['that signs', ['--set', 'sign=eu-central-1']],
])('of querent proxy %s: in no answer, metric or log', async (_, argv) => {
  const chat = await repeating()
  let searches = 0
  const upstream = await startRecordingServer(({ path }) => {
    if (!path.includes('_search')) return { status: 500, body: '{"error":"no fields"}' }
    if (searches++ % 2 === 1) return { status: 500, body: '{"error":"out of memory"}' }
    return { headers: ['content-type', 'application/json'], body: JSON.stringify(answerOf(found('a', 'b'))) }
  })
  onTestFinished(() => upstream.close())
  const { url, end } = await started([
    ...[
      'proxy',
      '--target',
      upstream.url,
      '--policy',
      'acqo',
      '--chat-url',
      chat.url,
      ...everything,
      ...argv,
    ],
  ])
  const search = { query: { match: { text: 'desert planet' } } }
  const answers: string[] = []
  for (const [path, body] of [
    ['/works/_search', JSON.stringify(search)],
    ['/works/_search', JSON.stringify(search)],
    ['/works/_search', '{"query":'],
    ['/_querent/metrics'],
    ['/_querent/health'],
    ['/_querent/nowhere'],
  ] as const) {
    const headers = [...Object.entries(callers).flat(), 'content-type', 'application/json']
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await sendRaw(url, { path, method, headers, ...(body !== undefined && { body }) })
    answers.push(`${path} ${answer.status} ${answer.headers} ${answer.body}`)
  }
  const printed = await end()
  const sent = upstream.requests.map(({ headers }) => headers.join(' ')).join('\n')
  expect(sent).toContain(argv.length === 0 ? callers.authorization : secrets.AWS_SESSION_TOKEN)
  expect(printed).toContain('"msg":"search')
  expect(`${answers.join('\n')}\n${printed}`).not.toMatch(/canary/)
})

it('of commands: in no output, trace or error', async () => {
  const { folder, index } = await collection()
  const chat = await repeating()
  const engine = await startRecordingServer({ status: 401, body: '{"error":"who are you?"}' })
  onTestFinished(() => engine.close())
  const traces = join(folder, 'traces.jsonl')
  const config = join(folder, 'querent.json')
  const retrievers = { works: { engine: 'elasticsearch', url: engine.url, index: 'works' } }
  await writeFile(config, JSON.stringify({ retrievers }))
  const asking = ['--index', index, '--policy', 'acqo', '--chat-url', chat.url, '--set', 'chatRetries=0']
  const ended = [
    await runToEnd(['explain', 'desert planet', ...asking, '--json'], { env: secrets }),
    await runToEnd(['evaluate', folder, ...asking, '--traces', traces], { env: secrets }),
    await runToEnd(['search', 'x', '--retrievers', 'engine:works', '--policy', 'none', '--config', config], {
      env: secrets,
    }),
    await runToEnd(['doctor', '--target', engine.url], { env: secrets }),
  ]
  expect(chat.keys()).toContain(`Bearer ${secrets.OPENAI_API_KEY}`)
  const sent = engine.requests.map(({ headers }) => headers.join(' ')).join('\n')
  expect(sent).toContain(`ApiKey ${secrets.QUERENT_ENGINE_API_KEY}`)
  const written = await readFile(traces, 'utf8')
  expect(written).toContain('"fallback"')
  expect(JSON.stringify(ended) + written).not.toMatch(/canary/)
})
