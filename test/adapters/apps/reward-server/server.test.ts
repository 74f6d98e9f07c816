import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startRewardServer } from '../../../../adapters/apps/reward-server/server.ts'
import { expectError } from '../../../support/expect-error.ts'
import { heldRetriever } from '../../../support/held.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { sendRaw } from '../../../support/raw-http.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { answer, openedIndex, testServer } from './opened.ts'

const oneItem = { items: [{ completion: answer('desert planet'), query_id: 'q1' }] }

describe('addresses', () => {
  it('has a health that says what answers', async () => {
    const rewards = { stage: 1, eta: 0.6, kStar: 0 } as const
    const { get } = await testServer({ defaults: rewards, maxSubQueries: 2, timeout: 5_000 })
    const health = await get('/health')
    expect(health.status).toBe(200)
    expect(JSON.parse(health.text)).toEqual({
      status: 'ok',
      server: {
        version: expect.stringMatching(/^\d/),
        retriever: 'bm25',
        index_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        config_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      settings: { rewards, maxSubQueries: 2, timeout: 5_000 },
    })
  })

  it('has digests of what decides about rewards', async () => {
    const health = async (options: Parameters<typeof testServer>[0]) =>
      JSON.parse((await (await testServer(options)).get('/health')).text).server
    const [one, same, other] = [await health({}), await health({}), await health({ defaults: { eta: 0.6 } })]
    expect(one).toEqual(same)
    expect(other.index_digest).toBe(one.index_digest)
    expect(other.config_digest).not.toBe(one.config_digest)
  })

  it('has another digest where something else is relevant, to a query that is asked for by its id', async () => {
    const digest = async (docid: string, grade: number) => {
      const { get } = await testServer({ qrels: new Map([['q1', new Map([[docid, grade]])]]) })
      return JSON.parse((await get('/health')).text).server.config_digest
    }
    const one = await digest('dune', 1)
    expect(await digest('dune', 1)).toBe(one)
    expect(await digest('emma', 1)).not.toBe(one)
    expect(await digest('dune', 0)).not.toBe(one)
    // Any grade above 0 is relevant, and rewards know no more.
    expect(await digest('dune', 2)).toBe(one)
  })

  it('does not start where it could not price what it takes', async () => {
    const options = {
      index: await openedIndex(),
      port: 0,
      defaults: { stage: 1 },
      maxSubQueries: 13,
    } as const
    await expectError(startRewardServer(options), 'bad-config')
  })

  it.each([
    ['PUT', '/v1/reward', 405],
    ['DELETE', '/delete', 405],
    ['POST', '/list_environments', 405],
    ['GET', '/v1/reward', 405],
    ['POST', '/metrics', 405],
    ['POST', '/', 404],
    ['POST', '/v1/rewards', 404],
  ])('%s %s is %i', async (method, path, status) => {
    const { url } = await testServer()
    const response = await fetch(`${url}${path}`, { method })
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: expect.any(String) })
  })

  it.each(['//', '/%', '*', 'http://[', '/v1/reward/../..'])('does not stumble over %s', async (path) => {
    const { url, post } = await testServer()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1.1 40\d /)
    expect((await post('/v1/reward', oneItem)).status).toBe(200)
  })

  it('has those of docs/training-llm.md and no other', async () => {
    const { url } = await testServer()
    const rows = readFileSync('docs/training-llm.md', 'utf8').matchAll(/^\| `POST (\/\S+)` \|/gm)
    const documented = new Set([...rows].map(([, path]) => path!))
    const said = (await (await fetch(`${url}/nowhere`)).json()) as { error: string }
    expect(said.error).toBe(`There is nothing at /nowhere: try ${[...documented].join(', ')}`)
  })

  it('listens on this machine alone unless it is told otherwise', async () => {
    expect((await testServer()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('says which address it cannot have', async () => {
    const { url } = await testServer()
    const port = Number(new URL(url).port)
    await expectError(
      startRewardServer({ index: await openedIndex(), port }),
      'bad-config',
      `127.0.0.1:${port}`,
    )
  })
})

describe('types of bodies', () => {
  it.each([
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/vnd.trainer+json', 200],
    // Sent by a program that sets no headers.
    [undefined, 200],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonp', 415],
    ['text/plain; application/json', 415],
  ])('%s: %d', async (type, status) => {
    const { url } = await testServer()
    const headers = type === undefined ? [] : ['content-type', type]
    const body = JSON.stringify(oneItem)
    const answer = await sendRaw(url, { method: 'POST', path: '/v1/reward', headers, body })
    expect(answer.status).toBe(status)
    if (status === 415) expect(JSON.parse(String(answer.body)).error).toContain('application/json')
  })
})

it('counts the paths that strangers make up as one', async () => {
  const { url, get } = await testServer()
  expect((await fetch(`${url}/made-up`, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await get('/metrics')).text).not.toContain('made-up')
})

describe('limits', () => {
  it.each([
    ['announced', JSON.stringify(oneItem)],
    [
      'not announced',
      new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1000).fill(32)) }),
    ],
  ])('refuses a body that is too large, its size %s', async (_, body) => {
    const { url, metric } = await testServer({ limits: { body: 50 } })
    const headers = { 'content-type': 'application/json' }
    const init = {
      method: 'POST',
      headers,
      body,
      ...(typeof body !== 'string' && { duplex: 'half' }),
    } as RequestInit
    const response = await fetch(`${url}/v1/reward`, init)
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ error: expect.stringContaining('larger than 50 bytes') })
    expect(await metric('querent_queue_bytes')).toBe(0)
  })

  describe.each([
    ['too large', { body: 2 ** 20 }, 413, 'send fewer items at a time'],
    ['too much', { body: 2 ** 20, requests: 0 }, 503, 'too much to do'],
  ])('what is %s', (_, limits, status, remedy) => {
    const size = 12 * 2 ** 20

    it.each([
      ['announced', `content-length: ${size}`, ''],
      ['not announced', 'transfer-encoding: chunked', `${size.toString(16)}\r\n`],
    ])(
      'is refused within hearing of who writes all before reading, its size %s',
      async (__, header, prefix) => {
        const { url } = await testServer({ limits })
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        socket.write(`POST /v1/reward HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n${prefix}`)
        const chunk = Buffer.alloc(2 ** 16, ' ')
        for (let written = 0; written < size; written += chunk.length) {
          if (!socket.write(chunk)) await once(socket, 'drain')
        }
        if (prefix !== '') socket.write('\r\n0\r\n\r\n')
        const answered = await text(socket)
        expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
        expect(answered).toContain(remedy)
      },
    )
  })

  it('reads no more than 16 times the limit of what it refuses', async () => {
    const { url } = await testServer({ limits: { body: 1000 } })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('POST /v1/reward HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n')
    socket.write(' '.repeat(16_000))
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 /)
    expect(socket.readableEnded).toBe(false)
    socket.write(' ')
    await once(socket.resume(), 'close')
  })

  it('waits for the rest of what it refuses as long as for a request, and no longer', async () => {
    const clock = manualClock()
    const { url } = await testServer({ limits: { body: 50 }, clock, timeout: 500 })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('POST /v1/reward HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 /)
    expect(clock.waiting).toBe(1)
    const closed = once(socket.resume(), 'close')
    await clock.advance(500)
    await closed
    expect(clock.waiting).toBe(0)
  })

  it.each([
    ['/v1/reward', 'items', 0],
    ['/openrlhf', 'query', 0],
    ['/openrlhf', 'labels', 0],
    ['/retrieve', 'queries', 0],
  ])('looks at no entry of a list that is far too long: %s, %s', async (path, name, entry) => {
    const { post } = await testServer()
    const { status, body } = await post(path, {
      query: [],
      queries: [],
      [name]: new Array(40_000).fill(entry),
    })
    expect([status, body.error]).toEqual([400, expect.stringMatching(`${name}: .*32768`)])
  })

  it('refuses more searches than it can hold: 413 for those of one request, 503 for those of others', async () => {
    const items = ['a', 'b', 'c'].map((query) => ({ completion: answer(query), query_id: 'q1' }))
    const large = await testServer({ maxSearches: 2 })
    const refused = await large.post('/v1/reward', { items })
    expect([refused.status, refused.body.error]).toEqual([413, expect.stringContaining('Send fewer items')])
    expect((await large.post('/v1/reward', { items: items.slice(1) })).status).toBe(200)

    const retriever = heldRetriever('dune')
    const full = await testServer({ retrievers: [retriever], maxQueued: 2 })
    const first = full.post('/v1/reward', { items: items.slice(1) })
    await retriever.asked
    const later = await full.post('/v1/reward', { items: items.slice(0, 1) })
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, '1'])
    retriever.release()
    expect((await first).status).toBe(200)
  })

  it.each([{ requests: 1 }, { bytes: 100 }])(
    'refuses with %j what comes while it is full, and then serves it',
    async (limits) => {
      const retriever = heldRetriever('dune')
      const { post, metric } = await testServer({ retrievers: [retriever], limits })
      const first = post('/v1/reward', oneItem)
      await retriever.asked
      expect(await metric('querent_queue_requests')).toBe(1)
      const refused = await post('/v1/reward', oneItem)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      retriever.release()
      expect((await first).status).toBe(200)
      expect((await post('/v1/reward', oneItem)).status).toBe(200)
      expect(await metric('querent_queue_bytes')).toBe(0)
    },
  )

  it('answers 504 where it takes too long', async () => {
    const [retriever, clock] = [heldRetriever('dune'), manualClock()]
    const { post } = await testServer({ retrievers: [retriever], clock, timeout: 500 })
    const answered = post('/v1/reward', oneItem)
    await retriever.asked
    await clock.advance(500)
    const { status, body } = await answered
    expect([status, body.error]).toEqual([504, expect.stringContaining('longer than 500 ms')])
    retriever.release()
  })

  it.each([
    ...['', '{', '[]', '{"items": 1}', '{"items": [], "profile": "best"}', 'null'].map(
      (body) => ['/v1/reward', body] as const,
    ),
    ...[{ query: 'x' }, { query: ['x'], labels: [] }, { query: ['x'], prompts: ['a', 'b'] }].map(
      (body) => ['/openrlhf', body] as const,
    ),
    ...[{ queries: 'a' }, { queries: [], topk: 0 }, { queries: ['a'], query_ids: [] }].map(
      (body) => ['/retrieve', body] as const,
    ),
  ])('answers 400 at %s to %j, and goes on', async (path, body) => {
    const { post } = await testServer()
    const { status, body: said } = await post(path, body)
    expect([status, said.error]).toEqual([400, expect.stringContaining('request')])
    expect((await post('/v1/reward', oneItem)).status).toBe(200)
  })
})

describe('a retriever that fails', () => {
  const label = JSON.stringify({ query_id: 'q1' })
  const [good, bad] = [answer('desert planet'), answer('broken')]

  it.each([
    ['/v1/reward', { items: [good, bad].map((completion) => ({ completion, query_id: 'q1' })) }, 1, 2],
    ['/openrlhf', { query: ['no', good, bad], labels: ['', label, label] }, 2, 3],
    ['/slime', { response: bad, label }, 0, 1],
    ['/retrieve', { queries: ['desert planet', 'broken'] }, 1, 0],
    ['/retrieve', { queries: ['broken'], query_ids: ['q1'] }, 0, 0],
  ])('makes %s say that it is worth asking again', async (path, body, index, items) => {
    const found: Record<string, readonly string[] | Error> = { broken: new Error('shard lost') }
    const failures: string[] = []
    const { post, metric } = await testServer({
      retrievers: [scriptedRetriever({ found })],
      onFailure: (line) => failures.push(line),
    })
    const { status, headers, body: said } = await post(path, body)
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    const error = `Retriever "bm25": shard lost. See the cause: it is the backend's own error.`
    expect(said).toEqual({ error, errors: [{ index, error }] })
    expect(failures).toEqual([`${path}: ${error}`])
    expect(await metric(`querent_requests_total{path="${path}",status="503"}`)).toBe(1)
    expect(await metric(`querent_items_total{path="${path}"}`)).toBe(items)
    found.broken = ['dune']
    // What has failed is not kept. The label that is wrong is refused now: no retry would mend it.
    expect((await post(path, body)).status).toBe(path === '/openrlhf' ? 422 : 200)
    expect(failures).toHaveLength(1)
  })
})

describe('a client that goes', () => {
  it('takes its searches with it', async () => {
    const retriever = heldRetriever('dune')
    const { url, post, metric } = await testServer({ retrievers: [retriever] })
    const gone = new AbortController()
    const abandoned = fetch(`${url}/v1/reward`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(oneItem),
      signal: gone.signal,
    })
    const signal = await retriever.asked
    gone.abort()
    await expect(abandoned).rejects.toThrow('abort')
    if (!signal.aborted) await once(signal, 'abort')
    retriever.release()
    expect((await post('/v1/reward', oneItem)).body.results[0].score).toBe(2)
    expect(await metric('querent_queue_requests')).toBe(0)
  })

  it('in the middle of its body leaves nothing behind', async () => {
    const { url, metric } = await testServer()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST /v1/reward HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"items"')
    while ((await metric('querent_queue_requests')) === 0);
    socket.destroy()
    while ((await metric('querent_queue_requests')) > 0);
    expect(await metric('querent_queue_bytes')).toBe(0)
  })
})

describe('closing', () => {
  it('answers what is under way, and takes nothing more', async () => {
    const retriever = heldRetriever('dune')
    const { url, post, close } = await testServer({ retrievers: [retriever] })
    const first = post('/v1/reward', oneItem)
    await retriever.asked
    const closed = close()
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    retriever.release()
    expect((await first).status).toBe(200)
    await closed
  })

  it('drops after a while what does not end', async () => {
    const [retriever, clock] = [heldRetriever('dune'), manualClock()]
    const { post, close } = await testServer({ retrievers: [retriever], clock })
    const dropped = expect(post('/v1/reward', oneItem)).rejects.toThrow()
    await retriever.asked
    const closed = close()
    await clock.advance(10_000)
    await Promise.all([closed, dropped])
  })
})

it('counts what it does', async () => {
  const { post, get, metric } = await testServer()
  const items = [
    { completion: answer('desert planet', 'matchmaker'), query_id: 'q1' },
    { completion: answer('desert planet'), query_id: 'q1' },
    { completion: 'no', query_id: 'q1' },
    { completion: 'no', query_id: 'q9' },
  ]
  await post('/v1/reward', { items })
  await post('/v1/reward', { items })
  await post('/v1/reward', '{')
  expect((await get('/metrics')).text).toContain('# TYPE querent_reward histogram')
  const expected = {
    'querent_requests_total{path="/v1/reward",status="200"}': 2,
    'querent_requests_total{path="/v1/reward",status="400"}': 1,
    'querent_request_seconds_count{path="/v1/reward"}': 3,
    'querent_items_total{path="/v1/reward"}': 8,
    querent_reward_count: 6,
    querent_reward_sum: 2 * (2 + 2 - 0.1),
    querent_format_failures_total: 2,
    querent_item_errors_total: 2,
    // The first request: two texts, one of them wanted twice. The second: three answers of the cache.
    querent_cache_misses_total: 2,
    querent_searches_joined_total: 1,
    querent_cache_hits_total: 3,
    querent_cache_entries: 2,
    querent_retrieval_seconds_count: 1,
    querent_searches_waiting: 0,
    querent_queue_requests: 0,
  }
  for (const [name, value] of Object.entries(expected)) expect(await metric(name), name).toBeCloseTo(value, 6)
})

it('gives the same answer to the same request', async () => {
  const { post } = await testServer()
  const [first, second] = [await post('/v1/reward', oneItem), await post('/v1/reward', oneItem)]
  expect(second.body).toEqual(first.body)
})
