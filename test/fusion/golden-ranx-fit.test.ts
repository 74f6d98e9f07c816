/** What ranx 0.3.21 estimates for its trained methods, and how it fuses with that (made by `fixtures/golden/ranx_fit.py`). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bayesfuse, fitBayesfuse } from '../../fusion/bayesfuse.ts'
import { fuseRuns } from '../../fusion/fuse-runs.ts'
import { fitMapfuse, mapfuse } from '../../fusion/mapfuse.ts'
import { fitPosfuse, posfuse } from '../../fusion/posfuse.ts'
import { fitProbfuse, probfuse } from '../../fusion/probfuse.ts'
import { fitSegfuse, segfuse } from '../../fusion/segfuse.ts'
import { slidefuse } from '../../fusion/slidefuse.ts'
import type { Fusion, Qrels, Run } from '../../src/types.ts'
import { list, scoresOf } from './lists.ts'

type Pairs = readonly (readonly [string, number])[]
type ByQuery = Readonly<Record<string, Pairs>>

const golden: {
  readonly segments: number
  readonly window: number
  readonly qrels: ByQuery
  readonly runs: readonly ByQuery[]
  readonly fits: {
    readonly mapfuse: readonly number[]
    readonly [method: string]: readonly (number | readonly number[])[]
  }
  readonly fused: Readonly<Record<string, ByQuery>>
} = JSON.parse(readFileSync(new URL('../fixtures/golden/ranx-fit.json', import.meta.url), 'utf8'))

const qrels: Qrels = new Map(Object.entries(golden.qrels).map(([qid, grades]) => [qid, new Map(grades)]))
const runs: readonly Run[] = golden.runs.map(
  (run) => new Map(Object.entries(run).map(([qid, pairs]) => [qid, list(pairs).hits])),
)

const maps = fitMapfuse(runs, qrels)
const places = fitPosfuse(runs, qrels)
const probabilities = fitProbfuse(runs, qrels, golden.segments)
const segments = fitSegfuse(runs, qrels)
const odds = fitBayesfuse(runs, qrels)

const fitted: readonly (readonly [name: string, ours: readonly (number | readonly number[])[]])[] = [
  ['mapfuse', maps.maps],
  ['posfuse', places.probabilities],
  ['probfuse', probabilities.probabilities],
  ['segfuse', segments.probabilities],
  ['bayesfuse', odds.logOdds.map((values) => values.slice(0, 100))],
]

describe.each(fitted)('the estimates for %s', (name, ours) => {
  it("are ranx's", () => {
    const expected = golden.fits[name]!.flat()
    expect(ours.flat()).toHaveLength(expected.length)
    for (const [index, value] of ours.flat().entries()) expect(value).toBeCloseTo(expected[index]!, 12)
  })
})

const methods: readonly (readonly [name: string, fusion: Fusion, norm: string])[] = [
  ['mapfuse', mapfuse(maps), 'none'],
  ['posfuse', posfuse(places), 'none'],
  ['probfuse', probfuse(probabilities), 'none'],
  ['segfuse', segfuse(segments), 'min-max'],
  ['slidefuse', slidefuse({ ...places, window: golden.window }), 'none'],
  ['bayesfuse', bayesfuse(odds), 'none'],
]

describe.each(methods)('%s', (name, fusion, norm) => {
  it.each(Object.keys(golden.qrels))('scores %s like ranx', (qid) => {
    const scores = scoresOf(fuseRuns(fusion, runs, { norm }).get(qid)!)
    const expected = golden.fused[name]![qid]!
    expect(Object.keys(scores)).toHaveLength(expected.length)
    for (const [docid, score] of expected) expect(scores[docid], docid).toBeCloseTo(score, 9)
  })
})
