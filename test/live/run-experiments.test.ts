import { beforeAll, describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import type { Experiments } from '../../bench/experiments/experiments.ts'
import type { ExperimentsCheckpoint } from '../../bench/experiments/experiments-checkpoint.ts'
import { type ExperimentOptions, runExperiments } from '../../bench/experiments/run-experiments.ts'
import { systemNames } from '../../bench/experiments/systems.ts'
import { collectExamples, type Example } from '../../policies/local/training/example.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { countTerms, type TermWeights } from '../../src/text/term-weights.ts'
import { expectError } from '../support/expect-error.ts'
import { finderOf } from '../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../support/small-policy.ts'

let examples: Example[]
let terms: TermWeights
let whole: Experiments
const kept: ExperimentsCheckpoint[] = []
const told: number[] = []

/** Two thirds of the sample, as two collections. */
beforeAll(async () => {
  const documents = await sampleDocuments()
  const { queries, qrels } = await readBeir(sampleFolder)
  const shared = {
    qrels,
    retrievers: [await buildWinkBm25(documents)],
    documents: finderOf(documents),
  }
  examples = await collectExamples(
    [0, 1].map((rest) => ({
      ...shared,
      name: ['first', 'second'][rest]!,
      queries: queries.filter((_, index) => index % 3 === rest),
    })),
  )
  terms = countTerms(documents)
  whole = await runExperiments(examples, terms, {
    ...quick,
    onCheckpoint: (checkpoint) => void kept.push(checkpoint),
    onProgress: ({ done, total }) => void told.push(done / total),
  })
})

const quick: ExperimentOptions = {
  seeds: [1, 2],
  which: [],
  rerankedParts: 0,
  curriculum: { stageOneEpochs: 1, stageTwoEpochs: 1 },
  rounds: 50,
  samples: 50,
}

/** Without what the clock says. */
const timeless = ({ times: _, seconds: __, ...rest }: Experiments) => rest

describe('runExperiments', () => {
  it('tells how far it is, on and on, from 0 to 1', () => {
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect([told[0], told.at(-1)]).toEqual([0, 1])
    // Two seeds of two phases and three parts of two steps, and the sum.
    expect(told).toHaveLength(2 * (2 + 3 * 2) + 1)
  })

  it('compares the learned policy with all the others, on all queries and on each collection', async () => {
    const { comparison, setup, curve } = whole
    expect(comparison.groups.map(({ name, queries }) => [name, queries])).toEqual([
      ['all queries', examples.length],
      ...setup.collections.map(({ name, queries }) => [name, queries]),
    ])
    for (const { rows } of comparison.groups)
      expect(rows.map(({ name }) => name)).toEqual(Object.values(systemNames))
    const rows = new Map(comparison.groups[0]!.rows.map((row) => [row.name, row]))
    expect(rows.get(systemNames.asIs)).toMatchObject({ subQueries: 0, leftAlone: 1, oneStage: 1 })
    // Nothing is above the best of all choices.
    const oracle = rows.get(systemNames.oracle)!.alone.reward.mean
    for (const { alone } of rows.values()) expect(alone.reward.mean).toBeLessThanOrEqual(oracle + 1e-9)
    expect(curve.map(({ epoch, stage }) => [epoch, stage])).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ])
  })

  it('goes on from a checkpoint to what it would have come to, and the same seeds give the same', async () => {
    expect(kept.map(({ seeds }) => Object.keys(seeds))).toEqual([['1'], ['1', '2']])
    const resume = JSON.parse(JSON.stringify(kept[0])) as ExperimentsCheckpoint
    const resumed = await runExperiments(examples, terms, { ...quick, resume })
    expect(timeless(resumed)).toEqual(timeless(whole))
  })

  it('refuses the checkpoint of other experiments', async () => {
    const resume = { of: 'something else', seeds: {}, leftOut: {}, matrix: {} }
    await expectError(runExperiments(examples, terms, { ...quick, resume }), 'bad-config', 'something else')
  })

  it('ends when it is told to', async () => {
    const signal = AbortSignal.abort()
    await expectError(runExperiments(examples, terms, { ...quick, signal }), 'aborted')
  })

  it('takes parts away, leaves collections out, crosses retrievers and takes times where that is wanted', async () => {
    const found = await runExperiments(examples, terms, {
      ...quick,
      seeds: [1],
      rerankedParts: 1,
      which: ['ablations', 'left-out', 'retrievers', 'times'],
      retrieverSets: ['one', 'other'].map((name) => ({ name, examples })),
    })
    expect(found.ablations!.groups[0]!.rows.map(({ name }) => name)).toContain('without Stage II')
    const one = found.ablations!.groups[0]!.rows.find(({ name }) => name.startsWith('without second stage'))!
    expect(one.oneStage).toBe(1)
    const list = found.ablations!.groups[0]!.rows.find(({ name }) =>
      name.startsWith('without decomposition'),
    )!
    expect(list.subQueries).toBeLessThanOrEqual(1)
    expect(found.numbers!.groups[0]!.rows.map(({ name }) => name)).toContain('always one sub-query')
    expect(found.leftOut!.groups.map(({ name }) => name)).toEqual(['first', 'second'])
    expect(found.times!.systems).toHaveLength(3)
    // One retriever under two names: who was trained on the one is who was trained on the other.
    for (const { rows } of found.retrievers!.groups) {
      const [same, other] = rows
      expect(other!.alone.reward.mean).toBe(same!.alone.reward.mean)
    }
  })
})
