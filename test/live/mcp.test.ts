/** `querent mcp` in a process of its own, called by the official client over pipes and over HTTP, in both protocols. */
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { completion, startChatServer } from '../support/chat-server.ts'
import { ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { startedMcp } from '../support/started-mcp.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sample = fileURLToPath(new URL('../../src/sample', import.meta.url))
const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const eras = [{ mode: 'legacy' }, { mode: 'auto' }] as const
const query = 'Which opera is catalogued as K. 620?'

async function sampleIndex(): Promise<string> {
  const index = `${await temporaryFolder()}/index`
  expect((await runCommand(['index', sample, '--out', index])).status).toBe(0)
  return index
}

async function connected(transport: Transport, versionNegotiation: (typeof eras)[number]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** A client that starts the server itself. */
const overPipes = (argv: readonly string[], era: (typeof eras)[number] = eras[0]) =>
  connected(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...argv], stderr: 'ignore' }),
    era,
  )

async function searches(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'explain'])
  const found = await client.callTool({ name: 'search', arguments: { query, k: 3 } })
  expect(JSON.stringify(found.structuredContent)).toContain('"docid":"the-magic-flute"')
  const exclude = ['the-magic-flute']
  const others = await client.callTool({ name: 'search', arguments: { query, k: 3, exclude } })
  expect(others.structuredContent).toMatchObject({ hits: { length: 3 } })
  expect(JSON.stringify(others.structuredContent)).not.toContain('"docid":"the-magic-flute"')
  const explained = await client.callTool({ name: 'explain', arguments: { query, k: 1 } })
  expect(explained.structuredContent).toMatchObject({
    requests: expect.arrayContaining([
      expect.objectContaining({ retriever: 'bm25', round: 0, status: 'ok' }),
    ]),
  })
  const refused = await client.callTool({ name: 'search', arguments: { query, k: 'three' } })
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('k: must be') }] })
}

describe('the official client', () => {
  it.each(eras)('searches over pipes, protocol "$mode"', async (era) => {
    await searches(await overPipes(['--index', await sampleIndex()], era))
  })

  it.each(eras)('searches over HTTP, protocol "$mode"', async (era) => {
    const { url, child, end } = await startedMcp(['--index', await sampleIndex()])
    const client = await connected(new StreamableHTTPClientTransport(url), era)
    await searches(client)
    await client.close()
    child.kill('SIGTERM')
    expect(await end).toMatchObject({ status: 0, output: '' })
  })

  it('gets answers where a policy writes them', async () => {
    const server = await startChatServer(({ body }) => {
      const [{ content }] = body.messages as [{ readonly content: string }]
      if (content.startsWith('You prepare')) return completion('opera K. 620')
      return completion(content.startsWith('You choose') ? 'Document0' : 'The Magic Flute')
    })
    onTestFinished(() => server.close())
    const chat = ['--policy', 'mmoa', '--chat-url', server.url, '--chat-model', 'scripted']
    const client = await overPipes(['--index', await sampleIndex(), ...chat])
    const answered = await client.callTool({ name: 'answer', arguments: { query } })
    expect(answered.structuredContent).toMatchObject({
      answer: 'The Magic Flute',
      citations: [{ docid: expect.any(String) }],
    })
  })
})

describe('a call that the client cancels ends its requests', () => {
  /** A search that waits for a model that never answers. */
  async function waiting() {
    const server = await startChatServer(() => 'hang')
    onTestFinished(() => server.close())
    const chat = [
      '--policy',
      'acqo',
      '--chat-url',
      server.url,
      '--set',
      'chatTimeout=20m',
      '--timeout',
      '20m',
    ]
    return { server, argv: ['--index', await sampleIndex(), ...chat] }
  }

  async function cancels(client: Client, server: Awaited<ReturnType<typeof startChatServer>>): Promise<void> {
    const user = new AbortController()
    const calling = client.callTool({ name: 'search', arguments: { query } }, { signal: user.signal })
    await server.arrived(1)
    user.abort(new Error('enough'))
    await expect(calling).rejects.toThrow('enough')
    await server.abandoned
  }

  it.each(eras)('over pipes, protocol "$mode"', async (era) => {
    const { server, argv } = await waiting()
    await cancels(await overPipes(argv, era), server)
  })

  it('over HTTP', async () => {
    const { server, argv } = await waiting()
    const { url } = await startedMcp(argv)
    await cancels(await connected(new StreamableHTTPClientTransport(url), eras[1]), server)
  })

  it('over HTTP in the protocol of 2025, which has no sessions here, once the client has gone', async () => {
    const { server, argv } = await waiting()
    const { url } = await startedMcp(argv)
    const client = await connected(new StreamableHTTPClientTransport(url), eras[0])
    const calling = client.callTool({ name: 'search', arguments: { query } }).catch(() => 'gone')
    await server.arrived(1)
    await client.close()
    expect(await calling).toBe('gone')
    await server.abandoned
  })
})

it('standard output carries the protocol alone, and the server ends with its input', async () => {
  const child = spawnCli(['mcp', '--index', await sampleIndex(), '--log', 'info', '--set', 'logText=true'])
  const end = ended(child)
  const request = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  request(2, 'tools/call', { name: 'search', arguments: { query, k: 1 } })
  let answers = 0
  for await (const line of createInterface({ input: child.stdout })) {
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', id: ++answers })
    if (answers === 2) child.stdin.end()
  }
  const { status, errors } = await end
  expect({ status, answers }).toEqual({ status: 0, answers: 2 })
  expect(errors).toContain('"msg":')
  expect(errors).toContain(query)
})
