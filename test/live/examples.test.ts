/** The examples, run as a user runs them: against the built package, by its name. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startOpenAIServer } from '../support/openai-server.ts'

const run = async (file: string, env: NodeJS.ProcessEnv = process.env): Promise<string> =>
  (await promisify(execFile)('npx', ['tsx', file], { env })).stdout

it('examples/search.ts finds a river without a language model, and says what was decided', async () => {
  const stdout = await run('examples/search.ts')
  expect(stdout).toMatch(/^(as-is|rewrite|decompose) .+ sets \(p \d/)
  expect(stdout).toMatch(/docid: '(vltava|elbe)'/)
})

it('examples/search-with-llm.ts finds both rivers by two sub-queries', async () => {
  const { url } = await startOpenAIServer({ chat: () => '{"query": "river of Prague %% Elbe sea"}' })
  const env = { ...process.env, OPENAI_BASE_URL: url, QUERENT_CHAT_MODEL: 'scripted' }
  const stdout = await run('examples/search-with-llm.ts', env)
  expect(stdout).toMatch(/^decompose/)
  expect(stdout).toMatch(/docid: 'vltava'[\s\S]*docid: 'elbe'|docid: 'elbe'[\s\S]*docid: 'vltava'/)
})
