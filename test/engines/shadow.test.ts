/** A shadow changes nothing: answers are those of the engine, byte for byte, and at its speed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { quantile } from '../../src/learn/statistics.ts'
import type { ShadowSearch } from '../../src/shadow-search.ts'
import { sendRaw, withoutNames } from '../support/raw-http.ts'
import { createWorld } from '../support/search-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { searchBodies } from './search-bodies.ts'

const json = ['content-type', 'application/json'] as const
const logOf = async () => join(await temporaryFolder(), 'shadow.jsonl')
const linesOf = async (log: string): Promise<ShadowSearch[]> =>
  (await readFile(log, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ShadowSearch)

/** Without what takes its time, and what is the connection's. */
const lasting = ({ status, headers, body }: Awaited<ReturnType<typeof sendRaw>>) => [
  status,
  withoutNames(headers, 'connection', 'keep-alive', 'content-length', 'transfer-encoding'),
  String(body).replace(/"took":\d+/g, '"took":0'),
]

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  it('answers each kind of search as it does without the proxy, while the log says what would change', async () => {
    const world = await createWorld(kind, inject(kind))
    const log = await logOf()
    const proxy = await createProxy({ target: world.url, shadow: { log }, maxDelay: 60_000 })
    onTestFinished(async () => {
      await proxy.close()
      await world.close()
    })
    const url = await proxy.listen(0)
    // A profile tells times.
    const ours = searchBodies.filter(
      ({ name, engines = [kind] }) => engines.includes(kind) && name !== 'profile',
    )
    for (const { name, body, index = () => world.works, parameters = {} } of ours) {
      const at = index(world)
      const path = `${at === undefined ? '' : `/${at}`}/_search?${new URLSearchParams(parameters)}`
      const words = 'engineer of the Brooklyn Bridge born at Saxonburg'
      const asked = { method: 'POST', path, headers: json, body: JSON.stringify(body(words, world)) }
      const [own, given] = [await sendRaw(world.url, asked), await sendRaw(url, asked)]
      expect(lasting(given), name).toEqual(lasting(own))
    }
    await vi.waitFor(async () => expect(await linesOf(log)).toHaveLength(ours.length), { timeout: 120_000 })
    const lines = await linesOf(log)
    expect(lines.filter(({ outcome }) => outcome === 'changed').length).toBeGreaterThan(0)
    expect(await readFile(log, 'utf8')).not.toMatch(/Brooklyn|Saxonburg/)
  })
})

const ways = ['direct', 'shadow', 'passing'] as const

describe('beside an engine that takes 20 ms', () => {
  const children: ChildProcess[] = []
  async function start(script: string, ...words: string[]): Promise<string> {
    const child = fork(fileURLToPath(new URL(`../support/${script}`, import.meta.url)), words)
    children.push(child)
    onTestFinished(() => void child.kill())
    const [url] = (await once(child, 'message')) as [string]
    return url
  }

  /** Searches of all sorts, one in ten of which is none. */
  const bodiesFor = (text: string, place: number): { readonly path: string; readonly body: string } => {
    const query = { multi_match: { query: `${text} ${place}`, fields: ['title', 'text'] } }
    const kinds = [
      { query },
      { query, size: 3 },
      { query, from: 5, size: 5 },
      { query, sort: ['year'] },
      { query, size: 0 },
    ]
    const body = JSON.stringify(kinds[place % kinds.length])
    if (place % 10 === 9) return { path: '/works/_count', body }
    return place % 10 === 8
      ? { path: '/works/_msearch', body: `{}\n${body}\n{}\n${body}\n` }
      : { path: '/works/_search', body }
  }

  it('10,000 mixed searches get its answers, byte for byte, and half of them as soon', async () => {
    const [engine, log] = [await start('quick-engine.mjs', '20'), await logOf()]
    const proxy = await start('built-proxy.mjs', engine, JSON.stringify({ shadow: { log } }))
    const queries = (await readFile('src/sample/queries.jsonl', 'utf8')).trim().split('\n')
    const texts = queries.map((line) => (JSON.parse(line) as { readonly text: string }).text)
    const times = { direct: [] as number[], passing: [] as number[], shadow: [] as number[] }
    const answers: Record<keyof typeof times, string[]> = { direct: [], passing: [], shadow: [] }
    async function ask(place: number, way: keyof typeof times): Promise<void> {
      const { path, body } = bodiesFor(texts[place % texts.length]!, place)
      const headers = { 'content-type': 'application/json', 'x-querent-optimize': `${way === 'shadow'}` }
      const sent = performance.now()
      const answer = await request((way === 'direct' ? engine : proxy) + path, {
        method: 'POST',
        headers,
        body,
      })
      const text = await answer.body.text()
      times[way].push(performance.now() - sent)
      answers[way][place] = `${answer.statusCode} ${text}`
    }
    // Blocks of all ways in turns, since the machine may be busy with other things; eight callers at a time.
    const [count, block] = [10_000, 250]
    let different = 0
    for (let start = 0; start < count; start += block)
      for (const way of start % 1000 === 0 ? ways : ways.slice(0, 2)) {
        let next = start
        const caller = async () => {
          for (let place = next++; place < start + block; place = next++) await ask(place, way)
        }
        await Promise.all(Array.from({ length: 8 }, caller))
      }
    for (const [place, own] of answers.direct.entries()) if (answers.shadow[place] !== own) different++
    const [direct, shadow, passing] = ways.map((way) =>
      quantile(
        times[way].toSorted((a, b) => a - b),
        0.5,
      ),
    )
    const lines = await linesOf(log)
    const shed = lines.filter(({ outcome }) => outcome === 'shed').length
    process.stdout.write(
      `p50 direct ${direct!.toFixed(2)} ms, passing ${passing!.toFixed(2)}, in shadow ${shadow!.toFixed(2)}: ${(shadow! / direct!).toFixed(3)} times direct; ${shed} of ${lines.length} were shed\n`,
    )
    expect(different).toBe(0)
    expect(lines.some(({ outcome }) => outcome === 'changed')).toBe(true)
    // On an idle machine, 1.05 times direct. One that is busy has little time for any proxy.
    expect(shadow! / passing!).toBeLessThan(1.5)
  })
})
