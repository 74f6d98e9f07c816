import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { corpusShares } from '../../../../policies/local/training/corpus-shares.ts'

const learned = (corpora: readonly string[], networks: number, least = 1): string[] =>
  corpusShares(corpora, { networks, least }).map((learnsFrom) => corpora.filter(learnsFrom).join(''))

describe('corpusShares', () => {
  it('deals the corpora out, in turn', () => expect(learned([...'abcd'], 3)).toEqual(['bc', 'acd', 'abd']))

  it('lets all networks learn from all, if there are fewer corpora than networks', () =>
    expect(learned([...'ab'], 3)).toEqual(['ab', 'ab', 'ab']))

  it('lets all networks learn from all, if one would have too few examples', () => {
    expect(learned([...'aaabc'], 3, 2)).toEqual(['bc', 'aaac', 'aaab'])
    expect(learned([...'aaabc'], 3, 3)).toEqual(['aaabc', 'aaabc', 'aaabc'])
  })

  it('keeps a corpus from one network, however often it is named, and leaves every network something', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'abcdefgh'), { minLength: 1 }),
        fc.integer({ min: 2, max: 6 }),
        (corpora, networks) => {
          const shares = corpusShares(corpora, { networks, least: 1 })
          const isDealt = new Set(corpora).size >= networks
          expect(shares).toHaveLength(networks)
          for (const corpus of corpora)
            expect(shares.filter((learnsFrom) => !learnsFrom(corpus))).toHaveLength(isDealt ? 1 : 0)
          for (const learnsFrom of shares) expect(corpora.some(learnsFrom)).toBe(true)
        },
      ),
    ))
})
