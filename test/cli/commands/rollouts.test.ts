/** `querent rollouts` and `querent export --rollouts`, with agents on a chat server. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RolloutRecord } from '../../../src/training/rollouts/record.ts'
import {
  completion,
  failure,
  type Reply,
  type SeenRequest,
  startChatServer,
} from '../../support/chat-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const jsonLines = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel by Frank Herbert.' },
  { _id: 'emma', title: 'Emma', text: 'A novel by Jane Austen.' },
]
const queries = [
  { _id: 'q1', text: 'Who wrote Dune?', metadata: { answer: 'Frank Herbert' } },
  { _id: 'q2', text: 'Who wrote Emma?', metadata: { answer: 'Jane Austen' } },
  { _id: 'q3', text: 'Who wrote Ulysses?' },
]

/** What C-3PO's agents say: one search that finds it, a plan that is enough at once, and no knowledge without documents. */
function agents({ body }: SeenRequest): Reply {
  const [system, user] = body.messages as readonly { readonly content: string }[]
  const [instructions, shown] = [system!.content, user!.content]
  if (instructions.startsWith('You judge whether'))
    return completion(/judge:\n- Frank/.test(shown) ? 'True' : 'False')
  const asked = /Who wrote (\w+)\?/.exec(shown)![1]!
  if (instructions.startsWith('You decide how')) return completion(`[Retrieval] ${asked}`)
  if (instructions.startsWith('You plan')) return completion('Search.')
  if (instructions.startsWith('You decide what')) return completion('Thought: enough. Action: [LLM]')
  if (instructions.startsWith('You judge')) return completion('Thought: the first. Action: [1]')
  return completion(/by (\w+ \w+)/.exec(shown)?.[1] ?? 'nobody')
}

async function prepared(script: (request: SeenRequest) => Reply = agents) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'corpus.jsonl'), jsonLines(corpus))
  await writeFile(join(folder, 'queries.jsonl'), jsonLines(queries))
  await writeFile(
    join(folder, 'qrels.tsv'),
    'query-id\tcorpus-id\tscore\nq1\tdune\t1\nq2\temma\t1\nq3\tdune\t1\n',
  )
  const work = await temporaryFolder()
  const index = join(work, 'index')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  const server = await startChatServer(script)
  onTestFinished(() => server.close())
  const out = join(work, 'rollouts.jsonl')
  const chat = [
    '--chat-url',
    server.url,
    '--chat-model',
    'scripted',
    '--set',
    'chatRetries=0',
    '--set',
    'concurrency=1',
  ]
  const argv = ['rollouts', folder, '--policy', 'c3po', '--index', index, '--out', out, ...chat]
  return { folder, work, out, server, argv, records: () => recordsOf(out) }
}

const recordsOf = async (path: string): Promise<RolloutRecord[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RolloutRecord)

describe('querent rollouts', () => {
  it('writes a tree for each query that has an accepted answer, and continues the file', async () => {
    const { argv, out, records, server } = await prepared()
    const first = await runToEnd([...argv, '--limit', '1'])
    expect(first.status).toBe(0)
    // No retrieval, one search and one filter (both samples are the same), a plan with one decision.
    expect(first.errors).toContain(`${out}: 1 query (0 from before), 3 new leaves, 0 of them failed`)
    expect(first.errors).toContain('Left out 1 query')
    const before = server.requests.length
    const { output } = await runToEnd([...argv, '--json'])
    expect(JSON.parse(output)).toMatchObject({ out, items: 2, before: 1, unknown: 1, leaves: 3, failed: 0 })
    expect(server.requests).toHaveLength(2 * before)

    const [dune, emma] = await records()
    expect([dune!.qid, emma!.qid]).toEqual(['q1', 'q2'])
    expect(dune).toMatchObject({
      version: 1,
      policy: 'c3po',
      settings: { temperature: 0.8, agents: 'scripted', environment: 'scripted' },
    })
    const told = dune!.nodes.map(({ completion, credit, reward }) => [completion, reward ?? credit])
    expect(told).toEqual([
      ['[No Retrieval]', 0],
      ['nobody', 0],
      ['[Planning]', 0],
      ['Search.', 0],
      ['Thought: enough. Action: [LLM]', 0],
      ['nobody', 0],
      ['[Retrieval] Dune', 1],
      ['Thought: the first. Action: [1]', 1],
      ['Frank Herbert', 1],
    ])
  })

  it.each([[[]], [['--json']]])('fails when every query failed and the file is empty: %j', async (more) => {
    const { argv, out } = await prepared(() => failure(500, 'out of memory'))
    const { status, output, errors } = await runToEnd([...argv, ...more])
    expect(status).toBe(1)
    expect(errors).toMatch(/querent: Nothing was written: 2 queries failed\. .*out of memory/)
    expect(errors).not.toContain('What is finished is in')
    expect(await readFile(out, 'utf8')).toBe('')
    if (more.length > 0) expect(JSON.parse(output)).toMatchObject({ items: 0, failed: 2 })
  })

  it("takes SPARKLE's facts and settings, and keeps them with the rollouts", async () => {
    const seen: string[] = []
    const { argv, work, records } = await prepared(({ body }) => {
      const [system, user] = body.messages as readonly { readonly content: string }[]
      if (system!.content.startsWith('You choose')) seen.push(user!.content)
      if (system!.content.startsWith('You write'))
        return completion('Step 1: <a; b; c>\nStep 2: c\nStep 3: Dune')
      if (system!.content.startsWith('You choose')) return completion('<Dune; author; Frank Herbert>')
      const isOver = system!.content.includes('answer now')
      return completion(isOver ? '<answer>Frank Herbert</answer>' : '<think>Who?')
    })
    const triples = join(work, 'facts.jsonl')
    await writeFile(triples, '{"docid": "dune", "triples": [["Dune", "author", "Frank Herbert"]]}\n')
    const flags = [
      '--policy',
      'sparkle',
      '--set',
      'maxSteps=1',
      '--triples',
      triples,
      '--set',
      'alpha=0.5',
      '--limit',
      '1',
    ]
    const { status, errors } = await runToEnd([...argv, ...flags])
    expect([status, errors]).toEqual([0, expect.stringContaining('2 new leaves, 0 of them failed')])
    expect(seen).toEqual([expect.stringContaining('Facts:\n<Dune; author; Frank Herbert>\n')])
    const [{ settings, nodes }] = (await records()) as [RolloutRecord]
    expect(settings).toMatchObject({ maxSteps: 1, triples, alpha: 0.5 })
    const decisions = nodes.filter(({ agent }) => agent === 'sparkle/decide')
    // Without a search, the right answer from memory; with one, the context has its document, too.
    expect(decisions.map(({ completion, value }) => [completion.slice(0, 3), value])).toEqual([
      ['No ', 0.5],
      ['Yes', 1],
    ])
  })

  it('samples agents at their temperature, on a model of their own', async () => {
    const { argv, server } = await prepared()
    await runToEnd([...argv, '--limit', '1', '--set', 'agentsModel=small', '--set', 'temperature=0.6'])
    const seen = new Set(server.requests.map(({ body }) => `${body.model} at ${body.temperature}`))
    expect(seen).toEqual(new Set(['small at 0.6', 'scripted at 0.3', 'scripted at 0']))
  })

  it('has answers judged', async () => {
    const { argv, records } = await prepared()
    const { status } = await runToEnd([...argv, '--set', 'judgeModel=judge', '--set', 'tree=false'])
    expect(status).toBe(0)
    expect((await records()).map(({ nodes }) => nodes.at(-1)!.reward)).toEqual([1, 0])
  })

  it('leaves a query out whose model failed, and says why', async () => {
    const { argv, records } = await prepared((request) =>
      JSON.stringify(request.body).includes('Dune') ? failure(500, 'out of memory') : agents(request),
    )
    const { status, errors } = await runToEnd(argv)
    expect(status).toBe(0)
    expect(errors).toMatch(/1 query failed.*out of memory/)
    expect((await records()).map(({ qid }) => qid)).toEqual(['q2'])
  })

  it('needs a policy that can be rolled out, a model, answers, and a file of that policy', async () => {
    const { argv, folder, work } = await prepared()
    const errorsOf = async (given: readonly string[]): Promise<string> => (await runToEnd(given)).errors
    expect(await errorsOf(argv.with(3, 'local'))).toContain('acqo, mmoa, c3po, mao, sparkle')
    expect(await errorsOf(argv.slice(0, 8))).toContain('needs a chat model')
    await writeFile(
      join(work, 'rollouts.jsonl'),
      jsonLines([{ version: 1, qid: 'q1', policy: 'acqo', settings: {} }]),
    )
    expect(await errorsOf(argv)).toContain('"acqo"')
    expect(await errorsOf(argv.with(7, join(folder, 'queries.jsonl')))).toContain(
      'is a file that this command',
    )
    await writeFile(join(folder, 'queries.jsonl'), jsonLines(queries.slice(2)))
    expect(await errorsOf(argv.with(7, join(work, 'other.jsonl')))).toContain('accepted answer')
  })
})

describe('querent rollouts into a file that is there', () => {
  it('goes on only with the same settings, whatever the limit and the concurrency', async () => {
    const { argv, out, server } = await prepared()
    await runToEnd([...argv, '--limit', '1'])
    const before = await readFile(out, 'utf8')
    const asked = server.requests.length
    const other = await runToEnd([
      ...argv,
      '--set',
      'agentsModel=large',
      '--set',
      'temperature=0.2',
      '--set',
      'maxRuns=4',
    ])
    expect(other.status).toBe(2)
    expect(other.errors).toContain(
      `${out} was made with other settings (temperature: 0.8, now 0.2; agents: "scripted", now "large"; maxRuns: none, now 4). ` +
        'Name another file, or give the same settings.',
    )
    expect(other.errors).not.toContain('Run the same command again')
    expect(await readFile(out, 'utf8')).toBe(before)
    expect(server.requests).toHaveLength(asked)
    const same = await runToEnd([...argv.slice(0, -1), 'concurrency=2', '--limit', '2', '--json'])
    expect(JSON.parse(same.output)).toMatchObject({ items: 2, before: 1 })
  })

  it('goes on where its only line was cut, but leaves a file of something else as it is', async () => {
    const { argv, out } = await prepared()
    await runToEnd([...argv, '--limit', '1'])
    const whole = await readFile(out, 'utf8')
    await writeFile(out, whole.slice(0, -1))
    await runToEnd([...argv, '--limit', '1'])
    expect(await readFile(out, 'utf8')).toBe(whole)
    await writeFile(out, '{"weights": [1, 2, 3]}')
    const { status, errors } = await runToEnd(argv)
    expect([status, errors]).toEqual([2, expect.stringContaining('holds something else. Name another file.')])
    expect(await readFile(out, 'utf8')).toBe('{"weights": [1, 2, 3]}')
  })
})

describe('querent export --rollouts', () => {
  it.each([
    // The search of both queries, and its filter.
    ['sft', [], 4],
    ['sft', ['--set', 'agents=c3po/filter'], 2],
    // One search is better than none and than the plan.
    ['preferences', [], 4],
    // Route and its two rivals, filter, decision.
    ['steps', [], 10],
  ])('--to %s %j', async (to, more, rows) => {
    const { argv, out, work } = await prepared()
    await runToEnd(argv)
    const file = join(work, 'rows.jsonl')
    const { status, errors } = await runToEnd([
      'export',
      '--rollouts',
      out,
      '--to',
      to,
      '--out',
      file,
      ...more,
    ])
    expect(status).toBe(0)
    expect(errors).toContain(`${file}: ${rows} rows of 2 queries`)
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(rows)
  })

  it('says what is wrong', async () => {
    const { argv, out, work } = await prepared()
    await runToEnd(argv)
    const exporting = ['export', '--rollouts', out, '--to', 'sft', '--out', join(work, 'rows.jsonl')]
    expect(await runToEnd([...exporting, '--set', 'threshold=2'])).toMatchObject({ status: 1 })
    expect((await runToEnd(exporting.with(4, 'verl'))).errors).toContain('sft, preferences, steps')
    expect((await runToEnd(['export', '--to', 'sft', '--out', 'x.json'])).errors).toContain(
      'Neither a collection nor --rollouts is named',
    )
  })
})
