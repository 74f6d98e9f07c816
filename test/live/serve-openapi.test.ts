/** What `querent serve` answers is what its OpenAPI document says. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { difyHandler } from '../../adapters/apps/http/dify.ts'
import { searchHandler } from '../../adapters/apps/http/fetch.ts'
import type { OpenApi } from '../../adapters/apps/http/openapi/document.ts'
import { servedApi } from '../../adapters/apps/http/openapi/served.ts'
import { rerankHandler } from '../../adapters/apps/http/rerank.ts'
import { vectorStoreHandler } from '../../adapters/apps/http/vector-store.ts'
import { type ErrorCode, errorTable, QuerentError } from '../../src/errors.ts'
import { version } from '../../src/index-folder/version.ts'
import { describedBy } from '../support/openapi.ts'
import { startedServe } from '../support/started-serve.ts'

const store = '/v1/vector_stores/{id}/search'
const posts = ['/search', store, '/retrieval', '/rerank', '/v1/rerank']
const query = 'Was the author of Dune born in the same city as the author of Emma?'
const documents = ['A novel of a desert planet.', { title: 'Emma', text: 'A novel of a matchmaker.' }]

const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

/** Requests with the path of their operation. The last value is the status. */
const requests: readonly (readonly [string, string, RequestInit, number])[] = [
  ['/search', `?q=${encodeURIComponent(query)}&explain=1&k=2`, {}, 200],
  ['/search', `?text=novel&stream=1&explain=true`, {}, 200],
  ['/search', '?q=novel', { method: 'HEAD' }, 200],
  ['/search', '?q=novel&q=planet&k=0', {}, 400],
  ['/search', '?k=none', { method: 'HEAD' }, 400],
  ['/search', `?q=${'a'.repeat(17 * 1024)}`, {}, 431],
  ['/search', `?q=${'a'.repeat(17 * 1024)}`, { method: 'HEAD' }, 431],
  ['/search', '', json({ text: query, explain: true, k: 3, exclude: ['dune'], intent: 'To know.' }), 200],
  ['/search', '', json({ q: 'he', history: [{ role: 'user', text: 'Who wrote Dune?' }] }), 200],
  ['/search', '', json({ text: 'novel' }, { accept: 'application/x-ndjson' }), 200],
  ['/search', '', json({ text: 'novel', filter: { odd: { filter: 1 } } }), 400],
  [store, '', json({ query, max_num_results: 2 }), 200],
  [store, '', json({ query: [query], ranking_options: { score_threshold: 0.1 } }), 200],
  ['/retrieval', '', json({ query, knowledge_id: 'any', retrieval_setting: { top_k: 2 } }), 200],
  ['/rerank', '', json({ query, documents, top_n: 1 }), 200],
  ['/v1/rerank', '', json({ query, documents, return_documents: true }), 200],
  ...posts.flatMap((path) => [
    [path, '', json('[1]'), 400] as const,
    [path, '', json({}), 400] as const,
    [path, '', json('{'), 400] as const,
    [path, '', json({}, { 'content-type': 'text/plain' }), 415] as const,
    [path, '', json(' '.repeat(5 * 2 ** 20)), 413] as const,
  ]),
  ['/health', '', {}, 200],
  ['/openapi.json', '', {}, 200],
]

it('is the document that the package has', async () => {
  const { url, end } = await startedServe('--policy', 'none')
  const served = await (await fetch(`${url}/openapi.json`)).json()
  expect(served).toEqual(JSON.parse(readFileSync('schema/serve.openapi.json', 'utf8')))
  expect(served).toEqual(JSON.parse(JSON.stringify(servedApi(version))))
  await end()
})

it('describes every answer that a running server gives', async () => {
  const { url, end } = await startedServe()
  const { check, unseen, expectFit } = await describedBy(servedApi(version))
  for (const [path, rest, init, status] of requests) {
    const response = await fetch(`${url}${path.replace('{id}', 'any')}${rest}`, init)
    expect([path, response.status]).toEqual([path, status])
    await check(init.method ?? 'GET', path, response)
  }
  await check('GET', '/metrics', await fetch(`${url}/metrics`))
  for (const [path, method, status] of [
    ['/nothing', 'GET', 404],
    ['/search', 'DELETE', 405],
    ['/retrieval', 'GET', 405],
    ['/health', 'POST', 405],
    ['/openapi.json', 'PUT', 405],
  ] as const) {
    const other = await fetch(`${url}${path}`, { method })
    expect([other.status, other.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expectFit({ $ref: '#/components/schemas/Problem' }, await other.json())
  }
  await end()

  const measured = await startedServe('--policy', 'none', '--metrics')
  await check('GET', '/metrics', await fetch(`${measured.url}/metrics`))
  await measured.end()
  // A server that is stopping takes no connection, so 503 of /health is for those that are kept.
  expect(unseen((status) => status < 500)).toEqual([])
})

describe('errors', () => {
  const errors = [
    ...Object.keys(errorTable).map((code) => new QuerentError(code as ErrorCode, 'It failed')),
    new Error('of a backend'),
  ]

  it('are described, whatever fails', async () => {
    const { check, unseen } = await describedBy(servedApi(version))
    for (const error of errors) {
      const optimizer = { search: () => Promise.reject(error) }
      const score = () => Promise.reject(error)
      const [search, rerank] = [searchHandler({ optimizer }), rerankHandler({ name: 'any', score })]
      const answers = [
        ['GET', '/search', await search(new Request('http://localhost/search?q=any'))],
        ['HEAD', '/search', await search(new Request('http://localhost/search?q=any', { method: 'HEAD' }))],
        ['POST', '/search', await search(asked('/search', { text: 'any' }))],
        ['POST', store, await vectorStoreHandler({ optimizer })(asked('/', { query: 'any' }))],
        ['POST', '/retrieval', await difyHandler({ optimizer })(asked('/', { query: 'any' }))],
        ['POST', '/rerank', await rerank(asked('/rerank', { query: 'any', documents }))],
        ['POST', '/v1/rerank', await rerank(asked('/v1/rerank', { query: 'any', documents }))],
      ] as const
      for (const [method, path, response] of answers) {
        expect([error.message, response.status >= 500]).toEqual([error.message, true])
        await check(method, path, response)
      }
    }
    expect(unseen((status) => status >= 500)).toEqual(['GET /health 503'])
  })

  it('are described in streams', async () => {
    const { check } = await describedBy(servedApi(version))
    const search = searchHandler({ optimizer: { search: () => Promise.reject(errors[0]) } })
    const lines = await check(
      'GET',
      '/search',
      await search(new Request('http://localhost/search?q=a&stream=1')),
    )
    expect(lines).toMatchObject([{ type: 'error', problem: { code: 'aborted' } }])
  })

  const asked = (path: string, body: object): Request => new Request(`http://localhost${path}`, json(body))
})

it('checks: an answer that is not described fails', async () => {
  const api: OpenApi = servedApi(version)
  const { check } = await describedBy(api)
  await expect(check('GET', '/health', Response.json({ status: 'fine', version }))).rejects.toThrow()
  await expect(check('GET', '/health', Response.json({}, { status: 418 }))).rejects.toThrow()
  await expect(describedBy({ ...api, paths: { search: {} } })).rejects.toThrow()
})
