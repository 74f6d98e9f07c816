import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crossFit, fitAll } from '../../../../policies/local/training/cross-fit.ts'
import type { RankProblem } from '../../../../src/learn/listwise.ts'
import { prepareScorer } from '../../../../src/learn/scorer.ts'

const options = { inputs: ['a', 'b'], hidden: 2, epochs: 2, batch: 1, learningRate: 0.1, seed: 1 }

/** Three rows of two inputs, other ones for each problem. */
const problem = (index: number, targets: readonly number[]): RankProblem => ({
  features: Float32Array.from({ length: 6 }, (_, place) => Math.sin(1 + 6 * index + place)),
  rows: 3,
  targets: Float32Array.from(targets),
})
const problemsOf = (targets: readonly (readonly number[])[]): RankProblem[] =>
  targets.map((own, index) => problem(index, own))

const targets = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0, 2, 1],
]
const folds = Int32Array.of(0, 2, 0, 2)

describe('crossFit', () => {
  it('scores a problem by a scorer that knows nothing of its fold', async () => {
    const target = fc.nat({ max: 3 })
    const some = fc.array(fc.record({ own: fc.tuple(target, target, target), fold: fc.nat({ max: 2 }) }), {
      minLength: 2,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(some, fc.nat({ max: 2 }), async (drawn, fold) => {
        const foldsOf = Int32Array.from(drawn, (one) => one.fold)
        const before = drawn.map(({ own }) => own)
        const after = drawn.map(({ own, fold: at }) => (at === fold ? own.map((one) => 3 - one) : own))
        const [first, second] = [
          await crossFit(problemsOf(before), foldsOf, 0, options),
          await crossFit(problemsOf(after), foldsOf, 0, options),
        ]
        expect(second.byFold.get(fold)).toEqual(first.byFold.get(fold))
        drawn.forEach((one, index) => {
          if (one.fold === fold) expect(second.outOfFold[index]).toEqual(first.outOfFold[index])
        })
      }),
      { numRuns: 30 },
    )
  })

  it('learns from the targets of the other folds', async () => {
    const other = targets.map((own, index) => (folds[index] === 2 ? own.toReversed() : own))
    const [first, second] = [
      await crossFit(problemsOf(targets), folds, 1, options),
      await crossFit(problemsOf(other), folds, 1, options),
    ]
    for (const index of [0, 2]) expect(second.outOfFold[index]).not.toEqual(first.outOfFold[index])
    for (const index of [1, 3]) expect(second.outOfFold[index]).toEqual(first.outOfFold[index])
    expect(second.scorers).not.toEqual(first.scorers)
  })

  it("gives each problem the scores of its fold's scorer, in its own place", async () => {
    const problems = problemsOf(targets)
    const { byFold, outOfFold } = await crossFit(problems, folds, 0, options)
    expect([...byFold.keys()].sort()).toEqual([0, 2])
    expect(outOfFold).toHaveLength(problems.length)
    problems.forEach(({ features, rows }, index) => {
      expect(outOfFold[index]).toEqual(prepareScorer(byFold.get(folds[index]!)!)(features, rows))
    })
  })

  it('fits as many scorers on all problems as it is told, each from a seed of its own', async () => {
    const problems = problemsOf(targets)
    let fitted = 0
    const { scorers, byFold } = await crossFit(problems, folds, 3, { ...options, onFitted: () => fitted++ })
    expect(fitted).toBe(2 + 3)
    expect(scorers).toEqual(await fitAll(problems, 3, options))
    expect(new Set([...scorers, ...byFold.values()].map((scorer) => JSON.stringify(scorer))).size).toBe(5)
  })

  it('finds all rows alike where no problem has a target', async () => {
    const nothing = targets.map(() => [0, 0, 0])
    const none = await crossFit(problemsOf(nothing), folds, 2, options)
    expect(none.outOfFold).toEqual(targets.map(() => Float64Array.of(0, 0, 0)))
    const blank = { inputs: ['a', 'b'], mean: [0, 0], deviation: [1, 1], skip: [0, 0], hidden: [] }
    expect([...none.scorers, ...none.byFold.values()]).toEqual([blank, blank, blank, blank])

    // Fold 2 has targets and learns from fold 0, which has none; fold 0 learns from fold 2.
    const half = targets.map((own, index) => (folds[index] === 0 ? [0, 0, 0] : own))
    const { outOfFold, scorers } = await crossFit(problemsOf(half), folds, 1, options)
    for (const index of [1, 3]) expect(outOfFold[index]).toEqual(Float64Array.of(0, 0, 0))
    for (const index of [0, 2]) expect(outOfFold[index]!.every((score) => score !== 0)).toBe(true)
    expect(scorers[0]).not.toEqual(blank)
  })
})
