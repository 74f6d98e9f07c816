/** The examples, run as a user runs them: against the built package, by its name. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { memoryStore } from '../../adapters/cache/store.ts'
import { createCachedSearch } from '../../examples/cached-search.ts'
import { trigramEmbedder } from '../../examples/trigram-embedder.ts'
import { installSplade } from '../../scripts/export-model.mjs'
import type { Embedder } from '../../src/types.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = async (file: string, env: NodeJS.ProcessEnv = process.env, cwd = '.'): Promise<string> =>
  (await promisify(execFile)(resolve('node_modules/.bin/tsx'), [resolve(file)], { env, cwd })).stdout

it('examples/search.ts finds a river that the question does not name, without a language model', async () => {
  expect(await run('examples/search.ts')).toBe("[ 'vltava', 'elbe' ]\n")
})

it('examples/search.ts runs as it stands in a file of JavaScript', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'node_modules'))
  await symlink(resolve('.'), join(folder, 'node_modules', 'querent'))
  await cp('examples/search.ts', join(folder, 'search.mjs'))
  const { stdout } = await promisify(execFile)(process.execPath, ['search.mjs'], { cwd: folder })
  expect(stdout).toBe("[ 'vltava', 'elbe' ]\n")
})

it('examples/dense-search.ts finds a text that shares no word with the query', async () => {
  expect(await run('examples/dense-search.ts')).toBe("[ 'emma', 'moby-dick' ]\n")
})

it('examples/cached-search.ts embeds a query once, in as many processes as share the store', async () => {
  let embedded = 0
  const model: Embedder = {
    ...trigramEmbedder(),
    embed(texts, options) {
      if (options.kind === 'query') embedded += texts.length
      return trigramEmbedder().embed(texts, options)
    },
  }
  const documents = [
    { docid: 'emma', text: 'A young woman arranges marriages for her friends.' },
    { docid: 'moby-dick', text: 'A captain hunts a white whale.' },
  ]
  const store = memoryStore()
  for (let process = 0; process < 2; process++) {
    const { search, close } = await createCachedSearch(documents, model, 'version 1', store)
    expect((await search('white whales')).hits[0]?.docid).toBe('moby-dick')
    await close()
  }
  expect(embedded).toBe(1)
})

it('examples/sparse-search.ts finds a text that shares no word with the query', async () => {
  expect(await installSplade()).toBe(true)
  expect(await run('examples/sparse-search.ts')).toBe("[ 'orchestra' ]\n")
})

it('examples/search-with-llm.ts finds both rivers by another query', async () => {
  let asked = 0
  const chat = () =>
    asked++ === 0 ? 'Search: where the Elbe reaches the sea\nDocuments: 1' : 'Documents: 1, 2'
  const { url } = await startOpenAIServer({ chat })
  const env = { ...process.env, OPENAI_BASE_URL: url, QUERENT_CHAT_MODEL: 'scripted' }
  const stdout = await run('examples/search-with-llm.ts', env)
  expect(stdout).toMatch(/^decompose/)
  expect(stdout).toMatch(/docid: 'vltava'[\s\S]*docid: 'elbe'|docid: 'elbe'[\s\S]*docid: 'vltava'/)
})

it('examples/answer.ts answers, and names what it read', async () => {
  const { url } = await startOpenAIServer({ chat: () => 'Answer: The North Sea\nDocuments: 1, 2' })
  const env = { ...process.env, OPENAI_BASE_URL: url, QUERENT_CHAT_MODEL: 'scripted' }
  expect(await run('examples/answer.ts', env)).toMatch(/^The North Sea \[ '\w+', '\w+' \]/)
})

it('examples of an index and a collection in the working folder search, update, evaluate and train', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'my-collection', 'qrels'), { recursive: true })
  await cp(join(sampleFolder, 'queries.jsonl'), join(folder, 'my-collection', 'queries.jsonl'))
  for (const split of ['train', 'test'])
    await cp(join(sampleFolder, 'qrels.tsv'), join(folder, 'my-collection', 'qrels', `${split}.tsv`))
  await runToEnd(['index', sampleFolder, '--out', join(folder, 'my-index')])

  expect(await run('examples/search-index.ts', process.env, folder)).toMatch(/^decompose .*\n1 \S+ \S/)
  expect(await run('examples/update-index.ts', process.env, folder)).toBe(
    '{ added: 1, replaced: 0, removed: 0, unknown: 2 }\n',
  )
  const recalls = (await run('examples/evaluate.ts', process.env, folder)).match(/(?<='recall@5': )[\d.]+/g)!
  expect(recalls).toHaveLength(2)
  expect(Number(recalls[1])).toBeGreaterThan(Number(recalls[0]))

  await run('examples/train.ts', process.env, folder)
  const policy = JSON.parse(await readFile(join(folder, 'policy.json'), 'utf8')) as object
  expect(policy).toHaveProperty('decision')
})
