import { describe, expect, it } from 'vitest'
import { searchedText, wellFormed } from '../../../../adapters/search/cluster/words.ts'

describe('searchedText', () => {
  it('leaves a text as it is that is not too long', () => {
    const text = '  Who wrote “Nostromo”, and when? 🎶 東京 👩‍🚀 نمی‌خواهم  '
    expect(searchedText(text, 1000)).toBe(text)
  })

  it('cuts after so many words', () => {
    expect(searchedText('one, two three-four five', 3)).toBe('one, two three')
    expect(searchedText('one two three', 3)).toBe('one two three')
  })

  it('counts each character of scripts without spaces', () => {
    expect(searchedText('東京の天気 today and tomorrow', 6)).toBe('東京の天気 today')
  })

  it('replaces halves of surrogate pairs and takes away joiners that join nothing', () => {
    expect(searchedText('\ud83d oboe \udc00', 9)).toBe('\ufffd oboe \ufffd')
    expect(searchedText('OBOE\u200d \u200dfagott', 9)).toBe('OBOE \u200dfagott')
  })
})

it('wellFormed keeps whole pairs', () => {
  expect(wellFormed('🎶\ud83d')).toBe('🎶\ufffd')
})
