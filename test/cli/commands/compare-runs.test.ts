import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Two runs of three judged queries. By mrr the first has 1, 1/2 and 0, the second 1/2, 1 and 1. One hit of it is not judged. */
async function runs() {
  const folder = await temporaryFolder()
  const path = (name: string) => join(folder, name)
  await writeFile(path('qrels.tsv'), 'q1\td1\t1\nq1\td2\t0\nq2\td1\t0\nq2\td2\t1\nq3\td3\t1\n')
  await writeFile(path('a.trec'), 'q1 Q0 d1 1 2 x\nq2 Q0 d1 1 2 x\nq2 Q0 d2 2 1 x\n')
  await writeFile(path('b.trec'), 'q1 Q0 d9 1 2 x\nq1 Q0 d1 2 1 x\nq2 Q0 d2 1 2 x\nq3 Q0 d3 1 2 x\n')
  const argv = ['compare', path('a.trec'), path('b.trec'), '--qrels', path('qrels.tsv'), '--metrics', 'mrr']
  return { path, argv }
}

describe('compare of two runs', () => {
  it('tests their differences, without an index and without figures of searches', async () => {
    const { path, argv } = await runs()
    const { status, output, errors } = await runToEnd(argv)
    expect(status).toBe(0)
    expect(errors).toContain('1 judged query is not in the run')
    expect(output).toMatch(
      /mrr +a\.trec +0\.5000 .* baseline\nmrr +b\.trec +0\.8333 .* \+0\.333 .* 2\/0\/1\n/,
    )
    expect(output).not.toMatch(/p50|decisions|fell back/)
    const page = path('out.html')
    const { setup, systems, queries } = JSON.parse(
      (await runToEnd([...argv, '--json', '--report', page])).output,
    )
    expect(setup).toMatchObject({ collection: 'qrels.tsv', k: 2 })
    // Differences −1/2, 1/2 and 1: of the eight sums, those of size 1 or 2 are at least as large as theirs, 1: six.
    expect(systems[1].scores[0].versusBaseline).toMatchObject({ p: 6 / 8, wins: 2, losses: 1 })
    // Of the second: 1/2, 1 and 1. A query without hits has a share of 0.
    expect(systems.map((system: Record<string, number>) => system['judged@10'])).toEqual([2 / 3, 2.5 / 3])
    expect(queries[1].results[1].values).toEqual({ mrr: 1 })
    const html = await readFile(page, 'utf8')
    expect(html).toMatch(/2 of 3.questions do better in mrr, 1 worse/)
    expect(html).not.toMatch(/Decisions and latency|the search failed|Half of the searches/)
  })

  it('names queries by their words if there is a file of them, and leaves the others out', async () => {
    const { path, argv } = await runs()
    await writeFile(path('queries.jsonl'), '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "two"}\n')
    const named = JSON.parse((await runToEnd([...argv, '--queries', path('queries.jsonl'), '--json'])).output)
    expect(named.queries.map(({ text }: { text: string }) => text)).toEqual(['one', 'two'])
    expect(named.systems.map(({ scores: [mrr] }: { scores: { mean: number }[] }) => mrr!.mean)).toEqual([
      0.75, 0.75,
    ])
  })

  it('needs judgments, and nothing of a search', async () => {
    const { path, argv } = await runs()
    const wrong: readonly [argv: readonly string[], hint: string][] = [
      [argv.slice(0, 3), '--qrels is missing'],
      [[...argv, '--policies', 'none'], '--policies is for searches'],
      [['compare', path('a.trec'), ...argv.slice(1, 2), ...argv.slice(3)], 'Two systems are called'],
    ]
    for (const [typed, hint] of wrong) {
      const { status, errors } = await runToEnd(typed)
      expect([status, errors]).toEqual([2, expect.stringContaining(hint)])
    }
  })
})
