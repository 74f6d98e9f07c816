/** Texts that differ by one slip of the keyboard. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTypoOf } from '../../../../policies/local/rerank/known-item.ts'

describe('one slip', () => {
  it.each([
    ['Simon mAmann', 'Simon Ammann'],
    ['Simon Amman', 'Simon Ammann'],
    ['Simon Ammannn', 'Simon Ammann'],
    ['Simon Ammenn', 'Simon Ammann'],
    ['Fair Game 1(995 film)', 'Fair Game (1995 film)'],
    ['zürihc see', 'Zürich See'],
    ['Up', 'up!'],
  ])('%s: %s', (typed, title) => expect(isTypoOf(typed, title)).toBe(true))

  it.each([
    ['two slips', 'Smion mAmann', 'Simon Ammann'],
    ['another year', 'Texas Rangers 2014', 'Texas Rangers 2015'],
    ['a digit more', 'Apollo 1', 'Apollo 11'],
    ['too short', 'Cats', 'Cast'],
    ['exchanged, but not neighbors', 'aimon Smmann', 'Simon Ammann'],
    ['nothing', '', ''],
    ['only signs', '?!', '…'],
  ])('not for %s', (_, typed, title) => expect(isTypoOf(typed, title)).toBe(false))

  it('whichever is which, and for every exchange of two neighboring letters', () => {
    const words = fc.stringMatching(/^[a-z]{6,12}$/)
    fc.assert(
      fc.property(words, fc.nat({ max: 10 }), (word, drawn) => {
        const at = drawn % (word.length - 1)
        const typed = `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`
        expect(isTypoOf(typed, word)).toBe(true)
        expect(isTypoOf(word, typed)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(words, words, (one, other) => {
        expect(isTypoOf(one, other)).toBe(isTypoOf(other, one))
      }),
    )
  })
})
