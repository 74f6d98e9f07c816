/** A search of a client, taken apart: the same for both official clients. */
import { describe, expect, it } from 'vitest'
import {
  type ClientCalls,
  type ClientResult,
  clientEngine,
  clientMsearchEngine,
  headersOfOurs,
  wantsJson,
} from '../../../../adapters/apps/clients/client-calls.ts'

const { signal } = new AbortController()
const options = { signal, timeout: 100, url: {} }
const result: ClientResult = { body: { took: 1 }, statusCode: 200, headers: { a: 'b' } }

/** Calls that note what they send, and end with this. */
function noting(end: ClientResult | Error = result) {
  const sent: unknown[] = []
  const send = (...what: readonly unknown[]) => {
    sent.push(what)
    return end instanceof Error ? Promise.reject(end) : Promise.resolve(end)
  }
  const calls: ClientCalls = {
    own: () => send('own'),
    changed: (change) => send('changed', change),
    msearch: (lines, index) => send('msearch', lines, index),
    fieldCaps: ({ path }) => send('fields', path),
  }
  return { sent, calls }
}

describe('clientEngine', () => {
  const change = { body: { size: 3 }, url: {} }

  it("sends the caller's own search, or a change of it", async () => {
    const { sent, calls } = noting()
    const { search } = clientEngine(calls, 'works')
    await search(undefined, { signal })
    await search(change, { signal })
    expect(sent).toEqual([['own'], ['changed', change]])
  })

  it('has an answer as the client gives it, and the result itself for the end', async () => {
    const { search } = clientEngine(noting().calls, 'works')
    expect(await search(undefined, { signal })).toEqual({
      body: { took: 1 },
      status: 200,
      headers: { a: 'b' },
      own: { result },
    })
  })

  it('has an error that the engine answered with as an answer', async () => {
    const error = Object.assign(new Error('no'), { statusCode: 429, body: { error: 'busy' }, headers: {} })
    const { search } = clientEngine(noting(error).calls, 'works')
    expect(await search(undefined, { signal })).toEqual({
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
    const { search } = clientEngine(noting(error).calls, 'works')
    await expect(search(undefined, { signal })).rejects.toBe(error)
  })

  it('sends sub-queries in lines, to the index of the search', async () => {
    const responses = [{ took: 1 }]
    const { sent, calls } = noting({ body: { responses } })
    const leg = { header: {}, body: { size: 1 } }
    expect(await clientEngine(calls, 'works').msearch([leg], options)).toBe(responses)
    expect(sent).toEqual([['msearch', [{}, { size: 1 }], 'works']])
  })

  it('names no index beside a point in time, which knows its own', async () => {
    const { sent, calls } = noting({ body: {} })
    const leg = { header: {}, body: { pit: { id: 'p' } } }
    expect(await clientEngine(calls, 'works').msearch([leg], options)).toBeUndefined()
    expect(sent).toEqual([['msearch', [{}, leg.body], undefined]])
  })
})

describe('clientMsearchEngine', () => {
  const items = [1, 2].map((size) => ({ header: {}, body: { size } }))

  it("sends the caller's own request where all lines are the caller's", async () => {
    const { sent, calls } = noting()
    const { sendAll } = clientMsearchEngine(calls as never, items, 'works')
    await sendAll([...items], { signal })
    await sendAll([items[0]!, { header: {}, body: { size: 3 } }], { signal })
    await sendAll([items[0]!], { signal })
    expect(sent).toEqual([
      ['own'],
      ['changed', [{}, { size: 1 }, {}, { size: 3 }]],
      ['changed', [{}, { size: 1 }]],
    ])
  })
})

it('headersOfOurs are those that say nothing of the body', () => {
  const headers = { Authorization: 'x', 'Content-Type': 'a/b', accept: 'c/d', 'Content-Encoding': 'gzip' }
  expect(headersOfOurs(headers)).toEqual({ Authorization: 'x' })
})

it.each([
  [{}, true],
  [{ Accept: 'application/json' }, true],
  [{ accept: '*/*' }, true],
  [{ accept: 'application/vnd.elasticsearch+json; compatible-with=9' }, true],
  [{ Accept: 'application/cbor' }, false],
])('wantsJson of %j is %s', (headers, expected) => expect(wantsJson(headers)).toBe(expected))
