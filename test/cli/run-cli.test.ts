import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/index-folder/version.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { _id: 'emma', title: 'Emma', text: 'A novel of a matchmaker, written by Jane Austen.' },
  { _id: 'herbert', title: 'Frank Herbert', text: 'An American writer, born in Tacoma.' },
  { _id: 'austen', title: 'Jane Austen', text: 'An English writer, born in Steventon.' },
]
const queries = [
  { _id: 'q1', text: 'desert planet' },
  {
    _id: 'q2',
    text: 'Where was she born?',
    metadata: { history: [{ role: 'user', text: 'Who wrote Emma?' }] },
  },
]
const qrels = 'query-id\tcorpus-id\tscore\nq1\tdune\t1\nq2\tausten\t1\n'
const jsonLines = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A folder with a BEIR collection and its index. */
async function collection() {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'corpus.jsonl'), jsonLines(corpus))
  await writeFile(join(folder, 'queries.jsonl'), jsonLines(queries))
  await writeFile(join(folder, 'qrels.tsv'), qrels)
  const index = join(folder, 'index')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  return { folder, index, path: (name: string) => join(folder, name) }
}

/** The original query alone: what does not depend on a trained policy. */
const asIs = ['--policy', 'none']

const commands = [
  'index',
  'search',
  'explain',
  'evaluate',
  'compare',
  'fuse',
  'train',
  'clicks',
  'triples',
  'rollouts',
  'export',
  'reward-server',
  'serve',
  'mcp',
  'proxy',
  'doctor',
  'completion',
  'help',
]

describe('querent', () => {
  it('has a help that names every command', async () => {
    const { status, output } = await runToEnd(['--help'])
    expect(status).toBe(0)
    for (const command of commands) expect(output).toContain(`\n  ${command} `)
  })

  it.each(commands)('shows examples in the help of %s', async (command) => {
    const { status, output } = await runToEnd([command, '--help'])
    expect(status).toBe(0)
    expect(output).toMatch(new RegExp(`Examples:\\n  \\$ querent ${command} `))
  })

  it('tells its version', async () => {
    expect(await runToEnd(['--version'])).toEqual({ status: 0, output: `${version}\n`, errors: '' })
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })

  it.each([
    [['search', 'x', '--indx', 'y'], '--index'],
    [['serach', 'x'], 'search'],
    [['search'], 'query'],
    [['search', '-40 degrees', '--index', 'y'], 'goes after --'],
    [['explain', '--index', 'y', '-x'], 'goes after --'],
    [['search', 'x'], '--index'],
    [['search', 'x', '--index', 'y', '-k', 'ten'], '-k '],
    [['search', 'x', '--index', 'y', '--fusion', 'best'], 'rank-score'],
    [['search', 'x', '--index', 'y', '--policy', 'best'], 'none, agentic, acqo'],
    [['search', 'x', '--index', 'y', '--policy', 'acqo'], '--chat-url'],
    [['search', 'x', '--index', 'y', '--norm', 'best'], 'min-max'],
    [['search', 'word '.repeat(4000), '--index', 'y'], '20000'],
    [['index', 'x'], '--out'],
    [['search', 'x', '--prices', 'm=1/2'], '--set prices=<prices>'],
    [['search', 'x', '--no-answer'], '--set answer=false'],
    [['search', 'x', '--set', 'pric=m=1/2'], 'prices'],
    [['search', 'x', '--set', 'target=http://localhost'], 'target is not a setting'],
    [[], 'Usage'],
  ])('exits 2 for the wrong usage %j and says what is right', async (argv, hint) => {
    const { status, output, errors } = await runToEnd(argv)
    expect([status, output]).toEqual([2, ''])
    expect(errors).toContain(hint)
  })

  it.each([
    [['search', 'x', '--index', '/nowhere'], 'querent index <corpus> --out /nowhere'],
    [['index', '/nowhere.jsonl', '--out', '/tmp/querent-never'], '/nowhere.jsonl'],
    [['evaluate', '/nowhere', '--index', '/nowhere'], '/nowhere'],
    [['fuse', '/nowhere.trec', '--out', '/nowhere'], '/nowhere.trec'],
  ])('exits 1 for %j and says what is missing', async (argv, hint) => {
    const { status, output, errors } = await runToEnd(argv)
    expect([status, output]).toEqual([1, ''])
    expect(errors).toContain(hint)
  })
})

describe('querent index', () => {
  it('unpacks what comes packed on standard input', async () => {
    const out = join(await temporaryFolder(), 'index')
    const { errors } = await runToEnd(['index', '-', '--out', out], { stdin: gzipSync(jsonLines(corpus)) })
    expect(errors).toContain('4 documents')
  })

  it('reads standard input and says what it made', async () => {
    const folder = await temporaryFolder()
    const out = join(folder, 'index')
    const { status, output, errors } = await runToEnd(['index', '-', '--out', out], {
      stdin: jsonLines(corpus),
    })
    expect([status, output]).toEqual([0, ''])
    expect(errors).toMatch(/index: 4 documents, \d+ kB, [\d.]+ m?s\n/)
    expect((await runToEnd(['search', 'tacoma', '--index', out, ...asIs])).output).toContain('herbert')
  })
})

describe('querent search', () => {
  it('prints hits for people on stdout, and what was decided on stderr', async () => {
    const { index } = await collection()
    const { status, output, errors } = await runToEnd(['search', 'desert planet', '--index', index, ...asIs])
    expect(status).toBe(0)
    expect(output).toMatch(/^ {2}1\. Dune {2}dune {2}1\.0000\n {5}A novel of a desert planet/)
    expect(errors).toMatch(/none: unchanged/)
  })

  it('prints one JSON document with --json, and nothing else', async () => {
    const { index } = await collection()
    const { output, errors } = await runToEnd([
      'search',
      'born writer',
      '--index',
      index,
      ...asIs,
      '-k',
      '1',
      '--json',
      '--trace',
    ])
    const { hits, trace, scores } = JSON.parse(output)
    expect(scores).toBe('from the fusion method rank-score')
    expect(hits).toHaveLength(1)
    // Both writers' texts are of one length and hold both words once: a tie, which the docid decides.
    expect(hits[0]).toMatchObject({ docid: 'austen', rank: 1, score: 1, document: { title: 'Jane Austen' } })
    expect(trace).toMatchObject({ kind: 'as-is', policy: 'none', partial: false })
    // -k is what is returned; a leg goes as deep as it can.
    expect(trace.steps[0].legs[0].hits.length).toBe(2)
    expect(errors).toBe('')
  })

  it('asks the chat model with the conversation before the query', async () => {
    const { index, path } = await collection()
    await writeFile(path('turns.json'), JSON.stringify([{ role: 'user', text: 'Who wrote Emma?' }]))
    const { url } = await startOpenAIServer({ chat: () => '{"query": "Jane Austen born"}' })
    const flags = ['--policy', 'acqo', '--chat-url', url, '--chat-model', 'scripted']
    const argv = [
      'search',
      'Where was she born?',
      '--index',
      index,
      '--history',
      path('turns.json'),
      ...flags,
    ]
    const { output } = await runToEnd([...argv, '--json', '--trace'])
    const { hits, trace } = JSON.parse(output)
    expect(hits[0].docid).toBe('austen')
    expect(trace).toMatchObject({ kind: 'rewrite', subQueries: [{ text: 'Jane Austen born' }] })
    expect(trace.query.history).toEqual([{ role: 'user', text: 'Who wrote Emma?' }])

    const { errors } = await runToEnd(argv)
    expect(errors).toMatch(/acqo: rewritten .*\n {2}1\. Jane Austen born\n/)
  })

  it('takes its settings from a file, from flags before it, and from the environment after it', async () => {
    const { index, path } = await collection()
    const { url } = await startOpenAIServer({ chat: () => '{"query": "tacoma"}' })
    const config = path('querent.json')
    await writeFile(config, JSON.stringify({ index, k: 1, policy: 'acqo', timeout: '4s', split: 'test' }))
    const env = { OPENAI_BASE_URL: url, QUERENT_CHAT_MODEL: 'scripted' }
    const fromFile = JSON.parse(
      (await runToEnd(['search', 'novel', '--config', config, '--json'], { env })).output,
    )
    expect(fromFile.hits.map(({ docid }: { docid: string }) => docid)).toEqual(['herbert'])
    const flags = ['--policy', 'none', '-k', '2']
    const fromFlags = JSON.parse(
      (await runToEnd(['search', 'novel', '--config', config, ...flags, '--json'])).output,
    )
    expect(fromFlags.hits).toHaveLength(2)

    await writeFile(config, '{"index": "x", "kay": 1}')
    const wrong = await runToEnd(['search', 'novel', '--config', config])
    expect(wrong.status).toBe(2)
    expect(wrong.errors).toContain(`${config}: kay `)
  })
})

describe('what a command reads and says', () => {
  it('takes a query that begins with -, after --', async () => {
    const { index } = await collection()
    expect((await runToEnd(['search', '--index', index, ...asIs, '--', '-40 tacoma'])).output).toContain(
      'herbert',
    )
    expect((await runToEnd(['evaluate', '-x'])).errors).not.toContain('goes after --')
  })

  it('names what an error may come from by the keys of the file', async () => {
    const { path } = await collection()
    const cluster = { engine: 'opensearch', url: 'http://127.0.0.1:1', index: 'docs' }
    const config = path('querent.json')
    await writeFile(config, JSON.stringify({ policy: 'none', retrievers: { here: cluster } }))
    const { errors } = await runToEnd(['search', 'x', '--config', config])
    expect(errors).toContain(`from ${config}: policy, retrievers\n`)
  })

  it('takes a long query from standard input', async () => {
    const { index } = await collection()
    const stdin = `${'nothing '.repeat(10_000)}tacoma\n`
    const { output } = await runToEnd(['search', '-', '--index', index, ...asIs], { stdin })
    expect(output).toMatch(/^ {2}1\. Frank Herbert /)
  })

  it.each(['search', 'explain'])('%s says once that it fell back, with --json too', async (command) => {
    const { index } = await collection()
    const { url } = await startOpenAIServer({ chat: () => 400 })
    const argv = [command, 'desert', '--index', index, '--policy', 'acqo', '--chat-url', url]
    for (const flags of [[], ['--json']]) {
      const { output, errors } = await runToEnd([...argv, ...flags])
      const said = flags.length === 0 ? output + errors : errors
      expect(said.match(/the results without Querent/g)).toHaveLength(1)
      expect(said.match(/scripted failure/g)).toHaveLength(1)
    }
  })

  it('takes a retriever that is named twice once, and says which there are', async () => {
    const { index } = await collection()
    const search = (retrievers: string) =>
      runToEnd(['search', 'desert', '--index', index, ...asIs, '--retrievers', retrievers])
    expect((await search('bm25,bm25')).output).toMatch(/^ {2}1\. Dune /)
    expect(await search('sparse')).toMatchObject({
      status: 2,
      errors: expect.stringContaining('It has bm25'),
    })
  })

  it.each(['--run', '--traces'])('says before it reads anything that %s names a folder', async (flag) => {
    const { folder } = await collection()
    const { status, errors } = await runToEnd(['evaluate', '/nowhere', '--index', '/nowhere', flag, folder])
    expect([status, errors]).toEqual([1, expect.stringContaining(folder)])
  })
})

describe('querent explain', () => {
  it('gives every hit its sub-query, retriever, rank, score and share', async () => {
    const { index } = await collection()
    const { output } = await runToEnd(['explain', 'born writer', '--index', index, ...asIs, '--json'])
    const { hits } = JSON.parse(output)
    expect(hits).toHaveLength(2)
    for (const [place, hit] of hits.entries()) {
      expect(hit).toMatchObject({ rank: place + 1, score: 1 / (place + 1), recomputed: 1 / (place + 1) })
      expect(hit.contributions).toMatchObject([
        { retriever: 'bm25', subQuery: { text: 'born writer' }, rank: place + 1, share: 1 },
      ])
    }
    const forPeople = await runToEnd(['explain', 'born writer', '--index', index, ...asIs])
    expect(forPeople.output).toBe(`    hit            moved  found by   score
1.  Jane Austen           0#1       1.0000
2.  Frank Herbert         0#2       0.5000
moved: against your words alone. 0#3: rank 3 in search 0, your words. score: from the fusion method rank-score; higher is better.

Unchanged: the policy none searched your words alone (the policy searched no other words).
The hits are those of your words alone, in the same order.
Nothing was re-ranked.

Searched with bm25:
  0  born writer  your words
`)
    const verbose = await runToEnd(['explain', 'born writer', '--index', index, ...asIs, '--verbose'])
    expect(verbose.output.startsWith(forPeople.output)).toBe(true)
    expect(verbose.output).toMatch(
      /1\. austen {2}Jane Austen\n.*score 1\.0000, recomputed.* 1\.0000\n {3}bm25 +rank 1 +score [\d.]+ +share 100\.0 %/,
    )
  })
})

describe('querent evaluate', () => {
  it('measures, writes the run and the traces, and says what it took', async () => {
    const { folder, index, path } = await collection()
    const files = ['--run', path('out.trec'), '--traces', path('out.jsonl')]
    const { status, output, errors } = await runToEnd([
      'evaluate',
      folder,
      '--index',
      index,
      ...asIs,
      '--metrics',
      'recall@1',
      ...files,
      '--json',
    ])
    expect(status).toBe(0)
    // q1 finds dune; q2 finds both writers in one word, and austen comes before herbert.
    expect(JSON.parse(output)).toMatchObject({
      queries: 2,
      metrics: { 'recall@1': 1 },
      decisions: { 'as-is': 2, rewrite: 0, decompose: 0 },
      leftAlone: 2,
      oneRequest: 2,
      legs: 2,
      subQueries: 2,
      tokens: { prompt: 0, completion: 0 },
      latency_ms: { total: { p50: expect.any(Number), p95: expect.any(Number) } },
      failures: 0,
    })
    expect(errors).toContain(
      `Split test: queries from ${path('queries.jsonl')}, judgments from ${path('qrels.tsv')}`,
    )
    const run1 = await readFile(path('out.trec'), 'utf8')
    expect(run1.split('\n')[0]).toMatch(/^q1 Q0 dune 1 /)
    const traces = (await readFile(path('out.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(traces.map((line) => JSON.parse(line).query.qid)).toEqual(['q1', 'q2'])
  })

  it('says loudly that there were nothing but fallbacks, and exits 0', async () => {
    const { folder, index } = await collection()
    const { url } = await startOpenAIServer({ chat: () => 400 })
    const chat = ['--policy', 'acqo', '--chat-url', url, '--chat-model', 'scripted', '--set', 'chatRetries=0']
    const { status, output, errors } = await runToEnd([
      'evaluate',
      folder,
      '--index',
      index,
      ...chat,
      '--json',
    ])
    expect(status).toBe(0)
    expect(JSON.parse(output).failures).toBe(2)
    expect(errors).toContain('WARNING: all queries (2) have the results without Querent')
    expect(errors).toContain('scripted failure')
  })

  it('prints a table for people', async () => {
    const { folder, index } = await collection()
    const { output } = await runToEnd(['evaluate', folder, '--index', index, ...asIs, '--metrics', 'ndcg@10'])
    expect(output).toMatch(
      /^queries +2\nndcg@10 +1\.0000\ndecisions +unchanged 2, rewritten 0, split 0\nyour words alone +100\.0 %\none request +100\.0 %\nsearches per query +1\.00\n/,
    )
  })

  it('keeps what it has done when it is interrupted, beside what it has not replaced', async () => {
    const { folder, index, path } = await collection()
    await writeFile(path('out.jsonl'), 'of an earlier evaluation')
    const interrupt = new AbortController()
    const { url } = await startOpenAIServer({
      chat: (question) => {
        if (question.includes('she')) interrupt.abort()
        return '{"query": "planet"}'
      },
    })
    const chat = ['--policy', 'acqo', '--chat-url', url, '--chat-model', 'scripted']
    const files = ['--run', path('out.trec'), '--traces', path('out.jsonl')]
    const { status, output, errors } = await runToEnd(
      ['evaluate', folder, '--index', index, ...chat, ...files, '--json'],
      {
        signal: interrupt.signal,
      },
    )
    expect([status, output]).toEqual([130, ''])
    expect(errors).toContain('Stopped after 1 query.')
    expect(await readFile(path('out.trec.part'), 'utf8')).toMatch(/^q1 Q0 dune 1 \S+ querent\n$/)
    expect(errors).toContain(path('out.jsonl.part'))
    expect((await readFile(path('out.jsonl.part'), 'utf8')).match(/\n/g)).toHaveLength(1)
    expect(await readFile(path('out.jsonl'), 'utf8')).toBe('of an earlier evaluation')
  })
})

describe('querent fuse', () => {
  async function fuse(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
    const folder = await temporaryFolder()
    await mkdir(folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const out = join(folder, 'fused.trec')
    const result = await runToEnd([
      'fuse',
      ...Object.keys(files).map((name) => join(folder, name)),
      '--out',
      out,
      ...flags,
    ])
    const written = result.status === 0 ? await readFile(out, 'utf8') : ''
    const lines = written
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
    return { ...result, hits: lines.map(([qid, , docid]) => `${qid} ${docid}`) }
  }
  const a = 'q2 Q0 x 1 9 a\nq2 Q0 y 2 8 a\nq1 Q0 x 1 3 a\n'
  const b = 'q2 Q0 z 1 5 b\nq3 Q0 x 1 1 b\n'

  it('keeps all hits and all queries, in order, and breaks ties by raw scores', async () => {
    const { status, output, errors, hits } = await fuse({ 'a.trec': a, 'b.trec': b })
    expect([status, output]).toEqual([0, ''])
    expect(errors).toContain('3 queries, 5 hits')
    // x and z are both first in one list: 9 is more than 5.
    expect(hits).toEqual(['q2 x', 'q2 z', 'q2 y', 'q1 x', 'q3 x'])
  })

  it('passes weights and normalization on, and says why it cannot', async () => {
    const { hits } = await fuse(
      { 'a.trec': a, 'b.trec': b },
      '--fusion',
      'weighted-sum',
      '--norm',
      'none',
      '--weights',
      '1,2',
    )
    // 2 × 5 for z, 9 for x, 8 for y.
    expect(hits.slice(0, 3)).toEqual(['q2 z', 'q2 x', 'q2 y'])
    const { status, errors } = await fuse({ 'a.trec': a, 'b.trec': b }, '--weights', '1,2')
    expect(status).toBe(2)
    expect(errors).toContain('rank-score')
  })

  it('cuts the lists at a depth', async () => {
    expect((await fuse({ 'a.trec': a, 'b.trec': b }, '--depth', '1')).hits).not.toContain('q2 y')
  })
})

describe('settings', () => {
  it('are those of the command: a search has none of other commands', async () => {
    const { output } = await runToEnd(['search', '--help'])
    expect(output).not.toMatch(/--split|--set eta|reward-server/)
  })

  it.each(commands)('have a meaning each in the help of %s', async (command) => {
    const { output } = await runToEnd([command, '--help'])
    const options = output.slice(0, output.indexOf('\nExamples:'))
    for (const [, flag] of options.matchAll(/^ {2}(-\S+(?:, --\S+)?(?: <[^>]*>)?)\s*$/gm))
      expect.fail(`${flag} has no meaning`)
  })

  it('come from the querent.json of the folder, unless they are typed', async () => {
    const { index, folder, path } = await collection()
    await writeFile(path('querent.json'), JSON.stringify({ index, k: 1, policy: 'none', port: 99 }))
    const docids = async (...flags: readonly string[]) => {
      const { output } = await runToEnd(['search', 'novel', '--json', ...flags], { folder })
      return JSON.parse(output).hits.map(({ docid }: { docid: string }) => docid)
    }
    expect(await docids()).toHaveLength(1)
    expect(await docids('-k', '2')).toHaveLength(2)
    expect(await docids('--set', 'k=2')).toHaveLength(2)
    expect(await docids('--set', 'k=2', '-k', '1')).toHaveLength(1)
    expect((await runToEnd(['search', 'novel', '--no-config'], { folder })).errors).toContain(
      '--index is missing',
    )
  })

  it('of the file are named in the help, and below an error', async () => {
    const { folder, path } = await collection()
    await writeFile(path('querent.json'), '{"index": "/nowhere", "k": 1, "port": 99}')
    expect((await runToEnd(['search', '--help'], { folder })).output).toContain(
      'Set in querent.json (flags and --set win): index, k\n',
    )
    const { errors } = await runToEnd(['search', 'novel', '-k', '2'], { folder })
    expect(errors).toMatch(/\/nowhere.*querent\.json: index\n$/s)
    await writeFile(path('querent.json'), '{"index": ')
    expect((await runToEnd(['search', '--help'], { folder })).output).toContain('querent.json is not JSON')
    expect((await runToEnd(['search', 'novel'], { folder })).status).toBe(2)
  })

  it.each([
    [['search', 'who', 'wrote', 'them', '--index', 'x'], 'querent search "who wrote them" …'],
    [['explain', '--index', 'x', 'say', '"hi"'], 'querent explain "say \\"hi\\"" …'],
  ])('do not swallow the words of a query without quotes: %j', async (argv, remedy) => {
    const { status, errors } = await runToEnd(argv)
    expect([status, errors]).toEqual([2, expect.stringContaining(`Quote it: ${remedy}`)])
  })
})
