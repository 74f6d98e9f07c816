import { describe, expect, it } from 'vitest'
import {
  generatorPenalty,
  rewriterPenalty,
  selectorLabel,
  selectorPenalty,
  sharedReward,
} from '../../../policies/mmoa-rag/rewards.ts'
import { expectError } from '../../support/expect-error.ts'
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

describe('what the Selector is taught, as in Figure 2', () => {
  const about = { question: 'Who is younger, Roustam Tariko or Dumitru Dediu?', answers: ['Roustam Tariko'] }
  const documents = [
    'Dumitru Dediu: a Romanian cosmonaut',
    'Roman Smishko: a goalkeeper who is retired',
    'Tariko, Roustam: founder of a vodka',
  ]

  it('is the documents with a word of the question or the answer', () =>
    expect(selectorLabel(documents, about)).toBe('Document0,Document2'))

  it('by option is those with a word of the answer', () =>
    expect(selectorLabel(documents, about, { of: 'answer' })).toBe('Document2'))

  it('by that option is those with a word of the question where the answer is yes or no', () => {
    const asked = { question: 'Is Dediu a goalkeeper?', answers: ['No.'] }
    expect(selectorLabel([...documents, 'no vodka'], asked, { of: 'answer' })).toBe('Document0,Document1')
  })

  it('by that option needs an answer', () =>
    expectError(
      () => selectorLabel(documents, { ...about, answers: [] }, { of: 'answer' }),
      'bad-config',
      'is 0',
    ))

  it('knows words by their whole, and none of one letter', () => {
    const man = { question: '', answers: ['a man, B'] }
    expect(selectorLabel(['a Romanian', 'the man', 'B'], man)).toBe('Document1')
    expect(selectorLabel(['a Romanian', 'the MAN!', 'B'], man, { of: 'answer' })).toBe('Document1')
  })

  it('is nothing, which has no penalty, where no document has a word', () => {
    expect(selectorLabel(documents, { question: 'What for?', answers: [] })).toBe('')
    expect(selectorPenalty('', 10)).toBe(0)
  })

  it('has no penalty', () => expect(selectorPenalty(selectorLabel(documents, about), 3)).toBe(0))
})

describe('the Generator', () => {
  it('is punished for more than 30 words', () => {
    expect(generatorPenalty('word '.repeat(30))).toBe(0)
    expect(0.8 + generatorPenalty('word '.repeat(31))).toBeCloseTo(0.3, 14)
    expect(0.8 + generatorPenalty('word '.repeat(31), { penalty: -1 })).toBeCloseTo(-0.2, 14)
  })

  it('is scored with blanks for punctuation, or without it by option', () => {
    expect(sharedReward('Answer: non-ferrous', ['non ferrous metal'])).toBe(0.8)
    expect(sharedReward('Answer: non-ferrous', ['non ferrous metal'], { normalization: 'squad' })).toBe(0)
  })

  it('is never paid for length', () =>
    expectError(() => generatorPenalty('', { penalty: 1 }), 'bad-config', /penalty/))
})
