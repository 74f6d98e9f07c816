/** The published schema of `querent.json` accepts what the commands accept. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { commands } from '../../src/cli/commands/index.ts'
import { configSchema } from '../../src/cli/settings/config-schema.ts'
import { settingsIn } from '../../src/cli/settings/setting.ts'
import { startRecordingServer } from '../support/recording-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const json = ['content-type', 'application/json']
const settings = await Promise.all(commands.map((command) => command.settings()))
const published = JSON.parse(readFileSync('schema/config.schema.json', 'utf8'))
const schema = z.fromJSONSchema(published)

it('is made from the settings of all commands, each with its help', () => {
  expect(published).toEqual(configSchema(settings))
  const keys = settings.flatMap(({ groups }) => Object.keys(settingsIn(groups)))
  expect(new Set(Object.keys(published.properties))).toEqual(new Set(['$schema', ...keys]))
  for (const [key, one] of Object.entries<{ description?: string; anyOf?: { description?: string }[] }>(
    published.properties,
  ))
    expect(one.description ?? one.anyOf?.[0]?.description, key).toMatch(/\w/)
})

describe('a file', () => {
  it.each([
    { $schema: './node_modules/querent/schema/config.schema.json', policy: 'none' },
    { chatTimeout: '5s', timeout: 3000, rerank: false, effort: 'low', budget: { asks: 6 } },
    { retrievers: 'bm25', metrics: true, k: 20 },
  ])('%j is accepted by the schema and by the command', async (content) => {
    expect(schema.safeParse(content).success).toBe(true)
    expect(await statusWith(content)).toBe(1) // It got as far as the index, which there is not.
  })

  it('with a cluster is accepted by the schema and by the command', async () => {
    const server = await startRecordingServer({ status: 404, headers: json, body: '{}' })
    onTestFinished(() => server.close())
    const content = {
      retrievers: { articles: { engine: 'elasticsearch', url: server.url, index: 'articles' } },
    }
    expect(schema.safeParse(content).success).toBe(true)
    expect(await statusWith(content)).toBe(1)
    expect(server.requests.length).toBeGreaterThan(0)
  })

  it.each([
    { polcy: 'none' },
    { effort: 'much' },
    { index: '' },
    { retrievers: { articles: { engine: 'solr' } } },
  ])('%j is accepted by neither', async (content) => {
    expect(schema.safeParse(content).success).toBe(false)
    expect(await statusWith(content)).toBe(2)
  })

  async function statusWith(content: object): Promise<number> {
    const folder = await temporaryFolder()
    const config = join(folder, 'querent.json')
    await writeFile(config, JSON.stringify(content))
    const { status } = await runToEnd([
      'search',
      'who',
      '--index',
      join(folder, 'nowhere'),
      '--config',
      config,
    ])
    return status
  }
})
