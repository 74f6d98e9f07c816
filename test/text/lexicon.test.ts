import { expect, it } from 'vitest'
import { createLexicon } from '../../src/text/lexicon.ts'
import { parseText } from '../../src/text/parse-text.ts'

it.each([
  ['Bridges', 'bridg'],
  ['bridges', 'bridg'],
  ['Ponomaryová', 'ponomaryova'],
  // The sign becomes capitals after the word became lower case. Policies were trained with such stems.
  ['Watson™', 'watsonTM'],
])('has for %s the stem %s, whatever was read before', (word, stem) => {
  for (const before of ['', 'bridges ponomaryova watsontm watsonTM. ']) {
    const lexicon = createLexicon(() => 1)
    const { stems } = parseText(`${before}${word}`, lexicon)
    expect(lexicon.stemText(stems.at(-1)!)).toBe(stem)
  }
})

it.each(["Jack Daniel's", 'Jack Daniel’s', "JACK DANIEL'S", "Jack Daniel's whiskey"])(
  'has no word for the possessive of %s',
  (text) => {
    const lexicon = createLexicon(() => 1)
    const stems = [...parseText(text, lexicon).stems].map((stem) => lexicon.stemText(stem))
    expect(stems.slice(0, 2)).toEqual(['jack', 'daniel'])
    expect(stems).not.toContain('s')
  },
)
