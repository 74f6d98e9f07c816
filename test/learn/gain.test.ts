import { describe, expect, it } from 'vitest'
import type { RowsOptions } from '../../src/learn/fit-rows.ts'
import { fitGain, type GainExample } from '../../src/learn/gain.ts'
import { createRandom } from '../../src/learn/random.ts'
import { prepareScorer } from '../../src/learn/scorer.ts'
import { expectError } from '../support/expect-error.ts'

const options: RowsOptions = { inputs: ['x', 'noise'], hidden: 4, epochs: 40, batch: 16, seed: 1 }

/** Taking it is worth its cost where x is above a half, by x/5 − 0.1 on average. */
function world(count: number, seed: number): GainExample[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const x = random.float()
    const surplus = x / 5 - 0.1 + 0.1 * (random.float() - 0.5)
    return { row: Float32Array.of(x, random.float()), surplus, weight: 1 }
  })
}

describe('fitGain', () => {
  it('decides nearly as well as can be, and predicts more where there is more', async () => {
    const score = prepareScorer(await fitGain(world(300, 2), options))
    const predict = (x: number): number => score(Float32Array.of(x, 0.5), 1)[0]!
    const held = world(400, 3)
    const utility = (takes: (x: number) => boolean): number =>
      held.reduce((sum, { row, surplus }) => sum + (takes(row[0]!) ? surplus : 0), 0) / held.length
    const best = utility((x) => x > 0.5)
    expect(utility((x) => predict(x) > 0)).toBeGreaterThan(0.95 * best)
    expect(utility(() => true)).toBeLessThan(0.5 * best)
    expect([0.1, 0.3, 0.5, 0.7, 0.9].map(predict)).toEqual(
      [0.1, 0.3, 0.5, 0.7, 0.9].map(predict).toSorted((a, b) => a - b),
    )
  })

  it('gives the same scorer for the same seed, and another one for another', async () => {
    const few = { ...options, epochs: 2 }
    const examples = world(50, 4)
    const first = await fitGain(examples, few)
    expect(await fitGain(examples, few)).toEqual(first)
    expect(await fitGain(examples, { ...few, seed: 2 })).not.toEqual(first)
  })

  it('listens to heavy examples', async () => {
    // Two say the opposite of each other about the same row.
    const row = Float32Array.of(1, 0)
    const other = { row: Float32Array.of(0, 0), surplus: 0, weight: 1 }
    const say = async (weight: number): Promise<number> => {
      const examples = [{ row, surplus: 0.2, weight }, { row, surplus: -0.2, weight: 1 }, other]
      return prepareScorer(await fitGain(examples, { ...options, epochs: 300 }))(row, 1)[0]!
    }
    expect(await say(9)).toBeGreaterThan(0.02)
    expect(await say(1 / 9)).toBeLessThan(-0.02)
  })

  it('takes more epochs where there are few examples, unless it is told how many', async () => {
    const { epochs: _, ...rest } = options
    const examples = world(40, 5)
    // 3 steps an epoch, and 600 at least.
    expect(await fitGain(examples, rest)).toEqual(await fitGain(examples, { ...rest, epochs: 200 }))
  })

  it('refuses what it cannot learn from, and stops when it is told to', async () => {
    const few = world(4, 1)
    await expectError(fitGain([], options), 'bad-config', 'no rows')
    await expectError(fitGain([], { inputs: options.inputs, seed: 1 }), 'bad-config', 'no rows')
    await expectError(fitGain(few, { ...options, hidden: 1.5 }), 'bad-config', /hidden/)
    await expectError(fitGain(few, { ...options, learningRate: NaN }), 'bad-config', /learningRate/)
    await expectError(fitGain(few, { ...options, l2: -1 }), 'bad-config', /l2/)
    await expectError(fitGain(few, { ...options, epochs: 0 }), 'bad-config', /epochs/)
    await expectError(fitGain(few, { ...options, batch: 0.5 }), 'bad-config', /batch/)
    await expectError(fitGain([{ ...few[0]!, surplus: NaN }], options), 'bad-config', /surplus/)
    await expectError(
      fitGain([{ ...few[0]!, row: Float32Array.of(NaN, 0) }], options),
      'bad-config',
      'x is NaN',
    )
    const signal = AbortSignal.abort()
    await expectError(fitGain(few, { ...options, signal }), 'aborted')
  })
})
