/** The page before the proxy: whose it is, what it keeps, and what it never shows. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type RecentSearches, recentSearches } from '../../../../adapters/apps/proxy/inspect.ts'
import type { ProxyOptions } from '../../../../adapters/apps/proxy/proxy.ts'
import { QuerentError } from '../../../../src/errors.ts'
import type { SearchReport } from '../../../../src/observe.ts'
import type { Step, Trace } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { answerOf } from '../../../support/fake-engine.ts'
import { engineWith, proxyBefore } from '../../../support/proxy-before.ts'

const one = { _index: 'works', _id: 'a', _score: 1, _source: { text: 'secret words' } }
const engine = engineWith(answerOf([one]))

async function inspected(inspect: ProxyOptions['inspect'] = true) {
  const { url, upstream } = await proxyBefore(engine, { inspect })
  const page = `${url}/_querent/inspect`
  return {
    page,
    upstream,
    async search(body: object) {
      const headers = { 'content-type': 'application/json', authorization: 'ApiKey canary' }
      const asked = { method: 'POST', headers, body: JSON.stringify(body) }
      await (await fetch(`${url}/works/_search`, asked)).text()
    },
    async listed(id: number): Promise<RecentSearches> {
      return (await fetch(`${page}?after=${id}`)).json() as Promise<RecentSearches>
    },
  }
}

/** Asks by another name, which `fetch` does not allow. */
const statusFor = (url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

const matching = (text: string) => ({ query: { match: { text } } })

describe('the page of a proxy', () => {
  it('is a page that may only run its own script', async () => {
    const response = await fetch((await inspected()).page)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-/,
    )
    expect(await response.text()).toContain('{"kind":"proxy"}')
  })

  it('lists searches as they come, and explains each one that was decided', async () => {
    const { search, listed, page, upstream } = await inspected()
    expect(await listed(0)).toEqual({ last: 0, searches: [] })
    await search(matching('a question'))
    await search({ query: { match_all: {} } })
    const { last, searches } = await listed(0)
    expect(last).toBe(2)
    expect(searches).toMatchObject([
      { id: 2, said: 'passed through: it matches all documents' },
      { id: 1, text: 'a question', kind: 'decompose', said: expect.stringMatching(/^(un)?changed/) },
    ])
    expect((await listed(1)).searches.map(({ id }) => id)).toEqual([2])
    expect(await listed(9)).toEqual({ last: 2, searches: [] })

    const explained = await (await fetch(`${page}?id=1`)).text()
    expect(JSON.parse(explained)).toMatchObject({
      hits: [{ docid: '["works","a"]', provenance: [{ share: 1 / 3 }, { share: 1 / 3 }, { share: 1 / 3 }] }],
      decision: { kind: 'decompose' },
      said: searches[1]!.said,
      trace: { query: { text: 'a question' } },
    })
    expect(explained).not.toMatch(/secret words|canary/)
    expect((await fetch(`${page}?id=2`)).status).toBe(404)
    expect(upstream.requests.some(({ path }) => path.includes('inspect'))).toBe(false)
  })

  it('is not there unless it is asked for', async () => {
    const { page } = await inspected(false)
    expect((await fetch(page)).status).toBe(404)
  })

  it('only answers to names of this machine, and only reads', async () => {
    const { page } = await inspected()
    expect(await statusFor(page, { host: 'evil.example' })).toBe(403)
    expect(await statusFor(`${page}?after=0`, { host: 'evil.example' })).toBe(403)
    expect((await fetch(page, { method: 'POST', body: 'x' })).status).toBe(405)
  })

  it('needs its token where one is set', async () => {
    const token = 'correct-horse-battery'
    const { page } = await inspected({ token, hosts: false })
    expect((await fetch(`${page}?after=0`)).status).toBe(403)
    const opened = await fetch(`${page}?token=${token}`, { redirect: 'manual' })
    expect(opened.status).toBe(303)
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
    expect(await statusFor(`${page}?after=0`, { cookie })).toBe(200)
  })

  it.each([{ searches: 0 }, { token: 'short' }, { unknown: true }])('refuses %j', async (inspect) => {
    await expectError(proxyBefore(engine, { inspect }), 'bad-config', /proxy: inspect/)
  })
})

describe('recent searches', () => {
  it('are as many as were asked for', () => {
    const recent = recentSearches(2, () => 7)
    for (const reason of ['one', 'two', 'three'])
      recent.observe.onSearch?.({ outcome: { kind: 'passed through', reason } })
    expect(recent.after(0)).toEqual({
      last: 3,
      searches: [
        { id: 3, at: 7, said: 'passed through: three' },
        { id: 2, at: 7, said: 'passed through: two' },
      ],
    })
  })

  it('keep the details of a decision, which the page shows, and not what a model wrote', () => {
    const recent = recentSearches(1)
    const steps: readonly Step[] = [
      { type: 'decide', round: 1, kind: 'split', subQueries: [], details: { candidates: ['Stoker'] } },
      { type: 'ask', prompt: 'rewrite', model: 'm', output: 'canary' },
    ].map((step) => ({ startMs: 0, ms: 1, ...step }) as unknown as Step)
    const trace = { query: { text: 'q' }, steps, times: { total: 1 }, outcome: { hits: [] } }
    recent.observe.onSearch?.({ trace: trace as unknown as Trace })
    const shown = JSON.stringify(recent.find(1))
    expect(shown).toContain('Stoker')
    expect(shown).not.toContain('canary')
  })

  it('have what was said of a search, but of one whose caller left', () => {
    const recent = recentSearches(9)
    const saidOf = (report: SearchReport): string | undefined => {
      recent.observe.onSearch?.(report)
      return recent.after(0).searches[0]!.said
    }
    const error = new QuerentError('aborted', 'The caller is gone')
    expect(saidOf({ error, aborted: true })).toBeUndefined()
    expect(saidOf({ outcome: { kind: 'changed' } })).toBe('changed')
  })
})
