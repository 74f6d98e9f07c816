/** Requests that are meant to break something: the target sees what it would have seen, or nothing, and the proxy goes on. */
import { describe, expect, it } from 'vitest'
import { ambiguousRequests } from '../../../support/ambiguous-requests.ts'
import { openSocket } from '../../../support/open-socket.ts'
import { engine, json, proxyBefore, query } from '../../../support/proxy-before.ts'
import { jsonHead, sendBytes, sendRaw, valuesOf } from '../../../support/raw-http.ts'

const explain = ['x-querent-explain', 'header'] as const
const searchWith = (body: string | Buffer) => ({
  method: 'POST',
  path: '/works/_search',
  headers: [...json, ...explain],
  body,
})

describe('two requests in one', () => {
  describe.each(['/_bulk', '/works/_search'])('to %s', (path) => {
    it.each(ambiguousRequests)('are not made of one: %s', async (_, headers, rest) => {
      const { upstream, url } = await proxyBefore(engine)
      const { socket, received } = await openSocket(
        url,
        `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${rest}`,
      )
      socket.end()
      expect(await received).toMatch(/^HTTP\/1\.1 400 /)
      // By the time that another one is answered, whatever was sent on has come.
      await sendRaw(url, { path: '/after' })
      expect(upstream.requests.map((one) => one.path)).not.toContain('/secret')
    })
  })

  it('behind one another are two, in their order', async () => {
    const { upstream, url } = await proxyBefore(engine)
    const search = jsonHead('/works/_search', query.length) + query
    const last = 'GET /last HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
    const answers = await sendBytes(url, search + search + last)
    expect(answers.split('HTTP/1.1 200 OK').length - 1).toBe(3)
    expect(upstream.requests.filter(({ path }) => path === '/works/_search')).toHaveLength(2)
  })

  it('stay in their chunks, extensions and trailers left out', async () => {
    const { upstream, url } = await proxyBefore(engine)
    const body = `5;a=b\r\n{"a":\r\n2\r\n1}\r\n0\r\nx-trailer: ${'y'}\r\n\r\n`
    const answer = await sendBytes(
      url,
      `POST /works/_doc HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(upstream.requests.map((one) => String(one.body))).toEqual(['{"a":1}'])
    expect(valuesOf(upstream.requests[0]!.headers, 'x-trailer')).toEqual([])
  })
})

describe('a body', () => {
  const deep = (count: number, open: string, end: string): string => open.repeat(count) + end.repeat(count)
  it.each([
    ['100,000 lists', deep(100_000, '[', ']')],
    ['40,000 objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
    ['lists that do not end', '['.repeat(250_000)],
    [
      '20,000 conditions around a question',
      `{"query":${'{"bool":{"must":'.repeat(12_000)}{"match":{"text":"a"}}${'}}'.repeat(12_000)}}`,
    ],
  ])('may be of any depth, and goes on as it came: %s', async (_, body) => {
    const { upstream, url } = await proxyBefore(engine)
    const answer = await sendRaw(url, searchWith(body))
    expect(valuesOf(answer.headers, 'x-querent')).toEqual([expect.stringMatching(/^passed through: /)])
    expect(upstream.requests.map((one) => String(one.body) === body)).toEqual([true])
  })

  it.each([
    ['a key that objects have by themselves', `{"__proto__":{"size":0,"polluted":true},${query.slice(1)}`],
    ['such a key in a clause', '{"query":{"match":{"__proto__":"a question of somebody"}}}'],
    [
      'such keys beside words',
      '{"query":{"bool":{"must":[{"match":{"text":"a question"}}],"filter":[{"term":{"constructor":{"value":{"prototype":1}}}},{"term":{"__proto__":"x"}}]}}}',
    ],
  ])('changes nothing here, and keeps all its keys: %s', async (_, body) => {
    const { upstream, url } = await proxyBefore(engine)
    expect((await sendRaw(url, searchWith(body))).status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(({} as Record<string, unknown>).size).toBeUndefined()
    for (const { path, body: sent } of upstream.requests) {
      if (path.includes('_field_caps')) expect(String(sent)).toBe('')
      else if (path.includes('_msearch')) expect(String(sent).split('__proto__').length - 1).toBe(2)
      else expect(String(sent)).toBe(body)
    }
  })

  it('keeps its numbers on every leg, whatever their size', async () => {
    const numbers = [
      '9007199254740993',
      '-9223372036854775808',
      '1.0',
      '1e400',
      '0.1000000000000000055511151231257827',
    ]
    const filters = numbers.map((number, place) => `{"term":{"n${place}":${number}}}`).join(',')
    const body = `{"query":{"bool":{"must":[{"match":{"text":"a question of somebody"}}],"filter":[${filters}]}}}`
    const { upstream, url } = await proxyBefore(engine)
    const answer = await sendRaw(url, searchWith(body))
    expect(valuesOf(answer.headers, 'x-querent')).toEqual([expect.stringMatching(/^(un)?changed/)])
    const legs = upstream.requests.find(({ path }) => path.includes('_msearch'))
    for (const number of numbers) expect(String(legs!.body).split(`:${number}}`).length - 1, number).toBe(2)
  })

  it.each([
    ['bytes that are no letters', Buffer.from([0xc3, 0x28, 0xa0, 0xff, 0xfe])],
    ['half a letter', Buffer.from([0xe2, 0x82])],
    ['a letter that is written too long', Buffer.from([0xc0, 0xaf])],
    ['half a pair', Buffer.from([0xed, 0xa0, 0x80])],
  ])('that is not UTF-8 goes on byte for byte: %s', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"query":{"match":{"text":"caf'), bytes, Buffer.from('"}}}')])
    for (const path of ['/works/_search', '/_bulk', '/works/_doc/1']) {
      const { upstream, url } = await proxyBefore(engine)
      await sendRaw(url, { ...searchWith(body), path })
      expect(upstream.requests).toHaveLength(1)
      expect(upstream.requests[0]!.body.equals(body), path).toBe(true)
    }
  })
})

describe('callers that go', () => {
  const half = jsonHead('/works/_search', query.length)
  it('leave nothing behind, at whatever moment: two hundred of them', async () => {
    const { upstream, url } = await proxyBefore(
      ({ path }) => (path === '/' ? { headers: ['content-length', '0'] } : 'hang'),
      { most: 30, concurrency: 20, connections: 4 },
    )
    const moments = [
      '',
      'GET /x',
      'GET /x HTTP/1.1\r\nhost: a\r\n\r\n',
      half,
      half + query.slice(0, 9),
      half + query,
    ]
    for (let round = 0; round < 5; round++) {
      const held = await Promise.all(
        Array.from({ length: 40 }, (_, place) => openSocket(url, moments[place % moments.length])),
      )
      for (const [place, { socket }] of held.entries())
        place % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()
      await Promise.all(held.map(({ received }) => received))
    }
    // More than may be under way at a time have come and gone: those that had come to the target are gone from it, too.
    expect((await sendRaw(url, { path: '/' })).status).toBe(200)
    expect((await sendRaw(url, { path: '/_querent/ready' })).status).toBe(200)
    await upstream.left(upstream.requests.filter(({ path }) => path !== '/').length)
  })
})
