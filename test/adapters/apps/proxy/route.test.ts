/** Which requests to the proxy are searches. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { routeOf } from '../../../../adapters/apps/proxy/route.ts'

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
