/** Requests that no client library writes: the engine's own answer shows, or a word about what is wrong with them. */
import { describe, expect, it } from 'vitest'
import { engine, json, proxyBefore, query } from '../../../support/proxy-before.ts'
import { sendBytes, sendRaw, valuesOf } from '../../../support/raw-http.ts'

const lines = `{"index":"works"}\n${query}\n`

describe('a search that an engine refuses', () => {
  const search = { path: '/works/_search', body: query }
  const msearch = { path: '/_msearch', body: lines }
  const refused: readonly (readonly [string, typeof search])[] = [
    ['a key twice, with one value', { ...search, body: `{"size":5,"size":5,${query.slice(1)}` }],
    ['a key twice, with two values', { ...search, body: `{"size":5,"size":6,${query.slice(1)}` }],
    [
      'a key twice, deep inside',
      { ...search, body: query.replace('"text":', '"text":"a question of somebody" , "text" :') },
    ],
    [
      'a key twice, written with an escape',
      { ...search, body: `{"size":5,"s\\u0069ze":5,${query.slice(1)}` },
    ],
    ['a key twice, in a line', { ...msearch, body: lines.replace('{"index"', '{"index":"works","index"') }],
    ['a parameter with a bad escape', { ...search, path: '/works/_search?routing=%zz' }],
    ['a parameter with half an escape', { ...search, path: '/works/_search?routing=%' }],
    ['a parameter that is not UTF-8', { ...search, path: '/works/_search?routing=%ff' }],
    ['a path with a bad escape', { ...search, path: '/wor%zzks/_search' }],
    ['lines of which the last has no end', { ...msearch, body: lines.slice(0, -1) }],
    ['lines of which the last is blank and has no end', { ...msearch, body: `${lines} ` }],
  ]
  it.each(refused)('arrives as it was sent: %s', async (_, { path, body }) => {
    const { upstream, url } = await proxyBefore(engine)
    const headers = [...json, 'x-querent-explain', 'header']
    const answer = await sendRaw(url, { method: 'POST', path, headers, body })
    expect(valuesOf(answer.headers, 'x-querent')).toEqual([expect.stringMatching(/^passed through: /)])
    expect(upstream.requests.map((one) => [one.path, String(one.body)])).toEqual([[path, body]])
  })

  it.each([
    [
      'quotes and colons in texts',
      { ...search, body: query.replace('question', '\\"size\\": {\\"size\\":') },
    ],
    [
      'the same key in two objects',
      {
        ...search,
        body: `{"_source":{"includes":["a"]},"aggs":{"a":{"terms":{"field":"a"}},"b":{"terms":{"field":"a"}}},${query.slice(1)}`,
      },
    ],
    ['escapes that are some', { ...search, path: '/works/_search?routing=%C3%A9+a%25' }],
    ['lines with ends of another kind', { ...msearch, body: lines.replaceAll('\n', '\r\n') }],
    ['blank lines at the end', { ...msearch, body: `${lines}\n` }],
  ])('is not one with %s', async (_, { path, body }) => {
    const { upstream, url } = await proxyBefore(engine)
    const headers = [...json, 'x-querent-explain', 'header']
    const answer = await sendRaw(url, { method: 'POST', path, headers, body })
    expect(valuesOf(answer.headers, 'x-querent')).toEqual([expect.stringMatching(/^(un)?changed/)])
    // Its own, that of its sub-query, and what its fields are.
    expect(upstream.requests).toHaveLength(3)
  })
})

describe('a request that cannot be sent on', () => {
  it.each([
    ['anything', 'GET / HTTP/1.1\r\n', ''],
    ['a search', 'POST /works/_search HTTP/1.1\r\ncontent-type: application/json\r\n', query],
  ])("is its caller's fault: two hosts for %s", async (_, head, body) => {
    const { upstream, url } = await proxyBefore(engine)
    const answer = await sendBytes(
      url,
      `${head}host: a\r\nhost: b\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"type":"querent_bad_request".*duplicate host/s)
    expect(answer).not.toContain('cannot be reached')
    expect(upstream.requests).toHaveLength(0)
  })
})

it.each([
  ['', '/*'],
  ['/behind/', '/behind/*'],
])('OPTIONS * goes on, behind the path %j of the target', async (before, path) => {
  const { upstream, url } = await proxyBefore(engine, {}, { before })
  const answer = await sendBytes(url, 'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(upstream.requests.map((one) => `${one.method} ${one.path}`)).toEqual([`OPTIONS ${path}`])
})
