/** What the reward server answers is what its OpenAPI document says. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rewardApi } from '../../../../adapters/apps/reward-server/openapi.ts'
import { version } from '../../../../src/index-folder/version.ts'
import { heldRetriever } from '../../../support/held.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { describedBy } from '../../../support/openapi.ts'
import { answer, testServer } from './opened.ts'
import { rollingOptions } from './rolling.ts'

const completion = answer('desert planet', 'matchmaker')
const label = JSON.stringify({ query_id: 'q1', gold: ['dune'] })

const row = { responses_create_params: {}, query_id: 'q1' }
const message = { type: 'message', content: [{ type: 'output_text', text: completion }] }

/** A path, a body, and the status of its answer. */
const requests: readonly (readonly [string, unknown, number])[] = [
  ['/v1/reward', { items: [{ completion, ground_truth: 'dune' }, { completion: 'none' }, 7] }, 200],
  ['/v1/rollouts', { policy: 'c3po', items: [{ query_id: 'q1' }, {}] }, 200],
  ['/v1/rollouts', { policy: 'none', items: [] }, 400],
  ['/openrlhf', { query: [completion, 'none'], labels: [label, label] }, 200],
  ['/openrlhf', { query: [completion], labels: ['{'] }, 422],
  ['/slime', { response: completion, label }, 200],
  ['/slime?shape=dict', { response: completion, label }, 200],
  ['/slime', { response: completion, label: '' }, 422],
  ['/slime', { response: completion }, 400],
  ['/retrieve', { queries: ['desert planet'] }, 200],
  ['/retrieve', { queries: ['desert planet'], return_scores: true }, 200],
  ['/retrieve', { queries: ['desert planet'], query_ids: ['q1'] }, 200],
  ['/retrieve', { queries: ['desert planet'], query_ids: ['q1'], return_scores: true }, 200],
  ['/retrieve', { queries: ['desert planet'], query_ids: ['q9'] }, 422],
  ['/seed_session', row, 200],
  ['/seed_session', { ...row, query_id: 'q9' }, 422],
  ['/search', { query: 'desert planet' }, 200],
  ['/verify', { ...row, response: { output: [message] } }, 200],
  ['/verify', { ...row, query_id: 'q9', response: { output: [] } }, 422],
  ['/aggregate_metrics', { verify_responses: [{ reward: 1 }] }, 200],
]
/** These search nothing, so they are never late. */
const unsearched = ['/seed_session', '/aggregate_metrics']
const posts = [...new Set(requests.map(([path]) => path.split('?', 1)[0]!))]
const valid = new Map(requests.map(([path, body]) => [path, body]).toReversed() as [string, unknown][])

const init = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

it('describes every answer of the server', async () => {
  const { check, unseen, expectFit } = await describedBy(rewardApi(version))
  const { url } = await testServer({ ...rollingOptions(), limits: { body: 2000 } })
  for (const [path, body, status] of [
    ...requests,
    ...posts.map((path) => [path, '{', 400] as const),
    ...posts.map((path) => [path, ' '.repeat(2001), 413] as const),
  ]) {
    const response = await fetch(`${url}${path}`, init(body))
    expect([path, response.status]).toEqual([path, status])
    await check('POST', path.split('?', 1)[0]!, response)
  }
  for (const path of posts) {
    const typed = { ...init(valid.get(path)), headers: { 'content-type': 'text/plain' } }
    const response = await fetch(`${url}${path}`, typed)
    expect([path, response.status]).toEqual([path, 415])
    await check('POST', path, response)
  }
  for (const path of ['/health', '/metrics']) await check('GET', path, await fetch(`${url}${path}`))
  const document = await check('GET', '/openapi.json', await fetch(`${url}/openapi.json`))
  expect(document).toEqual(JSON.parse(readFileSync('schema/reward-server.openapi.json', 'utf8')))
  for (const [path, method, status] of [
    ['/nothing', 'GET', 404],
    ['/slime', 'GET', 405],
    ['/openapi.json', 'POST', 405],
  ] as const) {
    const other = await fetch(`${url}${path}`, { method })
    expect(other.status).toBe(status)
    expectFit({ $ref: '#/components/schemas/Failure' }, await other.json())
  }

  const full = await testServer({ ...rollingOptions(), limits: { requests: 0 } })
  for (const path of posts)
    await check('POST', path, await fetch(`${full.url}${path}`, init(valid.get(path))))

  for (const path of posts.filter((one) => !unsearched.includes(one))) {
    const [clock, retriever] = [manualClock(), heldRetriever()]
    const slow = await testServer({ ...rollingOptions(), retrievers: [retriever], timeout: 500, clock })
    const late = fetch(`${slow.url}${path}`, init(valid.get(path)))
    await retriever.asked
    await clock.advance(500)
    const response = await late
    expect([path, response.status]).toEqual([path, 504])
    await check('POST', path, response)
  }
  // Two paths search nothing, so they are never late. No request makes the server fail (500), and one that is stopping takes no connection (503 of /health).
  expect(unseen((status) => status !== 500)).toEqual([
    'POST /seed_session 504',
    'POST /aggregate_metrics 504',
    'GET /health 503',
  ])
})
