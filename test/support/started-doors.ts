/** Every command that listens, each on a free port of this machine, over the same few documents. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { settled } from './manual-clock.ts'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { runToEnd } from './run-to-end.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testTerminal } from './test-terminal.ts'

export interface Doors {
  /** The addresses by command. */
  readonly urls: Readonly<Record<'serve' | 'reward-server' | 'mcp' | 'proxy', string>>
  /** The engine of the proxy, which signs. It lets the pages of one origin read. */
  readonly engine: RecordingServer
}

const env = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a secret' }
/** What the engine answers to everything, for pages of this origin, too. */
const found = (origin: string) => ({
  headers: [
    ...['content-type', 'application/json', 'access-control-allow-origin', origin],
    ...['access-control-allow-headers', 'content-type', 'access-control-allow-methods', 'DELETE'],
  ],
  body: '{"secret":1}',
})

async function indexed(): Promise<string> {
  const folder = await temporaryFolder()
  const record = { _id: 'dune', title: 'Dune', text: 'The secret of a desert planet.' }
  await writeFile(join(folder, 'corpus.jsonl'), JSON.stringify(record))
  await runToEnd(['index', folder, '--out', join(folder, 'index')])
  return join(folder, 'index')
}

/** Runs until the test is over. */
async function started(argv: readonly string[]): Promise<string> {
  const interrupt = new AbortController()
  const terminal = testTerminal({ signal: interrupt.signal, env })
  let isOver = false
  const ended = runCli([...argv, '--port', '0'], terminal).finally(() => {
    isOver = true
  })
  onTestFinished(async () => {
    interrupt.abort()
    await ended
  })
  const address = () => /Listening on (http:\/\/[^/,\s]+:\d+)/.exec(terminal.errors())?.[1]
  while (address() === undefined && !isOver) await settled()
  const url = address()
  if (url === undefined) throw new Error(terminal.errors())
  return url.replace('0.0.0.0', '127.0.0.1')
}

/**
 * @param flags for all of them
 * @param origin whose pages are allowed, where they can be
 */
export async function startedDoors(flags: readonly string[] = [], origin?: string): Promise<Doors> {
  const index = await indexed()
  const engine = await startRecordingServer(found(origin ?? 'https://shop.example'))
  onTestFinished(() => engine.close())
  const proxied = ['--target', engine.url, '--set', 'sign=eu-central-1', '--metrics']
  const none = ['--policy', 'none']
  const forPages = origin === undefined ? [] : ['--cors', origin]
  return {
    engine,
    urls: {
      serve: await started(['serve', '--index', index, ...none, '--metrics', ...flags, ...forPages]),
      'reward-server': await started(['reward-server', '--index', index, ...flags]),
      mcp: await started(['mcp', '--http', '--index', index, ...none, ...flags, ...forPages]),
      proxy: await started(['proxy', ...proxied, ...none, ...flags, ...forPages]),
    },
  }
}

const json = JSON.stringify

/** What each of them answers for those who may ask: the method, the path and the body. */
export const asked: Readonly<Record<keyof Doors['urls'], readonly (readonly [string, string, string?])[]>> = {
  serve: [
    ['GET', '/search?q=desert'],
    ['POST', '/search', json({ text: 'desert' })],
    ['POST', '/retrieval', json({ knowledge_id: 'any', query: 'desert', retrieval_setting: { top_k: 1 } })],
    ['POST', '/v1/vector_stores/any/search', json({ query: 'desert' })],
    ['POST', '/v1/rerank', json({ query: 'desert', documents: ['desert'] })],
    ['GET', '/metrics'],
    ['GET', '/health'],
    ['GET', '/openapi.json'],
    ['POST', '/', json({ text: 'desert' })],
  ],
  'reward-server': [
    ['GET', '/health'],
    ['GET', '/metrics'],
    ['POST', '/retrieve', json({ queries: ['desert'] })],
  ],
  mcp: [['POST', '/mcp', json({ jsonrpc: '2.0', id: 1, method: 'tools/list' })]],
  proxy: [
    ['GET', '/customers/_search?q=desert'],
    ['POST', '/customers/_close'],
    ['DELETE', '/customers'],
    ['GET', '/_querent/health'],
    ['GET', '/_querent/load'],
    ['GET', '/_querent/metrics'],
  ],
}
