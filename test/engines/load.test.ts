/**
 * More than one process can do: what is too much passes through, nothing is called late that was answered, and everybody
 * else is served. Times are compared with those beside as many searches that all pass through, in the same run: the machine
 * may be busy with other things.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LoadCounts } from '../../adapters/apps/drop-in/run/load.ts'
import { crowd, probes } from '../support/crowd.ts'

const children: ChildProcess[] = []

async function start(script: string, ...words: string[]) {
  const child = fork(fileURLToPath(new URL(`../support/${script}`, import.meta.url)), words)
  children.push(child)
  const [url] = (await once(child, 'message')) as [string]
  return { child, url }
}

let proxy = ''
let proxyProcess: ChildProcess
let texts: readonly string[] = []

beforeAll(async () => {
  const engine = await start('quick-engine.mjs')
  const started = await start('built-proxy.mjs', engine.url)
  proxy = started.url
  proxyProcess = started.child
  const lines = (await readFile('src/sample/queries.jsonl', 'utf8')).trim().split('\n')
  texts = lines.map((line) => (JSON.parse(line) as { readonly text: string }).text)
  // Until code is compiled, and the threads run.
  for (let count = 0; count < 50; ) count += optimizedIn((await searching(4, 1000)).ends)
})

afterAll(() => {
  for (const child of children) child.kill()
})

/** Milliseconds. It is about 50 with two busy cores. */
const longestTurn = 250

const searching = (clients: number, ms: number, headers: Readonly<Record<string, string>> = {}) =>
  crowd({ url: proxy, index: 'works', texts, clients, ms, headers })

const optimizedIn = (ends: readonly string[]): number =>
  ends.filter((end) => /^(un)?changed/.test(end)).length

/** What became of searches: all are looked at, or pass through since there are too many. */
const isFine = (end: string): boolean =>
  /^(un)?changed(?!: in part|.*missing)/.test(end) ||
  /^passed through: (too many searches|the event loop is late)/.test(end)

it.each([8, 32, 128])(
  '%i searchers: nothing is late, and what is too much passes through',
  async (clients) => {
    const before = await load()
    const { ends } = await searching(clients, 3000)
    expect(ends.filter((end) => !isFine(end))).toEqual([])
    expect(optimizedIn(ends)).toBeGreaterThan(0)
    const after = await load()
    expect(after.shed - before.shed).toBe(ends.length - optimizedIn(ends))
    expect(after.optimizing).toBe(0)
  },
)

it('64 searchers hold up other requests, and health, not much more than 64 that pass through', async () => {
  // Before and after: what else the machine does comes and goes.
  const before = await beside({ 'x-querent-optimize': 'false' })
  const optimizing = await beside()
  const after = await beside({ 'x-querent-optimize': 'false' })
  const passing = slower(before, after)
  expect(optimizedIn(optimizing.ends)).toBeGreaterThan(0)
  expect(optimizing.other.p50).toBeLessThan(20 + 15 * passing.other.p50)
  expect(optimizing.health.p50).toBeLessThan(20 + 15 * passing.health.p50)
  // The longest answer may be long since the machine paused. The event loop's longest turn leaves that out.
  expect(optimizing.held).toBeLessThan(longestTurn)
})

type Beside = Awaited<ReturnType<typeof beside>>

/** The longer times of two runs. */
const slower = ({ other, health }: Beside, second: Beside) => ({
  other: { p50: Math.max(other.p50, second.other.p50) },
  health: { p50: Math.max(health.p50, second.health.p50) },
})

/** What a request that is no search takes beside 64 searchers, and what the proxy's own takes. */
async function beside(headers: Readonly<Record<string, string>> = {}) {
  await heldMs()
  const gone = new AbortController()
  const crowd = searching(64, 4000, headers).finally(() => gone.abort())
  const [{ ends }, other, health] = await Promise.all([
    crowd,
    probes(`${proxy}/_cat/count`, gone.signal),
    probes(`${proxy}/_querent/health`, gone.signal),
  ])
  return { ends, other, health, held: await heldMs() }
}

/** The most milliseconds that the proxy held its event loop since this was last asked. */
async function heldMs(): Promise<number> {
  const answer = once(proxyProcess, 'message')
  proxyProcess.send('held')
  const [ms] = (await answer) as [number]
  return ms
}

it('of an _msearch of 600 searches ten are optimized at the most, and each is answered', async () => {
  const before = await load()
  const lines = Array.from({ length: 600 }, (_, place) => {
    const query = { multi_match: { query: texts[place % texts.length], fields: ['title', 'text'] } }
    return `{}\n${JSON.stringify({ size: 10, query })}\n`
  })
  const { headers, body } = await request(`${proxy}/works/_msearch`, {
    method: 'POST',
    body: lines.join(''),
    headers: { 'content-type': 'application/x-ndjson', 'x-querent-explain': 'header' },
  })
  const { responses } = (await body.json()) as { readonly responses: readonly { readonly hits: object }[] }
  expect(responses).toHaveLength(600)
  expect(responses.every(({ hits }) => hits !== undefined)).toBe(true)
  expect(headers['x-querent']).toMatch(/^(un)?changed: \d+ of 600 searches; (unchanged|passed through): /)
  const after = await load()
  expect(after.admitted - before.admitted).toBeLessThanOrEqual(10)
  expect(after.shed - before.shed).toBeGreaterThanOrEqual(590)
})

async function load(): Promise<LoadCounts> {
  const { body } = await request(`${proxy}/_querent/load`)
  return (await body.json()) as LoadCounts
}
