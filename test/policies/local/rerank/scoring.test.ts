import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PoolFeatures } from '../../../../policies/local/rerank/features.ts'
import { groupsOf, topSize } from '../../../../policies/local/rerank/group-features.ts'
import type { Retrieved } from '../../../../policies/local/rerank/pool.ts'
import type { Question } from '../../../../policies/local/rerank/question.ts'
import { hasPairs, prepareSteps } from '../../../../policies/local/rerank/scoring.ts'
import { orderOf } from '../../../../src/rank.ts'

const nothing = new Float32Array()
/** A pool whose features are of no matter: the scores are given. */
const pool = (rows: number) =>
  ({ rows, first: nothing, second: () => nothing, groups: () => nothing }) as unknown as PoolFeatures

/** @param groups what the last step adds for each group of the first documents; it is asked for them in the order of `groupsOf` */
function order(second: readonly number[], groups: (places: readonly (number | undefined)[]) => number) {
  const steps = prepareSteps({
    first: (_, rows) => new Float64Array(rows),
    second: () => Float64Array.from(second),
    pair: (_, count) => Float64Array.from(groupsOf(Math.min(topSize, second.length)).slice(0, count), groups),
  })
  return orderOf(steps(pool(second.length), true).scores)
}

describe('the steps of re-ranking', () => {
  it('puts two that belong together first, and leaves the others in their order', () => {
    // Documents 2 and 3 are far more likely together than anything else.
    expect(order([5, 4, 3, 2, 1, 0], ([a, b]) => (a === 2 && b === 3 ? 20 : 0))).toEqual([2, 3, 0, 1, 4, 5])
  })

  it('orders by how likely each is with any other', () => {
    // Document 3 goes well with each other one, and 2 only with 3.
    const groups = ([a, b]: readonly (number | undefined)[]) =>
      a === 2 && b === 3 ? 30 : b === 3 ? 20 + 3 * a! : 0
    expect(order([3, 2, 1, 0], groups)).toEqual([3, 2, 1, 0])
  })

  it('pairs documents where a question was split, not where the query alone was searched or turns came before', () => {
    const pairs = (turns: number, hasOthers: boolean) =>
      hasPairs({ turns } as Question, { hasOthers } as Retrieved)
    expect([pairs(0, true), pairs(0, false), pairs(2, true)]).toEqual([true, false, false])
  })

  it('keeps the order where shares are equal', () =>
    // Each two of the last three are as likely, and far likelier than any with the first.
    expect(order([0, 0, 0, 0], ([a, b]) => (a! > 0 && b !== undefined ? 30 : 0))).toEqual([1, 2, 3, 0]))

  it('leaves the order as it is where nothing is known of groups', () =>
    expect(order([3, 1, 2], () => 0)).toEqual([0, 2, 1]))

  it('orders the first rows at the most, and those behind them as before, whatever the scores', () => {
    const scores = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(
        scores,
        fc.infiniteStream(fc.double({ min: -40, max: 40, noNaN: true })),
        (second, stream) => {
          const ranked = order(second, () => stream.next().value as number)
          const behind = ranked.slice(topSize)
          const plain = orderOf(Float64Array.from(second)).slice(topSize)
          const value = (row: number): number => second[row]!
          // Scores that are all but equal may become equal, and then rows keep their order.
          for (const [place, row] of behind.entries()) expect(value(row)).toBeCloseTo(value(plain[place]!), 6)
          expect([...ranked].sort((a, b) => a - b)).toEqual(second.map((_, row) => row))
        },
      ),
    )
  })
})
