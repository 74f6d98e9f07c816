/** The replaying server, asked by the chat adapter as the quickstart asks it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openaiChat } from '../../adapters/models/openai.ts'
import { startChatReplay } from '../../scripts/chat-replay.mjs'

const recordings = [
  { qid: 'q1', text: 'When does the ferry leave?', queries: ['ferry timetable'] },
  {
    qid: 'q2',
    text: 'Who built the lighthouse and the pier?',
    queries: ['lighthouse builder', 'pier builder'],
  },
  { qid: 'q3', text: 'leave?', queries: ['leaving'] },
]

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'querent-replay-'))
  file = join(folder, 'rewrites.jsonl')
  await writeFile(file, `${recordings.map((recording) => JSON.stringify(recording)).join('\n')}\n`)
})
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
  await rm(folder, { recursive: true })
})

type Replay = Awaited<ReturnType<typeof startChatReplay>>

async function start(options: Omit<Parameters<typeof startChatReplay>[0], 'files'> = {}): Promise<Replay> {
  const replay = await startChatReplay({ files: [file], ...options })
  closers.push(replay.close)
  return replay
}

async function ask({ url }: Pick<Replay, 'url'>, content: string): Promise<unknown> {
  const chat = openaiChat({ baseUrl: url, model: 'replay', retries: 0 })
  const { text } = await chat.complete([
    { role: 'system', content: 'When does the ferry leave?' },
    { role: 'user', content: 'Who built the lighthouse and the pier?' },
    { role: 'assistant', content: 'Nobody knows.' },
    { role: 'user', content },
  ])
  return JSON.parse(text)
}

it.each([
  ['what was recorded', 'Question: When does the ferry leave?', 'ferry timetable'],
  ['several queries', 'Who built the lighthouse and the pier?', 'lighthouse builder %% pier builder'],
  [
    'the question that stands last',
    'Before: Who built the lighthouse and the pier?\nNow: When does the ferry leave?\nAnswer in JSON.',
    'ferry timetable',
  ],
  ['the longer of two that end in the same place', 'When does the ferry leave?', 'ferry timetable'],
])('answers %s', async (_, content, query) => {
  expect(await ask(await start(), content)).toEqual({ query })
})

it('makes nothing up', async () => {
  const replay = await start()
  await expect(ask(replay, 'What is the tide?')).rejects.toThrow(/404 nothing is recorded/)
  expect(replay.stats()).toEqual({ requests: 1, answered: 0, unknown: 1, failed: 0 })
})

it('fails as often as it is told to, and counts', async () => {
  const replay = await start({ failEvery: 3 })
  const asked: Promise<unknown>[] = []
  for (let time = 0; time < 7; time++) asked.push(ask(replay, 'leave?'))
  const failed = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  expect(failed).toHaveLength(2)
  const stats = { requests: 7, answered: 5, unknown: 0, failed: 2 }
  expect(replay.stats()).toEqual(stats)
  const served = await fetch(new URL('/stats', replay.url))
  expect(await served.json()).toEqual(stats)
})

it('streams where that is asked for', async () => {
  const { url } = await start()
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'leave?' }] }]
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'replay', stream: true, messages }),
  })
  const events = (await response.text()).split('\n\n').map((event) => event.replace('data: ', ''))
  expect(events.slice(2)).toEqual(['[DONE]', ''])
  const deltas = events.slice(0, 2).map((event) => JSON.parse(event).choices[0].delta.content ?? '')
  expect(JSON.parse(deltas.join(''))).toEqual({ query: 'leaving' })
})

it.each(['not JSON', '{"messages": "none"}', 'null'])('answers 400 to %s', async (body) => {
  const { url } = await start()
  expect((await fetch(`${url}/chat/completions`, { method: 'POST', body })).status).toBe(400)
})

it('names the line of a file that is no recording', async () => {
  await writeFile(file, '{"text": "a", "queries": []}\n\n{"text": ""}\n')
  await expect(start()).rejects.toThrow(/rewrites\.jsonl:3: /)
})

it('runs as a program until it is told to stop', async () => {
  const program = spawn(process.execPath, ['scripts/chat-replay.mjs', '--fail-every', '2', file])
  const [url] = await once(createInterface(program.stdout), 'line')
  expect(await ask({ url }, 'leave?')).toEqual({ query: 'leaving' })
  await expect(ask({ url }, 'leave?')).rejects.toThrow(/503/)
  program.kill('SIGTERM')
  expect(await once(program, 'exit')).toEqual([0, null])
})

it.each([
  [['--help'], 0, /^Usage: /],
  [[], 2, /^No file of recordings was given\.\nUsage: /],
  [['--prot', '1'], 2, /^Unknown option '--prot'.*\nUsage: /s],
])('says how it is used for %j', async (argv, status, said) => {
  const program = spawn(process.execPath, ['scripts/chat-replay.mjs', ...argv])
  const output = (status === 0 ? program.stdout : program.stderr).setEncoding('utf8').toArray()
  expect(await once(program, 'exit')).toEqual([status, null])
  expect((await output).join('')).toMatch(said)
})
