/**
 * What search by HTTP does, whichever shell it stands in. A shell's test is
 *
 *     testHttpShell({ name: 'Koa 3', start: async (options) => send })
 *
 * and what one does otherwise is declared beside it, with the reason.
 */
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { SearchEndpointOptions, Searcher } from '../../../../adapters/apps/http/options.ts'
import { acqo } from '../../../../policies/acqo/acqo.ts'
import { QuerentError } from '../../../../src/errors.ts'
import { createOptimizer, type OptimizerOptions } from '../../../../src/optimizer.ts'
import type { Policy } from '../../../../src/policy.ts'
import { parseTrace } from '../../../../src/trace-schema.ts'
import type { Document, Retriever } from '../../../../src/types.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from '../../../support/scripted.ts'
import { linesOf, posted, type Send, until } from './http-server.ts'

/** What every shell is made with; the context is the shell's own. */
type ShellOptions = Omit<SearchEndpointOptions<never>, 'optimizer' | 'filter' | 'onError'> & {
  // biome-ignore lint/suspicious/noExplicitAny: a context is whatever the framework has.
  readonly [Name in 'optimizer' | 'filter' | 'onError']?: any
}

export interface HttpShell {
  readonly name: string
  /** Serves the endpoint at /search, with nothing beside it. */
  start(options: ShellOptions): Promise<Send>
  /** A header of the request that the shell's context is or holds. */
  // biome-ignore lint/suspicious/noExplicitAny: a context is whatever the framework has.
  header(context: any, name: string): string | null | undefined
  /** Tests that do not hold, and why. */
  readonly gaps?: readonly { readonly reason: string; readonly tests: readonly string[] }[]
}

const found = { who: ['a', 'b', 'c'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first%%second' })
const streamed = { headers: { accept: 'application/x-ndjson' } }
/** Stands in everything that a client must not see. */
const secret = 'hunter2'

const optimizerOf = (options: Partial<OptimizerOptions> = {}) =>
  createOptimizer({ retrievers: [scriptedRetriever({ found })], ...options })

/** Never answers. `asked` resolves to its signal when it has been asked. */
function silentRetriever(): Retriever & { readonly asked: Promise<AbortSignal> } {
  const { promise, resolve } = withResolvers<AbortSignal>()
  return {
    name: 'silent',
    asked: promise,
    retrieve(_, { signal }) {
      resolve(signal!)
      return new Promise(() => {})
    },
  }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason)
    else signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })

export function testHttpShell({ name, start, header, gaps = [] }: HttpShell): void {
  const reasons = new Map(gaps.flatMap(({ reason, tests }) => tests.map((test) => [test, reason] as const)))
  const known = new Set<string>()

  function test(title: string, run: () => Promise<void>): void {
    known.add(title)
    const reason = reasons.get(title)
    // A gap must be one: it is run as well, and has to fail.
    if (reason === undefined) it(title, run)
    else it.fails(`${title} (not so: ${reason})`, run)
  }

  const serve = (options: ShellOptions = {}): Promise<Send> => start({ optimizer: optimizerOf(), ...options })

  async function problemOf(response: Response): Promise<Record<string, unknown>> {
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const problem = (await response.json()) as Record<string, unknown>
    expect(problem).toMatchObject({
      type: `urn:problem-type:querent:${problem.code}`,
      status: response.status,
      title: expect.stringMatching(/\.$/),
      detail: expect.stringMatching(/./),
      remedy: expect.stringMatching(/\.$/),
    })
    return problem
  }

  describe(`search by HTTP: ${name}`, () => {
    test('answers GET with hits and the decision, for nobody to keep', async () => {
      const response = await (await serve())('/search?q=who&k=2')
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toEqual({
        hits: [
          { rank: 1, docid: 'a', score: 1 },
          { rank: 2, docid: 'b', score: 0.5 },
        ],
        decision: {
          kind: 'as-is',
          reason: expect.stringMatching(/./),
          subQueries: [{ text: 'who', round: 0 }],
        },
        took: expect.any(Number),
        partial: false,
      })
    })

    test('answers POST as it answers GET', async () => {
      const send = await serve()
      const [get, post] = await Promise.all([
        send('/search?q=who&k=2'),
        send('/search', posted({ text: 'who', k: 2 })),
      ])
      expect(post.status).toBe(200)
      const [one, other] = [await get.json(), await post.json()] as Record<string, unknown>[]
      expect({ ...other, took: 0 }).toEqual({ ...one, took: 0 })
    })

    test('answers HEAD with the headers of GET', async () => {
      const send = await serve()
      const [get, head] = await Promise.all([
        send('/search?q=who'),
        send('/search?q=who', { method: 'HEAD' }),
      ])
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
      expect((await send('/search', { method: 'HEAD' })).status).toBe(400)
    })

    test('passes text, history and filter on as they came', async () => {
      const retriever = scriptedRetriever()
      const chat = scriptedChat(['{"query": "x"}'])
      const optimizer = optimizerOf({ retrievers: [retriever], policy: acqo(), chat })
      const text = 'wer schrieb „Åse“ {"match_all":{}} \u0000 🂡'
      const history = [{ role: 'user', text: 'an earlier question' }]
      const filter = { term: { year: 1 } }
      const send = await serve({ optimizer, filter: true })
      await send('/search', posted({ text, history, filter }))
      expect(retriever.calls[0]).toMatchObject({ texts: [text], options: { filter } })
      expect((await send('/search', posted({ text }))).status).toBe(200)
      expect(retriever.calls.at(-1)!.options).not.toHaveProperty('filter')
      expect(JSON.stringify(chat.calls[0]!.messages)).toContain('an earlier question')
    })

    test('takes a conversation as chat servers have it', async () => {
      const asked: unknown[] = []
      const optimizer = optimizerOf()
      const noting: Searcher = {
        search(query, options) {
          asked.push(query)
          return optimizer.search(query, options)
        },
      }
      const history = [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'two' },
        { role: 'agent', text: 'three' },
      ]
      const send = await serve({ optimizer: noting })
      expect((await send('/search', posted({ text: 'who', history }))).status).toBe(200)
      const roles = ['user', 'agent', 'agent']
      expect(asked).toEqual([
        { text: 'who', history: history.map(({ text }, at) => ({ role: roles[at], text })) },
      ])
    })

    test('passes the intent to the policy, and leaves out what is excluded', async () => {
      const chat = scriptedChat(['{"query": "x"}'])
      const retriever = scriptedRetriever({ found: { x: ['a', 'b', 'c'] } })
      const send = await serve({ optimizer: optimizerOf({ retrievers: [retriever], policy: acqo(), chat }) })
      const asked = { text: 'who', intent: 'a birthday card', exclude: ['a'], k: 1 }
      expect(await (await send('/search', posted(asked))).json()).toMatchObject({
        hits: [{ rank: 1, docid: 'b' }],
      })
      expect(JSON.stringify(chat.calls[0]!.messages)).toContain('a birthday card')
    })

    test('takes the words as q and as text, in the address and in the body', async () => {
      const retriever = scriptedRetriever()
      const send = await serve({ optimizer: optimizerOf({ retrievers: [retriever] }) })
      const requests = [
        ['?q=who', {}],
        ['?text=who', {}],
        ['?text=who&q=who', {}],
        ['', posted({ text: 'who' })],
        ['', posted({ q: 'who' })],
        ['', posted({ q: 'who', text: 'who' })],
      ] as const
      for (const [parameters, init] of requests)
        expect((await send(`/search${parameters}`, init)).status).toBe(200)
      expect(retriever.calls.map(({ texts }) => texts)).toEqual(requests.map(() => ['who']))
    })

    for (const [what, parameters, init, errors] of [
      ['in the address', '?q=who&text=what', {}, [{ parameter: 'text' }]],
      ['in the body', '', posted({ text: 'who', q: 'what' }), [{ pointer: '#/q' }]],
      ['of no text', '', posted({ q: 1 }), [{ pointer: '#/q' }]],
    ] as const) {
      test(`refuses words under two names that differ, or are none, ${what}`, async () => {
        const problem = await problemOf(await (await serve())(`/search${parameters}`, init))
        expect(problem).toMatchObject({ status: 400, code: 'bad-request', errors })
      })
    }

    test('refuses a filter unless it is told to take one', async () => {
      const retriever = scriptedRetriever({ found })
      const send = await serve({ optimizer: optimizerOf({ retrievers: [retriever] }) })
      const response = await send('/search', posted({ text: 'who', filter: { term: 1 } }))
      expect(await problemOf(response)).toMatchObject({ status: 400, errors: [{ pointer: '#/filter' }] })
      expect(retriever.calls).toEqual([])
    })

    test('says whose fault it is that a retriever cannot filter', async () => {
      const fails = new QuerentError('bad-config', 'Retriever "bm25" cannot filter')
      const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
      const send = await serve({ optimizer, filter: true })
      const sent = await send('/search', posted({ text: 'who', filter: 1 }))
      const detail = fails.what
      const usual = 'Correct the places that are named.'
      expect(await problemOf(sent)).toMatchObject({ status: 400, detail, remedy: usual })
      expect(await problemOf(await send('/search?q=who'))).toMatchObject({ status: 500, code: 'bad-config' })
    })

    test('passes on how a retriever wants its filter', async () => {
      const remedy = 'Write it like {"lang": "en"}.'
      const fails = new QuerentError('bad-config', 'Retriever "bm25" cannot filter by this', { remedy })
      const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
      const send = await serve({ optimizer, filter: true })
      const sent = await send('/search', posted({ text: 'who', filter: 1 }))
      expect(await problemOf(sent)).toMatchObject({ status: 400, code: 'bad-request', remedy })
    })

    test('says whose fault it is that the backend refuses a filter', async () => {
      const fails = Object.assign(new Error(`parsing_exception: ${secret}`), { statusCode: 400 })
      const errors: Error[] = []
      const onError = (error: Error) => void errors.push(error)
      const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
      const send = await serve({ optimizer, filter: true, onError })
      const problem = await problemOf(await send('/search', posted({ text: 'who', filter: 1 })))
      expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '#/filter' }] })
      expect(JSON.stringify(problem)).not.toContain(secret)
      expect((await send('/search?q=who')).status).toBe(502)
      expect(errors).toEqual([fails, fails])
    })

    test('makes the filter of the caller and of what it sent', async () => {
      const retriever = scriptedRetriever({ found })
      const filter = async (asked: unknown, context: unknown) => [
        header(context, 'x-tenant'),
        asked ?? 'none',
      ]
      const send = await serve({ optimizer: optimizerOf({ retrievers: [retriever] }), filter })
      await send('/search', posted({ text: 'who', filter: 'asked' }, { 'x-tenant': 'one' }))
      await send('/search?q=who', { headers: { 'x-tenant': 'two' } })
      expect(retriever.calls.map(({ options }) => options.filter)).toEqual([
        ['one', 'asked'],
        ['two', 'none'],
      ])
    })

    test('explains to whoever asks, unless it may not', async () => {
      for (const [path, init] of [
        ['/search?q=who&explain=1', {}],
        ['/search', posted({ text: 'who', explain: true })],
      ] as const) {
        const explained = (await (await (await serve())(path, init)).json()) as Record<string, never>
        expect(explained).toMatchObject({ hits: [{ provenance: [{ retriever: 'bm25', rank: 1 }] }, {}, {}] })
        expect(parseTrace(explained.trace, 'the answer').steps.length).toBeGreaterThan(1)
        const not = (await (await (await serve({ explain: false }))(path, init)).json()) as object
        expect(JSON.stringify(not)).not.toMatch(/provenance|trace/)
      }
    })

    test('shows documents where it is told to', async () => {
      const document: Document = { docid: 'a', title: 'A', text: 'the text', metadata: { year: 1 } }
      const retriever: Retriever = {
        name: 'r',
        retrieve: async (subQueries) =>
          subQueries.map((subQuery) => ({
            retriever: 'r',
            subQuery,
            hits: hits('a').map((hit) => ({ ...hit, document })),
          })),
      }
      const optimizer = optimizerOf({ retrievers: [retriever] })
      const shown = await (await serve({ optimizer, documents: true }))('/search?q=who')
      expect(await shown.json()).toMatchObject({ hits: [{ docid: 'a', document }] })
      const hidden = await (await serve({ optimizer }))('/search?q=who&explain=1')
      expect(await hidden.text()).not.toContain('the text')
    })

    test('shows what a model wrote, which may quote documents, only where it shows documents', async () => {
      const optimizer = optimizerOf({
        policy: acqo(),
        chat: {
          name: 'm',
          complete: async () => ({
            text: '<think>the text says so</think>{"query": "who"}',
            tokens: { prompt: 1, completion: 1 },
          }),
        },
      })
      const explained = async (documents: boolean): Promise<string> =>
        (await (await serve({ optimizer, documents }))('/search?q=who&explain=1')).text()
      expect(await explained(true)).toContain('the text says so')
      expect(await explained(false)).not.toContain('the text says so')
    })

    test('shows the details of a decision, and unreadable completions, only where it shows documents', async () => {
      const deciding: Policy = {
        name: 'deciding',
        async run(_query, tools) {
          const legs = await tools.original()
          tools.decide('as-is', 'left alone', { candidates: [{ text: 'who, the text says so' }] })
          return { hits: tools.fuse(legs) }
        },
      }
      const unreadable = () => ({
        policy: acqo(),
        chat: scriptedChat(['Sorry, the text says so.', 'Sorry, the text says so.']),
      })
      for (const options of [() => ({ policy: deciding }), unreadable])
        for (const path of ['/search?q=who&explain=1', '/search?q=who&explain=1&stream=1']) {
          const explained = async (documents: boolean): Promise<string> =>
            (await (await serve({ optimizer: optimizerOf(options()), documents }))(path)).text()
          expect(await explained(true)).toContain('the text says so')
          expect(await explained(false)).not.toContain('the text says so')
        }
    })

    for (const [query, places] of [
      ['', [{ parameter: 'q', detail: 'is missing' }]],
      ['q=a&q=b', [{ parameter: 'q', detail: 'must be given once' }]],
      ['q=a&k=0', [{ parameter: 'k', detail: 'must be 1 or more' }]],
      ['q=a&k=101', [{ parameter: 'k', detail: 'must be 100 or less' }]],
      ['q=a&k=1.5', [{ parameter: 'k', detail: 'must be a whole number' }]],
      ['q=a&k=ten', [{ parameter: 'k', detail: 'must be a whole number' }]],
      ['q=a&explain=maybe', [{ parameter: 'explain', detail: 'must be 1 or 0' }]],
      ['q=a&stream=maybe', [{ parameter: 'stream', detail: 'must be 1 or 0' }]],
    ] as const) {
      test(`refuses ?${query}, naming the place`, async () => {
        const problem = await problemOf(await (await serve())(`/search?${query}`))
        expect(problem).toMatchObject({ status: 400, code: 'bad-request', errors: places })
      })
    }

    test("leaves parameters of the address alone that are somebody else's", async () => {
      expect((await (await serve())('/search?q=who&utm_source=x')).status).toBe(200)
    })

    test('takes null for what is not given', async () => {
      const given = { q: null, k: null, history: null, intent: null, exclude: null, filter: null }
      const body = { text: 'who', ...given, explain: null, answer: null }
      expect((await (await serve())('/search', posted(body))).status).toBe(200)
      const problem = await problemOf(await (await serve())('/search', posted({ ...body, text: null })))
      expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '#/text', detail: 'is missing' }] })
    })

    for (const [body, pointers] of [
      [{}, ['#/text']],
      [[], ['#']],
      [{ text: 1 }, ['#/text']],
      [{ text: 'a'.repeat(10_001) }, ['#/text']],
      [{ text: 'a', history: [{ role: 'user', text: 'a'.repeat(10_001) }] }, ['#/history/0/text']],
      [{ text: 'a', intent: 'a'.repeat(10_001) }, ['#/intent']],
      [{ text: 'a', k: '3' }, ['#/k']],
      [{ text: 'a', k: 1000 }, ['#/k']],
      [{ text: 'a', history: 'b' }, ['#/history']],
      [
        { text: 'a', history: [{ role: 'system', text: 'b' }, { role: 'user' }, 'c'] },
        ['#/history/0/role', '#/history/1/text', '#/history/2'],
      ],
      [{ text: 'a', 'K/~ä': 1, '\ud800': 1 }, ['#/K~1~0%C3%A4', '#/%EF%BF%BD']],
      [{ text: 'a', explain: 'yes' }, ['#/explain']],
      [{ text: 'a', intent: 1, exclude: ['b', 2] }, ['#/intent', '#/exclude/1']],
    ] as const) {
      test(`refuses ${JSON.stringify(body)}, naming the places`, async () => {
        const problem = await problemOf(await (await serve())('/search', posted(body)))
        expect(problem).toMatchObject({ status: 400, errors: pointers.map((pointer) => ({ pointer })) })
      })
    }

    for (const [what, body] of [
      ['cut JSON', '{"text": "a'],
      ['no body', ''],
      ['bytes that are no UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22])],
    ] as const) {
      test(`refuses ${what}`, async () => {
        const response = await (await serve())('/search', { ...posted(''), body })
        expect(await problemOf(response)).toMatchObject({ status: 400, code: 'bad-request' })
      })
    }

    for (const [what, headers] of [
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['plain text', { 'content-type': 'text/plain' }],
      ['a type that only begins like JSON', { 'content-type': 'application/json-seq' }],
    ] as const) {
      test(`refuses ${what} with 415, and knows the next request`, async () => {
        const send = await serve()
        const response = await send('/search', posted('{"text": "who"}', headers))
        expect(await problemOf(response)).toMatchObject({ status: 415, code: 'wrong-type' })
        expect((await send('/search', posted({ text: 'who' }))).status).toBe(200)
      })
    }

    test('refuses an encoded body with 415', async () => {
      const response = await (await serve())('/search', posted('x', { 'content-encoding': 'gzip' }))
      expect(await problemOf(response)).toMatchObject({ status: 415, code: 'wrong-type' })
    })

    test('knows JSON whatever its type says beside', async () => {
      const headers = { 'content-type': 'Application/JSON; charset=utf-8' }
      expect((await (await serve())('/search', posted({ text: 'who' }, headers))).status).toBe(200)
    })

    for (const [what, size, limit] of [
      ['above the limit that is set', 60, 50],
      ['above 65,536 bytes', 65_537, undefined],
      ['of a megabyte', 2 ** 20, undefined],
    ] as const) {
      // A query has a limit of its own.
      const text = (length: number): string => `{"text":"x","exclude":["${'x'.repeat(length - 27)}"]}`

      test(`refuses a body ${what} with 413, its size announced, and knows the next request`, async () => {
        const send = await serve({ limit })
        expect(await problemOf(await send('/search', posted(text(size))))).toMatchObject({
          status: 413,
          code: 'too-large',
          detail: expect.stringContaining(String(limit ?? 65_536)),
        })
        expect((await send('/search', posted(text(limit ?? 65_536)))).status).toBe(200)
      })

      test(`refuses a body ${what} with 413, its size not announced`, async () => {
        const pieces = text(size).match(/.{1,1000}/g)!
        const body = new ReadableStream({
          pull(stream) {
            const piece = pieces.shift()
            if (piece === undefined) stream.close()
            else stream.enqueue(new TextEncoder().encode(piece))
          },
        })
        const response = await (await serve({ limit }))('/search', {
          ...posted(''),
          body,
          duplex: 'half',
        } as RequestInit)
        expect(await problemOf(response)).toMatchObject({ status: 413, code: 'too-large' })
      })
    }

    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      test(`refuses ${method} with 405, saying what it takes`, async () => {
        const response = await (await serve())('/search?q=who', { method })
        expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
        expect(await problemOf(response)).toMatchObject({ status: 405, code: 'wrong-method' })
      })
    }

    test('answers its own path alone, be it with a slash at its end', async () => {
      const send = await serve()
      for (const path of ['/', '/searches?q=who', '/search/more?q=who', '/other/search?q=who'])
        expect((await send(path)).status, path).toBe(404)
      expect((await send('/search/?q=who')).status).toBe(200)
    })

    test('says 504 when time is up', async () => {
      const clock = manualClock()
      const retriever = scriptedRetriever({ found, ms: 9000, clock })
      const errors: Error[] = []
      const onError = (error: Error) => void errors.push(error)
      const send = await serve({ optimizer: optimizerOf({ retrievers: [retriever], clock }), onError })
      const answering = send('/search?q=who')
      await until(() => retriever.calls.length > 0)
      await clock.advance(2000)
      expect(await problemOf(await answering)).toMatchObject({
        status: 504,
        code: 'deadline',
        detail: 'Retriever "bm25" took longer than 2000 ms',
      })
      expect(errors).toMatchObject([{ code: 'deadline' }])
    })

    test("says 502 when the backend fails, in words of its own, and tells the application the backend's", async () => {
      const fails = Object.assign(new Error(`http://elastic:${secret}@10.0.0.1 refused`), {
        name: 'ConnectionError',
        statusCode: 401,
      })
      const errors: Error[] = []
      const onError = (error: Error) => void errors.push(error)
      const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
      const response = await (await serve({ optimizer, onError }))('/search?q=who&explain=1')
      const body = await response.clone().text()
      expect(await problemOf(response)).toMatchObject({
        status: 502,
        code: 'backend-failed',
        detail: 'A search backend failed (ConnectionError, status 401)',
      })
      expect(body).not.toMatch(new RegExp(`${secret}|10\\.0\\.0\\.1|\\.ts:`))
      expect(errors).toEqual([fails])
    })

    test('says 502 when a retriever fails by an error of ours, without what it was told', async () => {
      const fails = new QuerentError('retriever-failed', `The cluster said ${secret}`, { remedy: secret })
      const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
      const response = await (await serve({ optimizer }))('/search?q=who')
      const body = await response.clone().text()
      expect(await problemOf(response)).toMatchObject({ status: 502, code: 'retriever-failed' })
      expect(body).not.toContain(secret)
    })

    for (const [code, retryAfter, seconds] of [
      ['overloaded', 2500, '3'],
      ['overloaded', undefined, '1'],
      ['unavailable', 30_000, '30'],
    ] as const) {
      test(`says 503 and when to come again: ${code} for ${retryAfter} ms`, async () => {
        const fails = new QuerentError(code, 'Too much to do', retryAfter === undefined ? {} : { retryAfter })
        const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
        const response = await (await serve({ optimizer }))('/search?q=who')
        expect(response.headers.get('retry-after')).toBe(seconds)
        expect(await problemOf(response)).toMatchObject({ status: 503, code, retryAfter: Number(seconds) })
      })
    }

    test('says that a part failed, and to nobody in which words', async () => {
      const optimizer = optimizerOf({
        retrievers: [
          scriptedRetriever({ found }),
          scriptedRetriever({ name: 'dense', fails: new Error(secret) }),
        ],
        policy: acqo(),
        chat: scriptedChat([new Error(`Bearer ${secret}`), new Error(`Bearer ${secret}`)]),
      })
      const send = await serve({ optimizer, filter: () => ({ tenant: secret }) })
      for (const init of [{}, streamed]) {
        const response = await send('/search?q=who&explain=1', init)
        const text = await response.text()
        expect(response.status).toBe(200)
        expect(text).toContain('"partial":true')
        expect(text).toContain('without Querent: ')
        if (init === streamed) expect(text).toContain('{"type":"fallback","code":"Error"}')
        expect(text).not.toContain(secret)
        const { trace } = JSON.parse(text.trim().split('\n').at(-1)!)
        expect(parseTrace(trace, 'the answer').fallback).toBeDefined()
      }
    })

    test('streams the stages where that is asked for, each as soon as it is there', async () => {
      const clock = manualClock()
      const chat = scriptedChat([split], { ms: 500, clock })
      const send = await serve({ optimizer: optimizerOf({ policy: acqo(), chat, clock }) })
      const response = await send('/search?q=who', streamed)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/x-ndjson')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const lines = linesOf(response)
      // The model has not answered yet.
      expect((await lines.next()).value).toEqual({
        type: 'leg',
        round: 0,
        retriever: 'bm25',
        subQuery: { text: 'who', round: 0 },
        status: 'ok',
        hits: 3,
        ms: 0,
      })
      await clock.advance(500)
      const rest = await Readable.from(lines).toArray()
      expect(rest.map(({ type }) => type)).toEqual(['decision', 'round', 'leg', 'leg', 'fused', 'result'])
      expect(rest[0]).toMatchObject({ kind: 'decompose' })
      expect(rest[1]).toMatchObject({ round: 1, subQueries: [{ text: 'first' }, { text: 'second' }] })
      expect(rest[2]).toMatchObject({ round: 1, subQuery: { text: 'first' }, hits: 2 })
      expect(rest[4]).toMatchObject({ method: 'rank-score', hits: 3 })
      const whole = optimizerOf({ policy: acqo(), chat: scriptedChat([split]) })
      const { took, ...answer } = (await (
        await (
          await serve({ optimizer: whole })
        )('/search?q=who')
      ).json()) as {
        took: number
      }
      expect(rest[5]).toEqual({ type: 'result', took: 500, ...answer })
    })

    test('streams a leg when its retriever has answered, while others are still held', async () => {
      const clock = manualClock()
      const fast = scriptedRetriever({ name: 'fast', found: { who: ['a'] } })
      const slow = scriptedRetriever({ name: 'slow', found: { who: ['b', 'c'] }, ms: 700, clock })
      const send = await serve({ optimizer: createOptimizer({ retrievers: [slow, fast], clock }) })
      const lines = linesOf(await send('/search?q=who', streamed))
      expect((await lines.next()).value).toMatchObject({ type: 'leg', retriever: 'fast', hits: 1, ms: 0 })
      expect(slow.calls).toHaveLength(1)
      await clock.advance(700)
      const rest = await Readable.from(lines).toArray()
      expect(rest.map(({ type, retriever, ms }) => [type, retriever, ms])).toEqual([
        ['leg', 'slow', 700],
        ['fused', undefined, 0],
        ['result', undefined, undefined],
      ])
    })

    for (const [what, path, init, type] of [
      ['by a parameter', '/search?q=who&stream=1', {}, 'application/x-ndjson'],
      ['by POST', '/search?stream', posted({ text: 'who' }), 'application/x-ndjson'],
      [
        'of several types',
        '/search?q=who',
        { headers: { accept: 'text/html, Application/X-NDJSON;q=0.5' } },
        'application/x-ndjson',
      ],
      [
        'but less than JSON',
        '/search?q=who',
        { headers: { accept: 'application/x-ndjson;q=0.5, application/json' } },
        'application/json',
      ],
      ['in no way', '/search?q=who', { headers: { accept: 'application/x-ndjson;q=0' } }, 'application/json'],
      ['but the parameter says no', '/search?q=who&stream=0', streamed, 'application/json'],
    ] as const) {
      test(`knows how the stages are asked for: ${what}`, async () => {
        const response = await (await serve())(path, init)
        expect(response.headers.get('content-type')).toBe(type)
        expect((await response.text()).trim().split('\n')).toHaveLength(type === 'application/json' ? 1 : 3)
      })
    }

    test('refuses before a stream begins as it does without one', async () => {
      expect(await problemOf(await (await serve())('/search', streamed))).toMatchObject({ status: 400 })
    })

    test('ends a stream that has begun with the error', async () => {
      const fails = new Error(secret)
      const errors: Error[] = []
      const onError = (error: Error) => void errors.push(error)
      const optimizer = optimizerOf({ retrievers: [scriptedRetriever({ fails })] })
      const response = await (await serve({ optimizer, onError }))('/search?q=who', streamed)
      const lines = await Readable.from(linesOf(response)).toArray()
      expect(lines).toMatchObject([
        { type: 'leg', status: 'failed', hits: 0 },
        { type: 'error', problem: { status: 502, code: 'backend-failed' } },
      ])
      expect(JSON.stringify(lines)).not.toContain(secret)
      expect(errors).toEqual([fails])
    })

    test('ends the search when the client goes', async () => {
      const retriever = silentRetriever()
      const errors: Error[] = []
      const onError = (error: Error) => void errors.push(error)
      const send = await serve({
        optimizer: optimizerOf({ retrievers: [retriever], budget: { timeout: 50_000 }, legTimeout: 50_000 }),
        onError,
      })
      const client = new AbortController()
      const answering = send('/search?q=who', { signal: client.signal }).catch(() => {})
      const signal = await retriever.asked
      expect(signal.aborted).toBe(false)
      client.abort()
      await aborted(signal)
      await answering
      expect(errors).toEqual([])
    })

    test('ends the search when nobody reads its stages any more', async () => {
      const retriever = silentRetriever()
      const quick = scriptedRetriever({ found })
      const policy = acqo()
      const chat = scriptedChat([split])
      const optimizer = optimizerOf({
        retrievers: [quick, retriever],
        policy,
        chat,
        budget: { timeout: 50_000 },
        legTimeout: 50_000,
      })
      const response = await (await serve({ optimizer }))('/search?q=who', streamed)
      const reader = response.body!.getReader()
      let read = ''
      while (!read.includes('"decision"')) read += new TextDecoder().decode((await reader.read()).value)
      const signal = await retriever.asked
      await reader.cancel()
      await aborted(signal)
    })

    test('searches with what belongs to the caller, many at once', async () => {
      const callers = new Map<string, ReturnType<typeof scriptedRetriever>>()
      const optimizer = async (context: unknown) => {
        const caller = header(context, 'authorization')!
        const retriever = scriptedRetriever({ found: { who: [`for ${caller}`] } })
        callers.set(caller, retriever)
        return optimizerOf({ retrievers: [retriever] })
      }
      const send = await serve({ optimizer })
      const names = Array.from({ length: 20 }, (_, index) => `caller ${index}`)
      const answers = await Promise.all(
        names.map(async (name) => (await send('/search?q=who', { headers: { authorization: name } })).json()),
      )
      for (const [index, name] of names.entries()) {
        expect(answers[index]).toMatchObject({ hits: [{ docid: `for ${name}` }] })
        expect(callers.get(name)!.calls).toHaveLength(1)
      }
    })

    test('lets the application answer in its place', async () => {
      const optimizer = () => {
        throw new Response('who are you?', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
      }
      const response = await (await serve({ optimizer }))('/search?q=who')
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await response.text()).toBe('who are you?')
    })

    test('says 500 where the application cannot set the search up', async () => {
      const errors: Error[] = []
      const fails = new Error(secret)
      const optimizer = () => Promise.reject(fails)
      const onError = (error: Error): never => {
        errors.push(error)
        throw new Error('the log is full')
      }
      const response = await (await serve({ optimizer, onError }))('/search?q=who', streamed)
      expect(await problemOf(response)).toMatchObject({ status: 500, code: 'setup-failed' })
      expect(errors).toEqual([fails])
    })

    it('names only gaps that are tests', () => {
      expect([...reasons.keys()].filter((title) => !known.has(title))).toEqual([])
    })
  })
}
