import type { RequestListener } from 'node:http'
import { Client as Elasticsearch } from '@elastic/elasticsearch'
import { Client as OpenSearch } from '@opensearch-project/opensearch'
import { describe, expect, it } from 'vitest'
import { retryAfterOf } from '../../../adapters/resilience/retry-after.ts'
import { isRetryable } from '../../../adapters/resilience/retryable.ts'
import { QuerentError } from '../../../src/errors.ts'
import { startLoopbackServer } from '../../support/loopback-server.ts'

const failed = (fields: object) => Object.assign(new Error('failed'), fields)

describe('retryable', () => {
  it.each([429, 502, 503, 504])('a response with status %i, wherever the error has it', (status) => {
    expect(isRetryable(failed({ statusCode: status }))).toBe(true)
    expect(isRetryable(failed({ status }))).toBe(true)
    expect(isRetryable(failed({ meta: { statusCode: status } }))).toBe(true)
  })

  it.each(
    'EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT UND_ERR_BODY_TIMEOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_SOCKET'.split(
      ' ',
    ),
  )('a failed connection with %s, also as a cause', (code) => {
    expect(isRetryable(failed({ code }))).toBe(true)
    expect(isRetryable(new TypeError('fetch failed', { cause: failed({ code }) }))).toBe(true)
  })

  it.each(['ConnectionError', 'NoLivingConnectionsError', 'TimeoutError'])(
    'an error with the name %s',
    (name) => {
      expect(isRetryable(failed({ name }))).toBe(true)
      expect(isRetryable(failed({ name, meta: { statusCode: 0 } }))).toBe(true)
      expect(isRetryable(failed({ name, meta: { statusCode: 200 } }))).toBe(true)
    },
  )

  it.each([
    // OpenSearch 3.8's response when one of its nodes was killed.
    { root_cause: [{ type: 'node_disconnected_exception' }], type: 'search_phase_execution_exception' },
    { root_cause: [], failed_shards: [], caused_by: { type: 'node_not_connected_exception' } },
    { failed_shards: [{ shard: 0, reason: { type: 'node_closed_exception' } }] },
    { type: 'connect_transport_exception' },
  ])('a response with status 500 of an engine that lost a node: %j', (error) => {
    const body = { error, status: 500 }
    expect(isRetryable(failed({ statusCode: 500, body }))).toBe(true)
    expect(isRetryable(failed({ meta: { statusCode: 500, body } }))).toBe(true)
    expect(isRetryable(failed({ statusCode: 400, body }))).toBe(false)
  })

  it("Querent's own deadline, and a failed retriever with a retryable cause", () => {
    expect(isRetryable(new QuerentError('deadline', 'x'))).toBe(true)
    const cause = failed({ statusCode: 503 })
    expect(isRetryable(new QuerentError('retriever-failed', 'x', { cause }))).toBe(true)
  })
})

describe('not retryable', () => {
  it('a response with status 404 of a scroll that is gone, unlike that of a node that forgot the search', () => {
    const gone = { type: 'search_context_missing_exception', reason: 'No search context found for id [4835]' }
    const answered = (phase: string, root: object) =>
      isRetryable(
        failed({
          statusCode: 404,
          body: { error: { root_cause: [root], type: 'search_phase_execution_exception', phase } },
        }),
      )
    expect(answered('fetch', gone)).toBe(true)
    expect(answered('query', gone)).toBe(false)
    expect(answered('fetch', { type: 'index_not_found_exception' })).toBe(false)
  })

  it.each([200, 301, 400, 401, 403, 404, 408, 409, 413, 500, 501])('a response with status %i', (status) => {
    expect(isRetryable(failed({ statusCode: status }))).toBe(false)
    expect(isRetryable(failed({ statusCode: status, cause: failed({ code: 'EPIPE' }) }))).toBe(false)
  })

  it('a response with status 500 of an engine that failed by itself', () => {
    let deep: object = { type: 'node_closed_exception' }
    for (let level = 0; level < 100; level++) deep = { caused_by: deep }
    for (const error of ['node_closed_exception', { type: 'script_exception' }, deep])
      expect(isRetryable(failed({ statusCode: 500, body: { error } }))).toBe(false)
  })

  it.each(['AbortError', 'RequestAbortedError'])('%s, whatever its cause', (name) =>
    expect(isRetryable(failed({ name, cause: failed({ code: 'ECONNRESET' }) }))).toBe(false),
  )

  it("Querent's own errors, even with a retryable cause", () => {
    const cause = failed({ statusCode: 503 })
    for (const code of ['overloaded', 'unavailable', 'aborted', 'bad-config'] as const)
      expect(isRetryable(new QuerentError(code, 'x', { cause }))).toBe(false)
  })

  it.each([undefined, null, 'ECONNRESET', 503, {}, new Error('x'), new SyntaxError('no JSON')])(
    '%s',
    (error) => expect(isRetryable(error)).toBe(false),
  )

  it('a cycle of causes', () => {
    const error: { cause?: unknown } = failed({})
    error.cause = error
    expect(isRetryable(error)).toBe(false)
  })
})

/** The error of `ask` at a server with this answer; without an answer, at a port without a server. */
async function failureAt(answer: RequestListener | undefined, ask: (url: string) => Promise<unknown>) {
  const server = await startLoopbackServer(answer ?? (() => {}))
  if (answer === undefined) await server.close()
  try {
    await ask(server.url)
  } catch (error) {
    return error
  } finally {
    if (answer !== undefined) await server.close()
  }
  throw new Error('It did not fail')
}

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{}')

const options = (node: string, requestTimeout: number) => ({ node, maxRetries: 0, requestTimeout })

const clients: readonly (readonly [string, (url: string, timeout?: number) => Promise<unknown>])[] = [
  [
    '@elastic/elasticsearch',
    (url, timeout = 30_000) => new Elasticsearch(options(url, timeout)).search({ index: 'i' }),
  ],
  [
    '@opensearch-project/opensearch',
    (url, timeout = 30_000) => new OpenSearch(options(url, timeout)).search({ index: 'i' }),
  ],
]

// Together, since their timers tick once a second.
it('a client that had no answer in time may ask again', async () => {
  const errors = await Promise.all(
    clients.map(([, ask]) =>
      failureAt(
        () => {},
        (url) => ask(url, 200),
      ),
    ),
  )
  expect(errors.map(isRetryable)).toEqual(clients.map(() => true))
})

describe.each(clients)('errors of %s', (_, ask) => {
  it.each<[string, boolean, RequestListener | undefined]>([
    ['no server', true, undefined],
    ['the connection is reset', true, (_, response) => response.destroy()],
    [
      'the connection is reset in the middle of the body',
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
      'the body is not JSON',
      false,
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
          .end('{"hits"'),
    ],
  ])('%s: retryable: %s', async (_, isWorth, answer) => {
    expect(isRetryable(await failureAt(answer, ask))).toBe(isWorth)
  })

  it('carry the retry-after header', async () => {
    expect(retryAfterOf(await failureAt(status(429, { 'retry-after': '3' }), ask))).toBe(3000)
  })
})

describe('errors of fetch', () => {
  it.each<[string, RequestListener | undefined]>([
    ['no server', undefined],
    ['the connection is reset', (_, response) => response.destroy()],
  ])('%s: retryable', async (_, answer) => {
    expect(isRetryable(await failureAt(answer, fetch))).toBe(true)
  })

  it('a timeout is retryable, an abort is not', async () => {
    const hang: RequestListener = () => {}
    const timedOut = await failureAt(hang, (url) => fetch(url, { signal: AbortSignal.timeout(20) }))
    expect(isRetryable(timedOut)).toBe(true)
    const aborted = await failureAt(hang, (url) => fetch(url, { signal: AbortSignal.abort() }))
    expect(isRetryable(aborted)).toBe(false)
  })
})
