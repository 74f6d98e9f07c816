import { describe, expect, it } from 'vitest'
import { choiceGradients, entropyOf } from '../../../../policies/local/training/choice-gradients.ts'
import { softmax } from '../../../../src/learn/softmax.ts'
import { clipLoss } from '../../../../src/training/advantage.ts'

describe('choiceGradients', () => {
  // Ratios to what is likely now: some clipped, some not, none at a corner.
  const scores = Float64Array.of(0.3, -1.2, 0.8, 0, -0.4)
  const now = softmax(scores)
  const group = {
    actions: [0, 2, 2, 4, 1, 3],
    advantages: [1.2, -0.7, 0.5, -1.1, 0.9, -0.8],
    drawnWith: [0.9, 1.1, 0.7, 2, 1.6, 0.05].map((factor, rollout) => {
      const actions = [0, 2, 2, 4, 1, 3]
      return now[actions[rollout]!]! / factor
    }),
  }

  it.each([
    [0, 0],
    [0.3, 0],
    [0, 0.2],
    [0.3, 0.2],
  ])('has the slopes of finite differences, entropy %d, divergence %d', (entropy, kl) => {
    const loss = (at: Float64Array): number => {
      const probabilities = softmax(at)
      const losses = group.actions.map((action, rollout) =>
        clipLoss(group.advantages[rollout]!, probabilities[action]! / group.drawnWith[rollout]!),
      )
      const mean = losses.reduce((sum, one) => sum + one, 0) / losses.length
      return mean - entropy * entropyOf(probabilities, 5) - kl * Math.log(probabilities[0]!)
    }
    const slopes = new Float64Array(5)
    choiceGradients(group, now, 5, { clip: {}, entropy, kl }, slopes)
    const step = 1e-6
    for (const action of scores.keys()) {
      const above = scores.map((score, other) => (other === action ? score + step : score))
      const below = scores.map((score, other) => (other === action ? score - step : score))
      expect(slopes[action]).toBeCloseTo((loss(above) - loss(below)) / (2 * step), 7)
    }
    expect(slopes.reduce((sum, slope) => sum + slope, 0)).toBeCloseTo(0, 12)
  })
})

describe('entropyOf', () => {
  it.each([
    [[1, 0, 0], 0],
    [[0.25, 0.25, 0.25, 0.25], Math.log(4)],
    [[0.5, 0.5, 0], Math.log(2)],
  ])('of %j is %d', (probabilities, expected) => {
    expect(entropyOf(Float64Array.from(probabilities), probabilities.length)).toBeCloseTo(expected, 12)
  })
})
