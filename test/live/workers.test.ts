/** `querent serve --processes`: processes that share a port, and end, fail and are replaced as one server. */
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { completion, type Reply, startChatServer } from '../support/chat-server.ts'
import { engine, query } from '../support/proxy-before.ts'
import { startRecordingServer } from '../support/recording-server.ts'
import { type Ended, ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const old = [
  { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet.' },
  { _id: 'emma', title: 'Emma', text: 'A novel of a matchmaker.' },
]
const replaced = [{ _id: 'solaris', title: 'Solaris', text: 'A novel of an ocean that thinks.' }]

async function makeIndex() {
  const folder = await temporaryFolder()
  const index = join(folder, 'index')
  const make = async (records: typeof old) => {
    const corpus = join(folder, 'corpus.jsonl')
    await writeFile(corpus, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    expect((await runCommand(['index', corpus, '--out', index])).status).toBe(0)
  }
  await make(old)
  return { index, make }
}

async function started(...argv: readonly string[]) {
  const { index, make } = await makeIndex()
  return {
    make,
    ...(await running('serve', '--index', index, '--processes', '2', '--policy', 'none', ...argv)),
  }
}

async function running(...argv: readonly string[]) {
  const child = spawnCli([...argv, '--port', '0'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { text: '' }
  child.stderr.on('data', (chunk) => (said.text += chunk))
  const end: Promise<Ended> = ended(child)
  const until = (text: string, times = 1) =>
    vi.waitFor(() => expect(said.text.split(text).length - 1, said.text).toBe(times), { timeout: 60_000 })
  await until('2 workers share the port.')
  const url = /^Listening on (http:\/\/[\d.:]+)/m.exec(said.text)![1]!
  const workers = async () => {
    const list = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    return list.trim().split(' ').filter(Boolean).map(Number)
  }
  return { url, child, end, said, until, workers }
}

/** A request on a connection of its own, so that the workers take turns. */
const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const { statusCode, headers: answered, body } = await request(url, { headers, reset: true })
  return { status: statusCode, headers: answered, text: await body.text() }
}
const found = async (url: string, word: string): Promise<readonly string[]> =>
  JSON.parse((await get(`${url}/search?q=${word}`)).text).hits.map(({ docid }: { docid: string }) => docid)
const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work))

const searches = async (url: string): Promise<number> => {
  const { text } = await get(`${url}/metrics`)
  return Number(
    /^querent_searches_total\{outcome="answered",decision="as-is",reason=""\} (\d+)$/m.exec(text)?.[1] ?? 0,
  )
}

it('decides in the one thread of each process, as one process without workers does', async () => {
  const { index } = await makeIndex()
  const threads = async (pid: number) => (await readdir(`/proc/${pid}/task`)).length
  const alone = spawnCli(['serve', '--index', index, '--port', '0'])
  onTestFinished(() => void alone.kill('SIGKILL'))
  const [line] = await once(alone.stderr.setEncoding('utf8'), 'data')
  const own = /^Listening on (http:\/\/[\d.:]+)/m.exec(String(line))![1]!
  const { url, workers } = await running('serve', '--index', index, '--processes', '2')
  for (const base of [own, url, url]) expect((await get(`${base}/search?q=a+novel`)).status).toBe(200)
  for (const pid of await workers()) expect(await threads(pid)).toBeLessThanOrEqual(await threads(alone.pid!))
})

describe('querent serve --processes 2', () => {
  it('starts as one server, answers with all workers, and counts and logs for all of them', async () => {
    const token = 'a token of the page'
    const { url, child, end, said, workers } = await started(
      '--metrics',
      '--set',
      'accessLog=true',
      '--set',
      `pageToken=${token}`,
    )
    for (const line of ['Listening on', 'To look at searches', 'Stop with Ctrl-C'])
      expect(said.text.split(line)).toHaveLength(2)
    expect(await workers()).toHaveLength(2)

    expect(await times(20, () => found(url, 'desert'))).toEqual(Array(20).fill(['dune']))
    // Whichever worker is asked.
    expect(await times(6, () => searches(url))).toEqual(Array(6).fill(20))

    const page = { accept: 'text/html' }
    const opened = await get(`${url}/?token=${encodeURIComponent(token)}`, page)
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!
    const seen = await times(6, () => get(`${url}/`, { ...page, cookie }))
    expect(seen.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await get(`${url}/`, page)).status).toBe(403)

    const streamed = await get(`${url}/search?q=desert&stream=1`)
    expect(JSON.parse(streamed.text.trim().split('\n').at(-1)!).type).toBe('result')

    child.kill('SIGTERM')
    const { status, output } = await end
    expect(status).toBe(0)
    const logged = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).path)
    expect(logged.filter((path) => path === '/search')).toHaveLength(21)
    expect(logged.filter((path) => path === '/metrics')).toHaveLength(6)
  })

  it('all search an index that replaces the one they began with, at once at SIGHUP', async () => {
    const { url, child, end, until, make } = await started()
    await make(replaced)
    for (const worker of [1, 2]) await until(`Worker ${worker}: Reopened the index: searches now cover 1`)
    expect(await times(8, () => found(url, 'novel'))).toEqual(Array(8).fill(['solaris']))
    child.kill('SIGHUP')
    for (const worker of [1, 2]) await until(`Worker ${worker}: Reopened the index`, 2)
    child.kill('SIGTERM')
    expect((await end).status).toBe(0)
  })

  it('replaces a worker that dies, and forgets nothing that it had counted', async () => {
    const { url, child, end, until, workers } = await started('--metrics')
    await times(10, () => found(url, 'desert'))
    expect(await searches(url)).toBe(10)
    const [first, second] = await workers()
    process.kill(first!, 'SIGKILL')
    await until('is ready.')
    expect(await workers()).toEqual([second, expect.any(Number)])
    await times(10, () => found(url, 'desert'))
    expect(await times(4, () => searches(url))).toEqual(Array(4).fill(20))
    child.kill('SIGTERM')
    expect((await end).status).toBe(0)
  })

  it('fails, and ends the others, if workers keep dying', async () => {
    const { url, end, until, workers } = await started()
    for (let deaths = 1; deaths <= 6; deaths++) {
      const [victim] = await workers()
      process.kill(victim!, 'SIGKILL')
      if (deaths <= 5) await until('is ready.', deaths)
    }
    const { status, errors } = await end
    expect(status).toBe(1)
    expect(errors).toContain('5 times')
    await expect(get(`${url}/health`)).rejects.toThrow()
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answers what is under way at %s, in all workers',
    async (signal) => {
      let release: () => void = () => {}
      const after = new Promise<void>((resolve) => {
        release = resolve
      })
      const rewrite = completion('{"query": "planet"}') as Exclude<Reply, 'hang'>
      const chat = await startChatServer(() => ({ ...rewrite, after }))
      onTestFinished(() => chat.close())
      const { url, child, end, workers } = await started(
        ...['--policy', 'acqo', '--chat-url', chat.url, '--set', 'chatTimeout=60s'],
      )
      const answering = times(2, () => found(url, 'desert'))
      await chat.arrived(2)
      const all = [child.pid!, ...(await workers())]
      // A terminal sends SIGINT to every process, as service managers may do with SIGTERM.
      for (const pid of all) process.kill(pid, signal)
      // A connection that comes now is refused, or is left unanswered until the last worker ends.
      const asked = () => fetch(`${url}/health`, { signal: AbortSignal.timeout(500) })
      await vi.waitFor(() => expect(asked()).rejects.toThrow(), { timeout: 20_000 })
      release()
      expect(await answering).toEqual([['dune'], ['dune']])
      expect((await end).status).toBe(0)
    },
  )

  it('ends its workers even if it is killed', async () => {
    const { url, child, end } = await started()
    child.kill('SIGKILL')
    await end
    await vi.waitFor(() => expect(get(`${url}/health`)).rejects.toThrow(), { timeout: 20_000 })
  })

  it('says once why it cannot start', async () => {
    const { index } = await makeIndex()
    const argv = ['serve', '--index', index, '--processes', '2']
    const wrong = await runCommand([...argv, '--policy', 'best'])
    expect(wrong.status).toBe(2)
    expect(wrong.errors.match(/There is no policy "best"/g)).toHaveLength(1)
    const taken = await started()
    const port = new URL(taken.url).port
    const second = await runCommand([...argv, '--policy', 'none', '--port', port])
    expect(second.status).toBe(2)
    expect(second.errors.match(/cannot listen on 127\.0\.0\.1/g)).toHaveLength(1)
  })
})

it('querent proxy --processes 2 passes requests on, and counts them in all processes', async () => {
  const engine = createServer((_, response) => response.end('the engine')).listen(0, '127.0.0.1')
  onTestFinished(() => void engine.close())
  await once(engine, 'listening')
  const target = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  const argv = ['--target', target, '--processes', '2', '--policy', 'none', '--no-rerank', '--metrics']
  const { url, child, end, workers } = await running('proxy', ...argv)
  expect(await workers()).toHaveLength(2)
  const answers = await times(10, () => get(`${url}/articles/_doc/1`))
  expect(answers.map(({ text }) => text)).toEqual(Array(10).fill('the engine'))
  const counted = await times(4, async () => (await get(`${url}/_querent/metrics`)).text)
  for (const text of counted) expect(text).toContain('querent_proxy_requests_total{status="200"} 10\n')
  child.kill('SIGTERM')
  expect((await end).status).toBe(0)
})

it('querent proxy --processes 2 is switched off by one signal, with the workers that come later, and on by the next', async () => {
  const target = await startRecordingServer(engine)
  onTestFinished(() => target.close())
  const { url, child, until, workers } = await running('proxy', '--target', target.url, '--processes', '2')
  const outcomes = async () => {
    const all = await times(8, async () => {
      const headers = { 'content-type': 'application/json', 'x-querent-explain': 'header' }
      const sent = await request(`${url}/works/_search`, {
        method: 'POST',
        body: query,
        headers,
        reset: true,
      })
      await sent.body.dump()
      return String(sent.headers['x-querent'])
    })
    return new Set(all.map((one) => one === 'passed through: Querent is switched off'))
  }
  expect(await outcomes()).toEqual(new Set([false]))
  child.kill('SIGUSR2')
  await until('Off (SIGUSR2)', 2)
  expect(await outcomes()).toEqual(new Set([true]))
  process.kill((await workers())[0]!, 'SIGKILL')
  await until('Off (SIGUSR2)', 3)
  expect(await outcomes()).toEqual(new Set([true]))
  child.kill('SIGUSR2')
  await until('On (SIGUSR2)', 2)
  expect(await outcomes()).toEqual(new Set([false]))
})
