/** The examples, run as a user runs them: against the built package, by its name. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startOpenAIServer } from '../support/openai-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = async (file: string, env: NodeJS.ProcessEnv = process.env, cwd = '.'): Promise<string> =>
  (await promisify(execFile)(resolve('node_modules/.bin/tsx'), [resolve(file)], { env, cwd })).stdout

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

it('examples/evaluate.ts and examples/train.ts judge and train on a collection of the working folder', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'my-collection', 'qrels'), { recursive: true })
  await cp(join(sampleFolder, 'queries.jsonl'), join(folder, 'my-collection', 'queries.jsonl'))
  for (const split of ['train', 'test'])
    await cp(join(sampleFolder, 'qrels.tsv'), join(folder, 'my-collection', 'qrels', `${split}.tsv`))
  await runToEnd(['index', sampleFolder, '--out', join(folder, 'my-index')])

  const recalls = (await run('examples/evaluate.ts', process.env, folder)).match(/(?<='recall@5': )[\d.]+/g)!
  expect(recalls).toHaveLength(2)
  expect(Number(recalls[1])).toBeGreaterThan(Number(recalls[0]))

  await run('examples/train.ts', process.env, folder)
  const policy = JSON.parse(await readFile(join(folder, 'policy.json'), 'utf8')) as object
  expect(policy).toHaveProperty('decision')
})
