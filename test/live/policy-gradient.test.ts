import { describe, expect, it } from 'vitest'
import type { ChoiceEpoch } from '../../policies/local/training/choice-epoch.ts'
import type { ChoiceProblem } from '../../policies/local/training/choice-learner.ts'
import type { ChoiceOptions } from '../../policies/local/training/policy-gradient.ts'
import { createRandom, permutation } from '../../src/learn/random.ts'
import { prepareScorer, type Scorer } from '../../src/learn/scorer.ts'
import {
  actions,
  drawWorld,
  inputsOf,
  toProblems,
  trainOn,
  type WorldQuery,
} from '../support/choice-world.ts'
import { expectError } from '../support/expect-error.ts'

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The likeliest action's Stage II reward, on average. */
function achieved(scorer: Scorer, problems: readonly ChoiceProblem[]): number {
  const score = prepareScorer(scorer)
  return mean(
    problems.map(({ features, actions: count, reward }) => {
      const scores = score(features, count)
      return reward(scores.indexOf(Math.max(...scores)), 2)
    }),
  )
}

describe('in a world of three types of query', () => {
  const training = drawWorld('train', 300, 1)
  const heldOut = drawWorld('held out', 300, 2)
  const ofAction = (world: readonly WorldQuery[], action: number): number =>
    mean(world.map(({ stageTwo }) => stageTwo[actions[action]!]!))
  const all = [...actions.keys()]
  const fixed = all.reduce((best, action) =>
    ofAction(training, action) > ofAction(training, best) ? action : best,
  )
  const baseline = {
    uniform: mean(all.map((action) => ofAction(heldOut, action))),
    fixed: ofAction(heldOut, fixed),
    oracle: mean(heldOut.map(({ stageTwo }) => Math.max(...actions.map((set) => stageTwo[set]!)))),
  }
  const train = async (cues: number, problems = toProblems(training, cues)): Promise<number> => {
    const { scorer } = await trainOn(problems, { inputs: inputsOf(cues), seed: 1 })
    return achieved(scorer, toProblems(heldOut, cues))
  }

  it('decides better than any one decision for all, and nearly as well as can be', async () => {
    const [seeing, blind] = [await train(4), await train(1)]
    expect(blind).toBeGreaterThan(baseline.uniform)
    expect(blind).toBeLessThanOrEqual(baseline.fixed + 0.05)
    expect(seeing).toBeGreaterThan(Math.max(blind, baseline.fixed) + 0.1)
    expect(seeing).toBeGreaterThan(0.9 * baseline.oracle)
  })

  it('learns nothing from rewards that were dealt to other actions', async () => {
    const random = createRandom(9)
    const shuffled = toProblems(training, 4).map((problem) => {
      const order = permutation(actions.length, random)
      return { ...problem, reward: (action: number, stage: 1 | 2) => problem.reward(order[action]!, stage) }
    })
    expect(await train(4, shuffled)).toBeLessThan(baseline.fixed)
  })

  it('learns which decision is best for all, but none for a query, from rewards of other queries', async () => {
    const order = permutation(training.length, createRandom(9))
    const shuffled = toProblems(training, 4).map((problem, index) => {
      const other = training[order[index]!]!
      return {
        ...problem,
        reward: (action: number, stage: 1 | 2) =>
          (stage === 1 ? other.stageOne : other.stageTwo)[actions[action]!]!,
      }
    })
    expect(await train(4, shuffled)).toBeLessThan(baseline.fixed + 0.05)
  })
})

describe('trainPrepared', () => {
  const inputs = inputsOf(4)
  const world = drawWorld('small', 40, 3)
  /** With a measurement before either stage. */
  const options: ChoiceOptions = {
    inputs,
    hidden: 2,
    batch: 8,
    seed: 5,
    curriculum: { stageOneEpochs: 2, stageTwoEpochs: 2, retain: 0.9, maxZeroVariance: 1 },
  }

  it('gives the same bytes for the same seed, and others for another', async () => {
    const bytes = async (seed: number): Promise<string> =>
      JSON.stringify(await trainOn(toProblems(world, 4), { ...options, seed }))
    const first = await bytes(5)
    expect(await bytes(5)).toBe(first)
    expect(await bytes(6)).not.toBe(first)
  })

  it('begins undecided, and decides', async () => {
    const told: ChoiceEpoch[] = []
    const sizes: number[] = []
    const { curve, log } = await trainOn(toProblems(world, 4), {
      ...options,
      onEpoch: (epoch, snapshot) => {
        told.push(epoch)
        sizes.push(snapshot().hidden.length)
      },
    })
    expect(told).toEqual(curve)
    expect(sizes).toEqual([2, 2, 2, 2])
    expect(curve.map(({ stage, epoch }) => `${stage}.${epoch}`)).toEqual(['1.1', '1.2', '2.1', '2.2'])
    const entropies = curve.map(({ entropy }) => entropy)
    expect(entropies).toEqual([...entropies].sort((a, b) => b - a))
    expect(entropies[0]).toBeLessThan(Math.log(actions.length))
    // 5 sets of one candidate, 10 of two and 10 of three are 2.2 on average; Stage I has no price on more.
    expect(curve[1]!.expectedSize).toBeGreaterThan(2.2)
    expect(log.filter(({ type }) => type === 'filter')).toHaveLength(2)
  })

  it('learns with hidden units what a linear policy cannot', async () => {
    // Two signs a query, and two actions: the second is right where the signs are the same.
    const random = createRandom(1)
    const problems = Array.from({ length: 200 }, (_, index): ChoiceProblem => {
      const [a, b] = [2 * random.integer(2) - 1, 2 * random.integer(2) - 1]
      return {
        qid: String(index),
        actions: 2,
        features: Float32Array.of(0, a, b, 1, a, b),
        reward: (action) => ((a === b) === (action === 1) ? 1 : 0),
      }
    })
    const accuracy = async (hidden: number): Promise<number> => {
      const curriculum = { stageOneEpochs: 0, stageTwoEpochs: 15 }
      const { scorer } = await trainOn(problems, {
        inputs: ['action', 'a', 'b'],
        hidden,
        seed: 2,
        curriculum,
      })
      return achieved(scorer, problems)
    }
    expect(await accuracy(0)).toBeLessThan(0.6)
    expect(await accuracy(8)).toBe(1)
  })

  it('does not forget the first action, which is right for a few, where it pays to stay near it', async () => {
    // Stage I teaches every query that the first action is the worst; Stage II has one query in ten for which it is the best.
    const problems = Array.from({ length: 200 }, (_, index): ChoiceProblem => {
      const isRare = index % 10 === 0
      const rows = Array.from({ length: 10 }, (_, action) => [action === 0, action === 0 && isRare])
      return {
        qid: String(index),
        actions: 10,
        features: Float32Array.from(rows.flat(), Number),
        reward: (action, stage) => (action > 0 ? 0.5 + action / 100 : isRare && stage === 2 ? 1 : 0),
      }
    })
    const rare = problems.filter((_, index) => index % 10 === 0)
    const shareOfFirst = async (kl: number): Promise<number> => {
      const curriculum = { stageOneEpochs: 10, stageTwoEpochs: 20, filter: false, maxZeroVariance: 1 }
      const { scorer } = await trainOn(problems, {
        inputs: ['first', 'first of the rare'],
        kl,
        seed: 1,
        curriculum,
      })
      const score = prepareScorer(scorer)
      return mean(rare.map(({ features }) => (score(features, 10)[0]! > score(features, 10)[1]! ? 1 : 0)))
    }
    expect(await shareOfFirst(0)).toBe(0)
    expect(await shareOfFirst(0.003)).toBe(1)
  })

  it('leaves the policy as it was when all actions earn the same', async () => {
    const problems = toProblems(world, 4).map((problem) => ({ ...problem, reward: () => 1 }))
    const { scorer, log, curve } = await trainOn(problems, { inputs, seed: 1 })
    expect(new Set(scorer.skip)).toEqual(new Set([0]))
    expect(curve.map(({ zeroVariance }) => zeroVariance)).toEqual([1, 1])
    expect(log.filter(({ type }) => type === 'end')).toMatchObject([
      { reason: 'no-variance' },
      { reason: 'no-variance' },
    ])
  })

  it.each<[string, readonly ChoiceProblem[], Partial<ChoiceOptions>, string]>([
    ['no queries', [], {}, 'queries'],
    ['a query twice', toProblems([world[0]!, world[0]!], 4), {}, '"small 0"'],
    ['features too few', toProblems(world, 3), {}, '"small 0" has 600 features'],
    [
      'a reward that is none',
      toProblems(world, 4).map((problem) => ({ ...problem, reward: () => Number.NaN })),
      {},
      'NaN',
    ],
    ['no rollouts', toProblems(world, 4), { rollouts: 0 }, 'rollouts'],
    ['half a batch', toProblems(world, 4), { batch: 0.5 }, 'batch'],
    ['a divergence below 0', toProblems(world, 4), { kl: -1 }, 'kl'],
    ['an entropy below 0', toProblems(world, 4), { entropy: -1 }, 'entropy'],
    ['a share above 1', toProblems(world, 4), { curriculum: { retain: 2 } }, 'retain'],
  ])('refuses %s', async (_, problems, changes, message) => {
    const trained = trainOn(problems, { ...options, ...changes })
    await expectError(trained, 'bad-config', message)
  })
})
