import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipGradient, clipLoss } from '../../src/training/advantage.ts'
import {
  generalizedAdvantages,
  nextBeta,
  ppoClip,
  terminalReward,
  valueLoss,
} from '../../src/training/ppo.ts'
import { expectError } from '../support/expect-error.ts'
import { golden } from '../support/golden.ts'

const { mmoa } = golden

describe('the clipped loss of PPO', () => {
  it.each([
    { advantage: 1, ratio: 1.28, loss: -1.2 },
    { advantage: 1, ratio: 0.5, loss: -0.5 },
    { advantage: -1, ratio: 0.5, loss: 0.8 },
    // Without a dual clip nothing bounds the loss of a bad action that has become likely.
    { advantage: -1, ratio: 100, loss: 100 },
    { advantage: 0, ratio: 100, loss: 0 },
  ])('of A = $advantage, ratio $ratio is $loss', ({ advantage, ratio, loss }) =>
    expect(clipLoss(advantage, ratio, ppoClip)).toBeCloseTo(loss, 14),
  )

  it('goes on pushing where the dual clip would not', () => expect(clipGradient(-1, 100, ppoClip)).toBe(100))
})

describe('the reward at the last token, eq. 16', () => {
  it.each(mmoa.terminalReward)('R = $R, β = $beta: $expected', ({ R, beta, logRatio, expected }) =>
    expect(terminalReward(R, { beta, logRatio })).toBeCloseTo(expected, 14),
  )

  it('refuses a negative β', () =>
    expectError(() => terminalReward(1, { beta: -0.1, logRatio: 1 }), 'bad-config', /beta/))
})

describe('β', () => {
  it.each([
    // At most a fifth in 10,000 answers, however far from the target of 6.
    { beta: 0.2, kl: 600, answers: 10_000, next: 0.24 },
    { beta: 0.2, kl: 0, answers: 10_000, next: 0.16 },
    { beta: 0.2, kl: 6, answers: 10_000, next: 0.2 },
    // (6.6 / 6 − 1) · 5,000 / 10,000 = 0.05.
    { beta: 0.2, kl: 6.6, answers: 5_000, next: 0.21 },
    { beta: 0.061, kl: 0, answers: 10_000, next: 0.06 },
  ])('$beta becomes $next at a divergence of $kl', ({ beta, kl, answers, next }) =>
    expect(nextBeta(beta, { kl, answers })).toBeCloseTo(next, 14),
  )

  it('has bounds, a target and a horizon by option', () => {
    const far = { kl: 600, answers: 10_000 }
    expect(nextBeta(0.2, far, { most: 0.2 })).toBe(0.2)
    expect(nextBeta(0.06, { kl: 0, answers: 10_000 }, { least: 0.05 })).toBe(0.05)
    expect(nextBeta(0.2, { kl: 1, answers: 100 }, { target: 1, horizon: 1 })).toBe(0.2)
    expect(nextBeta(0.2, far, { horizon: 40_000 })).toBeCloseTo(0.21, 14)
  })

  it('never leaves its bounds', () => {
    const answered = fc.record({
      kl: fc.double({ min: -5, max: 100, noNaN: true }),
      answers: fc.integer({ min: 0, max: 1024 }),
    })
    fc.assert(
      fc.property(fc.array(answered, { maxLength: 200 }), (steps) => {
        let beta = 0.2
        for (const step of steps) {
          beta = nextBeta(beta, step, { most: 0.2 })
          expect(beta).toBeGreaterThanOrEqual(0.06)
          expect(beta).toBeLessThanOrEqual(0.2)
        }
      }),
    )
  })

  it.each([{ target: 0 }, { horizon: 0 }, { least: -1 }, { most: 0.01 }])('refuses %s', (options) =>
    expectError(() => nextBeta(0.2, { kl: 1, answers: 1 }, options), 'bad-config', Object.keys(options)[0]),
  )
})

describe('generalized advantages, eq. 14 and 15', () => {
  it('are those of the example', () => {
    const { gamma, lambda, V, r, A, returns } = mmoa.gae
    const estimates = generalizedAdvantages(r, V, { gamma, lambda })
    for (const [token, advantage] of A.entries()) {
      expect(estimates.advantages[token]).toBeCloseTo(advantage, 14)
      expect(estimates.returns[token]).toBeCloseTo(returns[token]!, 14)
    }
    expect(generalizedAdvantages(r, V)).toEqual(estimates)
  })

  const anyTokens = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })))

  it('with λ = γ = 1 are what is still to come, less the value', () => {
    fc.assert(
      fc.property(anyTokens, (tokens) => {
        const rewards = tokens.map(([reward]) => reward)
        const values = tokens.map(([, value]) => value)
        const { returns } = generalizedAdvantages(rewards, values, { lambda: 1 })
        expect(returns).toEqual(
          rewards.map((_, token) => rewards.slice(token).reduce((sum, reward) => sum + reward, 0)),
        )
      }),
    )
  })

  it('with λ = 0 are the surprise of one token', () => {
    fc.assert(
      fc.property(anyTokens, (tokens) => {
        const { advantages } = generalizedAdvantages(
          tokens.map(([reward]) => reward),
          tokens.map(([, value]) => value),
          { lambda: 0 },
        )
        const surprises = tokens.map(
          ([reward, value], token) => reward + (tokens[token + 1]?.[1] ?? 0) - value,
        )
        for (const [token, surprise] of surprises.entries())
          expect(advantages[token]).toBeCloseTo(surprise, 12)
      }),
    )
  })

  it('refuses what does not fit', () => {
    expectError(() => generalizedAdvantages([1], [1, 2]), 'bad-config', /2\b.*\b1\b/)
    expectError(() => generalizedAdvantages([1], [1], { gamma: 2 }), 'bad-config', /gamma/)
    expectError(() => generalizedAdvantages([1], [1], { lambda: -1 }), 'bad-config', /lambda/)
  })
})

describe("the critic's loss, eq. 17", () => {
  it.each(mmoa.valueClip)('V = $V, V_old = $Vold, T = $target: $loss', ({ V, Vold, eps, target, loss }) => {
    expect(valueLoss({ value: V, old: Vold, target }, { epsilon: eps })).toBeCloseTo(loss, 14)
    expect(valueLoss({ value: V, old: Vold, target })).toBeCloseTo(loss, 14)
  })

  it("is the squared error with ε = ∞, C-3PO's eq. 10", () =>
    expect(valueLoss({ value: 3, old: 0, target: 1 }, { epsilon: Number.POSITIVE_INFINITY })).toBe(4))

  it('refuses a negative ε', () =>
    expectError(() => valueLoss({ value: 1, old: 1, target: 1 }, { epsilon: -1 }), 'bad-config', /epsilon/))
})
