import { describe, expect, it } from 'vitest'
import { nearFeatures, prepareNear } from '../../../../policies/local/rerank/near-features.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { nearWords } from '../../../../src/text/near-words.ts'
import { createReader } from '../../../../src/text/reader.ts'

/** Every stem weighs the same. */
const terms = { documents: 9, stems: {} }
const [movie, husband] = [likeness('film', 'movi'), likeness('wife', 'husband')]

/** From the file: this test does not say how near they are, but that they are. */
function likeness(stem: string, other: string): number {
  return nearWords(stem).find((word) => word.stem === other)!.likeness
}

describe('prepareNear', () => {
  const reader = createReader(terms)
  const { lexicon } = reader
  const shareOf = (asked: string): ((text: string, title?: string) => number) => {
    const write = prepareNear(readQuestion({ text: asked }, lexicon), lexicon)
    return (text, title = '') => {
      const row = new Float32Array(nearFeatures.length)
      write(reader.read({ docid: `${title} ${text}`, title, text }), row, 0)
      return row[nearFeatures.indexOf('near: query in document')]!
    }
  }
  const share = shareOf('Which film was shot by that wife?')

  it('counts a word of the question in full, in any form, and a near one by its likeness', () => {
    expect(movie).toBeGreaterThan(0.5)
    expect(share('The films.')).toBeCloseTo(1 / 3)
    expect(share('A movie.')).toBeCloseTo(movie / 3)
    expect(share('A river.')).toBe(0)
  })

  it('counts the nearest word of each stem of the question once, from title and text', () => {
    expect(share('A movie, and a film.')).toBeCloseTo(1 / 3)
    expect(share('A husband.', 'The movie')).toBeCloseTo((movie + husband) / 3)
  })

  it('knows no near words of another language', () => {
    expect(shareOf('Кто снял фильм?')('Фильм снял режиссёр. A movie.')).toBeCloseTo(2 / 3)
  })

  it('remembers nothing of the document before', () => {
    share('The film was shot by his wife.')
    expect(share('An empty field.')).toBe(0)
  })
})
