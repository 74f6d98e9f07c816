import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLoopback, refusalOf } from '../../../../adapters/apps/http/guard.ts'

const refused = (headers: Readonly<Record<string, string>>, doors: Parameters<typeof refusalOf>[1] = {}) =>
  refusalOf((name) => headers[name], doors)?.code

describe('the host', () => {
  it.each([
    'localhost',
    'LOCALHOST:9292',
    'proxy.localhost',
    '127.0.0.1:9292',
    '127.8.9.10',
    '[::1]:9292',
    // Names that nobody can register, for programs.
    'elasticsearch:9200',
    'my_engine',
  ])('may be %s', (host) => {
    expect(refused({ host })).toBe(undefined)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evillocalhost.example',
    'xn--localhost-9za.example',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '192.0.2.7',
    'not a host',
  ])('may not be %s', (host) => {
    expect(refused({ host })).toBe('wrong-host')
    expect(refused({ host }, { hosts: ['search.example'] })).toBe('wrong-host')
    expect(refused({ host }, { hosts: false })).toBe(undefined)
  })

  it('may be missing, as in HTTP/1.0, and may be allowed in any form', () => {
    expect(refused({})).toBe(undefined)
    for (const hosts of [['search.example'], ['a.example', 'Search.Example:443']])
      expect(refused({ host: 'search.example:8443' }, { hosts })).toBe(undefined)
  })

  it('is any address where other machines reach the server, and a name without a dot has no pages', () => {
    for (const host of ['192.0.2.7:80', '[2001:db8::1]'])
      expect(refused({ host }, { hosts: ['a.example'], byAddress: true })).toBe(undefined)
    expect(refused({ host: 'intranet:80', origin: 'http://intranet' })).toBe('wrong-host')
    expect(refused({ host: 'intranet', origin: 'http://intranet' }, { hosts: ['intranet'] })).toBe(undefined)
  })
})

describe('the origin', () => {
  const host = 'search.example'
  const at = (headers: Readonly<Record<string, string>>, cors: readonly string[] = []) =>
    refused({ host, ...headers }, { hosts: false, cors })

  it.each(['http://search.example', 'https://search.example'])('may be %s', (origin) => {
    expect(at({ origin })).toBe(undefined)
    expect(at({ origin, host: `${host}:${origin.startsWith('https') ? 443 : 80}` })).toBe(undefined)
  })

  it.each([
    'https://search.example:8443',
    'https://evil.example',
    'https://search.example.evil.example',
    'null',
    'https://search.example, https://evil.example',
    'file://',
  ])('may not be %s, unless pages of all origins may call', (origin) => {
    expect(at({ origin })).toBe('cross-site')
    expect(at({ origin, 'sec-fetch-site': 'cross-site' }, ['https://shop.example'])).toBe('cross-site')
    expect(at({ origin, 'sec-fetch-site': 'cross-site' }, ['*'])).toBe(undefined)
  })

  it('does not count where the browser itself says that the page is the own one: the host may have been changed', () => {
    expect(
      at({ origin: 'https://search.example', host: '127.0.0.1:8178', 'sec-fetch-site': 'same-origin' }),
    ).toBe(undefined)
    expect(at({ 'sec-fetch-site': 'none' })).toBe(undefined)
    for (const site of ['same-site', 'cross-site', 'same-origin, cross-site', 'new-word'])
      expect(at({ 'sec-fetch-site': site })).toBe('cross-site')
  })

  it('is compared as it is with those that are allowed', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { origin } = new URL(url)
        expect(at({ origin }, [origin])).toBe(undefined)
        expect(at({ origin }, [`${origin}0`, 'https://other.example'])).toBe('cross-site')
      }),
    )
  })
})

it('a link opens a page, and only a page', () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect(refused(link, { isPage: true })).toBe(undefined)
  expect(refused(link)).toBe('cross-site')
  expect(refused({ ...link, 'sec-fetch-dest': 'iframe' }, { isPage: true })).toBe('cross-site')
  expect(refused({ ...link, host: 'evil.example' }, { isPage: true })).toBe('wrong-host')
})

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.0.2.7', false],
])('only this machine reaches %s: %s', (address, isSo) => {
  expect(isLoopback(address)).toBe(isSo)
})
