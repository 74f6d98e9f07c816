/** What both wrapped clients do with a search: what is sent for it, and what is reported. */

import { describe, expect, it } from 'vitest'
import type { ClientCalls } from '../../../../adapters/apps/clients/client-calls.ts'
import { wrappedSearch } from '../../../../adapters/apps/clients/wrapped-search.ts'
import type { Change } from '../../../../adapters/apps/drop-in/caller-engine.ts'
import type { JsonObject } from '../../../../adapters/apps/drop-in/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/settings.ts'
import type { Observer } from '../../../../src/observe.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { leaving } from '../../../support/scripted-policy.ts'

const body = { query: { match: { text: '{{query}}' } } }

async function sent(
  options: AppOptions,
  querent: unknown,
  call: JsonObject = body,
  parameters: JsonObject = {},
) {
  const changes: (Change | undefined)[] = []
  const reasons: (string | undefined)[] = []
  const answer = async () => ({ body: answerOf(found('a')), statusCode: 200 })
  const calls: ClientCalls = {
    own: () => {
      changes.push(undefined)
      return answer()
    },
    changed(change) {
      changes.push(change)
      return answer()
    },
    msearch: async () => ({ body: { responses: [] } }),
    fieldCaps: async () => ({ body: { fields: {} }, statusCode: 200 }),
  }
  const onSearch: Observer['onSearch'] = (report) => {
    reasons.push(report.passedThrough)
    options.observe?.onSearch?.(report)
  }
  await wrappedSearch({ ...options, observe: { onSearch } }, 'test').search(
    { index: 'works', parameters, body: call },
    calls,
    {
      context: querent,
      identity: '',
      signal: new AbortController().signal,
      retries: { ofClient: 3, ofRequest: undefined },
      isWhole: true,
    },
  )
  return { changes, reason: reasons[0] }
}
const filled = { query: { match: { text: 'bridge' } } }

describe('words that stand beside a body with a slot are in what is sent', () => {
  it.each<readonly [string, AppOptions, JsonObject]>([
    ['the policy is none', { policy: 'none' }, {}],
    ['the caller said so', { policy: leaving }, { optimize: false }],
  ])('where the search passes through: %s', async (reason, options, more) =>
    expect(await sent(options, { query: 'bridge', ...more })).toEqual({
      changes: [{ body: filled, url: {} }],
      reason,
    }),
  )

  it('where the search cannot be rewritten, with its own parameters', async () => {
    const sorted = { ...body, sort: ['year'] }
    expect(
      await sent({ policy: leaving }, { query: 'bridge' }, sorted, { size: '3', filter_path: 'took' }),
    ).toEqual({
      changes: [{ body: { ...filled, sort: ['year'] }, url: { size: '3', filter_path: 'took' } }],
      reason: 'it is sorted by something else than the score',
    })
  })

  it('where the policy leaves the query alone', async () =>
    expect(await sent({ policy: leaving }, { query: 'bridge' })).toEqual({
      changes: [{ body: filled, url: {} }],
      reason: undefined,
    }))
})

it('a body without the slot is sent unchanged', async () => {
  const { changes, reason } = await sent({ policy: leaving }, { query: 'bridge' }, filled)
  expect(changes).toEqual([undefined])
  expect(reason).toBe('it has no {{query}}')
})

it('the slot is what the user typed where no words stand beside the body', async () =>
  expect(await sent({ policy: leaving }, undefined)).toEqual({ changes: [undefined], reason: undefined }))

it.each<readonly [string, JsonObject, JsonObject, Change | undefined]>([
  ['can be rewritten', {}, {}, undefined],
  ['names its first page', { from: 0 }, {}, undefined],
  ['says in the URL that it does', {}, { from: 0 }, undefined],
  ['wants a later page', { from: 10 }, {}, { body: { ...filled, from: 0, size: 20 }, url: {} }],
  ['names a later page in the URL', {}, { from: '10' }, { body: { ...filled, from: 0, size: 20 }, url: {} }],
  [
    'wants a part of the answer',
    {},
    { filter_path: 'took' },
    { body: { ...filled, from: 0, size: 10 }, url: {} },
  ],
  ['passes through', { sort: ['year'] }, {}, undefined],
])('one request is sent for a search that %s', async (_, more, parameters, change) =>
  expect((await sent({ policy: leaving }, undefined, { ...filled, ...more }, parameters)).changes).toEqual([
    change,
  ]),
)

it('onSearch says why hits are not re-ranked', async () => {
  const query = { match: { text: { query: 'bridge', fuzziness: 'AUTO' } } }
  const heard = async (options: AppOptions, call: JsonObject) => {
    const reports: unknown[] = []
    const onSearch: Observer['onSearch'] = ({ notReranked }) => reports.push(notReranked)
    await sent({ ...options, observe: { onSearch } }, undefined, call)
    return reports
  }
  const reranker: NonNullable<AppOptions['rerank']> = {
    rerank: (_query, _lists, fused) => fused,
    needs: () => [],
    explain: () => [],
  }
  const rerank = { policy: leaving, rerank: reranker }
  expect(await heard(rerank, { query })).toEqual(['its words may be misspelled, as fuzziness says'])
  expect(await heard({ policy: leaving }, { query })).toEqual([undefined])
  expect(await heard(rerank, filled)).toEqual([undefined])
})

it('a conversation may have an assistant', async () => {
  const history = [{ role: 'assistant', text: 'A toll bridge.' }]
  const traces: unknown[] = []
  const options: AppOptions = {
    policy: leaving,
    observe: { onSearch: ({ trace }) => traces.push(trace?.query.history) },
  }
  await sent(options, { query: 'bridge', history })
  expect(traces).toEqual([[{ role: 'agent', text: 'A toll bridge.' }]])
})
