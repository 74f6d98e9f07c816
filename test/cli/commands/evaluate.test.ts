import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A BEIR folder of 250 documents, "ship" in all of them, and its index. Document 1 is the best for "ship", 250 the last. */
async function fleet() {
  const folder = await temporaryFolder()
  const docids = Array.from({ length: 250 }, (_, place) => `d${place + 1}`)
  const corpus = docids.map((docid, place) => ({ _id: docid, text: `ship ${'sail '.repeat(place + 1)}` }))
  await writeFile(join(folder, 'corpus.jsonl'), corpus.map((one) => `${JSON.stringify(one)}\n`).join(''))
  await writeFile(join(folder, 'queries.jsonl'), '{"_id": "q1", "text": "ship"}\n')
  const index = join(folder, 'index')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  const judge = (...relevant: readonly string[]) =>
    writeFile(join(folder, 'qrels.tsv'), relevant.map((docid) => `q1\t${docid}\t1\n`).join(''))
  await judge('d1', 'd250')
  return { folder, index, docids, judge, path: (name: string) => join(folder, name) }
}

const asIs = ['--policy', 'none']

describe('more than 100 hits', () => {
  it('are searched where -k asks for them', async () => {
    const { index, docids } = await fleet()
    const searched = await runToEnd(['search', 'ship', '--index', index, ...asIs, '-k', '240', '--json'])
    const hits: { docid: string }[] = JSON.parse(searched.output).hits
    expect(hits.map(({ docid }) => docid)).toEqual(docids.slice(0, 240))
  })

  it('are searched where a metric looks at them, which compare says', async () => {
    const { folder, index } = await fleet()
    const argv = [folder, '--index', index, '--metrics', 'recall@100,recall@1000', '--json']
    const evaluated = JSON.parse((await runToEnd(['evaluate', ...argv, ...asIs])).output)
    expect(evaluated.metrics).toEqual({ 'recall@100': 0.5, 'recall@1000': 1 })
    const compared = JSON.parse(
      (await runToEnd(['compare', ...argv, '--policies', 'none', '--fusions', 'rrf,isr'])).output,
    )
    expect(compared.setup).toMatchObject({ k: 1000, depth: 1000 })
    expect(compared.systems[0].scores[1]).toMatchObject({ metric: 'recall@1000', mean: 1 })
  })
})

describe('an index of other documents', () => {
  const ways: readonly [command: string, flags: readonly string[]][] = [
    ['evaluate', asIs],
    ['compare', ['--policies', 'none', '--fusions', 'rrf,isr']],
  ]

  it.each(ways)('is refused by %s before any search', async (command, flags) => {
    const { folder, index, judge, path } = await fleet()
    await judge('elsewhere', 'nowhere')
    const written =
      command === 'evaluate' ? ['--traces', path('traces.jsonl'), '--run', path('run.trec')] : []
    const argv = [command, folder, '--index', index, ...flags, ...written, '--json']
    const { status, output, errors } = await runToEnd(argv)
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors).toMatch(/ \(2\)/)
    expect(errors).not.toContain('searching')
    expect((await readdir(folder)).filter((name) => /^(traces|run)/.test(name))).toEqual([])
  })

  it.each<(typeof ways)[number]>([
    ...ways,
    ['evaluate', ['--run-in']],
    ['train', ['--out']],
    ['export', ['--to', 'trl', '--out']],
    ['export', ['--to', 'judgments', '--out']],
  ])('or judged queries without a line are named by %s %j', async (command, flags) => {
    const { folder, index, path } = await fleet()
    const lost = ['q7', 'q3', 'q4', 'q5', 'q6', 'q8'].map((qid) => `${qid}\td1\t1\n`)
    await writeFile(path('qrels.tsv'), `q1\td1\t1\n${lost.join('')}`)
    const file = path(flags[0] === '--run-in' ? 'run.trec' : 'out.json')
    if (flags[0] === '--run-in') await writeFile(file, 'q1 Q0 d1 1 1 x\n')
    const searching = flags.includes('--run-in') || command === 'export' ? [] : ['--index', index]
    const written = /^--(out|run-in)$/.test(flags.at(-1)!) ? [file] : []
    const { errors } = await runToEnd([command, folder, ...searching, ...flags, ...written])
    expect(errors).toMatch(/6 of 7 judged queries: .*queries\.jsonl lacks q7, q3, q4, q5, q6, …/)
  })

  it('is not looked for where nothing is relevant', async () => {
    const { folder, index, path } = await fleet()
    await writeFile(path('qrels.tsv'), 'q1\td1\t0\n')
    const { status, errors } = await runToEnd(['evaluate', folder, '--index', index, ...asIs])
    expect([status, errors]).toEqual([1, expect.stringContaining('No query')])
  })

  it.each(ways)('is told from one that lacks some by %s', async (command, flags) => {
    const { folder, index, judge } = await fleet()
    await judge('elsewhere', 'd2', 'nowhere')
    const { status, errors } = await runToEnd([command, folder, '--index', index, ...flags, '--json'])
    expect(status).toBe(0)
    expect(errors).toContain('2 of 3 ')
  })
})

describe('the run of a single list', () => {
  it('has the scores of its retriever, in the same order', async () => {
    const { folder, index, path, docids } = await fleet()
    const argv = ['--index', index, ...asIs, '-k', '20']
    await runToEnd(['evaluate', folder, ...argv, '--run', path('run.trec')])
    const lines = (await readFile(path('run.trec'), 'utf8')).trim().split('\n')
    const found = JSON.parse((await runToEnd(['search', 'ship', ...argv, '--json', '--trace'])).output)
    const list: { docid: string; score: number }[] = found.trace.steps[0].legs[0].hits.slice(0, 20)
    expect(lines.map((line) => line.split(' ')[2])).toEqual(docids.slice(0, 20))
    expect(lines.map((line) => Number(line.split(' ')[4]))).toEqual(list.map(({ score }) => score))
    // A hit of a search has the score of the fusion.
    expect(found.hits[1].score).toBe(1 / 2)
  })
})

describe('--run-in', () => {
  it('judges a run as the search that made it was judged, without an index', async () => {
    const { folder, index, path } = await fleet()
    const metrics = ['--metrics', 'recall@5,map']
    const evaluated = await runToEnd([
      ...['evaluate', folder, '--index', index, ...asIs, ...metrics, '--run', path('run.trec'), '--json'],
    ])
    const judged = await runToEnd([
      ...['evaluate', folder, '--run-in', path('run.trec'), ...metrics, '--json'],
    ])
    expect(JSON.parse(judged.output)).toEqual({
      queries: 1,
      metrics: JSON.parse(evaluated.output).metrics,
      missing: 0,
      others: 0,
      files: { ...JSON.parse(evaluated.output).files, run: path('run.trec') },
    })
  })

  it('counts judged queries that the run lacks as 0, and tells of them', async () => {
    const { folder, path } = await fleet()
    await writeFile(path('queries.jsonl'), '{"_id": "q1", "text": "a"}\n{"_id": "q2", "text": "b"}\n')
    await writeFile(path('qrels.tsv'), 'q1\td1\t1\nq2\td1\t1\n')
    await writeFile(path('run.trec'), 'q1 Q0 d1 1 2 a\nq3 Q0 d1 1 2 a\n')
    const argv = ['evaluate', folder, '--run-in', path('run.trec'), '--metrics', 'mrr']
    const { output, errors } = await runToEnd([...argv, '--format', 'markdown'])
    expect(output).toBe('| figure | value |\n| --- | --- |\n| queries | 2 |\n| mrr | 0.5000 |\n')
    expect(errors).toContain('1 judged query')
    expect(errors).toContain('1 query of the run')
  })

  it('takes the docids of other tools as they are, and tells of those that it decodes although they are judged', async () => {
    const { folder, path } = await fleet()
    await writeFile(path('qrels.tsv'), 'q1\thttps://x/Caf%C3%A9\t1\nq1\thttps://x/a%20b\t1\n')
    await writeFile(path('run.trec'), 'q1 Q0 https://x/Caf%C3%A9 1 2 a\nq1 Q0 https://x/a%20b 2 1 a\n')
    const argv = ['evaluate', folder, '--run-in', path('run.trec'), '--metrics', 'recall@5', '--json']
    const { output, errors } = await runToEnd(argv)
    expect(JSON.parse(output).metrics).toEqual({ 'recall@5': 0.5 })
    expect(errors).toContain('"https://x/a%20b"')
    expect(errors).toContain('Write "https://x/a%2520b" in the run')
    await writeFile(path('run.trec'), 'q1 Q0 https://x/Caf%C3%A9 1 2 a\nq1 Q0 https://x/a%2520b 2 1 a\n')
    const encoded = await runToEnd(argv)
    expect(JSON.parse(encoded.output).metrics).toEqual({ 'recall@5': 1 })
    expect(encoded.errors).not.toContain('%20')
  })

  it('refuses a run of other queries, and files that only a search can write', async () => {
    const { folder, path } = await fleet()
    await writeFile(path('run.trec'), 'q3 Q0 d1 1 2 a\n')
    const argv = ['evaluate', folder, '--run-in', path('run.trec')]
    const other = await runToEnd(argv)
    expect([other.status, other.errors]).toEqual([1, expect.stringContaining('judged')])
    const both = await runToEnd([...argv, '--traces', path('traces.jsonl')])
    expect([both.status, both.errors]).toEqual([2, expect.stringContaining('--run-in and --traces')])
  })
})
