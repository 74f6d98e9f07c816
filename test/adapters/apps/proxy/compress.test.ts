/** Optimized answers are compressed as their caller accepts it. */
import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ProxyOptions } from '../../../../adapters/apps/proxy/proxy.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { engineWith, json, proxyBefore, query } from '../../../support/proxy-before.ts'
import { sendRaw, valuesOf } from '../../../support/raw-http.ts'
import type { Answer, RecordedRequest } from '../../../support/recording-server.ts'

const long = found(...Array.from({ length: 30 }, (_, place) => `document ${place}`))
const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }

async function answerFor(
  accept: string | undefined,
  answer: Answer | ((request: RecordedRequest) => Answer) = engineWith(answerOf(long)),
  options: Partial<ProxyOptions> = {},
) {
  const { upstream, url } = await proxyBefore(answer, options)
  const accepting = accept === undefined ? [] : ['accept-encoding', accept]
  const headers = [...json, ...accepting]
  const given = await sendRaw(url, { method: 'POST', path: '/works/_search', headers, body: query })
  expect(valuesOf(given.headers, 'content-length')).toEqual([String(given.body.length)])
  return { upstream, given, encodings: valuesOf(given.headers, 'content-encoding') }
}
const hitsOf = (body: Buffer): number => JSON.parse(String(body)).hits.hits.length

describe('an optimized answer', () => {
  it.each([
    ['gzip', 'gzip'],
    ['deflate', 'deflate'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip;q=0.5, br;q=0.9', 'br'],
    ['GZIP ; Q=0.5', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['identity, gzip', 'gzip'],
    ['*', 'gzip'],
  ] as const)('is compressed for who accepts %s', async (accept, encoding) => {
    const { given, encodings } = await answerFor(accept)
    expect(encodings).toEqual([encoding])
    const plain = decoders[encoding](given.body)
    expect(hitsOf(plain)).toBe(10)
    expect(given.body.length).toBeLessThan(plain.length / 2)
  })

  it.each([
    undefined,
    '',
    'identity',
    'zstd',
    'gzip;q=0',
    '*;q=0',
    'identity;q=1, gzip;q=0.5',
    'gzip;q=nonsense',
  ])('is as it is for who accepts %s', async (accept) => {
    const { given, encodings } = await answerFor(accept)
    expect(encodings).toEqual([])
    expect(hitsOf(given.body)).toBe(10)
  })

  it('that is short is not', async () => {
    const { given, encodings } = await answerFor('gzip', engineWith(answerOf(found('a'))))
    expect(encodings).toEqual([])
    expect(hitsOf(given.body)).toBe(1)
  })

  it('that the engine has compressed is not compressed again', async () => {
    const bytes = gzipSync(JSON.stringify({ error: { reason: 'x'.repeat(5000) }, status: 400 }))
    const headers = [...json, 'content-encoding', 'gzip', 'content-length', String(bytes.length)]
    const { given, encodings } = await answerFor('gzip', { status: 400, headers, body: bytes })
    expect(encodings).toEqual(['gzip'])
    expect(given.body.equals(bytes)).toBe(true)
  })
})

it('the engine is asked for what is read here uncompressed', async () => {
  const { upstream } = await answerFor('gzip')
  const accepted = Object.fromEntries(
    upstream.requests.map(({ path, headers }) => [path, valuesOf(headers, 'accept-encoding')]),
  )
  expect(accepted).toMatchObject({ '/works/_msearch': [] })
})
