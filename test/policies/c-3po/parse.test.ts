import { describe, expect, it } from 'vitest'
import {
  accumulate,
  parseDecision,
  parseFilter,
  parseRouter,
  stepsOf,
} from '../../../policies/c-3po/parse.ts'
import type { Document } from '../../../src/types.ts'

describe('the Reasoning Router', () => {
  it.each([
    ['[No Retrieval]', { action: 'no-retrieval' }],
    ['Sure: [No Retrieval]', { action: 'no-retrieval' }],
    ['[ Planning ] first …', { action: 'planning' }],
    ['[Retrieval]  who   wrote it', { action: 'retrieval', query: 'who wrote it' }],
    ['[Retrieval] кто это написал', { action: 'retrieval', query: 'кто это написал' }],
    ['[Retrieval] who wrote it\nReason: it finds him.', { action: 'retrieval', query: 'who wrote it' }],
    ['[Retrieval] `"who wrote it"`', { action: 'retrieval', query: 'who wrote it' }],
    ['Retrieval who', { action: 'retrieval', query: 'who' }],
  ])('%s', (answer, action) => expect(parseRouter(answer)).toEqual(action))

  it.each([
    ['[Retrieval]', 'Invalid Action'],
    ['[Retrieval] ""', 'Invalid Action'],
    ['[Search] who', 'Invalid Action'],
    ['who', 'Invalid Format'],
    ['Not [Planning] but [No Retrieval]', 'Invalid Action'],
  ])('%s is refused: %s', (answer, reason) => expect(() => parseRouter(answer)).toThrow(reason))

  it('cuts a query to 100 words', () => {
    const action = parseRouter(`[Retrieval] ${'word '.repeat(101)}`)
    expect(action.action === 'retrieval' && action.query.split(' ').length).toBe(100)
  })
})

describe('the Decision Maker', () => {
  it.each([
    ['Thought: enough.\nAction: [LLM]', { action: 'answer', thought: 'enough.' }],
    ['enough. Action: [LLM]', { action: 'answer', thought: 'enough.' }],
    [
      'Thought: who is he? Action: [Retrieval] his name',
      { action: 'retrieval', thought: 'who is he?', query: 'his name' },
    ],
  ])('%s', (answer, action) => expect(parseDecision(answer)).toEqual(action))

  it.each([
    ['Thought: who? Action: [Retrieval]', 'Invalid Action'],
    ['Thought: who? Action: [Planning]', 'Invalid Action'],
    ['Thought: who? Action: stop', 'Invalid Action'],
    ['Thought: Action: [LLM]', 'Invalid Format'],
    ['Action: [LLM]', 'Invalid Format'],
    ['[LLM]', 'Invalid Format'],
  ])('%s is refused: %s', (answer, reason) => expect(() => parseDecision(answer)).toThrow(reason))
})

describe('the Information Filter, of 5 documents', () => {
  const filter = (listed: string, strict?: boolean) =>
    parseFilter(`Thought: seen. Action: ${listed}`, 5, strict)

  it.each([
    ['[1, 3, 3]', [1, 3]],
    ['[3,1]', [3, 1]],
    ['[2,,]', [2]],
    ['[]', []],
    ['[7]', []],
    ['[0, 5, 6]', [5]],
    ['[Document 1, Document 3]', [1, 3]],
    ['none', []],
  ])('%s keeps %j', (listed, documents) => expect(filter(listed)).toEqual(documents))

  it.each([
    ['[a]', 'Invalid Document Idx'],
    ['[1.5]', 'Invalid Document Idx'],
    ['the first', 'Invalid Action'],
  ])('%s is invalid: %s', (listed, reason) => expect(() => filter(listed)).toThrow(reason))

  it('may not name documents of no list where data is collected', () => {
    expect(() => filter('[7]', true)).toThrow('Hallucinate Document Idx')
    expect(filter('[]', true)).toEqual([])
    expect(() => parseFilter('Action: [1]', 5)).toThrow('Invalid Format')
  })
})

describe('the documents of the Decision Maker and the LLM', () => {
  const [first, second] = ['d1', 'd2'].map((docid) => ({ docid, text: docid })) as [Document, Document]
  const textsOf = (documents: readonly Document[]): string[] => documents.map(({ text }) => text)

  it('say so where nothing was kept, until something is', () => {
    const none = accumulate([first], 'her mother', [])
    expect(textsOf(none)).toEqual(['d1', 'No relevant information about her mother was found'])
    expect(none[1]!.title).toBe('her mother')
    const other = accumulate(none, 'his mother', [])
    expect(textsOf(other).slice(2)).toEqual(['No relevant information about his mother was found'])
    // The next page of the same query.
    expect(textsOf(accumulate(other, 'her mother', [second]))).toEqual([
      'd1',
      'No relevant information about his mother was found',
      'd2',
    ])
  })

  it('say it once, and have a document once', () => {
    const twice = accumulate(accumulate([], 'her mother', []), 'her mother', [])
    expect(textsOf(twice)).toEqual(['No relevant information about her mother was found'])
    expect(accumulate([first, second], 'q', [first])).toEqual([first, second])
    expect(accumulate([second], 'q', [first, second])).toEqual([second, first])
  })
})

it.each([
  [
    'The dates of both.\n1. Find out when **A** opened.\n2) B’s opening\nThen compare.',
    ['when A opened.', 'B’s opening'],
  ],
  ['**Step 1:** Identify the director\n\n- Step 2: his birthplace', ['the director', 'his birthplace']],
  ['Search on. In 1944, nothing.', []],
])('the steps of a plan: %j', (roadmap, steps) => expect(stepsOf(roadmap)).toEqual(steps))
