import { expect, it } from 'vitest'
import { fitProbability } from '../../src/learn/probability.ts'
import { createRandom } from '../../src/learn/random.ts'
import { prepareScorer } from '../../src/learn/scorer.ts'
import { sigmoid } from '../../src/sigmoid.ts'

it('fitProbability() finds the probability behind observations', async () => {
  const random = createRandom(7)
  const truth = (x: number): number => sigmoid(6 * x - 4)
  const observations = Array.from({ length: 2000 }, () => {
    const x = random.float()
    return { row: Float32Array.of(x), holds: random.float() < truth(x), weight: 1 }
  })
  const scorer = await fitProbability(observations, {
    inputs: ['x'],
    hidden: 4,
    learningRate: 0.02,
    seed: 1,
  })
  const score = prepareScorer(scorer)
  for (const x of [0.1, 0.5, 0.9]) expect(sigmoid(score(Float32Array.of(x), 1)[0]!)).toBeCloseTo(truth(x), 1)
})
