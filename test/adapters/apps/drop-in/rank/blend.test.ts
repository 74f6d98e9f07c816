/** Two orders of the same documents, blended by their scores. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blend } from '../../../../../adapters/apps/drop-in/rank/with-engine.ts'

const orderOf = (scores: readonly number[]): number[] =>
  [...scores.keys()].sort((one, other) => scores[other]! - scores[one]!)

const blended = (engine: readonly number[], reranker: readonly number[], weight: number): number[] =>
  orderOf(blend(engine, reranker, weight).map((share) => share.engine + share.reranker))

it('counts standard deviations above the mean', () => {
  // Logarithms of the engine's scores: 2, 1, 0, so 1.2247, 0 and −1.2247 deviations. The re-ranker's: −1.2247, 0 and 1.2247.
  const shares = blend([Math.E ** 2, Math.E, 1], [0, 5, 10], 0.25)
  expect(shares.map(({ engine }) => engine)).toEqual(
    [1.2247 / 4, 0, -1.2247 / 4].map((one) => expect.closeTo(one, 4)),
  )
  expect(shares[2]!.reranker).toBeCloseTo(0.75 * 1.2247, 4)
})

const score = fc.double({ min: 0.001, max: 1000, noNaN: true })
const orders = fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 20 })

it("is the engine's order with a weight of 1, and the re-ranker's with 0", () =>
  fc.assert(
    fc.property(orders, (pairs) => {
      const [engine, reranker] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)]
      const isSorted = (order: readonly number[], by: readonly number[], least: number) =>
        order.every(
          (at, place) => place === 0 || by[at]! <= by[order[place - 1]!]! * (1 + 1e-9) || by[at]! < least,
        )
      expect(isSorted(blended(engine, reranker, 1), engine, 0)).toBe(true)
      expect(isSorted(blended(engine, reranker, 0), reranker, Math.max(...reranker) - 15)).toBe(true)
    }),
  ))

it('does not depend on the scale of either', () => {
  const [engine, reranker] = [
    [9, 7, 3, 2],
    [0.1, 0.9, 0.8, 0.2],
  ]
  const scaled = blended(
    engine.map((one) => 1000 * one),
    reranker.map((one) => 3 * one - 7),
    0.4,
  )
  expect(scaled).toEqual(blended(engine, reranker, 0.4))
})

it('lets nobody down with equal scores, and with logarithms of nothing', () => {
  expect(blended([1, 1, 1], [1, 2, 3], 0.5)).toEqual([2, 1, 0])
  expect(blended([3, 2, 1], [-Infinity, 0, -1], 0.1)).toEqual([1, 2, 0])
})
