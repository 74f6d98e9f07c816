/** The servers that the other tests of this folder rely on: that they are what they claim to be, and that they go away. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { recipes } from '../../scripts/engines/recipes.mjs'
import { basic, type Credentials, type Engine, startEngine } from '../support/engines.ts'

const patient = { timeout: 120_000, interval: 100 }

interface Asking {
  readonly body?: unknown
  readonly method?: string
  readonly as?: Credentials | undefined
}

function ask(url: string, { body, method = body ? 'POST' : 'GET', as }: Asking = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(as && { authorization: basic(as) }) }
  return fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** Of all that the servers answer here, what is looked at. */
interface Answer {
  readonly version: { readonly number: string; readonly distribution?: string }
  readonly cluster_name: string
  readonly tokens: readonly { readonly token: string }[]
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: readonly { readonly _id: string }[]
  }
  readonly _shards: { readonly failed: number }
}

/** The answer's body; anything but a success throws. */
async function json(url: string, asking: Asking = {}): Promise<Answer> {
  const response = await ask(url, asking)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

async function start(...[kind, options]: Parameters<typeof startEngine>): Promise<Engine> {
  const engine = await startEngine(kind, options)
  onTestFinished(engine.stop)
  return engine
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
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

describe.each(['elasticsearch', 'opensearch'] as const)('two nodes of %s', (kind) => {
  it('are a green cluster, which survives a kill -9 of one and takes it back', async () => {
    const { urls, nodes } = await start(kind, { nodes: 2 })
    const [kept, killed] = nodes
    const health = (url: string) => json(`${url}/_cluster/health`)
    for (const url of urls) expect(await health(url)).toMatchObject({ status: 'green', number_of_nodes: 2 })

    const settings = {
      ...{ number_of_shards: 3, number_of_replicas: 1 },
      'unassigned.node_left.delayed_timeout': '1s',
    }
    await json(`${kept!.url}/boats?wait_for_active_shards=all`, { method: 'PUT', body: { settings } })
    for (let number = 0; number < 20; number++)
      await json(`${kept!.url}/boats/_doc/${number}`, { method: 'PUT', body: { name: `boat ${number}` } })
    await json(`${kept!.url}/boats/_refresh`, { method: 'POST' })
    const boats = async (url: string) => {
      const { hits, _shards } = await json(`${url}/boats/_search`, {
        body: { query: { match: { name: 'boat' } } },
      })
      return { found: hits.total.value, failed: _shards.failed }
    }
    const all = { found: 20, failed: 0 }

    const before = killed!.pid()
    await killed!.kill()
    expect(isRunning(before)).toBe(false)
    await expect(fetch(killed!.url)).rejects.toThrow()
    await vi.waitFor(async () => expect(await boats(kept!.url)).toEqual(all), patient)

    await killed!.start()
    expect(killed!.pid()).not.toBe(before)
    expect(await health(kept!.url)).toMatchObject({ number_of_nodes: 2 })
    await vi.waitFor(
      async () => expect(await health(killed!.url)).toMatchObject({ status: 'green' }),
      patient,
    )
    expect(await boats(killed!.url)).toEqual(all)
    await expect(killed!.start()).rejects.toThrow(`${killed!.url} runs already`)
  })
})

describe.each(['elasticsearch-secure', 'opensearch-secure'] as const)('%s', (kind) => {
  it('lets in who has credentials, and to what they may see', async () => {
    const { urls, version, credentials: admin } = await start(kind)
    const url = urls[0]!
    const guest = { username: 'guest', password: 'what-was-lent-42' }
    const status = async (path: string, as?: Credentials) => (await ask(url + path, { as })).status
    expect(await status('/')).toBe(401)
    expect(await status('/', { ...admin!, password: 'wrong' })).toBe(401)
    expect((await json(url, { as: admin })).version.number).toBe(version)

    for (const index of ['open', 'closed'])
      await json(`${url}/${index}/_doc/1?refresh=true`, { method: 'PUT', body: { text: index }, as: admin })
    await addGuest(kind, url, { admin: admin!, guest })
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

describe('a server', () => {
  it('leaves no process and no folder when it is stopped', async () => {
    const { nodes, folder, stop } = await start('elasticsearch', { nodes: 2 })
    const pids = nodes.map(({ pid }) => pid())
    expect(pids.map(isRunning)).toEqual([true, true])
    expect((await readdir(folder)).sort()).toEqual(['node-1', 'node-2'])
    await stop()
    expect(pids.map(isRunning)).toEqual([false, false])
    expect(existsSync(folder)).toBe(false)
    await stop()
  })

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'leaves none either when %s ends the process that started it',
    async (signal) => {
      const holder = run(`
        import { startEngine } from './test/support/engines.ts'
        const { nodes, folder } = await startEngine('opensearch')
        console.log(JSON.stringify({ pid: nodes[0].pid(), folder }))`)
      const [line] = await once(createInterface(holder.stdout), 'line')
      const { pid, folder } = JSON.parse(line)
      expect([isRunning(pid), existsSync(folder)]).toEqual([true, true])
      holder.kill(signal)
      await once(holder, 'exit')
      await vi.waitFor(() => expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]), patient)
    },
  )

  it('that cannot start says why, and leaves nothing', async () => {
    const before = await foldersOf('elasticsearch')
    const started = startEngine('elasticsearch', { settings: { 'no.such.setting': '1' } })
    await expect(started).rejects.toThrow(
      /A node of elasticsearch has ended.*unknown setting \[no\.such\.setting\]/s,
    )
    expect(await foldersOf('elasticsearch')).toEqual(before)
  })

  it('that is no longer wanted leaves nothing', async () => {
    const before = await foldersOf('opensearch')
    const controller = new AbortController()
    const started = startEngine('opensearch', { signal: controller.signal })
    const reason = new Error('enough')
    await vi.waitFor(
      async () => expect(await foldersOf('opensearch')).toHaveLength(before.length + 1),
      patient,
    )
    controller.abort(reason)
    await expect(started).rejects.toBe(reason)
    expect(await foldersOf('opensearch')).toEqual(before)
  })

  it('that is not installed says what installs it', async () => {
    const nowhere = { QUERENT_CACHE: '/nowhere' }
    const holder = run(
      `import { startEngine } from './test/support/engines.ts'; await startEngine('opensearch')`,
      nowhere,
    )
    const [errors, [code]] = await Promise.all([
      holder.stderr.setEncoding('utf8').toArray(),
      once(holder, 'exit'),
    ])
    expect(code).toBe(1)
    expect(errors.join('')).toContain(
      'opensearch is not installed: `node scripts/install-engines.mjs` installs it',
    )
  })
})

async function foldersOf(kind: string): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`querent-${kind}-`)).sort()
}

/** A process of its own, which runs this code. */
function run(code: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = dirname(import.meta.dirname)
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    cwd: dirname(cwd),
    env: { ...process.env, ...env },
  })
}
