import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../policies/local/policy-file/policy-store.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testTerminal } from '../support/test-terminal.ts'

/** Two thirds of the sample, or all of it, as a collection with a training split, its index, and where a policy may go. */
async function world({ whole = false } = {}) {
  const folder = await temporaryFolder()
  const path = (name: string) => join(folder, name)
  const collection = path('collection')
  await mkdir(join(collection, 'qrels'), { recursive: true })
  const lines = (await readFile(join(sampleFolder, 'queries.jsonl'), 'utf8')).trim().split('\n')
  const some = lines.filter((_, place) => whole || place % 3 > 0)
  await writeFile(join(collection, 'queries.jsonl'), `${some.join('\n')}\n`)
  for (const split of ['train', 'test'])
    await copyFile(join(sampleFolder, 'qrels.tsv'), join(collection, 'qrels', `${split}.tsv`))
  await runToEnd(['index', sampleFolder, '--out', path('index')])
  const quick = ['--no-rerank']
  return { path, collection, index: path('index'), out: path('policy.json'), quick }
}

describe('querent train', () => {
  it('makes a policy that searches, of the train split, and says what it learned', async () => {
    const { collection, index, out } = await world()
    const { status, output, errors } = await runToEnd([
      ...['train', collection, '--index', index, '--out', out, '--seed', '5'],
    ])
    expect([status, output]).toEqual([0, ''])
    expect(errors).toMatch(/^Split train: queries from \S+, judgments from \S+train\.tsv\n/)
    expect(errors).not.toContain('WARNING')
    expect(errors).toMatch(/\ncollection: 24 queries with \d+ relevant documents\n/)
    expect(errors).toMatch(/policy\.json: trained on 24 queries in [\d.]+ m?s\.\n/)

    const policy = await readPolicy(out)
    expect(policy.options).toMatchObject({ seed: 5, rerank: true })
    expect(policy.trainedOn).toMatchObject([{ collection: 'collection', queries: 24, retrievers: ['bm25'] }])
    const searched = await runToEnd([
      'search',
      'Which opera is K. 620?',
      '--index',
      index,
      '--policy',
      out,
      '--json',
      '--trace',
    ])
    expect(JSON.parse(searched.output).trace).toMatchObject({ policy: 'local', partial: false })
  })

  it('judges on queries that a second training did not see', async () => {
    const { collection, index, out, quick, path } = await world({ whole: true })
    const report = path('report.html')
    const argv = ['train', collection, '--index', index, '--out', out, ...quick, '--report', report]
    const { status, output, errors } = await runToEnd(argv)
    expect([status, output]).toEqual([0, ''])
    // The policy that is written learned from all 36 queries; a fifth of them is held out for the other one.
    expect(errors).toContain('trained on 36 queries')
    const [, trained, judged] = errors.match(/is trained on (\d+) of .* on the other (\d+)\./)!.map(Number)
    expect([trained! + judged!, judged]).toEqual([36, 7])
    expect(errors).toMatch(/\nndcg@10 +without Querent .*baseline\nndcg@10 +local .*\nndcg@10 +trained .*\n/)
    const page = await readFile(report, 'utf8')
    expect(page).toContain('<title>without Querent, local, trained on collection</title>')
    expect(page).toContain(`a policy that was trained on ${trained} other queries`)
  })

  it('keeps the policy where Ctrl-C ends the second training', async () => {
    const { collection, index, out, quick, path } = await world({ whole: true })
    const report = path('report.html')
    const interrupt = new AbortController()
    const terminal = testTerminal({ signal: interrupt.signal })
    const argv = ['train', collection, '--index', index, '--out', out, ...quick, '--report', report]
    const training = runCli(argv, terminal)
    const whenSecond = () => {
      if (terminal.errors().includes('a second policy is trained')) interrupt.abort()
      else setImmediate(whenSecond)
    }
    whenSecond()
    expect(await training).toBe(130)
    expect(terminal.errors()).toContain('The policy is written, and its report is not.')
    expect([existsSync(out), existsSync(report)]).toEqual([true, false])
  })

  it('judges several collections together, each on its own index', async () => {
    const { collection, index, path, out, quick } = await world({ whole: true })
    const second = path('again/collection')
    await cp(collection, second, { recursive: true })
    const report = path('report.html')
    const flags = ['--index', index, '--index', index, '--out', out, ...quick, '--report', report]
    const { status, errors } = await runToEnd(['train', collection, second, ...flags])
    expect([status, errors]).toEqual([0, expect.stringContaining(' 14.')])
    const page = await readFile(report, 'utf8')
    expect(page).toContain('<title>without Querent, local, trained on collection, collection (2)</title>')
    expect(page).toContain('<dt>Queries</dt><dd>14</dd>')
  })

  it('says before it trains that a report would leave too few queries', async () => {
    // Of 24 queries a fifth is 5, which leaves 19 where 20 are needed.
    const { collection, index, out, path } = await world()
    const argv = ['train', collection, '--index', index, '--out', out]
    const { status, errors } = await runToEnd([...argv, '--report', path('report.html')])
    expect([status, errors]).toEqual([1, expect.stringMatching(/--report .*\b19 /)])
    expect(existsSync(out)).toBe(false)
  })

  it('trains re-ranking alone, after a decision that is kept or after none', async () => {
    const { collection, index, out, path, quick } = await world()
    const argv = ['train', collection, '--index', index]
    const decided = path('decided.json')
    await runToEnd([...argv, '--out', decided, ...quick])
    expect(await runToEnd([...argv, '--out', out, '--decision', decided])).toMatchObject({ status: 0 })
    const [kept, both] = [await readPolicy(decided), await readPolicy(out)]
    expect(both).toMatchObject({
      decision: kept.decision,
      terms: kept.terms,
      options: { decision: kept.digest },
    })
    expect(both.rerank).toBeDefined()

    expect(await runToEnd([...argv, '--out', out, '--decision', 'none'])).toMatchObject({ status: 0 })
    const { decision, rerank } = await readPolicy(out)
    expect([decision, rerank]).toEqual([undefined, expect.anything()])
    const after = ['--policy', 'none', '--rerank', out, '--json', '--trace']
    const { trace } = JSON.parse((await runToEnd(['search', 'K. 620', '--index', index, ...after])).output)
    expect(trace.steps.map(({ type }: { type: string }) => type)).toContain('rerank')
  })

  it('keeps nothing after Ctrl-C, and says so', async () => {
    const { collection, index, out } = await world()
    const interrupt = new AbortController()
    const terminal = testTerminal({ signal: interrupt.signal })
    const training = runCli(['train', collection, '--index', index, '--out', out], terminal)
    const whenItTrains = () => {
      if (/\d+ queries with \d+ relevant/.test(terminal.errors())) interrupt.abort()
      else setImmediate(whenItTrains)
    }
    whenItTrains()
    expect(await training).toBe(130)
    expect(terminal.errors()).toContain('Stopped. Nothing of this training is kept')
    expect(existsSync(out)).toBe(false)
  })

  it('takes no split that it was not told of but train and test', async () => {
    const { collection, index, out, quick } = await world()
    for (const split of ['train', 'test'])
      await rename(join(collection, 'qrels', `${split}.tsv`), join(collection, 'qrels', `${split}2.tsv`))
    const argv = ['train', collection, '--index', index, '--out', out, ...quick]
    const { status, errors } = await runToEnd(argv)
    expect(status).toBe(2)
    expect(errors).toContain('test2, train2')
    expect(await runToEnd([...argv, '--split', 'train2'])).toMatchObject({ status: 0 })
  })

  it('trains one policy on several collections, one index each', async () => {
    const { collection, index, path, out, quick } = await world()
    const second = path('again/collection')
    await cp(collection, second, { recursive: true })
    const flags = ['--index', index, '--index', index, '--out', out, ...quick, '--json']
    const { status, output } = await runToEnd(['train', collection, second, ...flags])
    expect(status).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      out,
      trainedOn: [{ collection: 'collection' }, { collection: 'collection (2)' }],
    })
  })

  it('takes queries from traces, judged by a file', async () => {
    const { collection, index, path, out, quick } = await world()
    const traces = path('traces.jsonl')
    const judgments = join(collection, 'qrels', 'train.tsv')
    await runToEnd([...['evaluate', collection, '--index', index, '--policy', 'none'], '--traces', traces])
    await writeFile(traces, `${await readFile(traces, 'utf8')}${await nameless(traces)}`)
    const { status, output, errors } = await runToEnd([
      ...[
        'train',
        '--traces',
        traces,
        '--qrels',
        judgments,
        '--index',
        index,
        '--out',
        out,
        ...quick,
        '--json',
      ],
    ])
    expect(errors).toContain('1 trace in')
    expect(status).toBe(0)
    const fromTraces = JSON.parse(output)
    expect(fromTraces.trainedOn).toMatchObject([{ collection: 'traces', queries: 24 }])
    // The same queries, from files: the same policy but for the name of the collection.
    const files = ['--queries', join(collection, 'queries.jsonl'), '--qrels', judgments]
    const { decision } = await readPolicy(out)
    await runToEnd(['train', ...files, '--index', index, '--out', out, ...quick, '--json'])
    expect((await readPolicy(out)).decision).toEqual(decision)
  })

  /** The first trace of a file, as it is where nobody gave the query a qid. */
  async function nameless(path: string): Promise<string> {
    const trace = JSON.parse((await readFile(path, 'utf8')).split('\n')[0]!)
    return `${JSON.stringify({ ...trace, query: { text: trace.query.text } })}\n`
  }

  it('says loudly that files in a folder named test are for testing, and no split of files', async () => {
    const { collection, out, path } = await world()
    await mkdir(path('test'))
    await copyFile(join(collection, 'queries.jsonl'), path('test/queries.jsonl'))
    const files = ['--queries', path('test/queries.jsonl'), '--qrels', join(collection, 'qrels', 'train.tsv')]
    const { errors } = await runToEnd(['train', ...files, '--index', 'nowhere', '--out', out])
    expect(errors).toContain('WARNING: ')
    expect(errors).toMatch(/^Queries from \S+queries\.jsonl, judgments from \S+train\.tsv\n/)
  })

  it.each([['--split', 'test'], ['--qrels']])('says loudly that %j is for testing', async (...flags) => {
    const { collection, out } = await world()
    const all = flags.length === 2 ? flags : [...flags, join(collection, 'qrels', 'test.tsv')]
    // It is said when queries are read: there is no index to train on.
    const { status, errors } = await runToEnd([
      'train',
      collection,
      '--index',
      'nowhere',
      '--out',
      out,
      ...all,
    ])
    expect(status).toBe(1)
    expect(errors).toMatch(/WARNING: /)
  })

  it.each([
    [['a', 'b', '--index', 'x'], 'There are 2 collections but 1 index. Give one --index for each collection'],
    [['a', 'b', '--index', 'x', '--qrels', 'y'], 'describe one collection, but 2 are named'],
    [['--index', 'x'], 'No training data'],
    [['--index', 'x', '--traces', 'y'], '--qrels is missing'],
    [['a', '--index', 'x', '--traces', 'y'], '--traces has its own queries'],
    [['a'], '--index is missing'],
    [['a', '--index', 'x', '--rerank', 'local'], '--set rerank'],
    [['a', '--index', 'x', '--decision', 'none', '--no-rerank'], 'leave nothing to train'],
    [['a', '--index', 'x', '--set', 'epochs=3'], 'epochs'],
    [['a', '--index', 'x', '--set', 'tauMax=5/3'], 'tauMax'],
  ])('says what is wrong with %j before anything is read', async (flags, hint) => {
    const folder = await temporaryFolder()
    const { status, errors } = await runToEnd(['train', ...flags, '--out', join(folder, 'policy.json')])
    expect([status, errors]).toEqual([2, expect.stringContaining(hint)])
  })

  it("does not make a file that would be taken for a policy's name", async () => {
    const { status, errors } = await runToEnd(['train', 'a', '--index', 'x', '--out', 'policy'])
    expect([status, errors]).toEqual([2, expect.stringContaining('policy.json')])
  })
})

describe('querent clicks', () => {
  it('makes a folder that can be trained on, with a part that is kept for testing', async () => {
    const { index, path, out, quick } = await world()
    const lines = (await readFile(join(sampleFolder, 'qrels.tsv'), 'utf8')).trim().split('\n').slice(1)
    const texts = new Map(
      (await readFile(join(sampleFolder, 'queries.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ _id, text }) => [_id, text]),
    )
    const searches = lines.map((line) => {
      const [qid, docid] = line.split('\t')
      return { query: texts.get(qid), shown: ['brooklyn-bridge', docid, 'shellshock'], clicks: [docid] }
    })
    const log = path('clicks.jsonl')
    await writeFile(log, searches.map((search) => `${JSON.stringify(search)}\n`).join(''))
    const judged = path('judged')
    const made = await runToEnd(['clicks', log, '--out', judged])
    expect(made).toMatchObject({ status: 0, output: '' })
    expect(made.errors).toMatch(
      /: 36 judged queries from 68 searches \(0 without a click\), \d+ for training and \d+ for testing\n/,
    )

    const qids = async (split: string) =>
      new Set((await readFile(join(judged, 'qrels', `${split}.tsv`), 'utf8')).match(/^c\d+/gm))
    const [train, test] = [await qids('train'), await qids('test')]
    expect(train.size + test.size).toBe(36)
    expect(test.size).toBeGreaterThanOrEqual(5)
    expect([...test].filter((qid) => train.has(qid))).toEqual([])

    const trained = await runToEnd(['train', judged, '--index', index, '--out', out, ...quick])
    expect(trained).toMatchObject({ status: 0 })
    const again = await runToEnd(['clicks', log, '--out', judged])
    expect([again.status, again.errors]).toEqual([1, expect.stringContaining('queries.jsonl exists')])
  })

  /** A log of queries that were each answered by one document. */
  async function logOf(answers: readonly string[]): Promise<{ log: string; judged: string }> {
    const folder = await temporaryFolder()
    const searches = answers.map((docid, place) => ({ query: `q${place}`, shown: [docid], clicks: [docid] }))
    const log = join(folder, 'clicks.jsonl')
    await writeFile(log, searches.map((search) => `${JSON.stringify(search)}\n`).join(''))
    return { log, judged: join(folder, 'judged') }
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('keeps no popular page for testing alone, seed %i', async (seed) => {
    const popular = Array.from({ length: 60 }, () => 'home')
    const { log, judged } = await logOf([
      ...popular,
      ...Array.from({ length: 40 }, (_, place) => `d${place}`),
    ])
    const { errors } = await runToEnd(['clicks', log, '--out', judged, '--seed', String(seed)])
    // 60 queries hang together; nearly all others are dealt to the other four folds.
    const [, tested] = /for training and (\d+) for testing/.exec(errors) ?? []
    expect(Number(tested)).toBeGreaterThanOrEqual(8)
    expect(Number(tested)).toBeLessThanOrEqual(10)
  })

  it('says so where all queries hang together', async () => {
    const { log, judged } = await logOf(['home', 'home', 'home'])
    const { status, errors } = await runToEnd(['clicks', log, '--out', judged])
    expect(status).toBe(0)
    expect(errors).toContain('no query can be held out for testing')
    expect(existsSync(join(judged, 'qrels', 'test.tsv'))).toBe(false)
  })

  it('says so where nobody was satisfied', async () => {
    const folder = await temporaryFolder()
    const log = join(folder, 'clicks.jsonl')
    await writeFile(log, '{"query": "q", "shown": ["a"], "clicks": []}\n')
    const { status, errors } = await runToEnd(['clicks', log, '--out', join(folder, 'judged')])
    expect([status, errors]).toEqual([1, expect.stringContaining('No click in')])
  })
})
