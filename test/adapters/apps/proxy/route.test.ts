/** Which requests to the proxy are searches, and what their URLs say. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parametersOf, pathOf, routeOf, signedUrl } from '../../../../adapters/apps/proxy/route.ts'

const signature = 'AWS4-HMAC-SHA256 Credential=a/b/c/es/aws4_request, SignedHeaders=host, Signature=d'
const asked = (url: string, ...headers: readonly string[]) =>
  ({
    method: 'POST',
    url,
    rawHeaders: ['Content-Type', 'application/json', ...headers],
  }) as unknown as IncomingMessage

describe('a search', () => {
  it('has the parameters that the engines read: a semicolon stands between them as well', () => {
    expect(routeOf(asked('/works/_search?routing=a%3Bb;scroll=1m&size=5'), false)).toMatchObject({
      parameters: { routing: 'a;b', scroll: '1m', size: '5' },
    })
  })

  it('that is signed passes through, unless the proxy signs', () => {
    const signed = asked('/_search', 'Authorization', signature)
    expect(routeOf(signed, false)).toEqual({ reason: 'it is signed, and another body would not be' })
    expect(routeOf(signed, true)).toMatchObject({ kind: 'search' })
  })
})

it('a URL has a path and parameters, read as the engines read them', () => {
  expect(pathOf('/works/_search?q=a')).toBe('/works/_search')
  expect(pathOf('/works/_search')).toBe('/works/_search')
  expect([...parametersOf('/_search?q=a+b;size=5&q=c%26')]).toEqual([
    ['q', 'a b'],
    ['size', '5'],
    ['q', 'c&'],
  ])
  expect([...parametersOf('/_search')]).toEqual([])
})

it('a signed URL has its parameters in one spelling, without those of another signature', () => {
  expect(signedUrl("/_search?q=it's+(a)*;X-Amz-Date=1&q=b")).toEqual({
    path: '/_search',
    query: { q: ["it's (a)*", 'b'] },
    url: '/_search?q=it%27s%20%28a%29%2A&q=b',
  })
  expect(signedUrl('/_search?x-amz-date=1').url).toBe('/_search')
  expect(signedUrl('/?__proto__=a').query).toEqual(
    Object.assign(Object.create(null), { ['__proto__']: ['a'] }),
  )
})
