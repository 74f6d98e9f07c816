/** Trying Querent out through the proxy: who gets which answer, and what the log says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, asyncProperty, string } from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { inShare } from '../../../../adapters/apps/drop-in/run/share.ts'
import type { ShadowSearch } from '../../../../src/shadow-search.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { engine, engineWith, json, proxyBefore } from '../../../support/proxy-before.ts'
import { type RawRequest, sendRaw, valuesOf, withoutNames } from '../../../support/raw-http.ts'
import type { RecordedRequest } from '../../../support/recording-server.ts'
import { deciding } from '../../../support/scripted-policy.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const words = 'a question of somebody'
const bodyOf = (text: string): string => JSON.stringify({ query: { match: { text } } })
const searching = (more: Partial<RawRequest> = {}): RawRequest => ({
  method: 'POST',
  path: '/works/_search',
  headers: json,
  body: bodyOf(words),
  ...more,
})
const explained = (...headers: readonly string[]): RawRequest =>
  searching({ headers: [...json, 'x-querent-explain', 'header', ...headers] })

/** The caller's own search finds a and b, those of the policy c. */
const changing = (request: RecordedRequest) =>
  (request.path.includes('_msearch') ? engineWith(answerOf(found('c'))) : engine)(request)

async function logged(log: string, count: number): Promise<readonly ShadowSearch[]> {
  const lines = () => readFileSync(log, 'utf8').split('\n').slice(0, -1)
  await vi.waitFor(() => expect(lines().length).toBeGreaterThanOrEqual(count), { timeout: 30_000 })
  return lines().map((line) => JSON.parse(line) as ShadowSearch)
}

describe('shadow', () => {
  const logOf = async () => join(await temporaryFolder(), 'shadow.jsonl')

  it("returns the engine's own answer, byte for byte, and logs what would change", async () => {
    const log = await logOf()
    const { upstream, url } = await proxyBefore(changing, { shadow: { log }, explain: true })
    const [own, given] = [await sendRaw(upstream.url, searching()), await sendRaw(url, searching())]
    const lasting = withoutNames(own.headers, 'keep-alive')
    expect([withoutNames(given.headers, 'keep-alive'), String(given.body)]).toEqual([
      lasting,
      String(own.body),
    ])
    const [line, ...others] = await logged(log, 1)
    expect(others).toEqual([])
    expect(line).toMatchObject({ index: 'works', outcome: 'changed', decision: 'decompose', in: ['c'] })
    expect([line!.before, line!.after!.toSorted()]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
    expect(line!.overlap).toBeCloseTo(2 / 3)
    expect(line).toMatchObject({
      subQueries: expect.any(Number),
      asks: 0,
      tokens: 0,
      requests: expect.any(Number),
    })
    // The first two are those of this test.
    expect(line!.requests).toBe(upstream.requests.length - 2)
  })

  it('is made although the caller has gone', async () => {
    const log = await logOf()
    const { upstream, url } = await proxyBefore(changing, { shadow: { log } })
    const gone = new AbortController()
    const asked = fetch(`${url}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyOf(words),
      signal: gone.signal,
    }).catch(() => {})
    await upstream.arrived(1)
    gone.abort()
    await asked
    expect(await logged(log, 1)).toMatchObject([{ outcome: 'changed' }])
  })

  it('says why a search would pass through, without what the caller wrote', async () => {
    const log = await logOf()
    const { url } = await proxyBefore(engine, { shadow: { log } })
    await sendRaw(url, searching({ path: '/works/_search?secret=1' }))
    const [line] = await logged(log, 1)
    expect(line).toMatchObject({ outcome: 'passed through', reason: 'Querent does not know its parameter …' })
  })

  it('logs each search of an _msearch, and what the engine does not answer', async () => {
    const log = await logOf()
    const lines = `{}\n${bodyOf(words)}\n{}\n{"query":{"match_all":{}}}\n`
    const { url } = await proxyBefore(changing, { shadow: { log } })
    await sendRaw(url, searching({ path: '/works/_msearch', body: lines }))
    expect(await logged(log, 2)).toMatchObject([{ decision: 'decompose' }, { outcome: 'passed through' }])
    const other = await logOf()
    const { url: at } = await proxyBefore('cut', { shadow: { log: other } })
    await sendRaw(at, searching())
    expect(await logged(other, 1)).toMatchObject([{ outcome: 'failed' }])
  })

  it('never logs words or titles, unless it is asked for', async () => {
    const log = await logOf()
    const { url } = await proxyBefore(changing, { shadow: { log } })
    let count = 0
    await assert(
      asyncProperty(
        string({ minLength: 3, unit: 'grapheme' }),
        string({ minLength: 1 }),
        async (text, sort) => {
          const secret = `xyzzy ${text}`
          await sendRaw(url, searching({ body: bodyOf(secret) }))
          await logged(log, count + 1)
          await sendRaw(
            url,
            searching({ path: `/works/_search?xyzzy=${encodeURIComponent(sort)}`, body: bodyOf(secret) }),
          )
          count += 2
          // One that comes while another is made would be left out.
          await logged(log, count)
        },
      ),
      { numRuns: 25 },
    )
    const text = readFileSync(log, 'utf8')
    expect(text).not.toMatch(/xyzzy|title of/)
    expect(text).toMatch(/"outcome":"changed"/)
  })

  it('logs words and titles if asked to', async () => {
    const log = await logOf()
    const policy = { ...deciding(['one', 'two']), reads: true }
    const { url } = await proxyBefore(changing, { policy, shadow: { log, words: true } })
    await sendRaw(url, searching())
    expect(await logged(log, 1)).toMatchObject([{ words, titles: { a: 'title of a', c: 'title of c' } }])
  })
})

describe('share', () => {
  const said = async (url: string, request: RawRequest) =>
    valuesOf((await sendRaw(url, request)).headers, 'x-querent')[0]

  it('optimizes for that part of the callers, each of whom stays on its side', async () => {
    const { url } = await proxyBefore(changing, { share: { share: 0.5, by: 'X-User' }, metrics: true })
    const users = Array.from({ length: 40 }, (_, user) => `${user}`)
    const outcomes = await Promise.all(users.map((user) => said(url, explained('x-user', user))))
    expect(outcomes).toEqual(
      users.map((user) =>
        inShare(user, 0.5, 'share') ? 'changed' : 'passed through: its caller is not in the share',
      ),
    )
    expect(new Set(outcomes).size).toBe(2)
    const metrics = String((await sendRaw(url, { path: '/_querent/metrics' })).body)
    expect(metrics).toContain('reason="its caller is not in the share"')
  })

  it('tells callers apart by their session, and what has none by its identity', async () => {
    const { url } = await proxyBefore(changing, { share: { share: 0.5, by: 'session' } })
    const of = (preference: string, ...headers: string[]) =>
      said(url, { ...explained(...headers), path: `/works/_search?preference=${preference}` })
    const sides = await Promise.all(Array.from({ length: 20 }, (_, session) => of(`s${session}`)))
    expect(new Set(sides).size).toBe(2)
    expect(await of('_local')).toBe(await said(url, explained()))
    expect(await of('s1', 'authorization', 'another')).toBe(sides[1])
  })

  it('is nobody or everybody at its ends', async () => {
    for (const share of [0, 1] as const) {
      const { url } = await proxyBefore(changing, { share })
      expect(await said(url, explained())).toMatch(share === 1 ? /^changed/ : /^passed through/)
    }
  })

  it.each([
    ['is off', () => true],
    [
      'fails',
      () => {
        throw new Error('no')
      },
    ],
  ])('and with everybody: nothing is optimized while the switch %s', async (_, isOff) => {
    const { url, upstream } = await proxyBefore(changing, { isOff })
    expect(await said(url, explained())).toBe('passed through: Querent is switched off')
    expect(upstream.requests).toHaveLength(1)
  })
})

it.each([{ share: 1.5 }, { share: { by: 'session' } }, { shadow: 'yes' }, { isOff: true }])(
  '%j is refused',
  async (wrong) => expect(proxyBefore(engine, wrong as never)).rejects.toMatchObject({ code: 'bad-config' }),
)

it('a log that cannot be opened is told at once', async () =>
  expect(proxyBefore(engine, { shadow: { log: '/nowhere/at/all.jsonl' } })).rejects.toMatchObject({
    code: 'write-failed',
  }))
