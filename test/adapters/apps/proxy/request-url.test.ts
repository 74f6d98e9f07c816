import { expect, it } from 'vitest'
import { parametersOf, pathOf, signedUrl } from '../../../../adapters/apps/proxy/route.ts'

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
