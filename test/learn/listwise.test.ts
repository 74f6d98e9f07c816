import { describe, expect, it } from 'vitest'
import { fitListwise, type RankProblem } from '../../src/learn/listwise.ts'
import { createRandom } from '../../src/learn/random.ts'
import { prepareScorer } from '../../src/learn/scorer.ts'
import { mean } from '../../src/learn/statistics.ts'
import { expectError } from '../support/expect-error.ts'

const problem = (features: number[], targets: number[], rest: Partial<RankProblem> = {}): RankProblem => ({
  features: Float32Array.from(features),
  rows: targets.length,
  targets: Float32Array.from(targets),
  ...rest,
})

/** Two rows that differ in one input. */
const linear = { inputs: ['a'], hidden: 0, epochs: 300, batch: 1, learningRate: 0.1, l2: 0, seed: 1 }
const difference = async (...problems: RankProblem[]): Promise<number> => {
  const scores = prepareScorer(await fitListwise(problems, linear))(Float32Array.of(1, 0), 2)
  return scores[0]! - scores[1]!
}

/** In one row of six, both inputs have the same sign. A linear scorer finds only the rows of one sign. */
function sameSign(seed: number, problems: number): RankProblem[] {
  const random = createRandom(seed)
  const draw = (): number => 1 + random.float()
  return Array.from({ length: problems }, () => {
    const relevant = random.integer(6)
    const rows = Array.from({ length: 6 }, (_, row) => {
      const sign = random.integer(2) === 0 ? -1 : 1
      return [sign * draw(), (row === relevant ? sign : -sign) * draw()]
    })
    return problem(
      rows.flat(),
      rows.map((_, row) => (row === relevant ? 1 : 0)),
    )
  })
}

/** The fraction of problems whose relevant row is ranked first. */
async function accuracy(hidden: number): Promise<number> {
  const options = { inputs: ['a', 'b'], hidden, epochs: 20, learningRate: 0.02, seed: 4 }
  const score = prepareScorer(await fitListwise(sameSign(1, 200), options))
  const found = sameSign(2, 200).filter(({ features, rows, targets }) => {
    const scores = score(features, rows)
    return targets[scores.indexOf(Math.max(...scores))]! > 0
  })
  return found.length / 200
}

describe('fitListwise', () => {
  it('learns the distribution of the targets', async () => {
    // e^difference = 3 : 1.
    expect(await difference(problem([1, 0], [6, 2]))).toBeCloseTo(Math.log(3), 3)
    // The offset already contributes 2 : 1, which leaves 1.5 : 1.
    const offsets = Float64Array.of(Math.log(2), 0)
    expect(await difference(problem([1, 0], [3, 1], { offsets }))).toBeCloseTo(Math.log(1.5), 3)
  })

  it('gives the training rows scores whose mean is 0', async () => {
    const problems = sameSign(1, 50)
    const score = prepareScorer(
      await fitListwise(problems, { inputs: ['a', 'b'], hidden: 8, epochs: 20, seed: 4 }),
    )
    const scores = problems.flatMap(({ features, rows }) => [...score(features, rows)])
    expect(Math.max(...scores) - Math.min(...scores)).toBeGreaterThan(2)
    expect(mean(scores)).toBeCloseTo(0, 2)
  })

  it('skips problems without a target', async () => {
    const alone = await difference(problem([1, 0], [3, 1]))
    expect(await difference(problem([1, 0], [3, 1]), problem([5, -5], [0, 0]))).toBe(alone)
  })

  it('learns with hidden units a ranking that no linear scorer can express', async () => {
    expect(await accuracy(0)).toBeLessThan(0.6)
    expect(await accuracy(8)).toBeGreaterThan(0.98)
  })

  it('returns the same bytes for the same seed, and different ones for another seed', async () => {
    const bytes = async (seed: number): Promise<string> =>
      JSON.stringify(await fitListwise(sameSign(1, 20), { inputs: ['a', 'b'], hidden: 4, seed, maxRows: 4 }))
    const first = await bytes(1)
    expect(await bytes(1)).toBe(first)
    expect(await bytes(2)).not.toBe(first)
    // At most six digits and an exponent.
    for (const [, digits] of first.matchAll(/-?(\d[\d.]*)/g))
      expect(digits!.replace('.', '').replace(/^0+/, '').length).toBeLessThan(8)
  })

  it('keeps the rows with a target, the first of the others, and a sample of the rest', async () => {
    // The mean of the kept rows shows which were kept: the target is 1024, the others are powers of two in order.
    const features = [1, 2, 4, 8, 16, 1024, 32, 64]
    const targets = [0, 0, 0, 0, 0, 1, 0, 0]
    const kept = async (seed: number): Promise<number[]> => {
      const { mean } = await fitListwise([problem(features, targets)], {
        ...linear,
        epochs: 1,
        seed,
        maxRows: 4,
      })
      return features.filter((feature) => Math.round(4 * mean[0]!) & feature)
    }
    // Three places: two for the first rows, one for a sampled row.
    const chosen = await Promise.all([1, 2, 3, 4, 5, 6].map(kept))
    for (const rows of chosen) expect(rows).toHaveLength(4)
    for (const rows of chosen) expect(rows).toEqual(expect.arrayContaining([1, 2, 1024]))
    expect(new Set(chosen.flat()).size).toBeGreaterThan(4)
  })

  it('stops when it is aborted', async () => {
    const controller = new AbortController()
    const fit = fitListwise(sameSign(1, 200), {
      inputs: ['a', 'b'],
      epochs: 1e6,
      seed: 1,
      signal: controller.signal,
    })
    setImmediate(() => controller.abort())
    await expectError(fit, 'aborted')
    const late = fitListwise(sameSign(1, 1), { inputs: ['a', 'b'], seed: 1, signal: controller.signal })
    await expectError(late, 'aborted')
  })

  it.each([
    ['no problem', [], {}, ''],
    ['no target', [problem([1, 0], [0, 0])], {}, ''],
    ['features too few', [problem([1], [1, 0])], {}, /Problem 0 .*1 features/],
    ['targets too few', [problem([1, 0], [1], { rows: 2 })], {}, /Problem 0 .*1 targets/],
    ['a target below 0', [problem([1, 0], [1, -1])], {}, /Problem 0 .*target/],
    ['a feature that is NaN', [problem([1, Number.NaN], [1, 0])], {}, /Problem 0, row 1: a/],
    [
      'offsets too few',
      [problem([1, 0], [1, 0], { offsets: Float64Array.of(1) })],
      {},
      /Problem 0 .*1 offsets/,
    ],
    ['half an epoch', [problem([1, 0], [1, 0])], { epochs: 0.5 }, /epochs/],
    ['no batch', [problem([1, 0], [1, 0])], { batch: 0 }, /batch/],
  ])('rejects %s', async (_, problems, options, message) => {
    const fit = fitListwise(problems, { ...linear, ...options })
    await expectError(fit, 'bad-config', message)
  })
})
