/** Misspelled words are read as the words that the engine found for them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asFound } from '../../../../../adapters/apps/drop-in/rank/spelling.ts'

const documents = [
  'The suspension bridge over the strait opened in 1932.',
  'Bridges of the harbor, and ferries',
].map((text, place) => ({ docid: String(place), title: place === 0 ? 'Sydney' : 'Naïve crossings', text }))

describe('asFound', () => {
  it.each([
    ['who opened the brigde', 'who opened the bridge'],
    ['suspesion bridge', 'suspension bridge'],
    ['suspesino bridge', 'suspension bridge'],
    ['Sidney harbour', 'sydney harbor'],
    ['naive crosing', 'naive crossings'],
  ])('reads %j as %j', (query, text) => expect(asFound(query, documents)).toBe(text))

  it.each([
    ['words that documents have', 'who opened bridges over the STRAIT'],
    ['other forms of them', 'opening ferry'],
    ['words that are near none', 'cathedral organ'],
    ['short words', 'of iz 12'],
    ['words with two slips of five letters', 'strrt'],
  ])('leaves %s', (_, query) => expect(asFound(query, documents)).toBe(query))

  it.each(['die', 'skies', 'possible', 'early', 'hoped', 'cries'])('knows %s by another form', (word) => {
    const text = 'Dying under the sky: a possibility, earlier, of hoping. Why cry?'
    expect(asFound(word, [{ docid: 'a', text }])).toBe(word)
  })

  it('leaves any query where there is nothing to read', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (query) => {
        expect(asFound(query, [])).toBe(query)
      }),
    ))

  it('compares ten words at most', () =>
    expect(asFound('brigde '.repeat(11), documents)).toBe(`${'bridge '.repeat(10)}brigde `))
})
