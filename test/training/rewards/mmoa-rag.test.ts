import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allocateDocuments,
  finalAnswer,
  generalisedAdvantages,
  generatorPenalty,
  parseSubQuestions,
  rewriterPenalty,
  searchedSubQuestions,
  selectorPenalty,
  sharedReward,
  terminalReward,
  valueLoss,
} from '../../../src/training/rewards/mmoa-rag.ts'
import { golden } from '../golden.ts'

const { mmoa } = golden
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}?`)

describe('the Query Rewriter', () => {
  it.each(Object.entries(mmoa.docAllocationK10))('%s sub-questions have %j documents', (count, documents) =>
    expect(allocateDocuments(Number(count))).toEqual(documents),
  )

  it('has one sub-question a line', () => expect(parseSubQuestions(' a?\n\nb?\r\n')).toEqual(['a?', 'b?']))

  it.each([
    [0, ['q']],
    [4, ['0?', '1?', '2?', '3?']],
    [8, ['0?', '1?', '2?', '3?']],
    [9, ['q']],
  ])('of %i are searched %j', (count, searched) =>
    expect(searchedSubQuestions(numbered(count), 'q')).toEqual(searched),
  )

  it('is punished for more than four, and for long ones by option', () => {
    expect(rewriterPenalty(numbered(4))).toBe(0)
    // F1 of 0.8, five sub-questions.
    expect(0.8 + rewriterPenalty(numbered(5))).toBeCloseTo(0.3, 14)
    expect(rewriterPenalty(['x'.repeat(301)])).toBe(0)
    expect(rewriterPenalty(['x'.repeat(301)], { mostCharacters: 300 })).toBe(-0.5)
    expect(rewriterPenalty(['x'.repeat(300)], { mostCharacters: 300 })).toBe(0)
  })
})

it.each(mmoa.selectorPenalty)('the Selector’s "$out" of $K documents: $P', ({ out, K, P }) =>
  expect(selectorPenalty(out, K)).toBe(P),
)

describe('the Generator', () => {
  it('is punished for more than 30 words', () => {
    expect(generatorPenalty('word '.repeat(30))).toBe(0)
    expect(0.8 + generatorPenalty('word '.repeat(31))).toBeCloseTo(0.3, 14)
    expect(0.8 + generatorPenalty('word '.repeat(31), { penalty: -1 })).toBeCloseTo(-0.2, 14)
  })

  it.each([
    ['So it is.\n\nAnswer: **Paris**', 'Paris'],
    ['The answer is: Paris', 'Paris'],
    ['Paris', 'Paris'],
    ['', ''],
  ])('answers %j with %j', (output, answer) => expect(finalAnswer(output)).toBe(answer))

  it('is scored with blanks for punctuation', () =>
    expect(sharedReward('Answer: non-ferrous', ['non ferrous metal'])).toBe(0.8))
})

describe('learning', () => {
  it.each(mmoa.terminalReward)('eq. 16: R = $R, β = $beta: $expected', ({ R, beta, logRatio, expected }) =>
    expect(terminalReward(R, { beta, logRatio })).toBeCloseTo(expected, 14),
  )

  it('eq. 14 and 15', () => {
    const { gamma, lambda, V, r, A, returns } = mmoa.gae
    const estimates = generalisedAdvantages(r, V, { gamma, lambda })
    for (const [token, advantage] of A.entries()) {
      expect(estimates.advantages[token]).toBeCloseTo(advantage, 14)
      expect(estimates.returns[token]).toBeCloseTo(returns[token]!, 14)
    }
    expect(generalisedAdvantages(r, V)).toEqual(estimates)
  })

  it('eq. 14 with λ = γ = 1 is what is still to come, less the value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))),
        (tokens) => {
          const rewards = tokens.map(([reward]) => reward)
          const { returns } = generalisedAdvantages(
            rewards,
            tokens.map(([, value]) => value),
            { lambda: 1 },
          )
          expect(returns).toEqual(
            rewards.map((_, token) => rewards.slice(token).reduce((sum, reward) => sum + reward, 0)),
          )
        },
      ),
    )
  })

  it.each(mmoa.valueClip)(
    'eq. 17: V = $V, V_old = $Vold, T = $target: $loss',
    ({ V, Vold, eps, target, loss }) =>
      expect(valueLoss({ value: V, old: Vold, target }, { epsilon: eps })).toBeCloseTo(loss, 14),
  )
})
