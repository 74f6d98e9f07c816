import { describe, expect, it } from 'vitest'
import { createNetwork, drawParameters, rounded, toScorer } from '../../src/learn/network.ts'
import { createRandom } from '../../src/learn/random.ts'
import { prepareScorer } from '../../src/learn/scorer.ts'

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `input ${index}`)

describe('createNetwork', () => {
  // 1 to 9 rows: blocks of four, and the remainder.
  it.each([
    { inputs: 3, hidden: 0, count: 5 },
    { inputs: 1, hidden: 2, count: 1 },
    { inputs: 5, hidden: 3, count: 4 },
    { inputs: 7, hidden: 4, count: 9 },
  ])('has the gradient of finite differences: $inputs inputs, $hidden units, $count rows', (shape) => {
    const { count } = shape
    const random = createRandom(11)
    const draw = (): number => 2 * random.float() - 1
    const parameters = drawParameters(shape, random, 1).map(draw)
    const table = new Float32Array((count + 2) * shape.inputs).map(draw)
    const rows = { table, first: 2, count }
    const slopes = new Float64Array(count).map(draw)
    const scores = new Float64Array(count)
    const network = createNetwork(shape, parameters, count)
    // A function of the scores whose gradient by the scores is `slopes`.
    const value = (): number => {
      network.forward(rows, scores)
      return scores.reduce((sum, score, row) => sum + score * slopes[row]!, 0)
    }
    value()
    network.backward(rows, slopes)

    const step = 1e-6
    for (const [index, parameter] of parameters.entries()) {
      parameters[index] = parameter + step
      const above = value()
      parameters[index] = parameter - step
      const below = value()
      parameters[index] = parameter
      expect(network.gradient[index]).toBeCloseTo((above - below) / (2 * step), 7)
    }
  })

  it('sums gradients, and adds decay to all parameters except biases', () => {
    const shape = { inputs: 1, hidden: 1 }
    // Linear path, weight, bias, output weight.
    const network = createNetwork(shape, Float64Array.of(1, 2, 3, 4), 1)
    const rows = { table: Float32Array.of(1), first: 0, count: 1 }
    for (let pass = 0; pass < 2; pass++) {
      network.forward(rows, new Float64Array(1))
      network.backward(rows, Float64Array.of(1))
    }
    // Twice: z, out · z, out, activation 2 + 3.
    expect([...network.gradient]).toEqual([2, 8, 8, 10])
    network.decay(0.5)
    expect([...network.gradient]).toEqual([2.5, 9, 8, 12])
  })
})

describe('drawParameters', () => {
  it('can begin with the score 0 for every row, but never with equal units', () => {
    const parameters = drawParameters({ inputs: 2, hidden: 3 }, createRandom(1), 0)
    const scorer = toScorer(names(2), { mean: [0, 0], deviation: [1, 1] }, 3, parameters)
    expect([...prepareScorer(scorer)(Float32Array.of(1, 2, -3, 4), 2)]).toEqual([0, 0])
    expect(new Set(scorer.hidden.flatMap(({ bias, weights }) => [bias, ...weights])).size).toBe(9)
  })
})

describe('toScorer', () => {
  it('makes a scorer with the same scores as the network', () => {
    const shape = { inputs: 4, hidden: 3 }
    const random = createRandom(3)
    const parameters = drawParameters(shape, random, 1).map(() => rounded(random.float() - 0.5, 3))
    const table = new Float32Array(6 * 4).map(() => random.float())
    const scores = new Float64Array(6)
    createNetwork(shape, parameters, 6).forward({ table, first: 0, count: 6 }, scores)
    const scorer = toScorer(names(4), { mean: [0, 0, 0, 0], deviation: [1, 1, 1, 1] }, 3, parameters)
    expect(prepareScorer(scorer)(table, 6)).toEqual(scores)
  })

  it.each([
    [1 / 3, 0.3333],
    [-123456.7, -123500],
    [1.5e-9, 1.5e-9],
    [-0, 0],
  ])('writes %d as %d', (value, written) => expect(rounded(value)).toBe(written))
})
