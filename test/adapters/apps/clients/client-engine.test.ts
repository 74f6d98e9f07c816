/** A search of a client, as a request that Querent can answer: the same for both official clients. */
import { describe, expect, it } from 'vitest'
import {
  type ClientResult,
  clientEngine,
  ofOurs,
  wantsJson,
} from '../../../../adapters/apps/clients/client-engine.ts'

const { signal } = new AbortController()
const result: ClientResult = { body: { took: 1 }, statusCode: 200, headers: { a: 'b' } }
const request = { method: 'GET', path: '/works/_search', querystring: { q: 'a' } }

/** An engine that notes what is sent, and ends with this. */
function noting(end: ClientResult | Error = result, kind: 'search' | 'msearch' = 'search') {
  const sent: unknown[] = []
  const engine = clientEngine(
    { kind, request: { ...request, path: `/works/_${kind}` }, options: { opaqueId: 'o' } },
    async (asked, options) => {
      sent.push([asked, options])
      if (end instanceof Error) throw end
      return end
    },
    { maxResponseSize: 9 },
  )
  return { sent, engine }
}

describe("the caller's own search", () => {
  it('is sent as the client would send it, or changed', async () => {
    const { sent, engine } = noting()
    await engine.send(undefined, { signal })
    const changed = [{ header: {}, body: { size: 3 }, url: { pretty: true } }]
    await engine.send(changed, { signal })
    await engine.send(changed, { signal, isLarger: true })
    const larger = { ...request, method: 'POST', querystring: { pretty: true }, body: { size: 3 } }
    expect(sent).toEqual([
      [request, { opaqueId: 'o' }],
      [larger, { opaqueId: 'o' }],
      [larger, { opaqueId: 'o', maxResponseSize: 9, maxRetries: 0 }],
    ])
  })

  it('has an answer as the client gives it, and the result itself for the end', async () =>
    expect(await noting().engine.send(undefined, { signal })).toEqual({
      body: { took: 1 },
      status: 200,
      headers: { a: 'b' },
      own: { result },
    }))

  it('has an error that the engine answered with as an answer', async () => {
    const error = Object.assign(new Error('no'), { statusCode: 429, body: { error: 'busy' }, headers: {} })
    expect(await noting(error).engine.send(undefined, { signal })).toEqual({
      body: { error: 'busy' },
      status: 429,
      headers: {},
      own: { error },
    })
  })

  it.each([
    ['has no status', {}],
    // Elasticsearch's client has the status of an answer whose body it could not read.
    ['has a status of success', { statusCode: 200 }],
  ])('throws an error that %s', async (_, more) => {
    const error = Object.assign(new Error('reset'), more)
    await expect(noting(error).engine.send(undefined, { signal })).rejects.toBe(error)
  })

  it('is lines in turn, for an `_msearch`', async () => {
    const { sent, engine } = noting(result, 'msearch')
    await engine.send([{ header: { index: 'a' }, body: { size: 3 } }], { signal })
    expect(sent).toMatchObject([[{ path: '/works/_msearch', bulkBody: [{ index: 'a' }, { size: 3 }] }, {}]])
  })
})

describe('what Querent adds', () => {
  const options = { signal, timeout: 100, url: { typed_keys: true } }

  it.each(['search', 'msearch'] as const)('goes to the index of the %s, with its identity', async (kind) => {
    const responses = [{ took: 1 }]
    const { sent, engine } = noting({ body: { responses } }, kind)
    expect(await engine.msearch([{ header: {}, body: { size: 1 } }], options)).toBe(responses)
    expect(sent).toMatchObject([
      [
        { path: '/works/_msearch', querystring: { typed_keys: true }, bulkBody: [{}, { size: 1 }] },
        { opaqueId: 'o', maxRetries: 0 },
      ],
    ])
  })

  it('names no index beside a point in time, which knows its own', async () => {
    const { sent, engine } = noting({ body: {} })
    expect(await engine.msearch([{ header: {}, body: { pit: { id: 'p' } } }], options)).toBeUndefined()
    expect(sent).toMatchObject([[{ path: '/_msearch' }, {}]])
  })
})

it('ofOurs has no headers that say something of the body, and no parameters', () => {
  const headers = { Authorization: 'x', 'Content-Type': 'a/b', accept: 'c/d', 'Content-Encoding': 'gzip' }
  expect(ofOurs({ headers, querystring: { q: 'a' }, meta: true })).toEqual({
    headers: { Authorization: 'x' },
    meta: true,
  })
})

it.each([
  [{}, true],
  [{ Accept: 'application/json' }, true],
  [{ accept: '*/*' }, true],
  [{ accept: 'application/vnd.elasticsearch+json; compatible-with=9' }, true],
  [{ Accept: 'application/cbor' }, false],
])('wantsJson of %j is %s', (headers, expected) => expect(wantsJson(headers)).toBe(expected))
