import { describe, expect, it } from 'vitest'
import { trainAveragePolicy } from '../../../../policies/local/training/average-policies.ts'
import { drawWorld, inputsOf, toProblems, trainOn } from '../../../support/choice-world.ts'
import { expectError } from '../../../support/expect-error.ts'

const world = drawWorld('mean', 30, 1)
const problems = () => toProblems(world, 4)
const options = {
  inputs: inputsOf(4),
  seed: 3,
  learningRate: 0.05,
  curriculum: { stageOneEpochs: 1, stageTwoEpochs: 2, filter: false },
} as const

describe('trainAveragePolicy', () => {
  it('is the mean of policies that were trained alone, with the log and the curve of the first', async () => {
    const alone = await Promise.all([3, 1003, 2003].map((seed) => trainOn(problems(), { ...options, seed })))
    const { scorer, log, curve } = await trainAveragePolicy(problems(), { ...options, models: 3 })
    expect({ log, curve }).toEqual({ log: alone[0]!.log, curve: alone[0]!.curve })
    scorer.skip.forEach((weight, input) => {
      const sum = alone.reduce((total, one) => total + one.scorer.skip[input]!, 0)
      expect(weight).toBeCloseTo(sum / 3, 5)
    })
    expect(new Set(alone.map((one) => JSON.stringify(one.scorer.skip))).size).toBe(3)
  })

  it('is one policy by default', async () => {
    expect(await trainAveragePolicy(problems(), options)).toEqual(await trainOn(problems(), options))
  })

  it('says which policy an epoch is of', async () => {
    const models: number[] = []
    await trainAveragePolicy(problems(), { ...options, models: 2, onEpoch: (_, model) => models.push(model) })
    expect(models).toEqual([0, 0, 0, 1, 1, 1])
  })

  it.each([0, 1.5, Number.NaN])('refuses %s policies', async (models) => {
    await expectError(trainAveragePolicy(problems(), { ...options, models }), 'bad-config')
  })
})
