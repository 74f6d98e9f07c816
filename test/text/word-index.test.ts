import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLexicon } from '../../src/text/lexicon.ts'
import { hashOf, scan } from '../../src/text/scan.ts'
import { createWordIndex } from '../../src/text/word-index.ts'

const whole = (word: string): [string, number, number, number] => [
  word,
  0,
  word.length,
  hashOf(word, 0, word.length),
]

describe('createWordIndex', () => {
  it('has what a Map has, wherever in a text the word is', () => {
    const words = fc.array(fc.string({ minLength: 1 }).filter((word) => !word.includes('\0')))
    fc.assert(
      fc.property(words, fc.string(), (added, around) => {
        const index = createWordIndex()
        const ids = new Map<string, number>()
        for (const word of added) {
          const hash = hashOf(word, 0, word.length)
          const text = around + word + around
          const id = index.idAt(index.find(text, around.length, around.length + word.length, hash))
          expect(id).toBe(ids.get(word) ?? -1)
          if (id !== -1) continue
          expect(index.add(word, hash)).toBe(ids.size)
          index.note(word, hash, ids.size * 7)
          ids.set(word, ids.size)
        }
        for (const [word, id] of ids) expect(index.noteAt(index.find(...whole(word)))).toBe(id * 7)
      }),
    )
  })

  it('tells words of one hash apart, and a word from its beginning', () => {
    // 31 · 'A' + 'a' = 31 · 'B' + 'B'.
    const [one, other] = ['Aa', 'BB'].map(whole)
    expect(one![3]).toBe(other![3])
    const index = createWordIndex()
    index.add('Aa', one![3])
    expect(index.idAt(index.find(...other!))).toBe(-1)
    index.add('BB', other![3])
    expect(index.idAt(index.find(...one!))).toBe(0)
    expect(index.idAt(index.find(...other!))).toBe(1)
    // With the hash of the longer word.
    expect(index.idAt(index.find('A', 0, 1, one![3]))).toBe(-1)
    expect(index.idAt(index.find('Aab', 0, 3, one![3]))).toBe(-1)
  })

  it('keeps ids and notes while it grows', () => {
    const index = createWordIndex()
    const words = Array.from({ length: 50_000 }, (_, place) => `word${place}`)
    for (const [id, word] of words.entries()) {
      const hash = hashOf(word, 0, word.length)
      index.add(word, hash)
      index.note(word, hash, 7 * id)
    }
    const places = words.map((word) => index.find(...whole(word)))
    expect(places.map((place) => index.idAt(place))).toEqual(words.map((_, id) => id))
    expect(places.map((place) => index.noteAt(place))).toEqual(words.map((_, id) => 7 * id))
  })
})

it('a lexicon gives a word the same facts in every text, new or known', () => {
  const lexicon = createLexicon(() => 1)
  const ids = ['Ernst', 'ernst'].map((word) => {
    const facts = { words: new Int32Array(1), stems: new Int32Array(1), flags: new Uint8Array(1) }
    lexicon.read(word, scan(word), facts)
    const [id, stem, flags] = [facts.words[0]!, facts.stems[0]!, facts.flags[0]!]
    expect([stem, flags]).toEqual([lexicon.stem(id), lexicon.flags(id)])
    return id
  })
  expect(lexicon.lower(ids[0]!)).toBe(ids[1])
})
