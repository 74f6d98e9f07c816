/** The glance learns for which queries going on pays, from what it gained. */
import { describe, expect, it } from 'vitest'
import { glanceInputs, prepareGlance } from '../../../../policies/local/gate/glance.ts'
import { fitGlance, type GlanceExample } from '../../../../policies/local/training/glance-training.ts'
import { createRandom } from '../../../../src/learn/random.ts'

const golds = new Map([['gold', 1]])
const [first, second] = [
  ['gold', 'a'],
  ['a', 'gold'],
]

/** Where the first document covers the question, it is the relevant one; elsewhere going on brings that to the top. */
function drawn(count: number, seed: number): GlanceExample[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const row = Float32Array.from(glanceInputs, () => random.float())
    const isCovered = row[glanceInputs.indexOf('coverage: first document')]! > 0.5
    return { row, collection: 'drawn', golds, original: isCovered ? first! : second!, final: first! }
  })
}

describe('fitGlance', () => {
  it('is right on queries that it has not seen', async () => {
    const isEnough = prepareGlance(await fitGlance(drawn(1500, 1), { seed: 1 }))
    const others = drawn(500, 2)
    const right = others.filter(({ row, original }) => isEnough(row) === (original[0] === 'gold'))
    expect(right.length / others.length).toBeGreaterThan(0.93)
  })

  it('goes on with everything that gains, and leaves everything that loses', async () => {
    const [gaining, losing] = await Promise.all(
      [
        { original: second!, final: first! },
        { original: first!, final: second! },
      ].map((orders) =>
        fitGlance(
          drawn(300, 3).map((example) => ({ ...example, ...orders })),
          { seed: 1 },
        ),
      ),
    )
    const share = (scorers: typeof gaining) =>
      drawn(100, 4).filter(({ row }) => prepareGlance(scorers!)(row)).length
    expect(share(gaining)).toBe(0)
    expect(share(losing)).toBe(100)
  })

  it('makes the same networks of the same examples', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => fitGlance(drawn(200, 5), { seed: 7 })))
    expect(one).toHaveLength(3)
    expect(other).toEqual(one)
  })

  it('learns nothing from fewer than 100 queries', async () => {
    expect(await fitGlance(drawn(99, 6), { seed: 1 })).toEqual([])
  })
})
