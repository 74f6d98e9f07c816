import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOpenAIServer } from '../../support/openai-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeTrainingWorld } from '../../support/training-world.ts'

const run = (...argv: readonly string[]) => runToEnd(argv)

let prepared: string
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'querent-'))
  await writeTrainingWorld(prepared)
  expect((await run('index', prepared, '--out', join(prepared, 'index'))).status).toBe(0)
})
afterAll(() => rm(prepared, { recursive: true }))

/** A world to train in, 72 queries, and its index. */
async function world() {
  const folder = await temporaryFolder()
  const path = (name: string): string => join(folder, name)
  await cp(prepared, folder, { recursive: true })
  const rows = async (name: string) =>
    (await readFile(path(name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { folder, path, rows }
}

describe('querent export', () => {
  it.each(['verl', 'trl', 'openrlhf'])('writes the training queries for %s', async (to) => {
    const { folder, path, rows } = await world()
    const { status, errors } = await run(
      'export',
      folder,
      '--to',
      to,
      '--out',
      path('train.json'),
      '--index',
      path('index'),
    )
    expect(status).toBe(0)
    expect(errors).toContain('Split train:')
    expect(errors).toContain('72 rows')
    const [first, ...others] = await rows('train.json')
    expect(others).toHaveLength(71)
    expect(first.prompt.at(-1).content).toMatch(/where is the stadium of arlow$/)
  })

  it("writes a prompt of one's own, and the same bytes each time", async () => {
    const { folder, path, rows } = await world()
    const argv = ['export', folder, '--to', 'slime', '--template', path('prompt.txt'), '--out']
    for (const name of ['a.jsonl', 'b.jsonl']) expect((await run(...argv, path(name))).status).toBe(0)
    expect(await readFile(path('a.jsonl'))).toEqual(await readFile(path('b.jsonl')))
    expect((await rows('a.jsonl'))[0].prompt).toEqual([
      { role: 'user', content: 'where is the stadium of arlow' },
    ])
  })

  it('leaves the relevant documents to the server', async () => {
    const { folder, path, rows } = await world()
    const argv = ['export', folder, '--to', 'verl', '--out', path('train.json'), '--index', path('index')]
    const goldsOf = async () => (await rows('train.json')).flatMap((row) => row.reward_model.ground_truth)
    expect((await run(...argv, '--set', 'golds=false')).errors).toContain('72 rows')
    expect(await goldsOf()).toEqual([])
    expect((await rows('train.json'))[0].extra_info.query_id).toBe('q0')
    await writeFile(path('querent.json'), '{"golds": false}')
    expect((await run(...argv, '--config', path('querent.json'))).status).toBe(0)
    expect(await goldsOf()).toEqual([])
    expect((await run(...argv, '--config', path('querent.json'), '--set', 'golds=true')).status).toBe(0)
    expect(await goldsOf()).toContain('arlow-stadium')
  })

  it('says what it left out', async () => {
    const { folder, path } = await world()
    await writeFile(
      path('few.tsv'),
      'query-id\tcorpus-id\tscore\nq0\tarlow-stadium\t1\nq1\tlost\t1\nq2\tlost\t0\n',
    )
    const argv = [
      'export',
      folder,
      '--to',
      'trl',
      '--out',
      path('few.json'),
      '--index',
      path('index'),
      '--qrels',
      path('few.tsv'),
    ]
    expect((await run(...argv)).errors).toContain(
      '1 row, left out 70 queries without relevant documents, left out 1 query whose relevant documents are not in the index',
    )
    const { output } = await run(...argv, '--json')
    expect(JSON.parse(output)).toEqual({ out: path('few.json'), rows: 1, unjudged: 70, unreachable: 1 })
  })

  it('says so where nothing is left', async () => {
    const { folder, path } = await world()
    await writeFile(path('lost.tsv'), 'query-id\tcorpus-id\tscore\nq0\tlost\t1\n')
    const argv = [
      '--to',
      'trl',
      '--out',
      path('x.json'),
      '--index',
      path('index'),
      '--qrels',
      path('lost.tsv'),
    ]
    const { status, errors } = await run('export', folder, ...argv)
    expect([status, errors]).toEqual([
      1,
      expect.stringMatching(
        /Nothing to write: 0 rows, left out 71 queries.*judgments belong to these queries/,
      ),
    ])
    expect(existsSync(path('x.json'))).toBe(false)
  })

  it('says where the traces are of no model, or of none that is worth imitating', async () => {
    const { folder, path } = await world()
    const recording = ['--split', 'train', '--index', path('index'), '--traces', path('traces.jsonl')]
    const argv = ['--to', 'sft', '--out', path('x.json'), '--index', path('index')]
    const exported = async (...policy: readonly string[]) => {
      expect((await run('evaluate', folder, ...recording, ...policy)).status).toBe(0)
      return run('export', folder, ...argv, '--traces', path('traces.jsonl'))
    }

    const asIs = await exported('--policy', 'none')
    expect([asIs.status, asIs.errors]).toEqual([1, expect.stringMatching(/\b0 rows\. The traces/)])

    const { url } = await startOpenAIServer({ chat: () => 'no' })
    const malformed = await exported('--policy', 'acqo', '--chat-url', url, '--set', 'chatRetries=0')
    expect([malformed.status, malformed.errors]).toEqual([1, expect.stringMatching(/\b0 rows, 72 .* 72 /)])
    expect(existsSync(path('x.json'))).toBe(false)
  })

  it('warns where it is given a test file', async () => {
    const { folder, path } = await world()
    await writeFile(path('qrels.test.tsv'), await readFile(path('qrels.train.tsv')))
    const argv = ['export', folder, '--to', 'trl', '--out', path('out.json')]
    expect((await run(...argv)).errors).not.toContain('WARNING')
    expect((await run(...argv, '--split', 'test')).errors).toContain('WARNING: ')
  })

  it('takes what a folder without a training split has', async () => {
    const { folder, path } = await world()
    const argv = ['export', folder, '--to', 'trl', '--out', path('out.json')]
    expect((await run(...argv, '--split', 'dev')).errors).toContain(': train')
    const plain = await temporaryFolder()
    await writeFile(join(plain, 'queries.jsonl'), '{"_id": "q", "text": "a"}\n')
    await writeFile(join(plain, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq\td\t1\n')
    const { status, errors } = await run('export', plain, '--to', 'trl', '--out', path('plain.json'))
    expect([status, errors]).toEqual([0, expect.stringContaining('1 row\n')])
    expect(errors).not.toContain('WARNING')
  })

  it('keeps the best recorded answers for imitation', async () => {
    const { folder, path, rows } = await world()
    // It names what the question asks for where that is a stadium, half of it elsewhere, and knows nothing of castles.
    const { url } = await startOpenAIServer({
      chat: (question) => {
        const [, sight, town] = /the (\w+) of (\w+)/.exec(question) ?? []
        if (sight === undefined || sight === 'castle') return 'no'
        return JSON.stringify({ query: sight === 'stadium' ? `${sight} ${town}` : town })
      },
    })
    const recorded = await run(
      ...[
        'evaluate',
        folder,
        '--split',
        'train',
        '--index',
        path('index'),
        '--policy',
        'acqo',
        '--chat-url',
        url,
      ],
      ...['--set', 'chatRetries=0', '--traces', path('traces.jsonl')],
    )
    expect(recorded.status).toBe(0)
    const argv = ['export', folder, '--to', 'sft', '--index', path('index'), '--traces', path('traces.jsonl')]
    const { status, errors } = await run(...argv, '--out', path('sft.json'), '--set', 'threshold=1.2')
    expect(status).toBe(0)
    expect(errors).toMatch(/12 rows, 72 recorded answers, 12 of them malformed/)
    for (const { messages } of await rows('sft.json')) {
      expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant'])
      expect(messages[2].content).toMatch(/^\{"query":"stadium \w+"\}$/)
    }
  })

  it("leaves out what a model has mastered, by the paper's filter", async () => {
    const { folder, path, rows } = await world()
    // Of stadiums it finds the page, of castles it says nothing of use.
    const { url } = await startOpenAIServer({
      chat: (question) => {
        const [, sight, town] = /the (\w+) of (\w+)/.exec(question) ?? []
        return sight === 'stadium' ? JSON.stringify({ query: `${sight} ${town}` }) : 'no'
      },
    })
    const index = ['--index', path('index')]
    const asked = ['--policy', 'acqo', '--chat-url', url, '--set', 'chatRetries=0']
    const traced = ['--traces', path('traces.jsonl')]
    expect((await run('evaluate', folder, '--split', 'train', ...index, ...asked, ...traced)).status).toBe(0)
    const to = (name: string) => ['export', folder, '--to', 'verl', '--out', path(name), ...index, ...traced]
    const { status, errors } = await run(...to('hard.json'), '--set', 'eta=1', '--set', 'tauMax=5/3')
    expect([status, errors]).toEqual([
      0,
      expect.stringContaining('60 rows, left out 12 queries by difficulty'),
    ])
    const hard = await rows('hard.json')
    expect(hard.map(({ extra_info }) => extra_info.index)).toEqual(hard.map((_, place) => place))
    expect(hard.map(({ extra_info }) => extra_info.question).join()).not.toContain('where is the stadium')

    const half = await run(...to('half.json'), '--set', 'keepHardest=0.5', '--json')
    expect(JSON.parse(half.output)).toMatchObject({ rows: 36, unmeasured: 0, filtered: 36 })
    const none = await run(...to('none.json'), '--set', 'tauMax=-1')
    expect([none.status, none.errors]).toEqual([1, expect.stringContaining('mastered')])
  })

  it.each([
    [['--set', 'tauMax=1', '--index', 'i'], '--traces is missing'],
    [['--set', 'keepHardest=.5', '--traces', 't'], '--index is missing'],
    [['--set', 'tauMin=2', '--index', 'i', '--traces', 't'], '--set tauMin is above --set tauMax'],
    [['--set', 'tauMax=1', '--rollouts', 'r'], 'Rollouts are not filtered by tau'],
  ])('exits 2 or 1 for a filter with %j', async (argv, hint) => {
    const { status, errors } = await run('export', 'folder', '--to', 'trl', '--out', 'x.json', ...argv)
    expect(status).toBeGreaterThan(0)
    expect(errors).toContain(hint)
  })

  it("writes a query set and judgments for OpenSearch's workbench", async () => {
    const { folder, path } = await world()
    const written = async (to: string) => {
      const out = path(`${to}.json`)
      const { errors } = await run('export', folder, '--to', to, '--split', 'train', '--out', out)
      expect(errors).toContain(`${out}: 72 queries\n`)
      return JSON.parse(await readFile(out, 'utf8'))
    }
    const { querySetQueries } = await written('query-set')
    expect(querySetQueries[0]).toEqual({ queryText: 'where is the stadium of arlow' })
    const { judgmentRatings } = await written('judgments')
    expect(judgmentRatings[0]).toEqual({
      query: 'where is the stadium of arlow',
      ratings: [{ docId: 'arlow-stadium', rating: '1.000' }],
    })
  })

  it.each([
    [['--out', 'x.json'], '--to is missing'],
    [['--to', 'verl'], '--out is missing'],
    [['--to', 'gepa', '--out', 'x.jsonl', '--template', 't.txt'], 'no --template'],
    [
      ['--to', 'art', '--out', 'x.json'],
      'verl, trl, openrlhf, slime, nemo-gym, gepa, sft, query-set, judgments',
    ],
    [['--to', 'judgments'], '--out is missing'],
    [['--to', 'verl', '--out', 'x.jsonl'], 'something.json'],
    [['--to', 'sft', '--out', 'x.json'], '--index is missing'],
    [['--to', 'sft', '--out', 'x.json', '--index', 'i'], '--traces is missing'],
  ])('exits 2 for %j', async (argv, hint) => {
    const { status, output, errors } = await run('export', 'folder', ...argv)
    expect([status, output]).toEqual([2, ''])
    expect(errors).toContain(hint)
  })

  it.each([
    ['has no place for the question', 'Write queries.'],
    ['cannot be read', undefined],
  ])('refuses a template that %s', async (message, content) => {
    const { folder, path } = await world()
    if (content !== undefined) await writeFile(path('template.txt'), content)
    const argv = ['--to', 'trl', '--out', path('x.json'), '--template', path('template.txt')]
    const { status, errors } = await run('export', folder, ...argv)
    expect([status, errors]).toEqual([1, expect.stringContaining(message)])
  })
})
