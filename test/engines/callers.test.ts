/** Two callers never share a leg, nor an answer that is kept: whoever asks is who every request says that asks. */
import { Agent } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { openaiChat } from '../../adapters/models/openai.ts'
import { completion, startChatServer } from '../support/chat-server.ts'
import { settled } from '../support/manual-clock.ts'
import { sendRaw, valuesOf } from '../support/raw-http.ts'
import {
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../support/recording-server.ts'
import { deciding, patient } from '../support/scripted-policy.ts'
import { officialClients } from './official-clients.ts'

/** What tells callers apart. */
const names = ['authorization', 'es-security-runas-user', 'securitytenant', 'x-proxy-user', 'cookie'] as const
const headersOf = (who: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${name} of ${who}`]))
const decides: AppOptions = {
  policy: deciding((words) => [`${words} one`, `${words} two`]),
  rerank: false,
  ...patient,
}

/** So many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await settled()
}

/** An engine whose only document says who asked for it: a leg of somebody else's would show in the answer. */
const echo = ({ headers, path, body }: RecordedRequest) => {
  const who = valuesOf(headers, 'authorization').join()
  const hit = { _index: 'works', _id: who, _score: 1, _source: { title: who, text: who } }
  const answer = {
    took: 1,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: { total: { value: 1, relation: 'eq' }, max_score: 1, hits: [hit] },
  }
  const count = path.includes('_msearch') ? String(body).trim().split('\n').length / 2 : 0
  const all = count === 0 ? answer : { took: 1, responses: Array.from({ length: count }, () => answer) }
  // Answers come in another order than requests.
  const after = turns((body.length * 7) % 40)
  return {
    headers: ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch'],
    body: JSON.stringify(all),
    after,
  }
}

const callers = Array.from({ length: 50 }, (_, number) => `caller ${number}`)
const queryOf = (who: string) => ({ query: { match: { text: `what ${who} wants` } } })

/** Every request about a caller's words is that caller's own. */
function expectOwn(engine: RecordingServer, requests: number): void {
  const isCaps = ({ path }: { readonly path: string }): boolean => path.includes('/_field_caps')
  const searches = engine.requests.filter((request) => !isCaps(request))
  expect(searches).toHaveLength(requests)
  // What the fields are is asked by each caller, too: another one may see other indices.
  const asking = engine.requests.filter(isCaps).map(({ headers }) => {
    const [, who] = /^.* of (caller \d+)$/.exec(valuesOf(headers, names[0]!)[0]!)!
    for (const name of names) expect(valuesOf(headers, name), name).toEqual([`${name} of ${who}`])
    return who
  })
  expect(new Set(asking).size).toBe(callers.length)
  for (const { body, headers } of searches) {
    const wants = new Set([...String(body).matchAll(/what (caller \d+) wants/g)].map(([, who]) => who!))
    expect(wants.size).toBe(1)
    const [who] = wants
    for (const name of names) expect(valuesOf(headers, name), name).toEqual([`${name} of ${who}`])
  }
}

const idsOf = (body: unknown): string[] =>
  (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id)

async function engineThatEchoes(): Promise<RecordingServer> {
  const engine = await startRecordingServer(echo)
  onTestFinished(() => engine.close())
  return engine
}

describe('through the proxy', () => {
  async function start(options: AppOptions) {
    const engine = await engineThatEchoes()
    const proxy = await createProxy({ ...options, target: engine.url })
    onTestFinished(() => proxy.close())
    return { engine, url: await proxy.listen(0) }
  }
  const flat = (who: string): string[] => Object.entries(headersOf(who)).flat()

  it.each([
    ['decided on', decides, 100],
    ['re-ranked', { ...decides, rerank: true }, 100],
  ] as const)(
    'fifty callers at a time have legs of their own, over shared connections: %s',
    async (_, options, requests) => {
      const { engine, url } = await start(options)
      const agent = new Agent({ keepAlive: true, maxSockets: 8 })
      const answers = await Promise.all(
        callers.map((who) =>
          sendRaw(url, {
            method: 'POST',
            path: '/works/_search',
            headers: ['content-type', 'application/json', ...flat(who)],
            body: JSON.stringify(queryOf(who)),
            agent,
          }),
        ),
      )
      agent.destroy()
      expectOwn(engine, requests)
      for (const [place, { body }] of answers.entries())
        expect(idsOf(JSON.parse(String(body)))).toEqual([`authorization of ${callers[place]}`])
      expect(engine.connections).toBeLessThan(requests)
    },
  )

  it('fifty callers of an msearch have legs of their own', async () => {
    const { engine, url } = await start(decides)
    await Promise.all(
      callers.map((who) => {
        const line = `{"index":"works"}\n${JSON.stringify(queryOf(who))}\n`
        return sendRaw(url, {
          method: 'POST',
          path: '/_msearch',
          headers: ['content-type', 'application/x-ndjson', ...flat(who)],
          body: line + line,
        })
      }),
    )
    expectOwn(engine, 150)
  })

  it('a header that may say who asks parts what is kept; one that does not, does not', async () => {
    const chat = await startChatServer(() => completion('{"query": "one %% two"}'))
    onTestFinished(() => chat.close())
    const { url } = await start({ policy: 'acqo', chat: openaiChat({ baseUrl: chat.url, model: 'any' }) })
    const page = (from: number, ...headers: readonly string[]) =>
      sendRaw(url, {
        method: 'POST',
        path: '/works/_search',
        headers: ['content-type', 'application/json', ...headers],
        body: JSON.stringify({ ...queryOf('caller 1'), from }),
      })
    await page(0, 'authorization', 'one', 'x-opaque-id', 'a')
    await page(10, 'x-opaque-id', 'b', 'Authorization', 'one', 'user-agent', 'another')
    expect(chat.requests).toHaveLength(1)
    const others = [
      ['authorization', 'two'],
      [],
      ...names.slice(1).map((name) => ['authorization', 'one', name, 'somebody']),
      ['authorization', 'one', 'x-forwarded-user', 'somebody'],
    ]
    for (const [place, headers] of others.entries()) {
      await page(10, ...headers)
      expect(chat.requests, headers.join()).toHaveLength(2 + place)
    }
  })
})

describe.each(officialClients)('through $name, wrapped', ({ connect, wrap }) => {
  it('fifty callers at a time have legs of their own, by the headers of their options', async () => {
    const engine = await engineThatEchoes()
    const client = wrap(connect(engine.url), decides)
    const answers = await Promise.all(
      callers.map((who) => client.search('works', queryOf(who), { headers: headersOf(who) })),
    )
    expectOwn(engine, 100)
    for (const [place, { body }] of answers.entries())
      expect(idsOf(body)).toEqual([`authorization of ${callers[place]}`])
  })

  it('fifty callers of an msearch have legs of their own', async () => {
    const engine = await engineThatEchoes()
    const client = wrap(connect(engine.url), decides)
    await Promise.all(
      callers.map((who) =>
        client.msearch([{ index: 'works' }, queryOf(who), { index: 'works' }, queryOf(who)], {
          headers: headersOf(who),
        }),
      ),
    )
    expectOwn(engine, 150)
  })

  it('fifty children at a time have legs of their own, by the headers that they were made with', async () => {
    const engine = await engineThatEchoes()
    const client = wrap(connect(engine.url), decides)
    await Promise.all(
      callers.map((who) => client.child({ headers: headersOf(who) }).search('works', queryOf(who))),
    )
    expectOwn(engine, 100)
  })

  it('an answer of a model is kept for nobody else', async () => {
    const chat = await startChatServer(() => completion('{"query": "one %% two"}'))
    onTestFinished(() => chat.close())
    const engine = await engineThatEchoes()
    const client = wrap(connect(engine.url), {
      policy: 'acqo',
      chat: openaiChat({ baseUrl: chat.url, model: 'any' }),
    })
    const page = (from: number, headers: Record<string, string>, as = client) =>
      as.search('works', { ...queryOf('caller 1'), from }, { headers })
    await page(0, headersOf('one'))
    await page(10, headersOf('one'))
    expect(chat.requests).toHaveLength(1)
    await page(10, headersOf('two'))
    await page(10, {})
    await page(10, headersOf('one'), client.child({ headers: {} }))
    expect(chat.requests).toHaveLength(4)
  })
})
