/** Who a caller is, and that nothing that is remembered for one is used for another. */
import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityOf } from '../../../../../adapters/apps/drop-in/run/caller-identity.ts'
import { createProxy } from '../../../../../adapters/apps/proxy/proxy.ts'
import { openaiChat } from '../../../../../adapters/models/openai.ts'
import { officialClients } from '../../../../engines/official-clients.ts'
import { completion, type ScriptedServer, startChatServer } from '../../../../support/chat-server.ts'
import { answerOf, found } from '../../../../support/fake-engine.ts'
import { sendRaw } from '../../../../support/raw-http.ts'
import {
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../../../support/recording-server.ts'
import { patient } from '../../../../support/scripted-policy.ts'

const traces = [
  'traceparent tracestate b3 X-B3-TraceId x-b3-sampled x-datadog-parent-id sentry-trace baggage uber-trace-id uberctx-key',
  'X-Cloud-Trace-Context elastic-apm-traceparent newrelic x-newrelic-transaction x-correlation-id X-Amzn-Trace-Id cf-ray',
  'x-amz-cf-id X-Request-ID x-request-start x-ot-span-context ot-tracer-spanid grpc-trace-bin x-instana-t x-trace-id sw8',
  'x-envoy-attempt-count x-vercel-id fly-request-id x-azure-ref request-id x-ms-client-request-id x-amzn-requestid',
].flatMap((names) => names.split(' '))
const credentials = [
  'authorization es-security-runas-user securitytenant x-proxy-user cookie x-tenant x-forwarded-user x-forwarded-for host',
  'x-amzn-oidc-data x-amzn-request-context x-user-id x-session-id x-api-key x-something-new',
].flatMap((names) => names.split(' '))

const identityOfAll = (...headers: readonly (readonly [string, string])[]): string => identityOf(headers)

describe('headers', () => {
  it.each(traces)('%s identifies nobody', (name) =>
    expect(identityOfAll(['Cookie', 'a'], [name, 'b'])).toBe(identityOfAll(['cookie', 'a'])),
  )

  it.each(credentials)('%s identifies a caller', (name) => {
    expect(identityOfAll([name, 'a'])).not.toBe(identityOfAll([name, 'b']))
    expect(identityOfAll([name, 'a'])).not.toBe(identityOfAll())
  })

  it('of one name keep their order, since the engine may take the first', () => {
    const [one, other] = [
      ['x-tenant', 'a'],
      ['X-Tenant', 'b'],
    ] as const
    expect(identityOfAll(one, other)).not.toBe(identityOfAll(other, one))
  })
})

it.each<readonly [string, () => unknown]>([
  ['throws', () => expect.fail('no user')],
  ['rejects', () => Promise.reject(new Error('no user'))],
  ['returns nothing', () => undefined],
  ['returns a number', () => 7],
])('an identity that %s is nobody, each time another one', (_, identity) => {
  const one = identityOf([], identity as () => string)
  expect(one).not.toBe(identityOf([], identity as () => string))
  expect(one).not.toBe(identityOf([]))
})

/** What is kept for a caller: the types of fields, the values of filters, and what was decided for the pages of a search. */
describe('two searches share what is remembered exactly if the engine sees one caller', () => {
  const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
  const body = (from: number) => ({ query: { match: { text: 'Northwind boots' } }, from, size: 1 })
  let [searches, asked] = [0, 0]
  let engine: RecordingServer
  let chat: ScriptedServer

  /** An engine that has text in every field, no values of brands, and three works. */
  function answer({ path, body: sent }: RecordedRequest) {
    const caps = { fields: { text: { text: { type: 'text' } } } }
    const page = {
      ...answerOf(found('a', 'b', 'c')),
      aggregations: { values0: { buckets: [] } },
      status: 200,
    }
    const lines = String(sent).trim().split('\n')
    const responses = lines.filter((_, place) => place % 2 === 1).map(() => page)
    const all = path.includes('_field_caps') ? caps : path.includes('_msearch') ? { responses } : page
    return { headers, body: JSON.stringify(all) }
  }

  beforeAll(async () => {
    engine = await startRecordingServer(answer)
    chat = await startChatServer(() => completion(JSON.stringify({ query: `rewrite ${asked++}` })))
  })
  afterAll(async () => {
    await Promise.all([engine.close(), chat.close()])
  })

  /** How often the engine was asked for types and for values, and the model for a decision, by two pages. */
  async function askedBy(pages: (index: string) => Promise<unknown>) {
    engine.clear()
    const before = chat.requests.length
    await pages(`works-${searches++}`)
    const count = (isOne: (request: RecordedRequest) => boolean) => engine.requests.filter(isOne).length
    return [
      count(({ path }) => path.includes('_field_caps')),
      count(({ body: sent }) => String(sent).includes('"aggs"')),
      chat.requests.length - before,
    ]
  }
  const options = () =>
    ({
      ...patient,
      policy: 'acqo',
      chat: openaiChat({ baseUrl: chat.url, model: 'm' }),
      rerank: false,
      filters: { brand: 'keyword' },
    }) as const

  const value = fc.constantFrom('a', 'b')
  /** Half of the time, the second caller is the first one. */
  const pair = <T>(one: fc.Arbitrary<T>) =>
    fc.oneof(
      one.map((same) => [same, same] as const),
      fc.tuple(one, one),
    )
  const who = fc.record({ host: value, authorization: value, 'es-security-runas-user': value })
  const traced = fc.dictionary(fc.constantFrom(...traces), fc.stringMatching(/^[0-9a-f]{8}$/), {
    maxKeys: 4,
  })

  it('of a proxy', async () => {
    const proxy = await createProxy({ ...options(), target: engine.url })
    const url = await proxy.listen(0)
    const property = fc.asyncProperty(pair(who), traced, traced, async ([one, other], trace, otherTrace) => {
      const send = (
        index: string,
        from: number,
        { host, ...others }: typeof one,
        more: Readonly<Record<string, string>>,
      ) =>
        sendRaw(url, {
          method: 'POST',
          path: `/${index}/_search`,
          host,
          headers: ['content-type', 'application/json', ...Object.entries({ ...others, ...more }).flat()],
          body: JSON.stringify(body(from)),
        })
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      const counts = await askedBy(async (index) => {
        await send(index, 0, one, trace)
        await send(index, 1, other, otherTrace)
      })
      expect(counts).toEqual(isSame ? [1, 1, 1] : [2, 2, 2])
    })
    await fc.assert(property, { numRuns: 30 }).finally(() => proxy.close())
  })

  it.each(officialClients)('of a wrapped client whose transport sets the user: $name', async (official) => {
    const users = new AsyncLocalStorage<unknown>()
    const client = official.wrap(official.connect(engine.url), {
      ...options(),
      identity: () => users.getStore() as string,
    })
    const user = fc.oneof(value, fc.constantFrom('', undefined, 7))
    const property = fc.asyncProperty(
      pair(user),
      pair(value),
      traced,
      traced,
      async (both, tenants, trace, otherTrace) => {
        const send = (place: 0 | 1, index: string, more: Readonly<Record<string, string>>) =>
          users.run(both[place], () =>
            client.search(index, body(place), { headers: { 'x-tenant': tenants[place], ...more } }),
          )
        const isSame = typeof both[0] === 'string' && both[0] === both[1] && tenants[0] === tenants[1]
        const counts = await askedBy(async (index) => {
          await send(0, index, trace)
          await send(1, index, otherTrace)
        })
        expect(counts).toEqual(isSame ? [1, 1, 1] : [2, 2, 2])
      },
    )
    await fc.assert(property, { numRuns: 20 })
  })
})
