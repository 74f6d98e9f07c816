import { describe, expect, it } from 'vitest'
import { featuresOf, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { nearnessOf } from '../../../../policies/local/rerank/nearness.ts'
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

describe('what is said in near words', () => {
  const reader = createReader(terms)
  const { lexicon } = reader
  const question = readQuestion({ text: 'Which film was shot by that wife?' }, lexicon)
  const { read, weigh } = nearnessOf(question, lexicon)
  const share = (text: string, title = ''): number =>
    weigh(read(reader.read({ docid: `${title} ${text}`, title, text })).anywhere) / question.total

  it('is 1 for a word of the question, in any form, and its likeness for a near one', () => {
    expect(movie).toBeGreaterThan(0.5)
    expect(share('The films.')).toBeCloseTo(1 / 3)
    expect(share('A movie.')).toBeCloseTo(movie / 3)
    expect(share('A river.')).toBe(0)
  })

  it('counts the nearest word of each stem of the question once, from title and text', () => {
    expect(share('A movie, and a film.')).toBeCloseTo(1 / 3)
    expect(share('A husband.', 'The movie')).toBeCloseTo((movie + husband) / 3)
  })

  it('knows nothing near words that are not English', () => {
    const foreign = readQuestion({ text: 'Кто снял фильм?' }, lexicon)
    const nearness = nearnessOf(foreign, lexicon)
    const said = nearness.read(reader.read({ docid: 'r', text: 'Фильм снял режиссёр. A movie.' }))
    // Two of three words, as they stand.
    expect(nearness.weigh(said.anywhere) / foreign.total).toBeCloseTo(2 / 3)
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
