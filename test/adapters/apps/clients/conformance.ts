/**
 * What a wrapped client does, whichever official client it is, before a server that answers as an engine does.
 * `test/engines/wrapped-clients.test.ts` shows the same before real engines, and more.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { inShare } from '../../../../adapters/apps/drop-in/run/share.ts'
import type { OfficialClient } from '../../../engines/official-clients.ts'
import { passedIn } from '../../../support/passed.ts'
import type { Answer } from '../../../support/recording-server.ts'
import { expectSameError, rejection } from '../../../support/same-error.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import {
  decides,
  engine,
  headers,
  idsIn,
  isMsearch,
  lasting,
  leaves,
  linesOf,
  query,
  searchesAt,
  sentTo,
  serving,
  sorted,
} from './client-server.ts'

export function testWrappedClient(official: OfficialClient): void {
  describe('a search that is decided on', () => {
    it('is sent as written, beside one request for all sub-queries, and has the fused hits', async () => {
      const { server, bare, wrap, reports } = await serving(official)
      const { body } = await wrap(decides).search('works', query)
      expect(searchesAt(server)).toHaveLength(2)
      const own = searchesAt(server).find((request) => !isMsearch(request))!
      const legs = linesOf(server.requests.find(isMsearch)!)
      expect(linesOf(own)).toEqual([query])
      expect(legs.map(({ query }) => query)).toEqual([
        ...[undefined, { match: { text: 'arches' } }],
        ...[undefined, { match: { text: 'spans' } }],
      ])
      // Each is first of a list; b is second twice.
      expect(idsIn(body).sort()).toEqual(['a', 'b', 'c', 'd'])
      expect(Object.keys(body as object)).toEqual(
        Object.keys((await bare.search('works', query)).body as object),
      )
      expect(reports.map((report) => [report.trace?.kind, passedIn(report)])).toEqual([
        ['decompose', undefined],
      ])
    })

    it('is sent again as it was, with its parameters', async () => {
      let asked = 0
      const { server, wrap } = await serving(official, (request) =>
        request.path.includes('/_search') && ++asked === 1
          ? { status: 429, headers, body: '{}' }
          : engine(request),
      )
      const { body } = await wrap({ ...leaves, retries: 1 }).search('works', query, {
        querystring: { preference: 'a', routing: 'b' },
      })
      expect(idsIn(body)).toEqual(['a', 'b'])
      const [first, second, ...others] = sentTo(server)
      expect(second).toEqual(first)
      expect(others).toEqual([])
    })

    it('explains what was done, if asked to', async () => {
      const { wrap } = await serving(official)
      const { body } = await wrap(decides).search('works', query, {
        context: { querent: { explain: true } },
      })
      expect(body).toMatchObject({ _querent: { decision: 'decompose' } })
    })

    it('has the words that stand beside its body', async () => {
      const { server, wrap } = await serving(official)
      const template = { query: { match: { text: '{{query}}' } } }
      const { body } = await wrap(leaves).search('works', template, {
        context: { querent: { query: 'arches' } },
      })
      expect(idsIn(body)).toEqual(['c', 'b'])
      expect(searchesAt(server).map(linesOf)).toEqual([[{ query: { match: { text: 'arches' } } }]])
    })

    it("has the engine's own answer where the sub-queries fail", async () => {
      const { bare, wrap } = await serving(official, (request) =>
        isMsearch(request) ? { status: 503, headers, body: '{}' } : engine(request),
      )
      const { body } = await wrap({ ...decides, resilience: { retries: 0 } }).search('works', query)
      expect(lasting(body)).toEqual(lasting((await bare.search('works', query)).body))
    })
  })

  const asBare: readonly (readonly [string, AppOptions, JsonObject, JsonObject, string | undefined])[] = [
    ['is left alone', leaves, query, {}, undefined],
    ['is not understood', decides, sorted, {}, 'it is not sorted by `_score` first'],
    ['is to pass', decides, query, { context: { querent: { optimize: false } } }, 'the caller said so'],
    ['finds no policy', { policy: 'none' }, query, {}, 'the policy is none'],
  ]
  it.each(asBare)("a search that %s is the client's own, and so is its answer", async (...test) => {
    const [, options, body, settings, reason] = test
    const { server, bare, wrap, reports } = await serving(official)
    const own = await bare.search('works', body, settings)
    const answer = await wrap(options).search('works', body, settings)
    const [one, other, ...more] = sentTo(server)
    expect(other).toEqual(one)
    expect(more).toEqual([])
    expect(answer.body).toEqual(own.body)
    expect(reports.map(passedIn)).toEqual([reason])
  })

  it("a stream is the client's own", async () => {
    const { server, wrap, reports } = await serving(official)
    const { body } = await wrap(decides).search('works', query, { asStream: true })
    expect(body).toHaveProperty('pipe')
    expect(searchesAt(server)).toHaveLength(1)
    expect(reports).toEqual([])
  })

  it.each([
    ['left alone', leaves],
    ['decided on', decides],
  ])("the result of a search that is %s has all members of a client's result", async (_, options) => {
    const { bare, wrap } = await serving(official, (request) => ({
      ...(engine(request) as object),
      headers: [...headers, 'warning', '299 Elasticsearch-9 "old"'],
    }))
    const own = await bare.search('works', query)
    const result = await wrap(options).search('works', query)
    expect(Object.keys(result).sort()).toEqual(Object.keys(own).sort())
    expect(result.statusCode).toBe(200)
    expect(result.warnings).toEqual(['299 Elasticsearch-9 "old"'])
    expect(result.meta.name).toBe(own.meta.name)
  })

  it('optimizes the searches of an msearch that it understands, and keeps their order', async () => {
    const { server, bare, wrap, reports } = await serving(official)
    const lines = [{ index: 'works' }, sorted, {}, query, {}, { ...query, size: 0 }]
    const own = (await bare.msearch(lines)).body as { responses: JsonObject[] }
    server.clear()
    const { responses } = (await wrap(decides).msearch(lines)).body as { responses: JsonObject[] }
    expect(searchesAt(server).map(isMsearch)).toEqual([true, true])
    expect(searchesAt(server).map(linesOf)).toContainEqual(lines)
    expect(responses.map(idsIn).map((ids) => ids.sort())).toEqual([['a', 'b'], ['a', 'b', 'c', 'd'], []])
    expect(responses[0]).toEqual(own.responses[0])
    expect(reports.filter(({ trace }) => trace?.kind === 'decompose')).toHaveLength(1)
  })

  it('wraps children, whose requests are their own', async () => {
    const { server, wrap } = await serving(official)
    const child = wrap(decides).child({ headers: { 'x-child': 'yes' } })
    expect(idsIn((await child.search('works', query)).body)).toHaveLength(4)
    expect(searchesAt(server)).toHaveLength(2)
    for (const { headers } of searchesAt(server)) expect(headers).toContain('x-child')
  })

  describe("an error is the client's own", () => {
    const answers: readonly (readonly [string, Answer, string])[] = [
      ...[400, 401, 404, 429, 500, 503].map(
        (status) =>
          [
            `status ${status}`,
            { status, headers, body: '{"error":{"type":"no","reason":"no"},"status":1}' },
            'ResponseError',
          ] as const,
      ),
      [
        'a page of HTML',
        { status: 502, headers: ['content-type', 'text/html'], body: '<p>' },
        'ResponseError',
      ],
      ['a body that is cut', { headers, body: '{"took":' }, 'DeserializationError'],
      ['a connection that is cut', 'cut', 'ConnectionError'],
      ['no answer in time', 'hang', 'TimeoutError'],
    ]
    it.each(answers)('for %s', async (_, answer, name) => {
      const { bare, wrap } = await serving(official, answer, answer === 'hang' ? { requestTimeout: 100 } : {})
      const asked = [bare, wrap(leaves), wrap(decides)]
      const [[own, ...errors], [many, ...manyErrors]] = await Promise.all([
        Promise.all(asked.map((one) => rejection(one.search('works', query)))),
        Promise.all(asked.map((one) => rejection(one.msearch([{}, query])))),
      ])
      expect(own).toBeInstanceOf(official.errors[name])
      for (const error of errors) expectSameError(error, own)
      for (const error of manyErrors) expectSameError(error, many)
    })
  })

  it('gives the own result in a shadow, and makes the optimized one for the log', async () => {
    const { server, bare, wrap, reports } = await serving(official)
    const log = join(await temporaryFolder(), 'shadow.jsonl')
    const own = await bare.search('works', query)
    const { body, statusCode } = await wrap({ ...decides, shadow: { log } }).search('works', query)
    expect({ body, statusCode }).toEqual({ body: own.body, statusCode: 200 })
    const lines = () => readFileSync(log, 'utf8').trim().split('\n')
    await vi.waitFor(() => expect(lines()[0]).not.toBe(''), { timeout: 30_000 })
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ outcome: 'changed', in: ['c', 'd'] }])
    expect(reports.map(passedIn)).toEqual(['what Querent would do is only logged'])
    // Two of them are the bare client's and the caller's own.
    expect(searchesAt(server)).toHaveLength(4)
  })

  it('optimizes for the share of the callers that a header names', async () => {
    const { wrap, reports } = await serving(official)
    const wrapped = wrap({ ...decides, share: { share: 0.5, by: 'X-User' } })
    const users = Array.from({ length: 10 }, (_, user) => `${user}`)
    for (const user of users) await wrapped.search('works', query, { headers: { 'x-user': user } })
    const optimized = reports.map(({ outcome }) => outcome?.kind === 'changed')
    expect(optimized).toEqual(users.map((user) => inShare(user, 0.5, 'share')))
    expect(new Set(optimized).size).toBe(2)
  })

  it("has the client's own members except search, msearch and child", async () => {
    const { bare, wrap } = await serving(official)
    const one = wrap(decides).it
    expect(Reflect.ownKeys(one)).toEqual(Reflect.ownKeys(bare.it))
    expect(one).toBeInstanceOf(bare.it.constructor as never)
    for (const name of ['search', 'msearch', 'child']) expect(one[name]).not.toBe(bare.it[name])
    for (const name of ['index', 'bulk', 'transport', 'connectionPool', 'close'])
      expect(one[name]).toBe(bare.it[name])
  })
}
