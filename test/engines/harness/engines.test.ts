/** The servers that the other tests of this folder rely on are what they claim to be. */
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { recipes } from '../../../scripts/engines/recipes.mjs'
import { ask, json } from '../../support/ask-engine.ts'
import { type Credentials, type Engine, startEngine } from '../../support/engines.ts'

async function start(...[kind, options]: Parameters<typeof startEngine>): Promise<Engine> {
  const engine = await startEngine(kind, options)
  onTestFinished(engine.stop)
  return engine
}

describe.each(['elasticsearch', 'opensearch'] as const)('the %s that all files share', (kind) => {
  const url = inject(kind)

  it('answers with its version', async () => {
    const { version } = await json(url)
    expect(version.distribution).toBe(kind === 'opensearch' ? 'opensearch' : undefined)
    const existing = process.env[`QUERENT_${kind.toUpperCase()}_URL`]
    expect(version.number).toBe(existing ? expect.any(String) : recipes[kind].version)
    const product = (await ask(url)).headers.get('x-elastic-product')
    expect(product).toBe(kind === 'elasticsearch' ? 'Elasticsearch' : null)
  })

  it('has the English analyzer', async () => {
    const body = { analyzer: 'english', text: 'The lighthouses were burning' }
    const { tokens } = await json(`${url}/_analyze`, { body })
    expect(tokens.map(({ token }) => token)).toEqual(['lighthous', 'were', 'burn'])
  })
})

it('starts Elasticsearch 8 too', async () => {
  const { urls, version } = await start('elasticsearch-8')
  expect((await json(urls[0]!)).version.number).toBe(version)
  expect(version).toMatch(/^8\./)
})

it('takes settings', async () => {
  const { urls } = await start('opensearch', { settings: { 'cluster.name': 'harbour' } })
  expect((await json(urls[0]!)).cluster_name).toBe('harbour')
})

describe.each(['elasticsearch-secure', 'opensearch-secure'] as const)('%s', (kind) => {
  it('lets in who has credentials, and to what they may see', async () => {
    const { urls, version, credentials: admin } = await start(kind)
    const url = urls[0]!
    const guest = { username: 'guest', password: 'what-was-lent-42' }
    const status = async (path: string, as?: Credentials) => (await ask(url + path, { as })).status
    expect(await status('/')).toBe(401)
    expect((await json(url, { as: admin })).version.number).toBe(version)

    for (const index of ['open', 'closed'])
      await json(`${url}/${index}/_doc/1?refresh=true`, { method: 'PUT', body: { text: index }, as: admin })
    await addGuest(kind, url, { admin: admin!, guest })
    // Only now: a server that has no users yet may answer that it cannot look them up.
    expect(await status('/', { ...guest, password: 'wrong' })).toBe(401)
    expect(await status('/open/_search', guest)).toBe(200)
    expect(await status('/closed/_search', guest)).toBe(403)
  })
})

/** A user who may read the index `open` and no other. */
async function addGuest(
  kind: 'elasticsearch-secure' | 'opensearch-secure',
  url: string,
  { admin, guest: { username, password } }: { readonly admin: Credentials; readonly guest: Credentials },
): Promise<void> {
  const put = (path: string, body: unknown) => json(url + path, { method: 'PUT', body, as: admin })
  if (kind === 'elasticsearch-secure') {
    await put('/_security/role/reader', { indices: [{ names: ['open'], privileges: ['read'] }] })
    await put(`/_security/user/${username}`, { password, roles: ['reader'] })
    return
  }
  const api = '/_plugins/_security/api'
  const permission = { index_patterns: ['open'], allowed_actions: ['read'] }
  await put(`${api}/roles/reader`, { index_permissions: [permission] })
  await put(`${api}/internalusers/${username}`, { password })
  await put(`${api}/rolesmapping/reader`, { users: [username] })
}

it('finds the nearest vectors with opensearch-vectors, among those that a filter leaves', async () => {
  const { urls } = await start('opensearch-vectors')
  const index = `${urls[0]}/places`
  const method = { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' }
  const properties = { place: { type: 'knn_vector', dimension: 2, method }, kind: { type: 'keyword' } }
  await json(index, { method: 'PUT', body: { settings: { 'index.knn': true }, mappings: { properties } } })
  const places = { north: [0, 1], east: [1, 0], 'north-east': [1, 1] }
  for (const [docid, place] of Object.entries(places))
    await json(`${index}/_doc/${docid}`, { method: 'PUT', body: { place, kind: `${docid.length}` } })
  await json(`${index}/_refresh`, { method: 'POST' })

  const nearest = async (more: object) => {
    const query = { knn: { place: { vector: [0.1, 1], k: 2, ...more } } }
    const { hits } = await json(`${index}/_search`, { body: { query } })
    return hits.hits.map(({ _id }) => _id)
  }
  expect(await nearest({})).toEqual(['north', 'north-east'])
  expect(await nearest({ filter: { term: { kind: '4' } } })).toEqual(['east'])
})
