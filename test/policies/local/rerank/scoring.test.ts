import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PoolFeatures } from '../../../../policies/local/rerank/features.ts'
import { groupsOf, topSize } from '../../../../policies/local/rerank/group-features.ts'
import { lastStepOf, prepareSteps } from '../../../../policies/local/rerank/scoring.ts'
import { orderOf } from '../../../../src/rank.ts'

const nothing = new Float32Array()
/** A pool whose features are of no matter: the scores are given. */
const pool = (rows: number) =>
  ({ rows, first: nothing, second: () => nothing, groups: () => nothing }) as unknown as PoolFeatures

/** @param groups what the last step adds for each group of the first documents; it is asked for them in the order of `groupsOf` */
function order(
  second: readonly number[],
  groups: (places: readonly (number | undefined)[]) => number,
  places = 2,
) {
  const steps = prepareSteps({
    first: (_, rows) => new Float64Array(rows),
    second: () => Float64Array.from(second),
    pair: (_, count) => Float64Array.from(groupsOf(Math.min(topSize, second.length)).slice(0, count), groups),
  })
  return orderOf(steps(pool(second.length), { size: topSize, places }).scores)
}

describe('the steps of re-ranking', () => {
  it('lets two that belong together take the first two places, and no others', () => {
    // Documents 2 and 3 are far more likely together than anything else; 0, 1, 4 and 5 stay in their order.
    expect(order([5, 4, 3, 2, 1, 0], ([a, b]) => (a === 2 && b === 3 ? 20 : 0)).map((row) => row)).toEqual([
      2, 3, 0, 1, 4, 5,
    ])
  })

  it('settles as many places as it is told', () => {
    // Document 3 goes well with each other one, and 2 only with 3: behind the two, 0 has the better second step.
    const groups = ([a, b]: readonly (number | undefined)[]) =>
      a === 2 && b === 3 ? 30 : b === 3 ? 20 + 3 * a! : 0
    expect(order([3, 2, 1, 0], groups, 2)).toEqual([3, 2, 0, 1])
    expect(order([3, 2, 1, 0], groups, topSize)).toEqual([3, 2, 1, 0])
  })

  it('looks at the first eight, and decides two places, if nothing but the query was searched', () => {
    expect(lastStepOf({ hasOthers: false })).toEqual({ size: 8, places: 2 })
    expect(lastStepOf({ hasOthers: true })).toEqual({ size: topSize, places: topSize })
  })

  it('keeps who it settled in front where shares are equal', () =>
    // Each two of the last three are as likely, and far likelier than any with the first.
    expect(order([0, 0, 0, 0], ([a, b]) => (a! > 0 && b !== undefined ? 30 : 0))).toEqual([1, 2, 0, 3]))

  it('leaves the order as it is where nothing is known of groups', () =>
    expect(order([3, 1, 2], () => 0)).toEqual([0, 2, 1]))

  it('changes the first two places at the most, whatever the scores', () => {
    const scores = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(
        scores,
        fc.infiniteStream(fc.double({ min: -40, max: 40, noNaN: true })),
        (second, stream) => {
          const ranked = order(second, () => stream.next().value as number)
          const behind = ranked.slice(2)
          const plain = orderOf(Float64Array.from(second)).filter((row) => behind.includes(row))
          const value = (row: number): number => second[row]!
          // Scores that are all but equal may become equal, and then rows keep their order.
          for (const [place, row] of behind.entries()) expect(value(row)).toBeCloseTo(value(plain[place]!), 6)
          expect([...ranked].sort((a, b) => a - b)).toEqual(second.map((_, row) => row))
        },
      ),
    )
  })
})
