import { describe, expect, it } from 'vitest'
import { bestSentence, bridgesOf } from '../../../adapters/rerank/bridge.ts'
import type { RankedList } from '../../../src/types.ts'
import { hits } from '../../support/scripted.ts'

const list = (text: string, from: string | undefined, ...docids: readonly string[]): RankedList => ({
  retriever: 'bm25',
  subQuery: { text, round: from === undefined ? 0 : 1, ...(from !== undefined && { from }) },
  hits: hits(...docids),
})

describe('bridgesOf', () => {
  it('is the document whose sub-query ranks the candidate highest', () => {
    const bridges = bridgesOf([
      list('q', undefined, 'a', 'b', 'c'),
      list('of a', 'a', 'c', 'd', 'b'),
      list('of b', 'b', 'd', 'a'),
    ])
    // a: first in the list of the query. b: better in it. c: first in a's list. d: first in b's list.
    expect([...bridges]).toEqual([
      ['c', { docid: 'a', subQuery: 'of a' }],
      ['d', { docid: 'b', subQuery: 'of b' }],
    ])
  })

  it('is preferred to the query where both rank alike, and is never the candidate itself', () => {
    expect([...bridgesOf([list('q', undefined, 'a'), list('of b', 'b', 'a')]).keys()]).toEqual(['a'])
    expect([...bridgesOf([list('of a', 'a', 'a')])]).toEqual([])
  })
})

describe('bestSentence', () => {
  const text = 'Dracula is a novel. It was written by Bram Stoker in 1897. It is set in Transylvania.'

  it('shares the most words with the question and the sub-query', () => {
    expect(bestSentence({ docid: 'd', text }, ['Who has written it?', 'Bram Stoker'])).toBe(
      'It was written by Bram Stoker in 1897.',
    )
  })

  it('is the first one if none shares a word', () => {
    expect(bestSentence({ docid: 'd', text }, ['xyz'])).toBe('Dracula is a novel.')
    expect(bestSentence({ docid: 'd', text: '' }, ['xyz'])).toBe('')
  })
})
