/** What the proxy sends for a search: with which method, and with the words of a header in it. */
import { describe, expect, it } from 'vitest'
import { engine, json, page, proxyBefore } from '../../../support/proxy-before.ts'
import { type RawRequest, sendRaw, valuesOf } from '../../../support/raw-http.ts'
import type { RecordedRequest } from '../../../support/recording-server.ts'
import { deciding } from '../../../support/scripted-policy.ts'

const explain = ['x-querent-explain', 'header'] as const
const linesOf = (body: Buffer): string[] => String(body).trimEnd().split('\n')

describe('a target that allows GET alone', () => {
  const getOnly = (status: number) => (request: RecordedRequest) =>
    request.method === 'GET' ? engine(request) : { status, headers: [...json], body: '{"error":"only GET"}' }
  const query = { query: { match: { text: 'a question of somebody' } } }
  const body = JSON.stringify({ ...query, from: 1, size: 1 })

  it.each<readonly [string, RawRequest]>([
    ['a search', { path: '/works/_search', headers: [...json, ...explain], body }],
    ['an _msearch', { path: '/_msearch', headers: [...json, ...explain], body: `{}\n${body}\n` }],
  ])('gets all that belongs to a GET with a body as one: %s', async (_, request) => {
    const { upstream, url } = await proxyBefore(getOnly(405))
    const { status, headers } = await sendRaw(url, request)
    expect([status, valuesOf(headers, 'x-querent')]).toEqual([200, [expect.stringMatching(/^(un)?changed/)]])
    expect(upstream.searches.length).toBeGreaterThan(1)
    for (const { method, body, headers } of upstream.searches) {
      expect(method).toBe('GET')
      expect(valuesOf(headers, 'content-length')).toEqual([String(body.length)])
    }
    expect(String(upstream.searches[0]!.body)).toContain('"from":0,"size":2')
  })

  it.each([403, 405])(
    'answers a GET without a body, whose change needs one, as it would have: %d',
    async (status) => {
      const { upstream, url } = await proxyBefore(getOnly(status))
      const path = '/works/_search?q=bridge&from=1&size=1'
      const answer = await sendRaw(url, { path })
      expect([answer.status, JSON.parse(String(answer.body))]).toEqual([200, page])
      const sent = upstream.searches.map(({ method, path }) => `${method} ${path}`)
      expect(sent).toContain('POST /works/_search')
      expect(sent).toContain(`GET ${path}`)
    },
  )

  it("answers with its own refusal where the caller's own search is refused, too", async () => {
    const { url } = await proxyBefore({ status: 403, headers: [...json], body: '{"error":"no"}' })
    const answer = await sendRaw(url, { path: '/works/_search?q=bridge&from=1&size=1' })
    expect([answer.status, String(answer.body)]).toEqual([403, '{"error":"no"}'])
  })
})

describe('the words of x-querent-query', () => {
  const marked = '{"query":{"match":{"text":"{{query}}"}}}'
  const filled = '{"query":{"match":{"text":"who built it"}}}'
  const sorted = marked.replace('}}}', '}},"sort":["year"]}')
  const words = ['x-querent-query', 'who%20built%20it'] as const
  const search = (lines: string, ...more: readonly string[]): RawRequest => ({
    method: 'POST',
    path: '/_msearch',
    headers: [...json, ...explain, ...words, ...more],
    body: lines,
  })

  it('are in all searches of an _msearch, and are what is decided on', async () => {
    const policy = deciding((text) => [`${text} again`])
    const { upstream, url } = await proxyBefore(engine, { policy })
    const { headers } = await sendRaw(url, search(`{}\n${marked}\n{}\n${sorted}\n`))
    expect(valuesOf(headers, 'x-querent')).toEqual([expect.stringMatching(/^(un)?changed/)])
    const [own, legs] = upstream.searches.map(({ body }) => linesOf(body))
    expect(own).toEqual(['{}', filled, '{}', filled.replace('}}}', '}},"sort":["year"]}')])
    expect(String(legs)).toContain('"who built it again"')
  })

  it.each([
    ['none is rewritten', sorted, []],
    ['the caller said so', marked, ['x-querent-optimize', 'false']],
    ['the caller said so in other words', marked, ['x-querent-optimize', 'Off']],
  ])('are in all of them where they pass through: %s', async (_, body, more) => {
    const { upstream, url } = await proxyBefore(engine)
    const { headers } = await sendRaw(url, search(`{}\n${body}\n`, ...more))
    expect(valuesOf(headers, 'x-querent')).toEqual([expect.stringMatching(/^passed through: /)])
    expect(upstream.searches.map(({ body }) => String(body))).toEqual([
      `{}\n${body.replace('{{query}}', 'who built it')}\n`,
    ])
  })

  it.each([
    ['a search', '/works/_search', marked],
    ['an _msearch', '/_msearch', `{}\n${filled}\n{}\n${marked}\n`],
    ['a search that is not to be optimized', '/works/_search', marked, 'x-querent-optimize', 'false'],
  ])('are asked for again where they cannot be read: %s', async (_, path, body, ...more) => {
    const { upstream, url } = await proxyBefore(engine)
    const headers = [...json, ...explain, 'x-querent-query', '100% wool Mary', ...more]
    const answer = await sendRaw(url, { method: 'POST', path, headers, body })
    expect([answer.status, JSON.parse(String(answer.body)).error]).toEqual([
      400,
      expect.objectContaining({
        type: 'querent_bad_request',
        reason: expect.stringContaining('x-querent-query'),
      }),
    ])
    expect(valuesOf(answer.headers, 'x-querent')).toEqual(['failed: its `x-querent-query` cannot be read'])
    expect(upstream.requests).toEqual([])
  })

  it('are no reason to fail where the body needs none', async () => {
    const { upstream, url } = await proxyBefore(engine)
    const headers = [...json, ...explain, 'x-querent-query', '100% wool Mary']
    const answer = await sendRaw(url, { method: 'POST', path: '/works/_search', headers, body: filled })
    expect([answer.status, valuesOf(answer.headers, 'x-querent')]).toEqual([
      200,
      ['passed through: its `x-querent-query` cannot be read'],
    ])
    expect(upstream.searches.map(({ body }) => String(body))).toEqual([filled])
  })

  it.each([
    ['/works/_search', marked, filled],
    ['/_msearch', `{}\n${marked}\n`, `{}\n${filled}\n`],
  ])('are searched beside a history that cannot be read: %s', async (path, body, sent) => {
    const { upstream, url } = await proxyBefore(engine)
    const headers = [...json, ...explain, ...words, 'x-querent-history', 'nonsense']
    const answer = await sendRaw(url, { method: 'POST', path, headers, body })
    expect([answer.status, valuesOf(answer.headers, 'x-querent')]).toEqual([
      200,
      ['passed through: its `x-querent-history` cannot be read'],
    ])
    expect(upstream.searches.map(({ body }) => String(body))).toEqual([sent])
  })

  it('may be UTF-8 as it is', async () => {
    const { upstream, url } = await proxyBefore(engine)
    const headers = [...json, 'x-querent-query', 'café Shelley']
    await sendRaw(url, { method: 'POST', path: '/works/_search', headers, body: marked })
    expect(JSON.parse(String(upstream.searches[0]!.body)).query).toEqual({ match: { text: 'café Shelley' } })
  })

  it('change nothing where no body has a place for them', async () => {
    const { upstream, url } = await proxyBefore(engine)
    // Spaces that would not be written anew.
    const lines = `{ }\n${filled}\n`
    await sendRaw(url, search(lines))
    expect(upstream.searches.map(({ body }) => String(body))).toEqual([lines])
  })
})
