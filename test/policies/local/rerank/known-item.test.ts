/** Which document a search is for, by its title or by how far ahead it is; and that re-ranking leaves it first. */
import { describe, expect, it } from 'vitest'
import { firstInputs, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { asksForTitle } from '../../../../policies/local/rerank/known-item.ts'
import { parseText } from '../../../../src/text/parse-text.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, RankedList } from '../../../../src/types.ts'
import { rerankerOf } from '../../../support/local-reranker.ts'
import { linear } from '../../../support/small-scorers.ts'

const terms = { documents: 10, stems: {} }

describe('a query asks for a title', () => {
  const asks = (query: string, title: string): boolean => {
    const reader = createReader(terms)
    const document = reader.read({ docid: 'd', title, text: 'Some text.' })
    return asksForTitle(parseText(query, reader.lexicon), document, reader.lexicon)
  }

  it.each([
    ['Marie Curie', 'Marie Curie'],
    ['who is marie curie', 'Marie Curie'],
    ['What is the Battle of Uddevalla?', 'Battle of Uddevalla'],
    ['zürich', 'Zurich'],
    ['Mercury', 'Mercury (planet)'],
    ['what is mercury planet', 'Mercury (planet)'],
    ['Simon mAmann', 'Simon Ammann'],
    ['Fair Game 1(995 film)', 'Fair Game (1995 film)'],
  ])('%s: %s', (query, title) => expect(asks(query, title)).toBe(true))

  it.each([
    ['Where was Marie Curie born?', 'Marie Curie'],
    ['Marie', 'Marie Curie'],
    ['World Cup 2014', 'World Cup 2010'],
    ['Curie Marie', 'Marie Curie'],
    ['who is it', 'It'],
    ['the', ''],
  ])('%s: not %s', (query, title) => expect(asks(query, title)).toBe(false))
})

describe('re-ranking leaves first', () => {
  /** Puts the documents in the opposite of the fused order. */
  const backwards = rerankerOf(
    { first: [linear(firstInputs)], second: [linear(secondInputs, { 'fused ÷ best': -1 })], pair: [] },
    createReader(terms),
  )
  const titles: Readonly<Record<string, string>> = { a: 'Alpha', b: 'Beta', c: 'Gamma' }
  const listOf = (retriever: string, scores: readonly number[], text: string): RankedList => ({
    retriever,
    kind: retriever === 'dense' ? 'dense' : 'lexical',
    subQuery: { text, round: 1 },
    hits: ['a', 'b', 'c'].map((docid, place) => ({ docid, rank: place + 1, score: scores[place]! })),
  })
  const order = async (list: RankedList): Promise<string[]> => {
    const documentOf = (docid: string): Document => ({ docid, title: titles[docid]!, text: 'Some text.' })
    const hits = await backwards.rerank({ text: list.subQuery.text }, [list], list.hits, documentOf)
    return hits.map(({ docid }) => docid)
  }

  it('nothing, where nothing speaks for it', async () =>
    expect(await order(listOf('bm25', [1.4, 1, 0.5], 'letters'))).toEqual(['c', 'b', 'a']))

  it('a first hit of one and a half times the second score', async () =>
    expect(await order(listOf('bm25', [1.5, 1, 0.5], 'letters'))).toEqual(['a', 'c', 'b']))

  it('not by the scores of vectors', async () =>
    expect(await order(listOf('dense', [1.5, 1, 0.5], 'letters'))).toEqual(['c', 'b', 'a']))

  it('of two lexical lists, the first document of the first one', async () => {
    const sparse = {
      ...listOf('sparse', [0, 0, 0], 'letters'),
      hits: ['b', 'c', 'a'].map((docid, place) => ({ docid, rank: place + 1, score: 3 - place })),
    }
    const lists = [listOf('bm25', [1.6, 1, 0.5], 'letters'), sparse]
    const hits = await backwards.rerank({ text: 'letters' }, lists, lists[0]!.hits, (docid) => ({
      docid,
      text: 'Some text.',
    }))
    expect(hits[0]!.docid).toBe('a')
  })

  it('a first hit, and explains its place without it', () => {
    const list = listOf('bm25', [1.5, 1, 0.5], 'letters')
    const documentOf = (docid: string): Document => ({ docid, text: 'Some text.' })
    const [first, ...others] = backwards.explain({ text: 'letters' }, [list], documentOf)
    expect(first!.docid).toBe('a')
    expect(first!.score).toBeGreaterThan(others[0]!.score)
    // There is no network for pairs.
    expect(first!.together).toBe(0)
  })

  it('a first hit whose title is asked for', async () =>
    expect(await order(listOf('bm25', [1.1, 1, 0.5], 'What is Alpha?'))).toEqual(['a', 'c', 'b']))

  it('not a later hit whose title is asked for', async () =>
    expect(await order(listOf('bm25', [1.1, 1, 0.5], 'What is Beta?'))).toEqual(['c', 'b', 'a']))

  it('with falling scores', async () => {
    const list = listOf('bm25', [1.5, 1, 0.5], 'letters')
    const documentOf = (docid: string): Document => ({ docid, text: 'Some text.' })
    const hits = await backwards.rerank({ text: 'letters' }, [list], list.hits, documentOf)
    const scores = hits.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(new Set(scores).size).toBe(3)
  })
})
