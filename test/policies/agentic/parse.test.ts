import { describe, expect, it } from 'vitest'
import { answerSoFar, parseRound } from '../../../policies/agentic/parse.ts'
import { expectError } from '../../support/expect-error.ts'

const format = { form: 'auto', strict: false, isLast: false, count: 5 } as const
const read = (text: string, more: object = {}) => parseRound(text, { ...format, ...more })

describe('an answer', () => {
  it.each([
    'Answer: New York City\nDocuments: 2, 5',
    '**Answer:** New York City\n**Documents:** [2, 5]',
    '- Answer: New York City\n- Documents: 2 and 5',
    '```\nAnswer: New York City\nDocuments: 2, 5, 9\n```',
    'Final answer: New York City\n\nThis is stated in Document 1.\n\nDocuments: 2, 5',
    'New York City\nDocuments: 2, 5',
  ])('%j', (text) => expect(read(text)).toEqual({ answer: 'New York City', documents: [2, 5], queries: [] }))

  it('has marks in other forms, and ranges of them', () =>
    expect(read('Answer: It is 【4】 and was [2-3], [ Document 5 ] too.')).toMatchObject({
      answer: 'It is [1] and was [2] [3], [4] too.',
      documents: [4, 2, 3, 5],
    }))

  it('has marks that are places in its documents, none of documents that do not exist', () =>
    expect(read('Answer: It is [4] and was [2, 4], never [9].\nDocuments: 1, 4')).toEqual({
      answer: 'It is [1] and was [2] [1], never.',
      documents: [4, 2, 1],
      queries: [],
    }))

  it.each([
    'Answer: unknown',
    'unknown',
    'Answer: The documents do not say.',
    'Answer: unknown\nDocuments: none',
  ])('%j is none', (text) => expect(read(text)).toEqual({ documents: [], queries: [] }))

  it('is not wanted: the documents are what counts', () => {
    expect(read('Documents: 3, 1', { form: 'none' })).toEqual({ documents: [3, 1], queries: [] })
    expect(read('Answer: Ada\nDocuments: 3', { form: 'none' })).toEqual({ documents: [3], queries: [] })
  })
})

describe('queries', () => {
  it.each([
    'Search: first president of the APA\nSearch: "journal of it"\nDocuments: 1',
    'Search 1: first president of the APA\nSearch 2: journal of it\nDocuments: 1',
    'Search:\n- first president of the APA\n- journal of it\nDocuments: 1',
    'Answer: unknown\nSearch: first president of the APA\nSearch: journal of it\nDocuments: 1',
  ])('%j', (text) =>
    expect(read(text)).toEqual({
      documents: [1],
      queries: ['first president of the APA', 'journal of it'],
    }),
  )

  it('are three at the most, none of them that of the format, and none in the last round', async () => {
    expect(read('Search: the query\nSearch: b\nSearch: c\nSearch: d\nSearch: e').queries).toEqual([
      'b',
      'c',
      'd',
    ])
    await expectError(() => read('Search: b', { isLast: true }), 'bad-completion')
  })
})

it.each([
  '',
  'I am happy to help.',
  'Documents: 1, 2',
  'Answer: the answer\nDocuments: 2',
  'Search: the query',
])('refuses %j', (text) => expectError(() => read(text), 'bad-completion'))

it('strict: the format and nothing else, and "unknown" is an answer', async () => {
  expect(read('Answer: unknown\nDocuments: 1', { strict: true }).answer).toBe('unknown')
  for (const text of ['**Answer:** x', 'Answer: x\nSo it is.', 'New York\nDocuments: 2', 'Documents: two'])
    await expectError(() => read(text, { strict: true }), 'bad-completion')
})

it('an answer that is being written only grows, into the answer', () => {
  for (const text of [
    'Answer: It is all of New York City [3], and\nmuch more of it than you think [1, 9].\nDocuments: 2, 3',
    '**Answer:** Tacoma\n\nBecause.',
    'Answer: unknown\nDocuments: 1',
    'Search: the answer of it\nDocuments: 1',
  ]) {
    let before = ''
    for (let end = 0; end <= text.length; end++) {
      const now = answerSoFar(text.slice(0, end), 5)
      expect(now.startsWith(before)).toBe(true)
      before = now
    }
    expect(before).toBe(read(text).answer ?? '')
  }
})
