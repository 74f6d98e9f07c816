import { describe, expect, it } from 'vitest'
import { connectEngine } from '../../../src/cli/open/connect-engine.ts'
import { type BackendSettings, searchedBy } from '../../../src/cli/open/select-backends.ts'
import { indexChoices } from '../../../src/cli/open/training-indexes.ts'
import { ofCommands } from '../../../src/cli/settings/of-commands.ts'
import { settingsOfFile } from '../../../src/cli/settings/read-settings.ts'
import { expectError } from '../../support/expect-error.ts'

const read = (content: object) =>
  settingsOfFile(ofCommands.search.groups, { path: 'querent.json', content }, [], async () => new Set())

const es = { engine: 'elasticsearch', url: 'http://localhost:9200', index: 'articles' }
const os = { engine: 'opensearch', url: ['https://a:9200', 'https://b:9200'], index: ['a', 'b'] }

describe('clusters in the configuration file', () => {
  it('stand where the names of retrievers do', async () => {
    const vector = { field: 'v', model: 'all-MiniLM-L6-v2', numCandidates: 300 }
    const defined = { es: { ...es, fields: ['title^2', 'text'], vector }, 'os.2': os }
    const settings = await read({ k: 5, retrievers: defined })
    expect(settings).toMatchObject({ k: 5, engines: defined })
    expect(settings.retrievers).toBeUndefined()
  })

  it.each<[object, string]>([
    [{ es: { ...es, engine: 'solr' } }, 'es.engine'],
    [{ es: { ...es, url: 'localhost:9200' } }, 'es.url'],
    [{ es: { engine: 'elasticsearch', url: es.url } }, 'es.index'],
    [{ es: { ...es, field: 'x' } }, 'field'],
    [{ es: { ...es, vector: {} } }, 'es.vector.field'],
    [{ es: { ...es, body: { query: {} } } }, '{{query}}'],
    [{ 'e,s': es }, 'querent.json: retrievers'],
  ])('are checked: %j', async (retrievers, message) => {
    await expectError(read({ retrievers }), 'bad-config', message)
  })
})

describe('what is searched', () => {
  const engines = async () => (await read({ retrievers: { es, os } })).engines!
  const names = (settings: BackendSettings, retrievers?: readonly string[]) => {
    const searched = searchedBy(settings, retrievers)
    return [searched.folder, [...searched.engines.keys()]]
  }

  it('is all that there is where nothing is chosen', async () => {
    expect(names({})).toEqual([true, []])
    expect(names({ engines: await engines() })).toEqual([false, ['engine:es', 'engine:os']])
    expect(names({ engines: await engines(), index: ['x'] })).toEqual([true, ['engine:es', 'engine:os']])
  })

  it('is what is chosen', async () => {
    const settings = { engines: await engines(), index: ['x'] }
    expect(names(settings, ['engine:os'])).toEqual([false, ['engine:os']])
    expect(names(settings, ['bm25', 'engine:es'])).toEqual([true, ['engine:es']])
    expect(searchedBy(settings, ['bm25', 'engine:es']).retrievers).toEqual(['bm25'])
  })

  it('is not a cluster that nobody has defined', async () => {
    const settings = { engines: await engines() }
    expectError(() => names(settings, ['engine:e']), 'bad-config', /engine:es, engine:os/)
    expectError(() => names({}, ['engine:es']), 'bad-config', /"retrievers": \{"es"/)
    expectError(() => names({}, ['engine:es']), 'bad-config', '"fields": ["…"]}}}')
  })

  const countIndexes = (settings: Parameters<typeof indexChoices>[0]) => indexChoices(settings).length

  it('is one index a collection in a training: a folder, or the clusters of a --retrievers', async () => {
    const settings = { engines: await engines() }
    expect(countIndexes({ index: ['x', 'y'] })).toBe(2)
    expect(countIndexes(settings)).toBe(1)
    expect(countIndexes({ ...settings, retrievers: [['engine:es'], ['engine:os']] })).toBe(2)
    expectError(() => countIndexes({}), 'bad-config', /--index/)
    expectError(() => countIndexes({ retrievers: [['engine:es']] }), 'bad-config', /engine:es/)
    expectError(() => countIndexes({ ...settings, retrievers: [['bm25']] }), 'bad-config', /--index/)
  })
})

describe('credentials', () => {
  const connect = (env: Readonly<Record<string, string>>) =>
    connectEngine('elasticsearch', 'http://localhost:9200', { env })

  it('are a key or a name with a password', async () => {
    for (const env of [
      {},
      { QUERENT_ENGINE_API_KEY: 'key' },
      { QUERENT_ENGINE_USERNAME: 'eve', QUERENT_ENGINE_PASSWORD: 'pass' },
    ])
      await (await connect(env)).close()
  })

  it('are no half of them', async () => {
    expectError(() => connect({ QUERENT_ENGINE_USERNAME: 'eve' }), 'bad-config', /^QUERENT_ENGINE_PASSWORD/)
    expectError(() => connect({ QUERENT_ENGINE_PASSWORD: 'x' }), 'bad-config', /^QUERENT_ENGINE_USERNAME/)
  })
})
