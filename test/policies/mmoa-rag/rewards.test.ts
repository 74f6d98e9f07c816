import { describe, expect, it } from 'vitest'
import {
  generatorPenalty,
  rewriterPenalty,
  selectorPenalty,
  sharedReward,
} from '../../../policies/mmoa-rag/rewards.ts'
import { golden } from '../../support/golden.ts'

const { mmoa } = golden
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}?`)

describe('the Query Rewriter', () => {
  it('is punished for more than four, and for long ones by option', () => {
    expect(rewriterPenalty(numbered(4))).toBe(0)
    // F1 of 0.8, five sub-questions.
    expect(0.8 + rewriterPenalty(numbered(5))).toBeCloseTo(0.3, 14)
    expect(rewriterPenalty(['x'.repeat(301)])).toBe(0)
    expect(rewriterPenalty(['x'.repeat(301)], { maxCharacters: 300 })).toBe(-0.5)
    expect(rewriterPenalty(['x'.repeat(300)], { maxCharacters: 300 })).toBe(0)
  })
})

describe('the Selector', () => {
  it.each(mmoa.selectorPenalty)('"$out" of $K documents: $P', ({ out, K, P }) =>
    expect(selectorPenalty(out, K)).toBe(P),
  )
})

describe('the Generator', () => {
  it('is punished for more than 30 words', () => {
    expect(generatorPenalty('word '.repeat(30))).toBe(0)
    expect(0.8 + generatorPenalty('word '.repeat(31))).toBeCloseTo(0.3, 14)
  })

  it('is scored with blanks for punctuation, or without it by option', () => {
    expect(sharedReward('Answer: non-ferrous', ['non ferrous metal'])).toBe(0.8)
    expect(sharedReward('Answer: non-ferrous', ['non ferrous metal'], { normalization: 'squad' })).toBe(0)
  })
})
