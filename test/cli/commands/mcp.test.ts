/** `querent mcp` over standard input and output, whose end may follow the last call at once. test/live has the official client. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { startChatServer } from '../../support/chat-server.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'

const clientInfo = { name: 'test', version: '1' }
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
const search = { name: 'search', arguments: { query: 'desert planet' } }
const stdin = [
  { id: 1, method: 'initialize', params: initialize },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: search },
  { id: 3, method: 'tools/call', params: search },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

async function indexed(): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(
    join(folder, 'corpus.jsonl'),
    '{"_id": "dune", "title": "Dune", "text": "A desert planet."}\n',
  )
  const index = join(folder, 'index')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  return index
}

const idsIn = (output: string): number[] =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)

it('answers all calls before it ends with its input', async () => {
  const { status, output } = await runToEnd(['mcp', '--index', await indexed()], { stdin })
  expect([status, idsIn(output).toSorted()]).toEqual([0, [1, 2, 3]])
  expect(output).toContain('"docid":"dune"')
})

/** The command, waiting for a model that never answers, after the end of its input. */
async function waiting() {
  const server = await startChatServer(() => 'hang')
  onTestFinished(() => server.close())
  const interrupt = new AbortController()
  const clock = manualClock()
  const terminal = testTerminal({ stdin, signal: interrupt.signal, clock })
  const chat = ['--policy', 'acqo', '--chat-url', server.url, '--set', 'chatTimeout=20m', '--timeout', '20m']
  const ended = runCli(['mcp', '--index', await indexed(), ...chat], terminal)
  await server.arrived(2)
  return { ended, interrupt, clock, terminal }
}

it('waits for ten seconds at most', async () => {
  const { ended, clock, terminal } = await waiting()
  let isOver = false
  void ended.finally(() => {
    isOver = true
  })
  while (!isOver) await clock.advance(10_000)
  expect([await ended, idsIn(terminal.output())]).toEqual([0, [1]])
})

it('waits for nothing once it is interrupted', async () => {
  const { ended, interrupt, terminal } = await waiting()
  interrupt.abort()
  await ended
  expect(idsIn(terminal.output())).toEqual([1])
})
