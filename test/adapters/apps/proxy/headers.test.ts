/** Which headers reach the engine, and which of them identify a caller. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forwarded, headerOf, identityOf } from '../../../../adapters/apps/proxy/headers.ts'

describe('headers that are forwarded', () => {
  it('keep their order, their case and their repetitions', () => {
    const headers = ['X-B', '1', 'x-a', '2', 'X-B', '3']
    expect(forwarded(headers)).toEqual(headers)
  })

  it("are without those of the connection, those that Connection names, Querent's and the ones given", () => {
    const headers = [
      ...['Host', 'engine', 'Connection', 'keep-alive, X-Hop', 'x-hop', '1', 'Keep-Alive', 'timeout=5'],
      ...['Transfer-Encoding', 'chunked', 'Expect', '100-continue', 'X-Querent-Explain', 'true', 'Date', 'x'],
    ]
    expect(forwarded(headers, 'date')).toEqual(['Host', 'engine'])
  })

  it.each([
    [['Connection', 'keep-alive', 'Connection', 'X-Hop']],
    [['connection', 'x-one, close', 'X-One', '1', 'CONNECTION', 'x-two ,X-HOP']],
  ])('are without those that any line of Connection names: %j', (lines) =>
    expect(forwarded([...lines, 'X-Two', '2', 'X-Hop', '3'])).toEqual(lines.length > 4 ? [] : ['X-Two', '2']),
  )

  it('never include one of the connection, whatever its case', () => {
    const names = fc.constantFrom('te', 'TE', 'Upgrade', 'proxy-authorization', 'X-QUERENT-QUERY', 'accept')
    fc.assert(
      fc.property(fc.array(names), (list) => {
        const kept = forwarded(list.flatMap((name) => [name, 'value']))
        expect(new Set(kept)).toEqual(new Set(list.includes('accept') ? ['accept', 'value'] : []))
      }),
    )
  })
})

it('a header is found in any case, and a repeated one has its first value', () => {
  const headers = ['Accept', 'a', 'ACCEPT', 'b']
  expect(headerOf(headers, 'accept')).toBe('a')
  expect(headerOf(headers, 'host')).toBeUndefined()
})

describe('the identity of a caller', () => {
  it('depends on its credentials, and not on their place or on what differs between its requests', () => {
    const one = identityOf(['Authorization', 'Basic a', 'X-Tenant', 'b', 'User-Agent', 'c'])
    expect(identityOf(['x-tenant', 'b', 'authorization', 'Basic a', 'X-Request-Id', '7'])).toBe(one)
    expect(identityOf(['Authorization', 'Basic z', 'X-Tenant', 'b'])).not.toBe(one)
    expect(identityOf(['Authorization', 'Basic a', 'X-Tenant', 'z'])).not.toBe(one)
  })

  it('is the access key of an AWS signature, whose rest differs in each request', () => {
    const signed = (key: string, signature: string) =>
      identityOf([
        'Authorization',
        `AWS4-HMAC-SHA256 Credential=${key}/20260830/eu/es/aws4_request, Signature=${signature}`,
      ])
    expect(signed('one', 'a')).toBe(signed('one', 'b'))
    expect(signed('one', 'a')).not.toBe(signed('two', 'a'))
  })
})
