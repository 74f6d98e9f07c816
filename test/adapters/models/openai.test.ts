import { createHash } from 'node:crypto'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openaiChat, openaiEmbedder } from '../../../adapters/models/openai.ts'
import type { ErrorCode } from '../../../src/errors.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openDeadline } from '../../../src/runtime/deadline.ts'
import type { Message } from '../../../src/types.ts'
import {
  completion,
  embeddings,
  failure,
  type Reply,
  type ScriptedServer,
  startChatServer,
  streamedCompletion,
} from '../../support/chat-server.ts'
import { anError, expectError } from '../../support/expect-error.ts'
import { rejection } from '../../support/same-error.ts'
import { describeEmbedder } from './conformance.ts'

const messages: readonly Message[] = [
  { role: 'system', content: 'You rewrite queries.' },
  { role: 'user', content: 'When does the ferry leave?' },
]
const model = 'scripted'
const apiKey = 'sk-very-secret'

const servers: ScriptedServer[] = []
async function serve(script: Parameters<typeof startChatServer>[0]): Promise<ScriptedServer> {
  const server = await startChatServer(script)
  servers.push(server)
  return server
}

beforeEach(() => {
  for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'QUERENT_CHAT_MODEL', 'QUERENT_EMBED_MODEL']) {
    vi.stubEnv(name, undefined)
  }
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('openaiChat', () => {
  it('sends what it is given and reads what comes back', async () => {
    const server = await serve([completion('ferry timetable')])
    const chat = openaiChat({
      baseUrl: server.url,
      apiKey,
      model,
      temperature: 0.5,
      maxTokens: 64,
      headers: { 'x-team': 'search' },
    })
    expect(await chat.complete(messages)).toEqual({
      text: 'ferry timetable',
      tokens: { prompt: 12, completion: 3 },
    })
    expect(chat.name).toBe(model)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${apiKey}`, 'x-team': 'search' },
    })
    expect(server.requests[0]!.body).toEqual({ model, messages, temperature: 0.5, max_tokens: 64 })
  })

  it('lets one request have its own temperature and length, unless they are set for the model', async () => {
    const server = await serve([completion('yes'), completion('no')])
    const open = openaiChat({ baseUrl: server.url, model })
    await open.complete(messages, { temperature: 0, maxTokens: 8 })
    const set = openaiChat({ baseUrl: server.url, model, temperature: 1, maxTokens: 64 })
    await set.complete(messages, { temperature: 0, maxTokens: 8 })
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model, messages, temperature: 0, max_tokens: 8 },
      { model, messages, temperature: 1, max_tokens: 64 },
    ])
  })

  describe('room to think', () => {
    const long = (limit: number) => (request: { readonly body: Readonly<Record<string, unknown>> }) =>
      Number(request.body.max_tokens) < limit
        ? completion('<think>Nice', { choice: { finish_reason: 'length' } })
        : completion('Lyon')

    it('is given after an answer that was cut off, once and for all; both are counted', async () => {
      const server = await serve(long(6000))
      const chat = openaiChat({ baseUrl: server.url, model })
      const first = await chat.complete(messages, { maxTokens: 2000 })
      expect(first).toEqual({ text: 'Lyon', tokens: { prompt: 24, completion: 6 } })
      await chat.complete(messages, { maxTokens: 2000 })
      expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([2000, 16_000, 16_000])
    })

    it('is not given again if it was not enough, nor against what is set', async () => {
      const server = await serve(long(100_000))
      const chat = openaiChat({ baseUrl: server.url, model })
      for (const _ of [1, 2])
        expect(await rejection(chat.complete(messages, { maxTokens: 2000 }))).toMatchObject({
          code: 'bad-completion',
        })
      const set = openaiChat({ baseUrl: server.url, model, maxTokens: 3000 })
      await rejection(set.complete(messages, { maxTokens: 2000 }))
      expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([2000, 16_000, 2000, 3000])
    })
  })

  it('has texts that end an answer, or none, in place of a prompt’s', async () => {
    const server = await serve(() => completion('yes'))
    for (const stop of [['.'], []])
      await openaiChat({ baseUrl: server.url, model, stop }).complete(messages, { stop: ['\n'] })
    expect(server.requests.map(({ body }) => body.stop)).toEqual([['.'], undefined])
  })

  it('passes on top-p and stop words', async () => {
    const server = await serve([completion('yes'), completion('no')])
    const chat = openaiChat({ baseUrl: server.url, model, topP: 0.9 })
    await chat.complete(messages, { stop: ['\n'] })
    await chat.complete(messages, { topP: 0.5 })
    expect(server.requests.map(({ body }) => [body.top_p, body.stop])).toEqual([
      [0.9, ['\n']],
      [0.9, undefined],
    ])
  })

  describe('streaming', () => {
    it('passes on each piece, and has the whole answer and its tokens in the end', async () => {
      const server = await serve([streamedCompletion(['It ', 'leaves ', 'at noon.'])])
      const pieces: string[] = []
      const chat = openaiChat({ baseUrl: server.url, model })
      expect(await chat.complete(messages, { onText: (piece) => pieces.push(piece) })).toEqual({
        text: 'It leaves at noon.',
        tokens: { prompt: 12, completion: 3 },
      })
      expect(pieces).toEqual(['It ', 'leaves ', 'at noon.'])
      expect(server.requests[0]!.body).toMatchObject({
        stream: true,
        stream_options: { include_usage: true },
      })
    })

    it.each(['{"usage":{"prompt_tokens":1}}', '{"choices":null}', '{}'])(
      'takes a chunk %s for no fault',
      async (chunk) => {
        const whole = streamedCompletion(['Lyon']) as { readonly body: string }
        const body = `event: ping\ndata: {}\n\n${whole.body.replace('data: [DONE]', `data: ${chunk}\n\ndata: [DONE]`)}`
        const server = await serve([{ headers: { 'content-type': 'text/event-stream' }, body }])
        const chat = openaiChat({ baseUrl: server.url, model })
        expect((await chat.complete(messages, { onText: () => {} })).text).toBe('Lyon')
      },
    )

    it('rejects an answer that is empty or cut off, as it does without', async () => {
      const server = await serve([streamedCompletion([]), streamedCompletion(['It leaves'], 'length')])
      const chat = openaiChat({ baseUrl: server.url, model, retries: 0 })
      for (const _ of [1, 2])
        expect(await rejection(chat.complete(messages, { onText: () => {} }))).toMatchObject({
          code: 'bad-completion',
        })
    })

    it.each([
      ['why it ends', { reason: 'stop' }],
      ['what it took', { usage: { prompt_tokens: 1, completion_tokens: 1 } }],
      ['that it is done', { end: 'data: [DONE]\n\n' }],
    ])(
      'takes a stream for complete that says %s, and no other',
      async (_, { reason, usage, end = '' }: { reason?: string; usage?: object; end?: string }) => {
        const choices = [{ delta: { content: 'Lyon' }, finish_reason: reason ?? '' }]
        const whole = `data: ${JSON.stringify({ choices, ...(usage && { usage }) })}\n\n${end}`
        const cut = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Ly' }, finish_reason: null }] })}\n\n`
        const headers = { 'content-type': 'text/event-stream' }
        const server = await serve([whole, cut].map((body) => ({ headers, body })))
        const chat = openaiChat({ baseUrl: server.url, model, retries: 0 })
        expect((await chat.complete(messages, { onText: () => {} })).text).toBe('Lyon')
        const error = await rejection(chat.complete(messages, { onText: () => {} }))
        expect(error).toEqual(anError('chat-failed', 'early'))
      },
    )

    it('rejects what is no chunk, and a server that fails', async () => {
      const nonsense = { headers: { 'content-type': 'text/event-stream' }, body: 'data: {"choices": 5}\n\n' }
      const server = await serve([nonsense, failure(400, 'no streaming here')])
      const chat = openaiChat({ baseUrl: server.url, model, retries: 0 })
      const unreadable = await rejection(chat.complete(messages, { onText: () => {} }))
      expect(unreadable).toEqual(anError('chat-failed', /choices/))
      const failed = await rejection(chat.complete(messages, { onText: () => {} }))
      expect(failed).toEqual(anError('chat-failed', 'no streaming here'))
    })
  })

  it('reads an answer in parts, without those that are thoughts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Nice?' }] },
      { type: 'text', text: 'Lyon' },
    ]
    const server = await serve([{ body: { choices: [{ message: { content } }] } }])
    expect((await openaiChat({ baseUrl: server.url, model }).complete(messages)).text).toBe('Lyon')
  })

  it('leaves out what is not set, and counts no tokens where the server counts none', async () => {
    const server = await serve([{ body: { choices: [{ message: { content: 'yes' } }] } }])
    const { tokens } = await openaiChat({ baseUrl: server.url, model }).complete(messages)
    expect(tokens).toEqual({ prompt: 0, completion: 0 })
    expect(server.requests[0]!.body).toEqual({ model, messages })
  })

  it.each([
    ['server', { baseUrl: 'http://two.test/v1' }],
    ['temperature', { temperature: 1 }],
    ['top-p', { topP: 0.5 }],
    ['length', { maxTokens: 9 }],
    ['header', { headers: { 'x-model': 'large' } }],
  ])('has another identity with another %s, and not with another key or timeout', (_, other) => {
    const options = { baseUrl: 'http://one.test/v1', model, temperature: 0.5 }
    const { identity } = openaiChat(options)
    expect(openaiChat({ ...options, ...other }).identity).not.toBe(identity)
    expect(openaiChat({ ...options, apiKey, timeout: 9, retries: 3 }).identity).toBe(identity)
  })

  it('keeps a key in its headers out of its identity', () => {
    const headers = { authorization: `Bearer ${apiKey}` }
    expect(openaiChat({ baseUrl: 'http://one.test/v1', model, headers }).identity).toMatch(/^[\w-]{43}$/)
  })

  it('takes server, key and model from the environment', async () => {
    const server = await serve([completion('yes')])
    vi.stubEnv('OPENAI_BASE_URL', server.url)
    vi.stubEnv('OPENAI_API_KEY', apiKey)
    vi.stubEnv('QUERENT_CHAT_MODEL', 'from-environment')
    const chat = openaiChat()
    await chat.complete(messages)
    expect(chat.name).toBe('from-environment')
    expect(server.requests[0]).toMatchObject({ headers: { authorization: `Bearer ${apiKey}` } })
  })

  it('asks OpenAI itself with the name of the limit that its newer models know', async () => {
    const sent = vi.fn<typeof fetch>(async () => Response.json((completion('yes') as { body: unknown }).body))
    await openaiChat({ apiKey, model, maxTokens: 5, fetch: sent }).complete(messages)
    const [url, request] = sent.mock.calls[0]!
    expect(url).toBe('https://api.openai.com/v1/chat/completions')
    expect(JSON.parse(String(request!.body))).toEqual({ model, messages, max_completion_tokens: 5 })
  })

  describe('before the first request', () => {
    it.each<[string, object, ErrorCode, string]>([
      ['a key for OpenAI itself', { model }, 'missing-key', 'OPENAI_API_KEY'],
      ['a model', { apiKey }, 'bad-config', 'QUERENT_CHAT_MODEL'],
      ['options it knows', { model, apiKey, modle: 'x' }, 'bad-config', 'modle'],
      ['a base URL that is one', { model, baseUrl: 'localhost' }, 'bad-config', 'baseUrl'],
      [
        'a base URL without a password',
        { model, baseUrl: 'http://me:pw@localhost/v1' },
        'bad-config',
        'baseUrl',
      ],
      ['a timeout above 0', { model, apiKey, timeout: 0 }, 'bad-config', 'timeout'],
    ])('asks for %s', (_, options, code, named) => {
      expectError(() => openaiChat(options), code, named)
    })

    it('names the variable that holds a wrong URL, and takes an empty one for none', () => {
      vi.stubEnv('OPENAI_BASE_URL', 'nowhere')
      expectError(() => openaiChat({ model, apiKey }), 'bad-config', /OPENAI_BASE_URL/)
      vi.stubEnv('OPENAI_BASE_URL', ' ')
      expectError(() => openaiChat({ model }), 'missing-key', /api\.openai\.com/)
    })
  })

  describe('without a usable answer', () => {
    it.each<[string, Reply, RegExp]>([
      ['is empty', completion(''), /empty/],
      ['is white space', completion(' \n'), /empty/],
      ['is null', completion(null), /empty/],
      [
        'is a refusal',
        completion(null, { message: { refusal: 'I would rather not' } }),
        /I would rather not/,
      ],
      ['was cut off', completion('{"query": "fer', { choice: { finish_reason: 'length' } }), /cut off/],
      ['was filtered', completion('', { choice: { finish_reason: 'content_filter' } }), /filter/],
    ])('rejects an answer of the model that %s', async (_, reply, message) => {
      const server = await serve([reply])
      const error = await rejection(openaiChat({ baseUrl: server.url, model }).complete(messages))
      expect(error).toEqual(anError('bad-completion', message))
      expect(server.requests).toHaveLength(1)
    })

    it.each<[string, Reply, RegExp]>([
      ['has no choices', { body: { choices: [] } }, /choices/],
      ['is another protocol', { body: { reply: 'yes' } }, /choices/],
      ['is malformed', { body: '{"choices": [' }, /JSON/],
      ['is a web page', { body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } }, /object/],
      ['is an error', failure(404, 'no such model'), /404 no such model/],
      ['is an error with status 200', { body: { error: { message: 'out of credit' } } }, /out of credit/],
      [
        'is an error page',
        { status: 403, body: `<html>${'x'.repeat(9000)}</html>` },
        /403 <html>x{200,300}…/,
      ],
    ])('rejects when it %s', async (_, reply, message) => {
      const server = await serve([reply])
      const error = await rejection(openaiChat({ baseUrl: server.url, model }).complete(messages))
      expect(error).toEqual(anError('chat-failed', message))
      expect(error.message).toContain('Chat model "scripted"')
      expect(server.requests).toHaveLength(1)
    })

    it("keeps the client's own error as cause", async () => {
      const server = await serve([failure(400, 'bad request')])
      const { cause } = await rejection(openaiChat({ baseUrl: server.url, model }).complete(messages))
      expect(cause).toBeInstanceOf(OpenAI.BadRequestError)
    })

    it('says why a server cannot be reached', async () => {
      const server = await startChatServer([])
      await server.close()
      const chat = openaiChat({ baseUrl: server.url, model, retries: 0 })
      expect((await rejection(chat.complete(messages))).message).toMatch(/ECONNREFUSED/)
    })

    it('never repeats the key', async () => {
      const server = await serve([failure(401, `The key ${apiKey} is wrong`)])
      const error = await rejection(openaiChat({ baseUrl: server.url, apiKey, model }).complete(messages))
      expect(error.message).toContain('401 The key [key]')
      expect(JSON.stringify({ ...error, message: error.message })).not.toContain(apiKey)
    })
  })

  describe('retrying', () => {
    it('asks again after a failure that passes', async () => {
      const server = await serve([failure(503, 'busy'), completion('yes')])
      const { text } = await openaiChat({ baseUrl: server.url, model }).complete(messages)
      expect(text).toBe('yes')
      expect(server.requests).toHaveLength(2)
    })

    it.each([0, 1, 2])('gives up after %i retries', async (retries) => {
      const server = await serve(() => failure(503, 'busy'))
      const chat = openaiChat({ baseUrl: server.url, model, retries })
      expect(await rejection(chat.complete(messages))).toMatchObject({ code: 'chat-failed' })
      expect(server.requests).toHaveLength(retries + 1)
    })

    it.each([
      ['seconds', '3600'],
      ['a date', new Date(Date.now() + 3_600_000).toUTCString()],
    ])('does not wait for longer than its timeout, told to in %s', async (_, wait) => {
      const busy = { status: 429, body: { error: { message: 'later' } }, headers: { 'retry-after': wait } }
      const server = await serve([busy, completion('yes')])
      const chat = openaiChat({ baseUrl: server.url, model, timeout: 3000, retries: 2 })
      const error = await rejection(chat.complete(messages))
      expect(error).toMatchObject({ code: 'rate-limited', retryAfter: expect.any(Number) })
      expect(error.message).toMatch(/429 .* 3(600|59\d) s/)
      expect(server.requests).toHaveLength(1)
    })

    it.each([
      ['seconds', { 'retry-after': '2' }, 1500],
      ['milliseconds', { 'retry-after-ms': '2000' }, 1500],
      ['nothing', {}, 400],
    ])(
      'does not wait for longer than the deadline of its caller, told to in %s',
      async (_, headers, left) => {
        const server = await serve([{ status: 503, body: { error: { message: 'later' } }, headers }])
        const chat = openaiChat({ baseUrl: server.url, model })
        const search = openDeadline(systemClock, { ms: left, what: 'The search' })
        const prompt = openDeadline(systemClock, { parent: search.signal, ms: 60_000, what: 'The prompt' })
        const error = await rejection(chat.complete(messages, { signal: prompt.signal }))
        search.cancel()
        expect(error).toEqual(anError('chat-failed', '503 later'))
        expect(server.requests).toHaveLength(1)
      },
    )
  })

  describe('a server that fails', () => {
    const tries = 8
    /** The codes of so many calls in a row. */
    async function codesOf(chat: ReturnType<typeof openaiChat>, signal = () => new AbortController().signal) {
      const codes: string[] = []
      for (let call = 0; call < tries; call++)
        codes.push(
          await chat.complete(messages, { signal: signal() }).then(
            () => 'answer',
            ({ code }: { readonly code: string }) => code,
          ),
        )
      return codes
    }
    const opened = (code: string) => [...Array(5).fill(code), ...Array(tries - 5).fill('unavailable')]

    it.each([
      [408, 'chat-failed'],
      [429, 'rate-limited'],
      [500, 'chat-failed'],
      [503, 'chat-failed'],
    ])('with %i is not asked after the fifth time in a row', async (status, code) => {
      const server = await serve(() => failure(status, 'no'))
      const chat = openaiChat({ baseUrl: server.url, model, retries: 0 })
      expect(await codesOf(chat)).toEqual(opened(code))
      expect(server.requests).toHaveLength(5)
      expect((await rejection(chat.complete(messages))).message).toContain(`${status} no`)
    })

    it('by not being there, or never answering, is not asked either', async () => {
      const gone = await startChatServer([])
      await gone.close()
      expect(await codesOf(openaiChat({ baseUrl: gone.url, model, retries: 0 }))).toEqual(
        opened('chat-failed'),
      )
      const { url } = await serve(() => 'hang')
      expect(await codesOf(openaiChat({ baseUrl: url, model, timeout: 20 }))).toEqual(opened('deadline'))
      const late = () => openDeadline(systemClock, { ms: 20, what: 'The prompt' }).signal
      const chat = openaiChat({ baseUrl: url, model })
      expect(await codesOf(chat, late)).toEqual(opened('aborted'))
      expect((await rejection(chat.complete(messages))).message).toContain('20 ms')
    })

    it.each<[string, Reply]>([
      ['refuses requests', failure(400, 'no')],
      ['does not know the model', failure(404, 'no')],
      ['writes something else', { body: 'hello' }],
    ])('in another way (it %s) is asked on', async (_, reply) => {
      const server = await serve(() => reply)
      await codesOf(openaiChat({ baseUrl: server.url, model, retries: 0 }))
      expect(server.requests).toHaveLength(tries)
    })

    it('is asked on where callers leave, or where each answer counts', async () => {
      const server = await serve(() => 'hang')
      const chat = openaiChat({ baseUrl: server.url, model })
      expect(await codesOf(chat, () => AbortSignal.timeout(20))).toEqual(Array(tries).fill('aborted'))
      const patient = openaiChat({ baseUrl: server.url, model, timeout: 20, breaker: false })
      expect(await codesOf(patient)).toEqual(Array(tries).fill('deadline'))
    })
  })

  describe('ending', () => {
    it('gives up at its timeout and lets go of the server', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const server = await serve(['hang'])
      const answer = rejection(openaiChat({ baseUrl: server.url, model, timeout: 3000 }).complete(messages))
      await server.arrived(1)
      vi.advanceTimersByTime(3000)
      expect(await answer).toEqual(anError('deadline', '3000 ms'))
      await server.abandoned
    })

    it('counts its retries into its timeout', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const server = await serve([failure(503, 'busy'), 'hang'])
      const answer = rejection(openaiChat({ baseUrl: server.url, model, timeout: 3000 }).complete(messages))
      await server.arrived(1)
      await vi.advanceTimersByTimeAsync(0)
      vi.advanceTimersByTime(3000)
      expect(await answer).toMatchObject({ code: 'deadline' })
    })

    it('tells its own caller that it was the caller who aborted', async () => {
      const server = await serve(['hang'])
      const controller = new AbortController()
      const reason = new Error('enough')
      const chat = openaiChat({ baseUrl: server.url, model })
      const answer = rejection(chat.complete(messages, { signal: controller.signal }))
      await server.arrived(1)
      controller.abort(reason)
      expect(await answer).toMatchObject({ code: 'aborted', cause: reason })
      await server.abandoned
    })

    it('asks nobody for a caller that has aborted before', async () => {
      const server = await serve([])
      const chat = openaiChat({ baseUrl: server.url, model })
      const answer = chat.complete(messages, { signal: AbortSignal.abort() })
      expect(await rejection(answer)).toMatchObject({ code: 'aborted' })
      expect(server.requests).toHaveLength(0)
    })
  })
})

/** A vector that only that text has: bytes of its digest. Not of unit length. */
const vectorOf = (text: string): number[] => [...createHash('sha256').update(text).digest().subarray(0, 8)]
const answerAll = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): Reply =>
  embeddings((body.input as string[]).map(vectorOf))

describeEmbedder('openaiEmbedder conforms', async (instructions = {}) => {
  const server = await serve(answerAll)
  return openaiEmbedder({ baseUrl: server.url, model, batchSize: 7, ...instructions })
})

describe('openaiEmbedder', () => {
  it('learns the dimensions from a first answer, and sends batches', async () => {
    const server = await serve(answerAll)
    const embedder = await openaiEmbedder({ baseUrl: server.url, apiKey, model, batchSize: 2 })
    expect(embedder).toMatchObject({ name: 'openai:scripted', dimensions: 8 })
    const vectors = await embedder.embed(['a', 'b', 'c'], { kind: 'document' })
    expect(server.requests.slice(1).map(({ body }) => body)).toEqual([
      { model, input: ['a', 'b'], encoding_format: 'float' },
      { model, input: ['c'], encoding_format: 'float' },
    ])
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const length = Math.hypot(...vectorOf('c'))
    expect([...vectors[2]!]).toEqual(vectorOf('c').map((value) => Math.fround(value / length)))
  })

  it('asks for dimensions that are given, and needs no first answer then', async () => {
    const server = await serve([embeddings([[3, 4]])])
    const embedder = await openaiEmbedder({ baseUrl: server.url, model, dimensions: 2 })
    expect(server.requests).toHaveLength(0)
    const [vector] = await embedder.embed(['a'], { kind: 'query' })
    expect([...vector!]).toEqual([Math.fround(3 / 5), Math.fround(4 / 5)])
    expect(server.requests[0]!.body).toMatchObject({ dimensions: 2 })
  })

  it.each([
    ['server', { baseUrl: 'http://two.test/v1' }],
    ['instruction for queries', { queryPrefix: 'question: ' }],
    ['length of texts', { maxCharacters: 9 }],
    ['header', { headers: { 'x-model': 'large' } }],
  ])('has another identity with another %s, and no other name', async (_, other) => {
    const options = { baseUrl: 'http://one.test/v1', model, dimensions: 2 }
    const [one, same, another] = await Promise.all(
      [options, { ...options, apiKey, batchSize: 2 }, { ...options, ...other }].map(openaiEmbedder),
    )
    expect(same!.identity).toBe(one!.identity)
    expect(another!.identity).not.toBe(one!.identity)
    expect(another!.name).toBe(one!.name)
  })

  it('goes by the index of a vector, not by its place', async () => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ]
    const server = await serve([{ body: { data } }])
    const embedder = await openaiEmbedder({ baseUrl: server.url, model, dimensions: 2 })
    const vectors = await embedder.embed(['first', 'second'], { kind: 'document' })
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ])
  })

  it('sends no empty text, and cuts long ones between characters', async () => {
    const server = await serve(answerAll)
    const embedder = await openaiEmbedder({ baseUrl: server.url, model, maxCharacters: 4 })
    await embedder.embed(['', 'abcdef', 'abc😀'], { kind: 'document' })
    expect(server.requests[1]!.body.input).toEqual([' ', 'abcd', 'abc'])
  })

  it.each<[string, Reply, RegExp]>([
    ['too few vectors', embeddings([[1, 0]]), /no vector for text 2 of 2/],
    [
      'vectors of another length',
      embeddings([
        [1, 0, 0],
        [1, 0, 0],
      ]),
      /\b3 .*\b2\b/,
    ],
    [
      'a vector of zeros',
      embeddings([
        [0, 0],
        [1, 0],
      ]),
      /length 0/,
    ],
    ['something else', { body: { data: 'none' } }, /data/],
    ['an error', failure(400, 'input too long'), /400 input too long/],
  ])('rejects %s', async (_, reply, message) => {
    const server = await serve([reply])
    const embedder = await openaiEmbedder({ baseUrl: server.url, model, dimensions: 2 })
    const error = await rejection(embedder.embed(['a', 'b'], { kind: 'document' }))
    expect(error).toEqual(anError('embed-failed', message))
  })

  it('retries, and names its own variable for the model', async () => {
    const server = await serve([failure(429, 'slowly'), failure(500, 'oh'), embeddings([[1]])])
    expect(await openaiEmbedder({ baseUrl: server.url, model })).toMatchObject({ dimensions: 1 })
    await expectError(openaiEmbedder({ baseUrl: server.url }), 'bad-config', /QUERENT_EMBED_MODEL/)
  })
})
