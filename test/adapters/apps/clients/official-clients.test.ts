/**
 * The official clients, wrapped, before a server that answers as an engine does. `test/engines/wrapped-clients.test.ts` shows
 * the same before real engines, and more.
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/settings.ts'
import type { SearchReport } from '../../../../src/observe.ts'
import { type Asking, officialClients } from '../../../engines/official-clients.ts'
import { findIn, finding, found } from '../../../support/fake-engine.ts'
import {
  type Answer,
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../../support/recording-server.ts'
import { expectSameError, rejection } from '../../../support/same-error.ts'
import { deciding, leaving, patient } from '../../../support/scripted-policy.ts'

const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const find = finding({ bridge: found('a', 'b'), arches: found('c', 'b'), spans: found('d') })
const query = { query: { match: { text: 'bridge' } } }
const sorted = { ...query, sort: ['year'] }
const decides = { ...patient, policy: deciding(['arches', 'spans']), rerank: false } as const
const leaves = { policy: leaving, rerank: false } as const

const isMsearch = ({ path }: Pick<RecordedRequest, 'path'>): boolean => /\/_msearch\b/.test(path)

const isCaps = ({ path }: Pick<RecordedRequest, 'path'>): boolean => path.includes('/_field_caps')

/** What an engine answers. */
function engine(request: RecordedRequest): Answer {
  // An engine that does not say what its fields are: their names decide.
  if (isCaps(request)) return { status: 404, headers, body: '{}' }
  const lines = linesOf(request)
  if (!isMsearch(request)) return { headers, body: JSON.stringify(findIn(find, lines[0]!)) }
  const bodies = lines.filter((_, place) => place % 2 === 1)
  const responses = bodies.map((body) => ({ ...findIn(find, body), status: 200 }))
  return { headers, body: JSON.stringify({ took: 3, responses }) }
}

const linesOf = ({ body }: RecordedRequest): JsonObject[] =>
  String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)

const idsIn = (body: unknown): string[] =>
  (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id)

/** Without what takes its time. */
const lasting = (body: unknown): unknown => ({ ...(body as object), took: 0 })

/** What was searched: all requests, but for those about the fields. */
const searchesAt = ({ requests }: RecordingServer): RecordedRequest[] =>
  requests.filter((request) => !isCaps(request))

/** As they came, but for the connection. */
const sentTo = (server: RecordingServer): unknown[] =>
  searchesAt(server).map(({ connection: _, ...request }) => request)

describe.each(officialClients)('$name', (official) => {
  async function serving(
    answer: Answer | ((request: RecordedRequest) => Answer) = engine,
    settings: JsonObject = {},
  ) {
    const server = await startRecordingServer(answer)
    onTestFinished(() => server.close())
    const bare = official.connect(server.url, settings)
    const reports: SearchReport[] = []
    const wrap = (options: AppOptions): Asking =>
      official.wrap(bare, { ...options, observe: { onSearch: (report) => reports.push(report) } })
    return { server, bare, reports, wrap }
  }

  describe('a search that is decided on', () => {
    it('is sent as it was written, beside one request for all sub-queries, and answered with the fused hits', async () => {
      const { server, bare, wrap, reports } = await serving()
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
      expect(reports.map(({ trace, passedThrough }) => [trace?.kind, passedThrough])).toEqual([
        ['decompose', undefined],
      ])
    })

    it('says what was done where that is asked for', async () => {
      const { wrap } = await serving()
      const { body } = await wrap(decides).search('works', query, {
        context: { querent: { explain: true } },
      })
      expect(body).toMatchObject({ _querent: { decision: 'decompose' } })
    })

    it('has the words that are told beside it', async () => {
      const { server, wrap } = await serving()
      const template = { query: { match: { text: '{{query}}' } } }
      const { body } = await wrap(leaves).search('works', template, {
        context: { querent: { query: 'arches' } },
      })
      expect(idsIn(body)).toEqual(['c', 'b'])
      expect(searchesAt(server).map(linesOf)).toEqual([[{ query: { match: { text: 'arches' } } }]])
    })

    it('is answered by the engine alone where the sub-queries fail', async () => {
      const { bare, wrap } = await serving((request) =>
        isMsearch(request) ? { status: 503, headers, body: '{}' } : engine(request),
      )
      const { body } = await wrap({ ...decides, resilience: { retries: 0 } }).search('works', query)
      expect(lasting(body)).toEqual(lasting((await bare.search('works', query)).body))
    })
  })

  const asBare: readonly (readonly [string, AppOptions, JsonObject, JsonObject, string | undefined])[] = [
    ['is left alone', leaves, query, {}, undefined],
    ['is not understood', decides, sorted, {}, 'it is sorted by something else than the score'],
    ['is to pass', decides, query, { context: { querent: { optimize: false } } }, 'the caller said so'],
    ['finds no policy', { policy: 'none' }, query, {}, 'the policy is none'],
  ]
  it.each(asBare)('a search that %s is the client’s own, and so is its answer', async (...test) => {
    const [, options, body, settings, reason] = test
    const { server, bare, wrap, reports } = await serving()
    const own = await bare.search('works', body, settings)
    const answer = await wrap(options).search('works', body, settings)
    const [one, other, ...more] = sentTo(server)
    expect(other).toEqual(one)
    expect(more).toEqual([])
    expect(answer.body).toEqual(own.body)
    expect(reports.map(({ passedThrough }) => passedThrough)).toEqual([reason])
  })

  it('a stream is the client’s own', async () => {
    const { server, wrap, reports } = await serving()
    const { body } = await wrap(decides).search('works', query, { asStream: true })
    expect(body).toHaveProperty('pipe')
    expect(searchesAt(server)).toHaveLength(1)
    expect(reports).toEqual([])
  })

  it.each([
    ['left alone', leaves],
    ['decided on', decides],
  ])('what a client gives of a search that is %s is whole', async (_, options) => {
    const { bare, wrap } = await serving((request) => ({
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

  if (official.kind === 'elasticsearch')
    it('gives the body alone without `meta: true`', async () => {
      const { wrap } = await serving()
      const { search, msearch } = wrap(decides).it as Record<string, (given: object) => Promise<unknown>>
      expect(idsIn(await search!({ index: 'works', ...query })).sort()).toEqual(['a', 'b', 'c', 'd'])
      expect(await msearch!({ searches: [{}, query] })).toHaveProperty('responses')
    })

  it('an msearch keeps the order of its searches, and optimizes those that it understands', async () => {
    const { server, bare, wrap, reports } = await serving()
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

  it('a child is wrapped, and each of its requests is the child’s', async () => {
    const { server, wrap } = await serving()
    const child = wrap(decides).child({ headers: { 'x-child': 'yes' } })
    expect(idsIn((await child.search('works', query)).body)).toHaveLength(4)
    expect(searchesAt(server)).toHaveLength(2)
    for (const { headers } of searchesAt(server)) expect(headers).toContain('x-child')
  })

  describe('an error is the client’s own', () => {
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
      const { bare, wrap } = await serving(answer, answer === 'hang' ? { requestTimeout: 100 } : {})
      const asked = [bare, wrap(leaves), wrap(decides)]
      const [own, ...errors] = await Promise.all(asked.map((one) => rejection(one.search('works', query))))
      const [many, ...manyErrors] = await Promise.all(asked.map((one) => rejection(one.msearch([{}, query]))))
      expect(own).toBeInstanceOf(official.errors[name])
      for (const error of errors) expectSameError(error, own)
      for (const error of manyErrors) expectSameError(error, many)
    })
  })

  describe('a caller who goes', () => {
    if (official.kind === 'elasticsearch')
      it('ends the search and its sub-queries with a signal', async () => {
        const { server, wrap } = await serving('hang')
        const stop = new AbortController()
        const ending = rejection(wrap(decides).search('works', query, { signal: stop.signal }))
        await server.arrived(2)
        stop.abort()
        expect(await ending).toBeInstanceOf(official.errors.RequestAbortedError)
        await server.left(2)
      })

    if (official.kind === 'elasticsearch')
      it('before the search has nothing sent', async () => {
        const { server, wrap } = await serving()
        const error = await rejection(wrap(decides).search('works', query, { signal: AbortSignal.abort() }))
        expect(error).toBeInstanceOf(official.errors.RequestAbortedError)
        expect(searchesAt(server)).toEqual([])
      })

    if (official.kind === 'opensearch')
      it('ends the search and its sub-queries with the promise’s abort', async () => {
        const { server, wrap } = await serving('hang')
        const search = wrap(decides).it.search as (given: object) => Promise<unknown> & { abort(): void }
        const asked = search({ index: 'works', body: query })
        const ending = rejection(asked)
        await server.arrived(2)
        asked.abort()
        expect(await ending).toBeInstanceOf(official.errors.RequestAbortedError)
        await server.left(2)
      })
  })

  if (official.kind === 'opensearch')
    it('calls back as the client does', async () => {
      const { wrap } = await serving()
      const search = wrap(decides).it.search as (...given: unknown[]) => { abort(): void }
      const [error, result] = await new Promise<unknown[]>((resolve) => {
        const returned = search({ index: 'works', body: query }, (...given: unknown[]) => resolve(given))
        expect(returned).not.toBeInstanceOf(Promise)
      })
      expect(error).toBeNull()
      expect(idsIn((result as { body: unknown }).body)).toHaveLength(4)
    })

  it('has the client’s own members but for search, msearch and child', async () => {
    const { bare, wrap } = await serving()
    const one = wrap(decides).it
    expect(Reflect.ownKeys(one)).toEqual(Reflect.ownKeys(bare.it))
    expect(one).toBeInstanceOf(bare.it.constructor as never)
    for (const name of ['search', 'msearch', 'child']) expect(one[name]).not.toBe(bare.it[name])
    for (const name of ['index', 'bulk', 'transport', 'connectionPool', 'close'])
      expect(one[name]).toBe(bare.it[name])
  })
})
