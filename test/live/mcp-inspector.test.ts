/** `querent mcp` as the MCP Inspector judges it: the schemas of the tools under `--strict`, and calls of them. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inspector } from '../../scripts/install-inspector.mjs'
import { newestNode } from '../../scripts/steps.mjs'
import { completion, startChatServer } from '../support/chat-server.ts'
import { ended, runCommand } from '../support/spawn-cli.ts'
import { startedMcp } from '../support/started-mcp.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sample = fileURLToPath(new URL('../../src/sample', import.meta.url))
const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))

/** A folder with an index of the sample. */
async function sampleFolder(): Promise<string> {
  const folder = await temporaryFolder()
  expect((await runCommand(['index', sample, '--out', join(folder, 'index')])).status).toBe(0)
  return folder
}

const indexIn = (folder: string) => ['--index', join(folder, 'index')]
const overPipes = (folder: string) => [process.execPath, main, 'mcp', ...indexIn(folder)]

/** Runs the inspector on a server, the command that starts it or its address. */
async function inspect(folder: string, server: readonly string[], ...words: readonly string[]) {
  const [program, ...before] = newestNode
  // Nothing is kept in the home of whoever runs this.
  const own = { MCP_CATALOG_PATH: join(folder, 'catalog.json'), MCP_STORAGE_DIR: join(folder, 'storage') }
  const env = { ...process.env, ...own }
  return ended(spawn(program!, [...before, inspector, '--cli', ...server, ...words], { env }))
}

const calling = (tool: string, ...pairs: readonly string[]) => [
  ...['--method', 'tools/call', '--tool-name', tool],
  ...pairs.flatMap((pair) => ['--tool-arg', pair]),
]

async function answers(folder: string, server: readonly string[], tools: readonly string[]): Promise<void> {
  const listed = await inspect(folder, server, '--method', 'tools/list', '--strict')
  expect(listed).toMatchObject({ status: 0, errors: expect.not.stringMatching(/warning|error/i) })
  expect(JSON.parse(listed.output).tools.map(({ name }: { readonly name: string }) => name)).toEqual(tools)
  const found = await inspect(
    folder,
    server,
    ...calling('search', 'query=Which opera is catalogued as K. 620?', 'k=3'),
  )
  expect(found.status).toBe(0)
  expect(JSON.parse(found.output).structuredContent.hits).toHaveLength(3)
}

describe.skipIf(!existsSync(inspector))('the inspector (needs npm run verify, which installs it)', () => {
  it('finds nothing over pipes', async () => {
    const folder = await sampleFolder()
    await answers(folder, overPipes(folder), ['search', 'explain'])
  })

  it('finds nothing over HTTP, with the tool that answers', async () => {
    const chat = await startChatServer(() => completion('Document0'))
    onTestFinished(() => chat.close())
    const folder = await sampleFolder()
    const { url } = await startedMcp([...indexIn(folder), '--policy', 'mmoa', '--chat-url', chat.url])
    await answers(folder, [url.href], ['search', 'answer', 'explain'])
  })

  it('shows what is wrong with a call', async () => {
    const folder = await sampleFolder()
    const { status, output } = await inspect(folder, overPipes(folder), ...calling('search', 'k=3'))
    expect(status).not.toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('query') }],
    })
  })

  it('would find a schema that clients cannot read', async () => {
    const folder = await temporaryFolder()
    const broken = join(folder, 'broken.mjs')
    await writeFile(broken, brokenServer)
    const { status, errors } = await inspect(
      folder,
      [process.execPath, broken],
      '--method',
      'tools/list',
      '--strict',
    )
    expect(status).toBe(6)
    expect(errors).toContain('inputSchema')
  })
})

/** Answers as an MCP server does, with a tool that takes anything. */
const brokenServer = `
import { createInterface } from 'node:readline'
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'broken', version: '1' } },
  'tools/list': { tools: [{ name: 'broken', inputSchema: { type: 'object', properties: { anything: true } } }] },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
}
`
