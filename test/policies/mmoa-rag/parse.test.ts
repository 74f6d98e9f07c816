import { describe, expect, it } from 'vitest'
import { parseSelection, parseSubQuestions, searchedSubQuestions } from '../../../policies/mmoa-rag/parse.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}?`)

describe('the Query Rewriter', () => {
  it('has one sub-question a line', () => expect(parseSubQuestions(' a?\n\nb?\r\n')).toEqual(['a?', 'b?']))

  it.each([
    [0, ['q']],
    [4, ['0?', '1?', '2?', '3?']],
    [8, ['0?', '1?', '2?', '3?']],
    [9, ['q']],
  ])('of %i are searched %j', (count, searched) =>
    expect(searchedSubQuestions(numbered(count), 'q')).toEqual(searched),
  )
})

describe('the Selector', () => {
  it.each([
    ['Document0,Document3,Document9', [0, 3, 9]],
    ['Document3, Document0,Document3', [3, 0]],
    ['Document10,2,none,Document-1', [2]],
    ['Document 0, Document 1', [0, 1]],
    ['[Document0, Document1]', [0, 1]],
    ['["Document2", "Document7"]', [2, 7]],
    ['- **Document 3**\n- **Document 1**', [3, 1]],
    ['The relevant documents are Documents 0, 2 and 3.', [0, 2, 3]],
    ['Document0 answers it; Document4 helps, in 2 sentences.', [0, 4]],
    ['0 and 3', [0, 3]],
    ['In 5 of them', undefined],
    ['', []],
    ['none', []],
  ])('"%s" passes on %j of 10', (output, selected) => expect(parseSelection(output, 10)).toEqual(selected))
})
