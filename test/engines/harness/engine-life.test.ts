/** That servers come, survive what a test does to them, and go away with whoever started them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../../scripts/steps.mjs'
import { json } from '../../support/ask-engine.ts'
import { type Engine, startEngine } from '../../support/engines.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const patient = { timeout: 120_000, interval: 100 }

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

describe.each(['elasticsearch', 'opensearch'] as const)('two nodes of %s', (kind) => {
  it('are a green cluster, which survives a kill -9 of one and takes it back', async () => {
    const { urls, nodes } = await start(kind, { nodes: 2 })
    const [kept, killed] = nodes
    const health = (url: string) => json(`${url}/_cluster/health`)
    for (const url of urls) expect(await health(url)).toMatchObject({ status: 'green', number_of_nodes: 2 })

    const settings = {
      number_of_shards: 3,
      number_of_replicas: 1,
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
    await expect(killed!.start()).rejects.toThrow(killed!.url)
  })
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
    const folder = await temporaryFolderOfAll()
    const started = startEngine('elasticsearch', { settings: { 'no.such.setting': '1' } })
    await expect(started).rejects.toThrow(/no\.such\.setting/)
    expect(await readdir(folder)).toEqual([])
  })

  it('that is no longer wanted leaves nothing', async () => {
    const folder = await temporaryFolderOfAll()
    const controller = new AbortController()
    const started = startEngine('opensearch', { signal: controller.signal })
    const reason = new Error('enough')
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1), patient)
    controller.abort(reason)
    await expect(started).rejects.toBe(reason)
    expect(await readdir(folder)).toEqual([])
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

/** What is started meanwhile has its folder in this one. */
async function temporaryFolderOfAll(): Promise<string> {
  const folder = await temporaryFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return folder
}

/** A process of its own, which runs this code. */
function run(code: string, env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    cwd: root,
    env: { ...process.env, ...env },
  })
}
