/** Policies that answer: an answer and what it was read from, on the command line and over HTTP. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import {
  completion,
  failure,
  type Reply,
  type SeenRequest,
  startChatServer,
  streamedCompletion,
} from '../support/chat-server.ts'
import { settled } from '../support/manual-clock.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testTerminal } from '../support/test-terminal.ts'

const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { _id: 'herbert', title: 'Frank Herbert', text: 'An American writer, born in Tacoma.' },
  { _id: 'tacoma', title: 'Tacoma', text: 'A city on the coast of Washington.' },
]
const question = 'Where was the author of Dune born?'

/** MMOA-RAG's agents split, select two documents by their titles, and answer; C-3PO's plan for ever. Streams where that is wanted. */
function agents({ body }: SeenRequest): Reply {
  const [system, user] = body.messages as readonly { readonly content: string }[]
  if (system!.content.startsWith('You prepare')) return completion('author of Dune\nFrank Herbert born')
  if (system!.content.startsWith('You choose')) {
    const named = (title: string): string =>
      new RegExp(`^(Document\\d+) \\(Title: ${title}\\)`, 'm').exec(user!.content)![1]!
    return completion(`${named('Dune')},${named('Frank Herbert')}`)
  }
  if (system!.content.startsWith('You decide how')) return completion('[Planning]')
  if (system!.content.startsWith('You plan')) return completion('Search for the author.')
  if (system!.content.startsWith('You decide what'))
    return completion('Thought: who wrote it? Action: [Retrieval] author of Dune')
  if (system!.content.startsWith('You judge')) return completion('Thought: the first. Action: [1]')
  const answer = system!.content.includes('such as [1].')
    ? ['He was born ', 'in Tacoma [2].']
    : ['In ', 'Tacoma']
  return body.stream === true ? streamedCompletion(answer) : completion(answer.join(''))
}

/** SPARKLE's agents: they search for every thought, and answer when they must, or when a document says it. */
function thinkers({ body }: SeenRequest): Reply {
  const [system, user] = body.messages as readonly { readonly content: string }[]
  const isOver = system!.content.includes('answer now') || user!.content.includes('born in Tacoma')
  const says: Readonly<Record<string, string>> = {
    'You think': isOver ? '<answer>Tacoma</answer>' : '<think>Who wrote Dune?',
    'You decide': 'Yes (retrieval is required)',
    'You write': 'Step 3: author of Dune',
    'You choose': /^Facts:\n(.*)$/m.exec(user!.content)?.[1] ?? '',
  }
  return completion(says[Object.keys(says).find((begins) => system!.content.startsWith(begins))!]!)
}

const saying = (isStream: boolean, text: string): Reply =>
  isStream ? streamedCompletion([text]) : completion(text)

/** The first two words of what an agent is told. */
const agentOf = ({ body }: SeenRequest): string => {
  const [system] = body.messages as readonly { readonly content: string }[]
  return system!.content.split(' ', 2).join(' ')
}

/** The model of \`agentic\`: it searches once, keeps what names the author, and answers. */
function reader({ body }: SeenRequest): Reply {
  const [system, user] = body.messages as readonly { readonly content: string }[]
  const numberOf = (title: string): string =>
    new RegExp(`^Document (\\d+) \\(Title: ${title}\\)`, 'm').exec(user!.content)![1]!
  const pieces = system!.content.includes('what to search next')
    ? [`Search: Frank Herbert born\nDocuments: ${numberOf('Dune')}`]
    : system!.content.includes('No sentence')
      ? ['Answer: In ', 'Tacoma', `\nDocuments: ${numberOf('Frank Herbert')}, ${numberOf('Dune')}`]
      : ['Answer: He was born in Tacoma ', `[${numberOf('Frank Herbert')}].\nDocuments: 1`]
  return body.stream === true ? streamedCompletion(pieces) : completion(pieces.join(''))
}

/** An index, and the flags that search it with these agents. */
async function prepared(script: (request: SeenRequest) => Reply = agents, policy = 'mmoa') {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'corpus.jsonl'), corpus.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const index = join(folder, 'index')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  const server = await startChatServer(script)
  onTestFinished(() => server.close())
  const chat = ['--chat-url', server.url, '--chat-model', 'scripted', '--set', 'chatRetries=0']
  return { server, flags: ['--index', index, '--policy', policy, ...chat] }
}

/** `querent serve` with these flags, until the test is over. */
async function serving(flags: readonly string[]): Promise<string> {
  const stop = new AbortController()
  const terminal = testTerminal({ signal: stop.signal })
  let isOver = false
  const ended = runCli(['serve', '--port', '0', ...flags], terminal).finally(() => {
    isOver = true
  })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  const address = () => /Listening on (\S+)\/search\./.exec(terminal.errors())?.[1]
  while (address() === undefined && !isOver) await settled()
  if (address() === undefined) throw new Error(terminal.errors())
  return `${address()}/search?q=${encodeURIComponent(question)}`
}

const read = ['  [1] Dune (dune)', '  [2] Frank Herbert (herbert)']

describe('querent search', () => {
  it.each<[string, string, Parameters<typeof prepared>[0] | undefined, string[], number]>([
    [
      'agentic',
      '--set longAnswer=true',
      reader,
      ['He was born in Tacoma [1].', '  [1] Frank Herbert (herbert)', ''],
      2,
    ],
    ['agentic', '--set longAnswer=false --no-rerank', reader, ['In Tacoma [1] [2]'], 2],
    ['agentic', '--set longAnswer=false --rerank local', reader, ['In Tacoma [1] [2]'], 2],
    ['agentic', '--set maxRounds=1', reader, ['He was born in Tacoma [1] [2]'], 1],
    ['mmoa', '', undefined, ['In Tacoma [1] [2]', ...read, '', '  1. Dune  ▲ 1 from 2  dune  1.0000'], 3],
    ['mmoa', '--set longAnswer=true', undefined, ['He was born in Tacoma [2].', read[1]!, ''], 3],
    // The route, the plan, one decision, one choice, the answer.
    ['c3po', '--set maxRounds=1', agents, ['In Tacoma [1]', read[0]!], 5],
    ['c3po', '--set force=no-retrieval', agents, ['In Tacoma', expect.stringContaining('no document')], 1],
    // No planner.
    ['mao', '--set workflow=RA,DS,AG', agents, ['In Tacoma [1] [2]', ...read], 2],
    // One thought, one decision, one query, one choice, the answer.
    ['sparkle', '--set maxSteps=1', thinkers, ['Tacoma [1]', read[0]!], 5],
  ])(
    '--policy %s %s: the answer first, then what it was read from, then the hits',
    async (policy, more, script, lines, prompts) => {
      const { flags, server } = await prepared(script, policy)
      const argv = ['search', question, ...flags, ...more.split(' ').filter(Boolean)]
      const { status, output } = await runToEnd(argv)
      expect(status).toBe(0)
      expect(output.split('\n').slice(0, lines.length)).toEqual(lines)
      expect(server.requests).toHaveLength(prompts)
    },
  )

  it('says what the model of agentic searches, and explains why each document is there', async () => {
    const { flags } = await prepared(reader, 'agentic')
    const { errors } = await runToEnd(['search', question, ...flags])
    expect(errors.split('\n')[0]).toBe('searching: Frank Herbert born')
    expect(errors).toContain('agentic: split, re-ranked (the documents tell the answer, after 2 prompts)')
    const { output } = await runToEnd(['explain', question, ...flags])
    expect(output).toMatch(/^ +\d {2}Frank Herbert born( {2}|$)/m)
    expect(output).toMatch(/^ *1\. +Frank Herbert /m)
  })

  it('--set answer=false: the chosen documents first, for two prompts', async () => {
    const { flags, server } = await prepared()
    const { output } = await runToEnd(['search', question, ...flags, '--set', 'answer=false'])
    expect(output).toMatch(/^ {2}1\. Dune .*\n.*\n {2}2\. Frank Herbert/)
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    ['agentic', ({ body }: SeenRequest) => saying(body.stream === true, 'Answer: unknown\nDocuments: 1')],
    [
      'mmoa',
      (request: SeenRequest) => (agentOf(request) === 'You answer' ? completion('unknown') : agents(request)),
    ],
    [
      'c3po',
      (request: SeenRequest) => (agentOf(request) === 'You answer' ? completion('unknown') : agents(request)),
    ],
  ])('%s: says that the documents do not tell it', async (policy, script) => {
    const { flags } = await prepared(script, policy)
    const { status, output } = await runToEnd(['search', question, ...flags, '-k', '1'])
    expect([status, output.split('\n').slice(0, 2)]).toEqual([0, ['No answer in the documents.', '']])
    const found = JSON.parse((await runToEnd(['search', question, ...flags, '--json'])).output)
    expect(found).toMatchObject({ unanswered: true, hits: expect.any(Array) })
    expect(found).not.toHaveProperty('answer')
    const hits = JSON.parse(
      (await runToEnd(['search', question, ...flags, '--json', '--set', 'answer=false'])).output,
    )
    expect(hits).not.toHaveProperty('unanswered')
  })

  it('names the scores, and the part of the budget that ended it', async () => {
    const { flags } = await prepared()
    const cut = ['search', question, ...flags, '--budget', 'asks=2']
    expect((await runToEnd(cut)).errors).toContain('ended by the budget: no prompts left\n')
    const { output } = await runToEnd([...cut, '--json'])
    expect(JSON.parse(output)).toMatchObject({ endedBy: 'asks', scores: 'one over the rank' })
    expect(JSON.parse(output)).not.toHaveProperty('trace')
    const { status, errors } = await runToEnd(['search', question, ...flags, '--trace'])
    expect([status, errors]).toEqual([2, expect.stringContaining('--json')])
  })

  it('--json --rerank local: answer and citations; the chosen documents stay in front', async () => {
    const { flags } = await prepared()
    const { output } = await runToEnd(['search', question, ...flags, '--rerank', 'local', '--json'])
    expect(JSON.parse(output)).toMatchObject({
      answer: 'In Tacoma',
      citations: ['dune', 'herbert'],
      hits: expect.arrayContaining([
        expect.objectContaining({ docid: 'dune', rank: 1 }),
        expect.objectContaining({ docid: 'herbert', rank: 2 }),
      ]),
    })
  })

  it('a dead server: the hits of the question, and why there is no answer', async () => {
    const { flags, server } = await prepared()
    await server.close()
    const { status, output, errors } = await runToEnd(['search', question, ...flags])
    expect(status).toBe(0)
    expect(output).toMatch(/^ {2}1\. /)
    for (const prompt of ['rewrite', 'select', 'answer'])
      expect(errors).toContain(`mmoa/${prompt}: Chat model "scripted"`)
  })

  it('--triples: the facts of a file', async () => {
    const { flags, server } = await prepared(thinkers, 'sparkle')
    const file = join(await temporaryFolder(), 'triples.jsonl')
    await writeFile(file, '{"docid": "dune", "triples": [["Dune", "written by", "Frank Herbert"]]}\n')
    await runToEnd(['search', question, ...flags, '--set', 'maxSteps=1', '--triples', file])
    const { messages } = server.requests[3]!.body as {
      readonly messages: readonly { readonly content: string }[]
    }
    expect(messages[1]!.content).toContain('Facts:\n<Dune; written by; Frank Herbert>\n')
  })

  it.each([
    ['c3po', '--set force=search', 2, 'no-retrieval, retrieval, planning'],
    ['mao', '--set workflow=DS,AG', 2, 'QDS, QDP, or [QR,] [RA, [DS,]] AG'],
    ['sparkle', '--triples nowhere.jsonl', 1, 'nowhere.jsonl'],
  ])('refuses --policy %s %s', async (policy, more, status, fact) => {
    const { flags } = await prepared(agents, policy)
    const refused = await runToEnd(['search', question, ...flags, ...more.split(' ')])
    expect([refused.status, refused.errors]).toEqual([status, expect.stringContaining(fact)])
  })
})

describe('querent serve', () => {
  it('has the answer in the result, unless it is not wanted', async () => {
    const { flags } = await prepared()
    const url = await serving(flags)
    expect(await (await fetch(url)).json()).toMatchObject({
      answer: 'In Tacoma',
      citations: ['dune', 'herbert'],
      hits: [{ docid: 'dune' }, { docid: 'herbert' }],
    })
    const without = (await (await fetch(`${url}&answer=0`)).json()) as object
    expect(without).toMatchObject({ hits: [{ docid: 'dune' }, { docid: 'herbert' }] })
    expect(without).not.toHaveProperty('answer')
    const body = JSON.stringify({ text: question, answer: false })
    const posted = await fetch(url.replace(/\?.*/, ''), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(await posted.json()).not.toHaveProperty('answer')
  })

  it('streams the answer while it is written', async () => {
    const { flags } = await prepared()
    const response = await fetch(`${await serving(flags)}&stream=1`)
    const events = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string })
    expect(events.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'In ' },
      { type: 'text', text: 'Tacoma' },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'result', answer: 'In Tacoma' })
  })

  it('streams the rounds of agentic, and its answer without the lines around it', async () => {
    const { flags } = await prepared(reader, 'agentic')
    const response = await fetch(`${await serving([...flags, '--set', 'longAnswer=false'])}&stream=1`)
    const events = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly subQueries?: readonly object[] })
    const rounds = events.filter(({ type }) => type === 'round')
    expect(rounds.at(-1)!.subQueries).toMatchObject([{ text: 'Frank Herbert born' }])
    expect(events.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'In' },
      { type: 'text', text: ' Tacoma' },
    ])
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      answer: 'In Tacoma',
      citations: ['herbert', 'dune'],
    })
  })

  it('--set answer=false: nobody gets one', async () => {
    const { flags, server } = await prepared()
    const url = await serving([...flags, '--set', 'answer=false'])
    expect(await (await fetch(`${url}&answer=1`)).json()).not.toHaveProperty('answer')
    expect(server.requests).toHaveLength(2)
  })
})

describe('querent evaluate and querent compare', () => {
  /** A judged collection: an accepted answer for the first query, none for the second. */
  async function judged() {
    const { flags, server } = await prepared()
    const folder = await temporaryFolder()
    const lines = [
      { _id: 'q1', text: question, metadata: { answer: 'The Tacoma' } },
      { _id: 'q2', text: 'a desert planet' },
    ]
    await writeFile(join(folder, 'queries.jsonl'), lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    await writeFile(join(folder, 'qrels.tsv'), 'q1\tdune\t1\nq1\ttacoma\t1\nq2\tdune\t1\n')
    const [, index, , , ...chat] = flags
    return { server, folder, flags: ['--index', index!, ...chat, '--metrics', 'recall@3', '--json'] }
  }

  // The answer is "In Tacoma" and cites dune and herbert. Accepted is "tacoma": 1 of 2 words and 1 of 1, so F1 is 2/3. Of the
  // relevant documents, dune and tacoma, one is cited.
  const expected = { em: 0, answer_f1: 2 / 3, answered: 1, cited_recall: 0.5 }

  it('measure answers of the queries that have accepted ones', async () => {
    const { folder, flags } = await judged()
    const { output, errors, status } = await runToEnd(['evaluate', folder, '--policy', 'mmoa', ...flags])
    expect([status, errors]).toEqual([0, expect.stringContaining('1 of 2 ')])
    const { metrics, answerable, asks } = JSON.parse(output)
    expect(metrics).toEqual({ 'recall@3': expect.any(Number), ...expected })
    expect([answerable, asks]).toEqual([1, 6])
  })

  it('measure the answers of every system, and no answer is a wrong one', async () => {
    const { folder, flags } = await judged()
    const page = join(folder, 'out.html')
    const policies = ['--policies', 'none,mmoa', '--report', page, '--set', 'prices=scripted=0.5/2']
    const { output, status } = await runToEnd(['compare', folder, ...policies, ...flags])
    expect(status).toBe(0)
    const { metrics, systems, queries, costs } = JSON.parse(output)
    expect(metrics).toEqual(['recall@3', ...Object.keys(expected)])
    type Score = { readonly metric: string; readonly mean: number; readonly queries: number }
    const means = ({ scores }: { readonly scores: readonly Score[] }) =>
      Object.fromEntries(scores.slice(1).map(({ metric, mean }) => [metric, mean]))
    expect(systems.map(means)).toEqual([{ em: 0, answer_f1: 0, answered: 0, cited_recall: 0 }, expected])
    expect(systems[1].scores.map((score: Score) => score.queries)).toEqual([2, 1, 1, 1, 1])
    expect(systems[1].scores[3].versusBaseline).toMatchObject({ mean: 1, wins: 1, ties: 0, losses: 0 })
    expect(Object.keys(queries[1].results[1].values)).toEqual(['recall@3'])
    // mmoa asks three prompts and retrieves once for each query: 3 more than none for both of them.
    expect(costs).toMatchObject([
      { cost: 'asks', queries: 2, systems: [{ mean: 0 }, { mean: 3, versusBaseline: { mean: 3, p: 0.5 } }] },
      { cost: 'rounds', systems: [{ mean: 0 }, { mean: 1, versusBaseline: { low: 1, high: 1 } }] },
      { cost: 'tokens' },
      // Each prompt: 12 tokens at half a dollar and 3 at two dollars a million.
      { cost: 'usd', systems: [{ mean: 0 }, { mean: expect.closeTo((3 * 12) / 1e6, 12) }] },
    ])
    const html = await readFile(page, 'utf8')
    expect(html).toContain('answer_f1 (1 of 2\u00a0queries)')
    expect(html).toContain('aria-label="Costs of a query"')
  })

  /** A judge on a server of its own. */
  async function judging(script: (request: SeenRequest) => Reply) {
    const judge = await startChatServer(script)
    onTestFinished(() => judge.close())
    return { judge, named: ['--set', `judgeUrl=${judge.url}`, '--set', 'judgeModel=jury'] }
  }

  it('ask a judge about each answer, and count what it costs apart', async () => {
    const { server, folder, flags } = await judged()
    const { judge, named } = await judging(() => completion('True'))
    const priced = ['--set', 'prices=jury=1/10', '--set', 'temperature=0.7']
    const argv = ['evaluate', folder, '--policy', 'mmoa', ...flags, ...named, ...priced]
    const { output, errors, status } = await runToEnd(argv)
    expect([status, errors]).toEqual([
      0,
      expect.stringContaining('The judge jury, beside the searches: 1 prompt'),
    ])
    const { metrics, asks, tokens, usd, judging: spent } = JSON.parse(output)
    expect(metrics).toMatchObject({ ...expected, judge: 1 })
    // The searches' own: six prompts of 12 and 3 tokens, and no price. The judge's: one.
    expect([asks, tokens, usd]).toEqual([6, { prompt: 72, completion: 18 }, undefined])
    expect(spent).toEqual({
      model: 'jury',
      asks: 1,
      tokens: { prompt: 12, completion: 3 },
      usd: (12 * 1 + 3 * 10) / 1e6,
      unjudged: 0,
      failed: 0,
    })
    // The query without an accepted answer is not judged.
    expect(judge.requests).toHaveLength(1)
    expect(judge.requests[0]!.body).toMatchObject({ model: 'jury', temperature: 0 })
    expect(JSON.stringify(judge.requests[0]!.body)).toMatch(/- The Tacoma.*- In Tacoma/)
    expect(server.requests).toHaveLength(6)
  })

  it('test what a judge says as they test every metric', async () => {
    const { folder, flags } = await judged()
    const { judge, named } = await judging(() => completion('True'))
    const page = join(folder, 'out.html')
    const policies = ['--policies', 'none,mmoa', '--report', page]
    const { output } = await runToEnd(['compare', folder, ...policies, ...flags, ...named])
    const { metrics, systems, judging: spent } = JSON.parse(output)
    expect(metrics.at(-1)).toBe('judge')
    // No answer is not judged, and is wrong.
    expect(systems[0].scores.at(-1)).toMatchObject({ mean: 0, queries: 1 })
    expect(systems[1].scores.at(-1)).toMatchObject({ mean: 1, versusBaseline: { mean: 1, wins: 1, p: 1 } })
    expect(spent).toMatchObject({ asks: 1, failed: 0 })
    expect(judge.requests).toHaveLength(1)
    expect(await readFile(page, 'utf8')).toContain('The judge jury, beside the searches: 1 prompt')
  })

  it.each([
    [
      'says neither',
      () => completion('Perhaps.'),
      { unjudged: 1, failed: 0 },
      'neither True nor False to 1 answer',
    ],
    [
      'is down',
      () => failure(500, 'jury is out'),
      { unjudged: 0, failed: 1 },
      'WARNING: 1 answer was not judged',
    ],
  ] as const)('count an answer as wrong where the judge %s, and say so', async (_, reply, counts, said) => {
    const { folder, flags } = await judged()
    const { named } = await judging(reply)
    const { output, errors, status } = await runToEnd([
      'evaluate',
      folder,
      '--policy',
      'mmoa',
      ...flags,
      ...named,
    ])
    expect([status, errors]).toEqual([0, expect.stringContaining(said)])
    const { metrics, judging: spent } = JSON.parse(output)
    expect([metrics.judge, metrics.answered, spent]).toEqual([0, 1, expect.objectContaining(counts)])
  })

  it('measure none without accepted answers, for policies that do not answer, and with --set answer=false', async () => {
    const { server, folder, flags } = await judged()
    const metricsOf = async (...more: readonly string[]) => {
      const { output, errors } = await runToEnd(['evaluate', folder, ...more, ...flags])
      return [Object.keys(JSON.parse(output).metrics), errors.includes('answers were not measured')]
    }
    expect(await metricsOf('--policy', 'none')).toEqual([['recall@3'], false])
    expect(await metricsOf('--policy', 'mmoa', '--set', 'answer=false')).toEqual([['recall@3'], false])
    // Two queries, and for each the prompts before the answer.
    expect(server.requests).toHaveLength(4)
    await writeFile(join(folder, 'queries.jsonl'), `{"_id": "q1", "text": "${question}"}\n`)
    expect(await metricsOf('--policy', 'mmoa')).toEqual([['recall@3'], true])
  })
})

describe('a model that rewrites', () => {
  const rewrites = () => completion('{"query": "desert planet"}')

  it("samples as it is told, with a prompt of one's own", async () => {
    const { server, flags } = await prepared(rewrites, 'acqo')
    const file = join(await temporaryFolder(), 'prompt.txt')
    await writeFile(file, 'Rewrite for our library. {context} Question: {question}\n')
    const own = ['--template', file, '--set', 'temperature=0.4', '--set', 'topP=0.9']
    expect((await runToEnd(['search', question, ...flags, ...own])).status).toBe(0)
    expect(server.requests[0]!.body).toMatchObject({
      messages: [{ role: 'user', content: `Rewrite for our library.  Question: ${question}` }],
      temperature: 0.4,
      top_p: 0.9,
    })
    expect((await runToEnd(['search', question, ...flags])).status).toBe(0)
    expect(server.requests[1]!.body).not.toHaveProperty('temperature')
    const { status, errors } = await runToEnd(['search', question, ...flags, '--template', `${file}.txt`])
    expect([status, errors]).toEqual([1, expect.stringContaining('prompt.txt.txt')])
  })

  it('looks twice where it may', async () => {
    const { server, flags } = await prepared(rewrites, 'acqo')
    const { output } = await runToEnd([
      'search',
      question,
      ...flags,
      '--set',
      'maxRounds=2',
      '--json',
      '--trace',
    ])
    expect(
      JSON.parse(output).trace.steps.filter(({ type }: { type: string }) => type === 'ask'),
    ).toHaveLength(2)
    expect(server.requests).toHaveLength(2)
    const { status, errors } = await runToEnd(['search', question, ...flags, '--set', 'maxRounds=3'])
    expect([status, errors]).toEqual([2, expect.stringContaining('rounds: must be 1 or 2')])
  })
})

describe('--budget', () => {
  const searched = async (flags: readonly string[], budget: string) => {
    const asking = [...flags, '--budget', budget, '--json', '--trace']
    const { output, status } = await runToEnd(['search', question, ...asking])
    expect(status).toBe(0)
    return JSON.parse(output)
  }

  it.each([
    // MMOA-RAG splits; nobody selects or answers.
    ['mmoa', 'asks=1', 1, agents],
    ['mmoa', 'asks=2', 2, agents],
    // C-3PO routes; then it cannot plan.
    ['c3po', 'asks=1', 1, agents],
    ['c3po', 'asks=3,rounds=1', 3, agents],
    ['mao', 'asks=1', 1, () => completion('QR, RA, DS, AG')],
    ['sparkle', 'asks=3', 3, thinkers],
    // Each prompt takes 15 tokens: 10 are spent after the first, and 16 after the second.
    ['mmoa', 'tokens=10', 1, agents],
    ['mmoa', 'tokens=16', 2, agents],
  ])('ends %s in order: %s', async (policy, budget, most, script) => {
    const { server, flags } = await prepared(script, policy)
    const { hits, trace } = await searched(flags, budget)
    expect(hits.map(({ docid }: { docid: string }) => docid)).toContain('dune')
    expect(trace).not.toHaveProperty('fallback')
    expect(server.requests).toHaveLength(most)
  })

  it('leaves a search alone that costs no more', async () => {
    const { server, flags } = await prepared()
    expect((await searched(flags, 'ms=20000, rounds=1, asks=3')).answer).toBe('In Tacoma')
    expect(server.requests).toHaveLength(3)
  })

  it('in dollars is one of the models that have a price', async () => {
    const { server, flags } = await prepared()
    const { status, errors } = await runToEnd(['search', question, ...flags, '--budget', 'usd=0.01'])
    expect([status, errors]).toEqual([2, expect.stringContaining('--set prices=scripted=')])
    const { trace } = await searched([...flags, '--set', 'prices=scripted=0.5/2'], 'usd=0.00002')
    expect(trace.usd).toBeCloseTo(0.000024, 12)
    expect(server.requests).toHaveLength(2)
  })

  it.each(['scripted', 'scripted=1', 'scripted=1/x', 'a=1/2,a=3/4', ''])(
    'prices are not %j',
    async (prices) => {
      const { status, errors } = await runToEnd([
        'search',
        question,
        '--index',
        'x',
        '--set',
        `prices=${prices}`,
      ])
      expect([status, errors]).toEqual([2, expect.stringContaining('such as my-model=0.25/2')])
    },
  )

  it.each(['asks', 'asks=0', 'asks=1.5', 'asks=1,asks=2', 'asks=1=2', 'usd=0', 'tokens=0.5', '', 'ms=5s'])(
    'is refused if it is %j',
    async (budget) => {
      const { status, errors } = await runToEnd(['search', question, '--index', 'x', '--budget', budget])
      expect([status, errors]).toEqual([2, expect.stringContaining('such as asks=6,rounds=2,ms=20000')])
    },
  )
})
