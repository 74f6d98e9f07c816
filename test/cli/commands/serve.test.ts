import { once } from 'node:events'
import { readdir, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../../src/index-folder/version.ts'
import { completion, type Reply, startChatServer } from '../../support/chat-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { startedServe } from '../../support/started-serve.ts'

/** A rewrite by a model. */
const answered = completion('{"query": "planet"}') as Exclude<Reply, 'hang'>

const replaced = [{ _id: 'solaris', title: 'Solaris', text: 'A novel of an ocean that thinks.' }]
const opened = 'searches now cover 1 document.'

describe('querent serve', () => {
  it('searches, with documents, until it is interrupted', async () => {
    const { url, end } = await startedServe('--policy', 'none', '-k', '1')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await fetch(`${url}/search?q=desert+planet`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      hits: [{ rank: 1, docid: 'dune', document: { docid: 'dune', title: 'Dune' } }],
      decision: { kind: 'as-is' },
      partial: false,
    })
    const ended = await end()
    expect([ended.status, ended.output]).toEqual([0, ''])
    expect(ended.errors).toContain('Stop with Ctrl-C')
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })

  it.each([
    [[], '--index is missing. Add it. To look around without an index: --sample.'],
    [['--sample', '--index', 'my-index'], '--sample and --index exclude each other'],
  ])('says what to do about %j', async (argv, message) => {
    const { status, errors } = await runToEnd(['serve', ...argv])
    expect(status).not.toBe(0)
    expect(errors).toContain(message)
  })

  it('streams the stages of the default policy', async () => {
    const { url, end } = await startedServe()
    const response = await fetch(`${url}/search?q=desert+planet&stream=1`)
    const types = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    expect(types).toContain('decision')
    expect(types.at(-1)).toBe('result')
    await end()
  })

  it('has a health', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const response = await fetch(`${url}/health`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', version }])
    expect((await fetch(`${url}/health`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${url}/health`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
    await end()
  })

  it('has metrics where they are asked for', async () => {
    const { url, found, end } = await startedServe('--policy', 'none', '--metrics')
    await found('novel')
    const response = await fetch(`${url}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    expect(await response.text()).toContain(
      'querent_searches_total{outcome="answered",decision="as-is",reason=""} 1',
    )
    await end()
    const without = await startedServe('--policy', 'none')
    expect((await fetch(`${without.url}/metrics`)).status).toBe(404)
    await without.end()
  })

  it('logs one line for each search where it is told to', async () => {
    for (const [argv, text] of [
      [[], undefined],
      [['--set', 'logText=true'], 'novel'],
    ] as const) {
      const { found, end } = await startedServe('--policy', 'none', '--log', 'info', ...argv)
      await found('novel')
      const lines = (await end()).output.trim().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 30, msg: 'search', decision: 'as-is', hits: 2 }),
      ])
      expect(JSON.parse(lines[0]!).query).toBe(text)
    }
  })

  it('logs one line for each request where it is told to, without the words of queries', async () => {
    for (const [argv, search] of [
      [[], undefined],
      [['--set', 'logText=true'], 'q=novel'],
    ] as const) {
      const { url, found, end } = await startedServe('--policy', 'none', '--set', 'accessLog=true', ...argv)
      await found('novel')
      await fetch(`${url}/nowhere`)
      const { output } = await end()
      const request = { level: 30, msg: 'request', method: 'GET', complete: true, client: '127.0.0.1' }
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const [searched, missed] = ['/search', '/nowhere'].map((path) =>
        lines.find((line) => line.path === path),
      )
      expect(lines).toHaveLength(2)
      expect(searched).toMatchObject({ ...request, status: 200 })
      expect(searched.search).toBe(search)
      expect(missed).toMatchObject({ ...request, status: 404 })
      expect(output.includes('novel')).toBe(search !== undefined)
    }
  })

  it('answers what is under way when it is interrupted, says that it stops, and takes no more', async () => {
    let release: () => void = () => {}
    const after = new Promise<void>((resolve) => {
      release = resolve
    })
    const chat = await startChatServer(() => ({ ...answered, after }))
    onTestFinished(() => chat.close())
    const { url, end } = await startedServe(
      '--policy',
      'acqo',
      '--chat-url',
      chat.url,
      '--set',
      'chatTimeout=60s',
    )
    const answering = fetch(`${url}/search?q=desert`)
    const kept = connect(Number(new URL(url).port), '127.0.0.1')
    kept.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\nGET ')
    await once(kept, 'data')
    await chat.arrived(1)
    const ended = end()
    kept.write('/health HTTP/1.1\r\nhost: x\r\n\r\n')
    const said = String((await once(kept, 'data'))[0])
    expect(said).toMatch(/^HTTP\/1\.1 503 /)
    expect(said.toLowerCase()).toContain('connection: close')
    expect(said).toContain('"stopping"')
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    release()
    expect((await answering).status).toBe(200)
    expect((await ended).status).toBe(0)
  })

  it('finds what `querent index --add` added, and nothing that --delete deleted', async () => {
    const { found, index, clock, until, end } = await startedServe('--policy', 'none')
    expect(await found('ocean')).toEqual([])
    const [added, deleted] = [join(index, '../added.jsonl'), join(index, '../deleted.txt')]
    await writeFile(added, replaced.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await writeFile(deleted, 'emma\n')
    const update = ['index', '--add', added, '--delete', deleted, '--out', index]
    expect((await runToEnd(update)).status).toBe(0)
    clock.advance(1000)
    await until('searches now cover 3 documents.')
    expect(await found('ocean')).toEqual(['solaris'])
    expect(await found('matchmaker')).toEqual([])
    expect(await found('desert')).toEqual(['dune'])
    expect((await end()).status).toBe(0)
  })

  it('searches an index that replaces the one it began with', async () => {
    const { found, reindex, clock, until, end } = await startedServe('--policy', 'none')
    expect(await found('novel')).toEqual(['emma', 'dune'])
    await reindex(replaced)
    await clock.advance(1000)
    await until(opened)
    expect([await found('novel'), await found('desert')]).toEqual([['solaris'], []])
    expect((await end()).status).toBe(0)
  })

  it('keeps the old index where the new one cannot be opened, says so, and tries again at SIGHUP', async () => {
    const { found, reindex, clock, terminal, until, index, end } = await startedServe('--policy', 'none')
    await writeFile(join(index, 'index.json'), '{')
    await clock.advance(1000)
    await until('Cannot reopen the index, so the old one stays')
    expect(await found('novel')).toEqual(['emma', 'dune'])
    await reindex(replaced)
    terminal.hangUp()
    await until(opened)
    expect(await found('novel')).toEqual(['solaris'])
    const { errors } = await end()
    expect(errors.match(/[Rr]eopen/g)).toHaveLength(2)
    expect(clock.waiting).toBe(0)
  })

  it('ends a search on the index that it began with', async () => {
    let release: () => void = () => {}
    const after = new Promise<void>((resolve) => {
      release = resolve
    })
    const chat = await startChatServer(() => ({ ...answered, after }))
    onTestFinished(() => chat.close())
    const flags = ['--policy', 'acqo', '--chat-url', chat.url, '--set', 'chatTimeout=60s']
    const { found, reindex, terminal, until, end } = await startedServe(...flags)
    const searching = found('desert')
    await chat.arrived(1)
    await reindex(replaced)
    terminal.hangUp()
    await until(opened)
    release()
    // The model's "planet" is in the old index alone.
    expect([await searching, await found('ocean')]).toEqual([['dune'], ['solaris']])
    expect((await end()).errors).not.toContain('Cannot close')
  })

  it('lets the pages of other origins in that --cors names', async () => {
    const { url, end } = await startedServe('--policy', 'none', '--cors', 'https://shop.example')
    const named = async (origin: string) =>
      (await fetch(`${url}/search?q=desert`, { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )
    expect([await named('https://shop.example'), await named('https://other.example')]).toEqual([
      'https://shop.example',
      null,
    ])
    await end()
  })

  it('filters by metadata, and refuses what is no filter as a fault of the request', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const filtered = (filter: unknown) =>
      fetch(`${url}/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'desert', filter }),
      })
    const docids = async (filter: unknown) =>
      ((await (await filtered(filter)).json()) as { hits: { docid: string }[] }).hits.map(
        ({ docid }) => docid,
      )
    expect([await docids({ year: 1 }), await docids({ year: { not: 1 } })]).toEqual([[], ['dune']])
    const response = await filtered({ year: { over: 1 } })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        detail: expect.stringContaining('"year"'),
        remedy: expect.stringContaining('{"lang": "en"'),
      }),
    ])
    const unknown = await filtered(JSON.parse('{"__proto__": "x"}'))
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('__proto__')])
    expect((await end()).errors).not.toContain('failed')
  })

  it('says at the terminal what failed, and to the client what kind of failure it was', async () => {
    const { url, index, end } = await startedServe('--policy', 'none')
    const [documents] = (await readdir(index, { recursive: true })).filter((name) =>
      name.endsWith('documents.jsonl'),
    )
    await truncate(join(index, documents!))
    const response = await fetch(`${url}/search?q=desert`)
    const problem = (await response.json()) as { code: string; detail: string }
    expect([response.status, problem.code]).toEqual([500, 'bad-index'])
    expect(JSON.stringify(problem)).not.toContain(index)
    expect((await end()).errors).toMatch(/A search failed: .*documents/)
  })

  it('warns if other machines can reach it', async () => {
    const { end } = await startedServe('--policy', 'none', '--host', '0.0.0.0')
    expect((await end()).errors).toContain('anyone')
  })

  it('says which address it cannot have', async () => {
    const { url, end } = await startedServe('--policy', 'none')
    const { port } = new URL(url)
    await expect(startedServe('--policy', 'none', '--port', port)).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}`,
    )
    await end()
  })

  it.each([
    [[], '--index is missing'],
    [['--index', 'i', '--port', '70000'], '--port must be 65535 or less'],
    [['--index', 'i', '--policy', 'best'], 'none, agentic, acqo'],
    [['--index', 'i', '--json'], '--json'],
  ])('exits 2 for %j', async (argv, hint) => {
    const { status, errors } = await runToEnd(['serve', ...argv])
    expect([status, errors]).toEqual([2, expect.stringContaining(hint)])
  })
})
