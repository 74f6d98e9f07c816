import { describe, expect, it } from 'vitest'
import { answerF1, answerTokens, exactMatch } from '../../src/text/answer.ts'

describe('answerF1', () => {
  it.each([
    ['Barack Obama', 'barack obama', 1],
    // P = 2/3, R = 1.
    ['Barack Hussein Obama', 'Barack Obama', (2 * (2 / 3) * 1) / (2 / 3 + 1)],
    // The article is removed: P = 1, R = 1/2.
    ['the Obama', 'Barack Obama', (2 * 1 * (1 / 2)) / (1 + 1 / 2)],
    ['yes', 'no', 0],
    ['New York City', 'New York', 4 / 5],
    // Words count as often as they occur: P = 1/2, R = 1.
    ['Paris, Paris', 'Paris', 2 / 3],
    ['non-ferrous', 'non ferrous metal', 0],
    ['', '', 1],
    ['the', 'Paris', 0],
  ])('%j for %j', (answer, expected, f1) => {
    expect(answerF1(answer, [expected])).toBeCloseTo(f1, 15)
  })

  it('replaces punctuation with spaces if asked to', () => {
    expect(answerF1('non-ferrous', ['non ferrous metal'], 'space')).toBeCloseTo(4 / 5, 15)
  })

  it('takes the best of several expected answers, and 0 for none', () => {
    expect(answerF1('Obama', ['Barack Obama', 'Obama'])).toBe(1)
    expect(answerF1('Obama', [])).toBe(0)
  })
})

describe('exactMatch', () => {
  it('compares normalized answers', () => {
    expect(exactMatch(' The  Eiffel-Tower!', ['Big Ben', 'eiffeltower'])).toBe(1)
    expect(exactMatch('The Eiffel-Tower', ['eiffel tower'], 'space')).toBe(1)
    expect(exactMatch('The Eiffel-Tower', ['eiffel tower'])).toBe(0)
    expect(exactMatch('x', [])).toBe(0)
  })
})

describe('answerTokens', () => {
  it('drops articles as whole words of any script only', () => {
    expect(answerTokens('An éa the—cat théa A.')).toEqual(['éa', '—cat', 'théa'])
  })
})
