import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as Elasticsearch } from '@elastic/elasticsearch'
import { Client as OpenSearch } from '@opensearch-project/opensearch'
import { describe, expect, it } from 'vitest'
import { retryAfterOf } from '../../../adapters/resilience/retry-after.ts'
import { isWorthRetrying } from '../../../adapters/resilience/retryable.ts'
import { QuerentError } from '../../../src/errors.ts'

const failed = (fields: object) => Object.assign(new Error('failed'), fields)

describe('worth another attempt', () => {
  it.each([429, 502, 503, 504])('an answer of status %i, wherever the error has it', (status) => {
    expect(isWorthRetrying(failed({ statusCode: status }))).toBe(true)
    expect(isWorthRetrying(failed({ status }))).toBe(true)
    expect(isWorthRetrying(failed({ meta: { statusCode: status } }))).toBe(true)
  })

  it.each(
    'EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT UND_ERR_BODY_TIMEOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_SOCKET'.split(
      ' ',
    ),
  )('a connection that failed with %s, also as a cause', (code) => {
    expect(isWorthRetrying(failed({ code }))).toBe(true)
    expect(isWorthRetrying(new TypeError('fetch failed', { cause: failed({ code }) }))).toBe(true)
  })

  it.each(['ConnectionError', 'NoLivingConnectionsError', 'TimeoutError'])(
    'an error of the name %s',
    (name) => {
      expect(isWorthRetrying(failed({ name }))).toBe(true)
      expect(isWorthRetrying(failed({ name, meta: { statusCode: 0 } }))).toBe(true)
      expect(isWorthRetrying(failed({ name, meta: { statusCode: 200 } }))).toBe(true)
    },
  )

  it.each([
    // As OpenSearch 3.8 answered when one of its nodes was killed.
    { root_cause: [{ type: 'node_disconnected_exception' }], type: 'search_phase_execution_exception' },
    { root_cause: [], failed_shards: [], caused_by: { type: 'node_not_connected_exception' } },
    { failed_shards: [{ shard: 0, reason: { type: 'node_closed_exception' } }] },
    { type: 'connect_transport_exception' },
  ])('an answer of status 500 of an engine that lost a node: %j', (error) => {
    const body = { error, status: 500 }
    expect(isWorthRetrying(failed({ statusCode: 500, body }))).toBe(true)
    expect(isWorthRetrying(failed({ meta: { statusCode: 500, body } }))).toBe(true)
    expect(isWorthRetrying(failed({ statusCode: 400, body }))).toBe(false)
  })

  it('our own deadline, and what is worth it as the cause of a failed retriever', () => {
    expect(isWorthRetrying(new QuerentError('deadline', 'x'))).toBe(true)
    const cause = failed({ statusCode: 503 })
    expect(isWorthRetrying(new QuerentError('retriever-failed', 'x', { cause }))).toBe(true)
  })
})

describe('not worth another attempt', () => {
  it('an answer of status 404 of a node that came back without the search, and not of a scroll that is gone', () => {
    const gone = { type: 'search_context_missing_exception', reason: 'No search context found for id [4835]' }
    const answered = (phase: string, root: object) =>
      isWorthRetrying(
        failed({
          statusCode: 404,
          body: { error: { root_cause: [root], type: 'search_phase_execution_exception', phase } },
        }),
      )
    expect(answered('fetch', gone)).toBe(true)
    expect(answered('query', gone)).toBe(false)
    expect(answered('fetch', { type: 'index_not_found_exception' })).toBe(false)
  })

  it.each([200, 301, 400, 401, 403, 404, 408, 409, 413, 500, 501])('an answer of status %i', (status) => {
    expect(isWorthRetrying(failed({ statusCode: status }))).toBe(false)
    expect(isWorthRetrying(failed({ statusCode: status, cause: failed({ code: 'EPIPE' }) }))).toBe(false)
  })

  it('an answer of status 500 of an engine that failed by itself', () => {
    let deep: object = { type: 'node_closed_exception' }
    for (let level = 0; level < 100; level++) deep = { caused_by: deep }
    for (const error of ['node_closed_exception', { type: 'script_exception' }, deep])
      expect(isWorthRetrying(failed({ statusCode: 500, body: { error } }))).toBe(false)
  })

  it.each(['AbortError', 'RequestAbortedError'])('%s, whatever its cause', (name) =>
    expect(isWorthRetrying(failed({ name, cause: failed({ code: 'ECONNRESET' }) }))).toBe(false),
  )

  it('an error of ours, even where its cause would be', () => {
    const cause = failed({ statusCode: 503 })
    for (const code of ['overloaded', 'unavailable', 'aborted', 'bad-config'] as const)
      expect(isWorthRetrying(new QuerentError(code, 'x', { cause }))).toBe(false)
  })

  it.each([undefined, null, 'ECONNRESET', 503, {}, new Error('x'), new SyntaxError('no JSON')])(
    '%s',
    (error) => expect(isWorthRetrying(error)).toBe(false),
  )

  it('causes that go round in a ring', () => {
    const error: { cause?: unknown } = failed({})
    error.cause = error
    expect(isWorthRetrying(error)).toBe(false)
  })
})

/** What `ask` fails with at a server that answers like this; without an answer, at a port where nobody listens. */
async function failureAt(answer: RequestListener | undefined, ask: (url: string) => Promise<unknown>) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (answer === undefined) await new Promise((resolve) => server.close(resolve))
  try {
    await ask(url)
  } catch (error) {
    return error
  } finally {
    server.closeAllConnections()
    server.close()
  }
  throw new Error('It did not fail')
}

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{}')

const options = (node: string, requestTimeout: number) => ({ node, maxRetries: 0, requestTimeout })

describe.each<[string, (url: string, timeout?: number) => Promise<unknown>]>([
  [
    '@elastic/elasticsearch',
    (url, timeout = 30_000) => new Elasticsearch(options(url, timeout)).search({ index: 'i' }),
  ],
  [
    '@opensearch-project/opensearch',
    (url, timeout = 30_000) => new OpenSearch(options(url, timeout)).search({ index: 'i' }),
  ],
])('errors of %s', (_, ask) => {
  it.each<[string, boolean, RequestListener | undefined]>([
    ['nobody listens', true, undefined],
    ['the connection is reset', true, (_, response) => response.destroy()],
    [
      'it is reset in the middle of the body',
      true,
      (_, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
          .write('{', () => response.destroy())
      },
    ],
    ['status 503', true, status(503)],
    ['status 429', true, status(429)],
    ['status 400', false, status(400)],
    ['status 500', false, status(500)],
    [
      'the body is no JSON',
      false,
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
          .end('{"hits"'),
    ],
  ])('%s: worth another attempt: %s', async (_, isWorth, answer) => {
    expect(isWorthRetrying(await failureAt(answer, ask))).toBe(isWorth)
  })

  it('no answer comes: worth another attempt', async () => {
    expect(
      isWorthRetrying(
        await failureAt(
          () => {},
          (url) => ask(url, 200),
        ),
      ),
    ).toBe(true)
  })

  it('carry the retry-after of the answer', async () => {
    expect(retryAfterOf(await failureAt(status(429, { 'retry-after': '3' }), ask))).toBe(3000)
  })
})

describe('errors of fetch', () => {
  it.each<[string, RequestListener | undefined]>([
    ['nobody listens', undefined],
    ['the connection is reset', (_, response) => response.destroy()],
  ])('%s: worth another attempt', async (_, answer) => {
    expect(isWorthRetrying(await failureAt(answer, fetch))).toBe(true)
  })

  it('a time-out is, an abort is not', async () => {
    const hang: RequestListener = () => {}
    const timedOut = await failureAt(hang, (url) => fetch(url, { signal: AbortSignal.timeout(20) }))
    expect(isWorthRetrying(timedOut)).toBe(true)
    const aborted = await failureAt(hang, (url) => fetch(url, { signal: AbortSignal.abort() }))
    expect(isWorthRetrying(aborted)).toBe(false)
  })
})
