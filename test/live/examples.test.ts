/** The examples, run as a user runs them: against the built package, by its name. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startOpenAIServer } from '../support/openai-server.ts'

it('examples/search.ts finds both rivers by two sub-queries', async () => {
  const { url } = await startOpenAIServer({ chat: () => '{"query": "river of Prague %% Elbe sea"}' })
  const env = { ...process.env, OPENAI_BASE_URL: url, QUERENT_CHAT_MODEL: 'scripted' }
  const { stdout } = await promisify(execFile)('npx', ['tsx', 'examples/search.ts'], { env })
  expect(stdout).toMatch(/^decompose/)
  expect(stdout).toMatch(/docid: 'vltava'[\s\S]*docid: 'elbe'|docid: 'elbe'[\s\S]*docid: 'vltava'/)
})
