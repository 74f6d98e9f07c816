import { describe, expect, it } from 'vitest'
import { combSum } from '../../fusion/comb-sum.ts'
import { fuseRuns } from '../../fusion/fuse-runs.ts'
import { rrf } from '../../fusion/rrf.ts'
import { fitRrf, fitWeights } from '../../fusion/tune.ts'
import { weightedSum } from '../../fusion/weighted-sum.ts'
import type { Fusion, Hit, Run } from '../../src/types.ts'
import { expectError } from '../support/expect-error.ts'
import { docidsOf, list, ranked } from './lists.ts'

const runOf = (queries: Readonly<Record<string, { readonly hits: readonly Hit[] }>>): Run =>
  new Map(Object.entries(queries).map(([qid, { hits }]) => [qid, hits]))

const good = runOf({
  q1: list([
    ['right', 1],
    ['wrong', 0],
  ]),
  q2: list([
    ['right', 1],
    ['wrong', 0],
  ]),
})
const bad = runOf({
  q1: list([
    ['wrong', 1],
    ['right', 0],
  ]),
  q2: list([
    ['wrong', 1],
    ['right', 0],
  ]),
})

/** The number of queries with the right document at rank 1. */
const firsts = (run: Run): number => [...run.values()].filter(([first]) => first?.docid === 'right').length

describe('fitWeights', () => {
  it('finds the weights with the best score, the last of equal ones', () => {
    // right: w of the good run; wrong: w of the bad one. Every w above 0.5 scores 2, and 0.5 too, by docid.
    expect(fitWeights(weightedSum(), [good, bad], firsts)).toEqual({ best: [1, 0], score: 2 })
    const most = (run: Run): number =>
      -Math.abs(run.get('q1')!.find(({ docid }) => docid === 'right')!.score - 0.3)
    expect(fitWeights(weightedSum(), [good, bad], most).best).toEqual([0.3, 0.7])
  })

  it('tries the whole simplex: 66 combinations for three runs, though 0.3 + 0.6 + 0.1 is not 1 in doubles', () => {
    expect(0.3 + 0.6 + 0.1).not.toBe(1)
    const tried: Run[] = []
    const seen: number[][] = []
    const watched = weightedSum()
    const fusion: Fusion = {
      ...watched,
      fuse(lists, options) {
        seen.push([...options!.weights!])
        return watched.fuse(lists, options)
      },
    }
    const runs = [runOf({ q: ranked('a') }), runOf({ q: ranked('b') }), runOf({ q: ranked('c') })]
    fitWeights(fusion, runs, (run) => tried.push(run))
    expect(tried).toHaveLength(66)
    expect(new Set(seen.map(String)).size).toBe(66)
    expect(seen).toContainEqual([0.3, 0.6, 0.1])
  })

  it('rejects a step that does not divide 1, and a fusion without weights', () => {
    expectError(() => fitWeights(weightedSum(), [good], firsts, { step: 0.3 }), 'bad-config')
    expectError(() => fitWeights(weightedSum(), [good], firsts, { step: 0 }), 'bad-config')
    expectError(() => fitWeights(combSum(), [good, bad], firsts), 'bad-weights')
  })
})

describe('fitRrf', () => {
  it('finds the k with the best score, of 10, 20, … 100 or the given candidates', () => {
    const first = (run: Run): number => run.get('q1')![0]!.score
    expect(fitRrf([good], first)).toEqual({ best: 10, score: 1 / 11 })
    expect(fitRrf([good], (run) => -first(run))).toEqual({ best: 100, score: -1 / 101 })
    expect(fitRrf([good, bad], firsts, [0, 60])).toEqual({ best: 60, score: 2 })
    expectError(() => fitRrf([good], firsts, []), 'bad-config')
  })
})

describe('fuseRuns', () => {
  const runs = [runOf({ q1: ranked('a', 'b'), q2: ranked('c') }), runOf({ q1: ranked('b'), q3: ranked('d') })]

  it('merges query by query, and treats a missing query as an empty list', () => {
    const fused = fuseRuns(rrf(), runs)
    expect([...fused.keys()]).toEqual(['q1', 'q2', 'q3'])
    expect(docidsOf(fused.get('q1')!)).toEqual(['b', 'a'])
    expect(docidsOf(fused.get('q3')!)).toEqual(['d'])
  })

  it('names the run and the query of a bad list', () => {
    const broken = runOf({ q9: list([['x', Number.NaN]]) })
    expectError(
      () => fuseRuns(rrf(), [...runs, broken], {}, ['a.trec', 'b.trec', 'c.trec']),
      'bad-list',
      'c.trec, query q9',
    )
  })
})
