import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Check } from '../../../src/evaluation/gate.ts'
import { startRerankServer, textsOf } from '../../adapters/rerank/rerank-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Two judged queries, and a run that ranks both relevant documents first: mrr is 1. */
async function judgedRun() {
  const folder = await temporaryFolder()
  const path = (name: string) => join(folder, name)
  await writeFile(path('queries.jsonl'), '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "<two>"}\n')
  await writeFile(path('qrels.tsv'), 'q1\td1\t1\nq2\td2\t1\n')
  const write = (hits: string) => writeFile(path('run.trec'), hits)
  await write('q1 Q0 d1 1 2 x\nq2 Q0 d2 1 2 x\n')
  const baseline = path('baseline.json')
  const held = (...flags: readonly string[]) =>
    runToEnd(['evaluate', folder, '--run-in', path('run.trec'), ...flags])
  return { folder, path, write, baseline, held }
}

describe('--baseline', () => {
  it('ends with 3 if a metric fell, and says which queries did it', async () => {
    const { path, write, baseline, held } = await judgedRun()
    const made = await held('--baseline', baseline, '--update-baseline', '--metrics', 'mrr')
    expect([made.status, made.errors]).toEqual([
      0,
      expect.stringContaining(`Wrote the baseline: ${baseline}`),
    ])
    expect(await held('--baseline', baseline)).toMatchObject({ status: 0 })

    // The second query finds its document at rank 2: 1 and 1/2.
    await write('q1 Q0 d1 1 2 x\nq2 Q0 d9 1 2 x\nq2 Q0 d2 2 1 x\n')
    const report = path('gate.xml')
    const fell = await held('--baseline', baseline, '--report', report)
    expect(fell.status).toBe(3)
    expect(fell.output).toMatch(
      /mrr +mean +1\.0000 +0\.7500 +−0\.250 +0\.9800 +TOO LOW\n +q2: <two> +1\.0000 +0\.5000/,
    )
    expect(fell.errors).toContain('mrr is 0.7500, was 1.0000, and must be 0.9800 or more. ')
    const junit = await readFile(report, 'utf8')
    expect(junit).toMatch(
      /tests="1" failures="1".*name="mrr"><failure message="mrr is 0\.7500.*q2: &lt;two&gt;/s,
    )

    const markdown = await held('--baseline', baseline, '--format', 'markdown')
    expect(markdown.output).toContain('| mrr | mean | 1.0000 | 0.7500 | −0.250 | 0.9800 | TOO LOW |\n')
    const { checks } = JSON.parse((await held('--baseline', baseline, '--json')).output)
    expect(checks).toMatchObject([
      { metric: 'mrr', holds: false, queries: [{ qid: 'q2', now: 0.5, before: 1 }] },
    ])
    expect((await held('--baseline', baseline, '--tolerance', '0.25')).status).toBe(0)
    // What is meant becomes the baseline.
    expect((await held('--baseline', baseline, '--update-baseline')).status).toBe(0)
    expect((await held('--baseline', baseline)).status).toBe(0)
  })

  it('of other data, or none, is an error that says what to do', async () => {
    const { path, baseline, held } = await judgedRun()
    const none = await held('--baseline', baseline)
    expect([none.status, none.errors]).toEqual([1, expect.stringContaining('--update-baseline')])
    await held('--baseline', baseline, '--update-baseline')
    await writeFile(path('qrels.tsv'), 'q1\td1\t1\nq2\td3\t1\n')
    const other = await held('--baseline', baseline)
    expect([other.status, other.output]).toEqual([2, ''])
    expect(other.errors).toMatch(/of other queries or judgments.*--update-baseline/)
  })

  it.each([
    [['--update-baseline'], '--update-baseline is for a --baseline'],
    [['--tolerance', '0.1'], '--tolerance is for a --baseline'],
    [['--at-least', 'mrr'], '--at-least must be metrics with their lowest values'],
    [['--at-least', 'mmr=0.5'], 'There is no metric "mmr"'],
    [['--at-least', 'mrr=0.5', '--report', 'out.html'], '.xml'],
  ])('refuses %j', async (flags, hint) => {
    const { held } = await judgedRun()
    const { status, errors } = await held(...flags)
    expect([status, errors]).toEqual([2, expect.stringContaining(hint)])
  })

  it('is for one system', async () => {
    const argv = ['evaluate', 'folder', '--index', 'x', '--policies', 'none,local', '--at-least', 'mrr=1']
    const { status, errors } = await runToEnd(argv)
    expect([status, errors]).toEqual([2, expect.stringContaining('--at-least is for one system')])
  })
})

it('--at-least holds each metric that it names, and keeps a lower baseline from being written', async () => {
  const { baseline, held } = await judgedRun()
  expect((await held('--at-least', 'mrr=1', '--at-least', 'recall@1=0.9')).status).toBe(0)
  const low = await held('--at-least', 'mrr=1,hits=1.5', '--baseline', baseline, '--update-baseline')
  expect(low.status).toBe(3)
  expect(low.errors).toContain('hits is 1.0000, and must be 1.5000 or more')
  await expect(readFile(baseline)).rejects.toThrow('ENOENT')
})

describe('the gate of the project itself', () => {
  const baseline = ['--baseline', 'test/fixtures/sample-baseline.json']

  it('holds the sample, catches a re-ranker that reverses or does nothing, and no noise', async () => {
    const index = join(await temporaryFolder(), 'index')
    await runToEnd(['index', 'src/sample', '--out', index])
    const measured = async (...flags: readonly string[]) => {
      const { status, output } = await runToEnd([
        'evaluate',
        'src/sample',
        '--index',
        index,
        '--json',
        ...flags,
      ])
      return { status, checks: JSON.parse(output).checks as readonly Check[] }
    }
    /** A server that ranks the texts by their place. */
    const ranking = async (score: (place: number) => number) => {
      const server = await startRerankServer((request) => ({
        body: { results: textsOf(request).map((_, index) => ({ index, relevance_score: score(index) })) },
      }))
      return ['--rerank', 'http', '--set', `rerankUrl=${server.url}`, '--set', 'rerankModel=m']
    }
    const floor = ['--at-least', 'ndcg@10=0.8']
    const again = await measured(...baseline, ...floor, '--set', 'concurrency=4')
    expect(again.checks.map(({ metric }) => metric)).toEqual(['recall@5', 'ndcg@10', 'all@5'])
    expect(again.status).toBe(0)

    const reversed = await measured(...(await ranking((place) => place)), ...baseline)
    expect(reversed.checks.map(({ holds }) => holds)).toEqual([false, false, false])
    expect(reversed.status).toBe(3)
    expect((await measured(...(await ranking((place) => -place)), ...floor)).status).toBe(3)
  })
})
