/** Every metric on every query of three real runs, against trec_eval's own output: see test/fixtures/trec/README.md. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { scoreRun } from '../../src/evaluation/score.ts'
import { readQrels, readRun } from '../../src/evaluation/trec.ts'

type Expected = Record<'1' | '2', Record<string, Record<string, number>>>

const folder = 'test/fixtures/trec'

describe.each(['cranfield', 'scifact', 'hotpotqa-train'])('%s', async (name) => {
  const run = await readRun(`${folder}/${name}.run.gz`)
  const qrels = await readQrels(`${folder}/${name}.qrels.gz`)
  const expected: Expected = JSON.parse(
    gunzipSync(readFileSync(`${folder}/${name}.expected.json.gz`)).toString(),
  )

  it('has ties, which trec_eval breaks by docid', () => {
    const tied = [...run.values()].filter((hits) => new Set(hits.map((hit) => hit.score)).size < hits.length)
    expect(tied.length).toBeGreaterThan(30)
  })

  it.each(Object.keys(expected['1']))('%s', (metric) => {
    expectEqual(scoreRun(run, qrels, [metric]).values.get(metric)!, expected['1'][metric]!)
  })

  // trec_eval's nDCG knows no relevance level; ours follows ranx there.
  it.each(Object.keys(expected['2']).filter((metric) => !metric.startsWith('ndcg')))('%s-l2', (metric) => {
    expectEqual(scoreRun(run, qrels, [`${metric}-l2`]).values.get(`${metric}-l2`)!, expected['2'][metric]!)
  })
})

function expectEqual(values: ReadonlyMap<string, number>, expected: Readonly<Record<string, number>>): void {
  expect(values.size).toBe(60)
  expect([...values.keys()].sort()).toEqual(Object.keys(expected).sort())
  const wrong = [...values].filter(([qid, value]) => !(Math.abs(value - expected[qid]!) <= 1e-9))
  expect(wrong).toEqual([])
}
