import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { distinctSystems, namedVariants } from '../../../src/cli/settings/variants.ts'
import { startOpenAIServer } from '../../support/openai-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const jsonLines = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Two judged queries: words find the first, and for the second only its rewriting has the right ones. */
async function collection() {
  const folder = await temporaryFolder()
  const index = join(folder, 'index')
  await writeFile(
    join(folder, 'corpus.jsonl'),
    jsonLines([
      { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet.' },
      { _id: 'emma', title: 'Emma', text: 'A novel of a matchmaker.' },
    ]),
  )
  await writeFile(
    join(folder, 'queries.jsonl'),
    jsonLines([
      { _id: 'q1', text: 'desert planet' },
      { _id: 'q2', text: 'somebody who couples people' },
    ]),
  )
  await writeFile(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq1\tdune\t1\nq2\temma\t1\n')
  expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  return { folder, index }
}

describe('querent compare', () => {
  it('holds policies against each other, in a table, as JSON and as a page', async () => {
    const { folder, index } = await collection()
    const { url } = await startOpenAIServer({ chat: () => '{"query": "desert matchmaker"}' })
    const page = join(folder, 'out.html')
    const { status, output, errors } = await runToEnd([
      ...['compare', folder, '--index', index, '--policies', 'none,acqo', '--metrics', 'recall@1,recall@2'],
      ...['--chat-url', url, '--chat-model', 'scripted', '--report', page, '--json'],
    ])
    expect(errors).toContain('Split test')
    expect(status).toBe(0)
    const { setup, systems, queries } = JSON.parse(output)
    expect(setup).toMatchObject({ k: 100, depth: 100, split: 'test' })
    expect(setup.settings).toEqual({ fusion: 'rank-score', retrievers: 'bm25', 'chat model': 'scripted' })
    expect(systems.map(({ name }: { name: string }) => name)).toEqual(['none', 'acqo'])
    // Recall at 2: without a rewrite 1 and 0; with one, which finds both documents, 1 and 1.
    expect(systems[1].scores[1].versusBaseline).toMatchObject({ mean: 0.5, wins: 1, ties: 1, losses: 0 })
    expect(queries[1].results[1]).toMatchObject({ kind: 'rewrite', subQueries: ['desert matchmaker'] })
    expect(await readFile(page, 'utf8')).toContain('No significant difference between')
  })

  it('is evaluate with several systems, which writes no run', async () => {
    const { folder, index } = await collection()
    const argv = [folder, '--index', index, '--metrics', 'recall@1', '--format', 'csv']
    const several = ['--fusions', 'rank-score,rrf']
    const compared = await runToEnd(['compare', ...argv, ...several, '--policies', 'none'])
    expect(compared.status).toBe(0)
    expect(await runToEnd(['evaluate', ...argv, ...several, '--policy', 'none'])).toEqual(compared)
    const written = await runToEnd(['evaluate', ...argv, ...several, '--run', join(folder, 'out.trec')])
    expect([written.status, written.errors]).toEqual([2, expect.stringContaining('--run')])
    const alone = await runToEnd(['evaluate', ...argv, '--report', join(folder, 'out.html')])
    expect([alone.status, alone.errors]).toEqual([2, expect.stringContaining('--report')])
  })

  it('needs no report, and prints a table on stdout without --json', async () => {
    const { folder, index } = await collection()
    const { status, output, errors } = await runToEnd([
      'compare',
      folder,
      '--index',
      index,
      '--policies',
      'none',
      '--fusions',
      'rank-score,rrf',
    ])
    expect(status).toBe(0)
    expect(errors).not.toContain('ndcg@10')
    expect(output).toMatch(
      /ndcg@10 +rank-score +0\.5000 .* baseline\nndcg@10 +rrf +0\.5000 .* 1\.00 +0\/2\/0\n/,
    )
  })

  it('prints its table for programs, with exact numbers and p before and after correction', async () => {
    const { folder, index } = await collection()
    const { output } = await runToEnd([
      ...['compare', folder, '--index', index, '--policies', 'none', '--fusions', 'rank-score,rrf'],
      ...['--metrics', 'ndcg@10', '--format', 'csv'],
    ])
    const [head, baseline, other] = output.split('\n').map((line) => line.split(','))
    expect(head?.slice(0, 3)).toEqual(['metric', 'system', 'mean'])
    // One of the two queries finds its document, first: 0.5.
    expect(baseline).toEqual(['ndcg@10', 'rank-score', '0.5', '0', '1', '', '', '', '', '', '', '', ''])
    expect(other).toEqual(['ndcg@10', 'rrf', '0.5', '0', '1', '0', '0', '0', '1', '1', '0', '2', '0'])
  })

  it('searches and tests a system once that has two names', async () => {
    const { folder, index } = await collection()
    const searched = async (...flags: readonly string[]) => {
      const argv = ['compare', folder, '--index', index, ...flags, '--json']
      const { output, errors } = await runToEnd(argv)
      const { systems, method, metrics, setup } = JSON.parse(output)
      const names: string[] = systems.map(({ name }: { readonly name: string }) => name)
      return { names, comparisons: method.comparisons / metrics.length, setup, errors }
    }
    const both = await searched('--policies', 'none,local', '--reranks', 'own,none')
    expect(both.names).toEqual([
      'none · its own re-ranking',
      'local · its own re-ranking',
      'local · fused order',
    ])
    expect(both.comparisons).toBe(2)
    expect(both.setup.settings).toMatchObject({
      'none · fused order': 'the same as none · its own re-ranking',
    })
    expect(both.errors).toContain('none · ')
    const local = await searched('--policies', 'local', '--reranks', 'own,local,none')
    expect([local.names, local.comparisons]).toEqual([['its own re-ranking', 'fused order'], 1])
  })

  it.each([
    [
      ['--policies', 'none', '--reranks', 'own,none'],
      'These systems are the same: its own re-ranking, fused order',
    ],
    [['--policies', 'none'], 'Name several --policies, --fusions or --reranks, or repeat --retrievers'],
    [['--policies', 'none,best'], 'There is no policy "best"'],
    [['--fusions', 'rrf,rank-score', '--index', 'x', '--metrics', 'ndgc@10'], 'There is no metric "ndgc@10"'],
    [['--fusions', 'rrf,rank-score'], '--index'],
  ])('says what is wrong with %j before anything is read', async (flags, hint) => {
    const { status, errors } = await runToEnd(['compare', 'no-such-folder', ...flags])
    expect(status).toBe(2)
    expect(errors).toContain(hint)
  })

  it('ends when it is interrupted, and leaves no page', async () => {
    const { folder, index } = await collection()
    const page = join(folder, 'out.html')
    const interrupt = new AbortController()
    interrupt.abort()
    const { status, output } = await runToEnd(
      ['compare', folder, '--index', index, '--fusions', 'rank-score,rrf', '--report', page, '--json'],
      { signal: interrupt.signal },
    )
    expect({ status, output, page: existsSync(page) }).toEqual({ status: 130, output: '', page: false })
  })
})

describe('namedVariants', () => {
  it('calls each system by what tells it apart', () => {
    const names = (settings: Parameters<typeof namedVariants>[0]) =>
      namedVariants(settings).systems.map(({ name }) => name)
    expect(names({ policies: ['none', 'acqo'] })).toEqual(['none', 'acqo'])
    expect(names({ policies: ['acqo'], retrievers: [['bm25'], ['bm25', 'dense'], ['bm25']] })).toEqual([
      'bm25',
      'bm25+dense',
    ])
    expect(names({ policies: ['none', 'acqo'], fusions: ['rank-score', 'rrf', 'rrf'] })).toEqual([
      'none · rank-score',
      'none · rrf',
      'acqo · rank-score',
      'acqo · rrf',
    ])
    expect(names({ reranks: ['own', 'none', 'my.json'] })).toEqual([
      'its own re-ranking',
      'fused order',
      're-ranked by my.json',
    ])
  })

  it('keeps what they have in common apart', () => {
    const { systems, shared } = namedVariants({
      policies: ['none', 'acqo'],
      retrievers: [['bm25', 'dense']],
      norm: 'sum',
    })
    expect(shared).toEqual({ fusion: 'rank-score', retrievers: 'bm25+dense', norm: 'sum' })
    expect(namedVariants({ policies: ['none', 'acqo'], reranks: ['none'] }).shared).toEqual({
      fusion: 'rank-score',
      're-ranking': 'fused order',
      retrievers: 'all of the index',
    })
    expect(systems[1]!.variant).toEqual({
      policy: 'acqo',
      fusion: 'rank-score',
      retrievers: ['bm25', 'dense'],
    })
  })
})

describe('distinctSystems', () => {
  const distinct = async (settings: Parameters<typeof namedVariants>[0]) => {
    const { systems, same } = await distinctSystems(namedVariants(settings).systems, settings)
    return { names: systems.map(({ name }) => name), same: Object.fromEntries(same) }
  }

  it('takes a policy that cannot re-rank once', async () => {
    const policies = ['none', 'acqo', 'acqo-single', 'local']
    const { names, same } = await distinct({ policies, reranks: ['none', 'own'] })
    expect(names).toEqual([...policies.map((name) => `${name} · fused order`), 'local · its own re-ranking'])
    expect(same['acqo · its own re-ranking']).toBe('acqo · fused order')
  })

  it('takes a set of retrievers once, in whatever order', async () => {
    const retrievers = [['bm25', 'dense'], ['dense', 'bm25'], ['bm25']]
    expect(await distinct({ policies: ['none'], retrievers })).toEqual({
      names: ['bm25+dense', 'bm25'],
      same: { 'dense+bm25': 'bm25+dense' },
    })
  })
})
