/** When two texts are the same search. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decisionOf, searchKey, withFewNew, withoutRepeats } from '../src/dedupe.ts'

/** Few letters and much white space, so that repeats are common. */
const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', ' ', '\t', '\n'), maxLength: 6 })
const texts = fc.array(text, { maxLength: 8 })
const subQueriesOf = (all: readonly string[]) => all.map((one, place) => ({ text: one, place }))

describe('searchKey', () => {
  it.each([
    ['Who built it', 'who built it'],
    ['  who \t built\nit ', 'who built it'],
    ['ÉTÉ', 'été'],
    [' ', ''],
    // Punctuation may matter to an engine, so it stays.
    ['who?', 'who?'],
  ])('of %j is %j', (one, key) => expect(searchKey(one)).toBe(key))

  it('is its own key', () => {
    const isOwnKey = (one: string): boolean => searchKey(searchKey(one)) === searchKey(one)
    fc.assert(fc.property(text, isOwnKey))
  })
})

it('withFewNew keeps what was searched, and the first of what was not', () => {
  const given = ['c', 'a', 'B', 'C ', 'd', 'b']
  expect(withFewNew(given, ['A', 'x'], 0)).toEqual(['a'])
  expect(withFewNew(given, ['A', 'x'], 1)).toEqual(['c', 'a', 'C '])
  expect(withFewNew(given, ['A', 'x'], 2)).toEqual(['c', 'a', 'B', 'C ', 'b'])
  expect(withFewNew(given, [], 15)).toEqual(given)
})

describe('withoutRepeats', () => {
  it('keeps the first of each, with everything that it has', () => {
    const [first, other] = [
      { text: 'Who', from: 'd1' },
      { text: 'when', from: 'd3' },
    ]
    expect(withoutRepeats([first, { text: ' who ', from: 'd2' }, other])).toEqual([first, other])
  })

  it('leaves out blank texts', () => expect(withoutRepeats(subQueriesOf(['', ' \n', 'a']))).toHaveLength(1))

  it('keeps every search once, in its order, and changes none', () =>
    fc.assert(
      fc.property(texts, (all) => {
        const given = subQueriesOf(all)
        const kept = withoutRepeats(given)
        const keys = kept.map((one) => searchKey(one.text))
        expect(new Set(keys)).toEqual(new Set(all.map(searchKey).filter((key) => key !== '')))
        expect(keys).toHaveLength(new Set(keys).size)
        expect(kept).toEqual(given.filter((one) => kept.includes(one)))
        expect(withoutRepeats(kept)).toEqual(kept)
      }),
    ))
})

describe('decisionOf', () => {
  it.each([
    ['as-is', []],
    ['as-is', ['who']],
    ['as-is', [' WHO ', 'who']],
    ['rewrite', ['who is it']],
    ['decompose', ['who is it', 'when']],
    ['decompose', ['who', 'when']],
  ] as const)('is %s for the texts %j', (kind, all) => expect(decisionOf('who', all)).toBe(kind))
})
