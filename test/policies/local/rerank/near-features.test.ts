import { describe, expect, it } from 'vitest'
import { featuresOf, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { nearFeatures, prepareNear } from '../../../../policies/local/rerank/near-features.ts'
import { readPool } from '../../../../policies/local/rerank/pool.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { nearWords } from '../../../../src/text/near-words.ts'
import { createReader } from '../../../../src/text/reader.ts'
import { hits } from '../../../support/scripted.ts'

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

describe('the features of near words', () => {
  it('are those of a document, of its title and of its sentences', () => {
    const query = { text: 'Which wife does the maker of the film love?' }
    const document = { docid: 'ann', title: 'The movie', text: 'She works. A husband of makers.' }
    const reader = createReader(terms)
    const subQuery = { text: query.text, round: 0 }
    const list = { retriever: 'bm25', kind: 'lexical' as const, subQuery, hits: hits('ann') }
    const { retrieved, reads } = readPool(query, [list], () => document, reader)
    const features = featuresOf(readQuestion(query, reader.lexicon), retrieved, reads, reader.lexicon)
    const row = features.second([1])
    const of = (name: string): number => row[secondInputs.indexOf(name)]!
    // Of wife, maker, film and love.
    expect(of('near: query in title')).toBeCloseTo(movie / 4)
    expect(of('near: first sentence')).toBe(0)
    expect(of('near: best sentence')).toBeCloseTo((husband + 1) / 4)
    expect(of('near: query in document')).toBeCloseTo((movie + husband + 1) / 4)
  })
})
