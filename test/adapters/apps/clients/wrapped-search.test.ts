/** What both wrapped clients do with a search: what is sent for it, and what is reported. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wrappedSearch } from '../../../../adapters/apps/clients/wrapped-search.ts'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { RequestEngine, SearchItem } from '../../../../adapters/apps/drop-in/run/caller-engine.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { policyDigest } from '../../../../policies/local/policy-file/policy-digest.ts'
import type { Observer } from '../../../../src/observe.ts'
import type { Policy } from '../../../../src/policy.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { passedIn } from '../../../support/passed.ts'
import { leaving } from '../../../support/scripted-policy.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const body = { query: { match: { text: '{{query}}' } } }
const asked = {
  identity: '',
  signal: new AbortController().signal,
  retries: { ofClient: 3, ofRequest: undefined },
  isWhole: true,
} as const

/** An engine with this answer to the caller's own request. */
function engineOf(answer: (items: readonly SearchItem[] | undefined) => JsonObject): RequestEngine {
  return {
    async send(items) {
      const body = answer(items)
      return { body, status: 200, own: { result: { body, statusCode: 200 } } }
    },
    msearch: async () => [],
    fieldCaps: async () => ({ body: { fields: {} }, status: 200, own: undefined }),
  }
}

async function sent(
  options: AppOptions,
  querent: unknown,
  call: JsonObject = body,
  parameters: JsonObject = {},
) {
  const changes: (SearchItem | undefined)[] = []
  const reasons: (string | undefined)[] = []
  const engine = engineOf((items) => {
    changes.push(items?.[0])
    return answerOf(found('a'))
  })
  const onSearch: Observer['onSearch'] = (report) => {
    reasons.push(passedIn(report))
    options.observe?.onSearch?.(report)
  }
  await wrappedSearch({ ...options, observe: { onSearch } }, 'test').answer(
    { kind: 'search', index: 'works', parameters, items: [{ header: {}, body: call }] },
    engine,
    { ...asked, context: querent },
  )
  return { changes, reason: reasons[0] }
}
const filled = { query: { match: { text: 'bridge' } } }
const request = {
  kind: 'search',
  index: 'works',
  parameters: {},
  items: [{ header: {}, body: filled }],
} as const

describe('words that stand beside a body with a slot are in what is sent', () => {
  it.each<readonly [string, AppOptions, JsonObject]>([
    ['the policy is none', { policy: 'none' }, {}],
    ['the caller said so', { policy: leaving }, { optimize: false }],
  ])('where the search passes through: %s', async (reason, options, more) =>
    expect(await sent(options, { query: 'bridge', ...more })).toEqual({
      changes: [{ header: {}, body: filled, url: {} }],
      reason,
    }),
  )

  it('where the search cannot be rewritten, with its own parameters', async () => {
    const sorted = { ...body, sort: ['year'] }
    expect(
      await sent({ policy: leaving }, { query: 'bridge' }, sorted, { size: '3', filter_path: 'took' }),
    ).toEqual({
      changes: [{ header: {}, body: { ...filled, sort: ['year'] }, url: { size: '3', filter_path: 'took' } }],
      reason: 'it is not sorted by `_score` first',
    })
  })

  it('where the policy leaves the query alone', async () =>
    expect(await sent({ policy: leaving }, { query: 'bridge' })).toEqual({
      changes: [{ header: {}, body: filled, url: {} }],
      reason: undefined,
    }))
})

describe('words that stand beside the bodies of an `_msearch` are in what is sent', () => {
  const sorted = { query: body.query, sort: ['year'] }
  async function sentLines(options: AppOptions, querent: unknown, ...bodies: readonly JsonObject[]) {
    const lines: unknown[] = []
    const engine = engineOf((items) => {
      lines.push(...(items?.flatMap(({ header, body }) => [header, body]) ?? ['as they are']))
      return { responses: bodies.map(() => answerOf(found('a'))) }
    })
    const items = bodies.map((one) => ({ header: {}, body: one }))
    const request = { kind: 'msearch', index: 'works', parameters: {}, items } as const
    await wrappedSearch(options, 'test').answer(request, engine, { ...asked, context: querent })
    return lines
  }

  it.each<readonly [string, AppOptions, JsonObject]>([
    ['the policy leaves the query alone', { policy: leaving }, {}],
    ['the policy is none', { policy: 'none' }, {}],
    ['the caller said so', { policy: leaving }, { optimize: false }],
  ])('where %s', async (_, options, more) =>
    expect(await sentLines(options, { query: 'bridge', ...more }, body, sorted)).toEqual([
      {},
      filled,
      {},
      { ...filled, sort: ['year'] },
    ]),
  )

  it('where none of its searches can be rewritten', async () =>
    expect(await sentLines({ policy: leaving }, { query: 'bridge' }, sorted)).toEqual([
      {},
      { ...filled, sort: ['year'] },
    ]))

  it('where there are slots, and the rest is sent as it is', async () => {
    expect(await sentLines({ policy: leaving }, { query: 'bridge' }, filled)).toEqual(['as they are'])
    expect(await sentLines({ policy: leaving }, undefined, body)).toEqual(['as they are'])
  })
})

it('a policy that could not be loaded is loaded again for the next search, and then kept', async () => {
  let loads = 0
  const policy: Policy = {
    ...leaving,
    // Read when the policy is loaded.
    get reads() {
      if (++loads === 1) throw new Error('too many open files')
      return false
    },
  }
  const reports: (string | undefined)[] = []
  const observe: Observer = { onSearch: (report) => reports.push(report.outcome?.kind) }
  const { answer } = wrappedSearch({ policy, observe }, 'test')
  const engine = engineOf(() => answerOf(found('a')))
  const search = () => answer(request, engine, { ...asked, context: undefined })
  await search()
  await search()
  const loaded = loads
  await search()
  expect(reports).toEqual(['failed', 'unchanged', 'unchanged'])
  expect(loads).toBe(loaded)
})

it('a policy file of a newer version is read once: each search passes through, and warm() rejects', async () => {
  const path = join(await temporaryFolder(), 'policy.json')
  const newer = { format: 'querent-policy', version: 1000 }
  await writeFile(path, JSON.stringify({ ...newer, digest: policyDigest(newer) }))
  const errors: unknown[] = []
  const observe: Observer = { onSearch: ({ error }) => errors.push(error) }
  const { answer, warm } = wrappedSearch({ policy: path, observe }, 'test')
  for (const _ of [1, 2])
    await answer(
      request,
      engineOf(() => answerOf(found('a'))),
      { ...asked, context: undefined },
    )
  expect(errors[0]).toMatchObject({ code: 'bad-policy' })
  expect(errors[1]).toBe(errors[0])
  await expect(warm()).rejects.toBe(errors[0])
})

it('a body without the slot is sent unchanged', async () => {
  const { changes, reason } = await sent({ policy: leaving }, { query: 'bridge' }, filled)
  expect(changes).toEqual([undefined])
  expect(reason).toBe('it has no `{{query}}`')
})

it('the slot is what the user typed where no words stand beside the body', async () =>
  expect(await sent({ policy: leaving }, undefined)).toEqual({ changes: [undefined], reason: undefined }))

it.each<readonly [string, JsonObject, JsonObject, Partial<SearchItem> | undefined]>([
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
    change && { header: {}, ...change },
  ]),
)

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
