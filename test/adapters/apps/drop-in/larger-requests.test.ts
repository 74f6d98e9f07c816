/** Where a request that asks for more than the caller did fails, the caller has what the engine answers to the caller's own. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { createProxy } from '../../../../adapters/apps/proxy/proxy.ts'
import { type SearchReport, said as saying } from '../../../../src/observe.ts'
import { officialClients } from '../../../engines/official-clients.ts'
import { answerOf, findIn, finding, found } from '../../../support/fake-engine.ts'
import { sendRaw, valuesOf } from '../../../support/raw-http.ts'
import { type Answer, type RecordedRequest, startRecordingServer } from '../../../support/recording-server.ts'
import { rejection } from '../../../support/same-error.ts'
import { deciding, patient } from '../../../support/scripted-policy.ts'

const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const find = finding({ bridge: found('a', 'b', 'c', 'd', 'e'), arches: found('e', 'd') })
const size = 2
const own = { query: { match: { text: 'bridge' } }, size }
/** Reads the whole window, and puts the last hit first. */
const options: AppOptions = {
  ...patient,
  policy: deciding(['arches']),
  rerank: {
    rerank: (_query, _lists, hits) => hits.toReversed(),
    needs: (_query, _lists, hits) => hits.map(({ docid }) => docid),
  },
}

const isMsearchOf = ({ path }: RecordedRequest): boolean => path.includes('_msearch')
const isCaps = ({ path }: RecordedRequest): boolean => path.includes('_field_caps')
const bodiesOf = (request: RecordedRequest): JsonObject[] =>
  String(request.body)
    .trim()
    .split('\n')
    .filter((_, place) => !isMsearchOf(request) || place % 2 === 1)
    .map((line) => JSON.parse(line) as JsonObject)
/** Whether it is the caller's own: whatever Querent makes of it has another size here. */
const isOwn = (request: RecordedRequest): boolean =>
  !isCaps(request) && bodiesOf(request).every((body) => body.size === size)

const written = (body: unknown, status = 200) => ({ status, headers, body: JSON.stringify(body) })

/** What an engine answers that has text in all fields. */
function engine(request: RecordedRequest): Answer {
  if (isCaps(request)) return written({ fields: { text: { text: { type: 'text' } } } })
  const answers = bodiesOf(request).map((body) => ({ ...findIn(find, body), status: 200 }))
  return written(isMsearchOf(request) ? { took: 1, responses: answers } : answers[0])
}

/** An engine that answers so to all that is not the caller's own. */
async function failing(failure: Answer | ((request: RecordedRequest) => Answer)) {
  const server = await startRecordingServer((request) => {
    if (isCaps(request) || isOwn(request)) return engine(request)
    return typeof failure === 'function' ? failure(request) : failure
  })
  onTestFinished(() => server.close())
  return server
}

type Ask = (body: JsonObject, isMsearch: boolean) => Promise<{ ids: unknown[]; said: string | undefined }>

/** The hits of a search, or of the first one of an `_msearch`. */
function idsIn({ responses, hits }: JsonObject): unknown[] {
  if (Array.isArray(responses)) return idsIn(responses[0] as JsonObject)
  return (hits as { readonly hits: readonly JsonObject[] }).hits.map(({ _id }) => _id)
}

async function askProxy(target: string, more: AppOptions = {}): Promise<Ask> {
  const proxy = await createProxy({ target, ...options, ...more })
  const url = await proxy.listen(0)
  onTestFinished(() => proxy.close())
  return async (body, isMsearch) => {
    const answer = await sendRaw(url, {
      method: 'POST',
      path: `/works/${isMsearch ? '_msearch' : '_search'}`,
      headers: ['content-type', 'application/json', 'x-querent-explain', 'header'],
      body: isMsearch ? `{}\n${JSON.stringify(body)}\n` : JSON.stringify(body),
    })
    if (answer.status >= 400) throw Object.assign(new Error('refused'), { statusCode: answer.status })
    const ids = idsIn(JSON.parse(String(answer.body)) as JsonObject)
    return { ids, said: valuesOf(answer.headers, 'x-querent')[0] }
  }
}

const ways: readonly (readonly [string, typeof askProxy])[] = [
  ['a proxy', askProxy],
  ...officialClients.map((official): readonly [string, typeof askProxy] => [
    official.name,
    async (url, more = {}) => {
      let said: string | undefined
      const onSearch = ({ outcome }: SearchReport): void => {
        said = outcome && saying(outcome)
      }
      // A client that retries waits for seconds in between: a larger request is not worth that.
      const client = official.connect(url, { maxRetries: 3 })
      const wrapped = official.wrap(client, { ...options, ...more, observe: { onSearch } })
      return async (body, isMsearch) => {
        const asked = isMsearch
          ? wrapped.msearch([{}, body], { index: 'works' })
          : wrapped.search('works', body)
        return { ids: idsIn((await asked).body as JsonObject), said }
      }
    },
  ]),
]

const refusing = (status: number, type = 'no') => written({ error: { type, reason: 'so' }, status }, status)
const partly = {
  ...answerOf([]),
  _shards: {
    total: 2,
    successful: 1,
    failed: 1,
    failures: [{ shard: 0, reason: { type: 'query_shard_exception', reason: 'so' } }],
  },
}
const half = JSON.stringify(answerOf(found('a', 'b'))).slice(0, 60)
const failures: readonly (readonly [string, Answer | ((request: RecordedRequest) => Answer)])[] = [
  ...[400, 405, 408, 413, 422, 500, 501, 502, 503, 504].map(
    (status) => [`status ${status}`, refusing(status)] as const,
  ),
  ['too little memory', refusing(429, 'circuit_breaking_exception')],
  [
    'an error of its own in a list of answers',
    (request) => {
      const error = { error: { type: 'no', reason: 'so' }, status: 500 }
      return isMsearchOf(request) ? written({ responses: [error] }) : refusing(500)
    },
  ],
  ['shards that refuse it', (request) => written(isMsearchOf(request) ? { responses: [partly] } : partly)],
  ['a page of HTML', { headers: ['content-type', 'text/html', ...headers.slice(2)], body: '<p>' }],
  ['JSON that ends too soon', { headers, body: half }],
  ['an answer that is cut', { headers, body: half, cut: true }],
  ['an answer without hits', written({ took: 1 })],
  ['a connection that ends', 'cut'],
]
const kinds = [
  ['_search', false],
  ['_msearch', true],
] as const
const notOptimized = 'failed: retriever-failed: A search backend failed.'

describe.each(ways)('%s', (_, way) => {
  describe.each(kinds)('%s', (_, isMsearch) => {
    it('is optimized where nothing fails', async () => {
      const ask = await way((await failing(engine)).url)
      expect(await ask(own, isMsearch)).toEqual({ ids: ['c', 'b'], said: 'changed' })
    })

    it.each(failures)('has the hits of its own search, and is told so, after %s', async (_, failure) => {
      const server = await failing(failure)
      const ask = await way(server.url)
      expect(await ask(own, isMsearch)).toEqual({ ids: ['a', 'b'], said: notOptimized })
      expect(server.searches.filter(isOwn)).toHaveLength(1)
    })

    it.each([401, 403, 404, 429])('has the error of the larger request after status %d', async (status) => {
      const server = await failing(refusing(status))
      const ask = await way(server.url, { retries: 0 })
      expect(await rejection(ask(own, isMsearch))).toMatchObject({ statusCode: status })
      expect(server.searches.filter(isOwn)).toEqual([])
    })

    it('has the error of its own search where that fails, too', async () => {
      const server = await startRecordingServer((request) => refusing(isOwn(request) ? 400 : 413))
      onTestFinished(() => server.close())
      const ask = await way(server.url)
      expect(await rejection(ask(own, isMsearch))).toMatchObject({ statusCode: 400 })
    })
  })

  it('has the hits of its own search where the list of texts beside it fails', async () => {
    const server = await failing((request) => (isMsearchOf(request) ? refusing(413) : engine(request)))
    const ask = await way(server.url)
    const costly = { ...own, highlight: { fields: { text: {} } } }
    expect(await ask(costly, false)).toEqual({ ids: ['a', 'b'], said: notOptimized })
  })
})

describe.each(officialClients)('$name', (official) => {
  it("ends with the caller's time, which the larger request has used up", async () => {
    const server = await failing('hang')
    const wrapped = official.wrap(official.connect(server.url), options)
    const error = await rejection(wrapped.search('works', own, { requestTimeout: 100 }))
    expect(error).toBeInstanceOf(official.errors.TimeoutError)
    expect(server.searches.filter(isOwn)).toEqual([])
  })
})

describe.each(officialClients.filter(({ kind }) => kind === 'elasticsearch'))('$name', (official) => {
  it.each(kinds)('whose answers are limited is optimized, and ends no process: %s', async (_, isMsearch) => {
    const more = `"_source":{"more":"${'x'.repeat(200)}",`
    const server = await startRecordingServer((request) => {
      const { body, ...answer } = engine(request) as {
        readonly headers: readonly string[]
        readonly body: string
      }
      const long = body.replaceAll('"_source":{', more)
      // The client's limit then counts before it has read anything.
      return { ...answer, headers: [...answer.headers, 'content-length', String(long.length)], body: long }
    })
    onTestFinished(() => server.close())
    const wrapped = official.wrap(official.connect(server.url), options)
    const limited = { maxResponseSize: 1000 }
    const { body } = isMsearch
      ? await wrapped.msearch([{}, own], { index: 'works', ...limited })
      : await wrapped.search('works', own, limited)
    expect(idsIn(body as JsonObject)).toEqual(['c', 'b'])
  })
})
