/** The metrics of real servers, as promtool checks them and a real Prometheus reads them; and every query of the dashboard. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { completion, startChatServer } from '../support/chat-server.ts'
import { freePorts } from '../support/free-ports.ts'
import { startPagedEngine } from '../support/paged-engine.ts'
import { ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Commands of Debian's package. */
const [server, checker] = ['prometheus', 'promtool']
const isHere = await promisify(execFile)('sh', ['-c', `${server} --version && ${checker} --version`]).then(
  () => true,
  () => false,
)
const sample = fileURLToPath(new URL('../../src/sample', import.meta.url))
const dashboard = JSON.parse(await readFile('examples/integrations/grafana/querent.json', 'utf8'))

async function started(argv: readonly string[]): Promise<string> {
  const child = spawnCli([...argv, '--port', '0', '--metrics'])
  const end = ended(child)
  onTestFinished(async () => {
    child.kill()
    await end
  })
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^Listening on (http:\/\/[\d.:]+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error((await end).errors)
}

/** Findings of `promtool check metrics`: none where all is well. */
async function findings(metrics: string): Promise<string> {
  const child = spawn(checker, ['check', 'metrics'])
  child.stdin.end(metrics)
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
  return printed + complained
}

async function startPrometheus(targets: Readonly<Record<string, { path: string; url: string }>>) {
  const [folder, [port]] = [await temporaryFolder(), await freePorts(1)]
  const jobs = Object.entries(targets).map(([name, { path, url }]) => ({
    job_name: name,
    metrics_path: path,
    static_configs: [{ targets: [new URL(url).host] }],
  }))
  const config = { global: { scrape_interval: '1s' }, scrape_configs: jobs }
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child: ChildProcess = spawn(
    server,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await exited
  })
  const api = `http://127.0.0.1:${port}/api/v1`
  return {
    /** The label sets and values that a query gives now. Throws for a query that is wrong. */
    async query(expression: string): Promise<readonly { metric: object; value: number }[]> {
      const response = await fetch(`${api}/query?query=${encodeURIComponent(expression)}`)
      const { status, error, data } = (await response.json()) as Answer
      if (status !== 'success') throw new Error(`${expression}: ${error}`)
      return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
    },
    async jobs(): Promise<readonly string[]> {
      const response = await fetch(`${api}/label/job/values?match[]=querent_searches_total`)
      return ((await response.json()) as { readonly data: readonly string[] }).data
    },
  }
}

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data: { readonly result: readonly { metric: object; value: [number, string] }[] }
}

it.skipIf(!isHere)(
  'promtool finds nothing in the metrics, and each query of the dashboard gives figures (needs prometheus: apt-get install prometheus)',
  async () => {
    let prompts = 0
    // Every fifth search falls back: what is no object is asked for once more, and then given up.
    const chat = await startChatServer(() =>
      completion(++prompts % 6 > 3 ? 'nonsense' : JSON.stringify({ query: `planets %% moon ${prompts}` })),
    )
    onTestFinished(() => chat.close())
    const index = join(await temporaryFolder(), 'index')
    expect((await runCommand(['index', sample, '--out', index])).status).toBe(0)
    const asking = [
      ...['--policy', 'acqo', '--no-rerank', '--chat-url', chat.url, '--chat-model', 'small'],
      ...['--set', 'prices=small=2/8'],
    ]
    const engine = await startPagedEngine()
    const [serve, proxy] = await Promise.all([
      started(['serve', '--index', index, '--processes', '2', ...asking]),
      started(['proxy', '--target', engine, '--set', 'workers=0', '--set', 'cache=memory', ...asking]),
    ])
    const { query, jobs } = await startPrometheus({
      serve: { path: '/metrics', url: serve },
      proxy: { path: '/_querent/metrics', url: proxy },
    })
    let served = 0
    const search = async (): Promise<void> => {
      served++
      const [answer, page] = await Promise.all([
        fetch(`${serve}/search?q=which+planets+have+rings`),
        fetch(`${proxy}/works/_search`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: { match: { text: `question ${served >> 1}` } } }),
        }),
      ])
      expect([answer.status, page.status]).toEqual([200, 200])
      await Promise.all([answer.text(), page.text()])
    }
    const queries: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
      panel.targets.map(({ expr }) => expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '20s')),
    )
    // What does not happen here: a list that is missing, a sub-query that fails, a search that is shed.
    const isQuiet = (expression: string): boolean => /partial|status!="ok"|shed/.test(expression)
    await vi.waitFor(
      async () => {
        await search()
        for (const expression of queries) {
          const figures = await query(expression)
          if (expression.includes('status!="ok"')) expect(figures).toEqual([])
          else expect(figures.length, expression).toBeGreaterThan(0)
          const isCount = /rate\(|increase\(/.test(expression) && !isQuiet(expression)
          if (isCount) expect(Math.max(...figures.map(({ value }) => value)), expression).toBeGreaterThan(0)
        }
      },
      { timeout: 60_000, interval: 100 },
    )
    await vi.waitFor(
      async () => {
        const [counted] = await query('sum(querent_searches_total{job="serve"})')
        expect(counted!.value).toBe(served)
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(await jobs()).toEqual(['proxy', 'serve'])
    const outcomes = await query('sum by (outcome) (querent_cache_lookups_total)')
    expect(outcomes.map(({ metric }) => (metric as { outcome: string }).outcome).sort()).toEqual([
      'hit',
      'miss',
    ])
    for (const url of [`${serve}/metrics`, `${proxy}/_querent/metrics`]) {
      const metrics = await (await fetch(url)).text()
      expect(metrics).toContain('# TYPE querent_searches_total counter')
      expect(await findings(metrics)).toBe('')
    }
  },
)
