import { describe, expect, it } from 'vitest'
import { type MaoOptions, mao } from '../../../policies/mao-arag/mao.ts'
import { expectError } from '../../support/expect-error.ts'
import { type AnsweringCase, answeringBy, documentsNamed, noAnswer } from '../../support/search-answering.ts'

const found = {
  who: ['a', 'b', 'c', 'd', 'e', 'f'],
  first: ['c', 'a'],
  second: ['d', 'e'],
  broken: new Error('no'),
}
const answering = answeringBy<MaoOptions>(mao, { found, documents: documentsNamed('abcdef') })
const failed = new Error('no answer')

describe('a question in one', () => {
  it('AG: the model answers alone, beside the hits of the query', async () => {
    const { result, docids, searched, shown, asks } = await answering(['AG', 'Ada'])
    expect(asks).toEqual(['plan', 'answer'])
    expect(searched).toEqual([['who']])
    expect(shown).toEqual(['Question:\nwho', 'Question:\nwho'])
    expect(result).toMatchObject({ answer: 'Ada', citations: [] })
    expect(docids).toEqual(found.who)
    expect(result.trace).toMatchObject({ kind: 'as-is', reason: 'the model answers without documents' })
  })

  it('RA, AG: the best five documents, which the query itself has found', async () => {
    const { result, searched, shown, asks } = await answering(['RA, AG', 'Ada'])
    expect(asks).toEqual(['plan', 'answer'])
    expect(searched).toEqual([['who']])
    expect(shown[1]!.match(/^Document \d/gm)).toHaveLength(5)
    expect(result).toMatchObject({ answer: 'Ada', citations: ['a', 'b', 'c', 'd', 'e'] })
    expect(result.trace.reason).toBe('RA, AG')
    expect(result.trace.outcome.strategy).toBe('RA, AG')
  })

  it('QR, RA, DS, AG: the question in other words, and those of its documents that help', async () => {
    const answers = ['Workflow: qr → ra → ds and ag', 'second', 'Document1', 'Ada']
    const { result, docids, searched, shown, asks } = await answering(answers)
    expect(asks).toEqual(['plan', 'rewrite', 'select', 'answer'])
    expect(searched).toEqual([['who'], ['second']])
    expect(shown[2]).toBe(
      'Documents:\nDocument0 (Title: D): text of d\nDocument1 (Title: E): text of e\n\nQuestion:\nwho',
    )
    expect(shown[3]).toBe('Documents:\nDocument 1 (Title: E): text of e\n\nQuestion:\nwho')
    expect(result).toMatchObject({ answer: 'Ada', citations: ['e'], trace: { kind: 'rewrite' } })
    expect(docids).toEqual(['e', 'd'])
  })

  it('where nothing is found, nobody is asked to choose', async () => {
    const { result, shown, asks } = await answering(['QR, RA, DS, AG', 'zzz', 'Ada'])
    expect(asks).toEqual(['plan', 'rewrite', 'answer'])
    expect(shown[2]).toBe('Question:\nwho')
    expect(result).toMatchObject({ answer: 'Ada', citations: [] })
    expect(result.hits).toHaveLength(6)
  })
})

describe('QDP, sub-questions at the same time', () => {
  it('a workflow for each, one request for all', async () => {
    const { result, docids, searched, shown, asks } = await answering([
      'QDP',
      '1. first\n2. which?',
      'RA, AG',
      'QR, RA, DS, AG',
      'second',
      'Document0',
      'in\n1883',
      'unknown',
      'Bob',
    ])
    expect(asks).toEqual([
      'plan',
      'decompose-parallel',
      'plan',
      'plan',
      'rewrite',
      'select',
      'answer',
      'answer',
      'summarize',
    ])
    expect(searched).toEqual([['who'], ['first', 'second']])
    expect(shown.slice(2, 5)).toEqual(['Question:\nfirst', 'Question:\nwhich?', 'Question:\nwhich?'])
    expect(shown[6]).toMatch(
      /^Documents:\nDocument 1 \(Title: C\).*\nDocument 2 \(Title: A\).*\n\nQuestion:\nfirst$/,
    )
    expect(shown[8]).toBe(
      'Sub-questions and their answers:\n1. first → in 1883\n2. which? → unknown\n\nQuestion:\nwho',
    )
    // What the second one was read from has told nothing.
    expect(result).toMatchObject({ answer: 'Bob', citations: ['c', 'a'] })
    expect(docids).toEqual(['c', 'a', 'd', 'e'])
    expect(result.trace).toMatchObject({ kind: 'decompose', reason: '2 sub-questions at the same time' })
  })

  it('sub-questions that need no search', async () => {
    const { result, searched } = await answering(['QDP', 'x\ny', 'AG', 'AG', 'one', 'two', 'Bob'])
    expect(searched).toEqual([['who']])
    expect(result).toMatchObject({ answer: 'Bob', citations: [], trace: { kind: 'as-is' } })
  })

  it('the same sub-question in other letters is one', async () => {
    const { asks } = await answering(['QDP', 'first\nFirst ', 'RA, AG', 'one', 'Bob'])
    expect(asks).toEqual(['plan', 'decompose-parallel', 'plan', 'answer', 'summarize'])
  })
})

describe('QDS, one sub-question after the other', () => {
  it('each is rewritten with the answers before it, and planned by itself', async () => {
    const { result, docids, searched, shown, asks } = await answering([
      'QDS',
      'first\nits year?',
      'RA, DS, AG',
      'Document1',
      'Metropolis',
      'second',
      'RA, AG',
      '1927',
      'Bob',
    ])
    expect(asks).toEqual([
      'plan',
      'decompose-serial',
      'plan',
      'select',
      'answer',
      'rewrite',
      'plan',
      'answer',
      'summarize',
    ])
    expect(searched).toEqual([['who'], ['first'], ['second']])
    const before = 'Sub-questions and their answers:\n1. first → Metropolis\n'
    expect(shown[5]).toBe(`${before}\nQuestion:\nits year?`)
    expect(shown[6]).toBe('Question:\nsecond')
    expect(shown[8]).toBe(`${before}2. second → 1927\n\nQuestion:\nwho`)
    expect(result).toMatchObject({ answer: 'Bob', citations: ['a', 'd', 'e'] })
    expect(docids).toEqual(['a', 'd', 'e', 'c'])
    expect(result.trace.reason).toBe('sub-question 2 of 2')
  })

  it('takes all that it may: four sub-questions, 22 prompts, four rounds', async () => {
    const all = ['QR, RA, DS, AG']
    const { result, asks, searched } = await answering([
      'QDS',
      'a?\nb?\nc?\nd?\ne?',
      ...all,
      'first',
      'Document0',
      'one',
      ...['second', 'who', 'third'].flatMap((query) => [`about ${query}`, ...all, query, '0', 'more']),
      'Bob',
    ])
    // The third search finds nothing, and nobody chooses among nothing.
    expect(asks).toHaveLength(22 - 1)
    expect(searched).toEqual([['who'], ['first'], ['second'], ['third']])
    expect(result.trace.fallback).toBeUndefined()
  })
})

describe('a chain, by rules of Querent', () => {
  const begin = ['QDS', 'first\nx\nthird', 'RA, AG', 'one', 'second', 'RA, AG']

  it('ends with "unknown"; the documents of both steps take turns, those of the first are cited', async () => {
    const { result, docids, shown, asks } = await answering([...begin, 'unknown', 'Bob'])
    expect(asks.slice(-2)).toEqual(['answer', 'summarize'])
    expect(shown.at(-1)).toContain('1. first → one\n2. second → unknown\n\n')
    expect(result).toMatchObject({ answer: 'Bob', citations: ['c', 'a'] })
    expect(docids).toEqual(['c', 'a', 'd', 'e'])
    const none = await answering([...begin, 'unknown', 'unknown'])
    expect(none).toMatchObject({ ...noAnswer, docids: ['c', 'd', 'a', 'e'] })
  })

  it('hands on what is known in part', async () => {
    const { shown, asks } = await answering([...begin, 'unknown, but it is in Leiden', 'about Leiden'])
    expect(asks[7]).toBe('rewrite')
    expect(shown[7]).toContain('2. second → unknown, but it is in Leiden\n')
  })

  it('does not search for what refers to something that is not named', async () => {
    const { searched, answer, citations } = await answering([
      ...begin.slice(0, 4),
      'mayor of that city',
      'Bob',
    ])
    expect(searched).toEqual([['who'], ['first']])
    expect([answer, citations]).toEqual(['Bob', ['c', 'a']])
    const alone = await answering(['QDS', 'mayor of that city', 'Ada'])
    expect(alone.reason).toBe('no sub-question stands alone: searched the question')
    expect(alone.answer).toBe('Ada')
  })

  it('is what sub-questions "at the same time" are if one refers to another', async () => {
    const { searched, shown } = await answering([
      ...['QDP', 'first\nmayor of that city', 'RA, AG', 'Leiden'],
      ...['second', 'RA, AG', 'Bob', 'Bob'],
    ])
    expect(searched).toEqual([['who'], ['first'], ['second']])
    expect(shown[4]).toContain('1. first → Leiden\n')
  })
})

describe('goes on without', () => {
  const best = { answer: 'Ada', citations: ['a', 'b', 'c', 'd', 'e'] }
  const unplanned = {
    ...best,
    reason: 'there is no workflow: searched the question',
    asks: ['plan', 'answer'],
  }
  const unsplit = { ...best, reason: 'there are no sub-questions: searched the question' }
  it.each<AnsweringCase>([
    ['a workflow after an error: RA, AG', [failed, 'Ada'], unplanned],
    ['a workflow after two answers that are none: RA, AG', ['I would search.', 'DS, AG', 'Ada'], unplanned],
    [
      'sub-questions of QDS: RA, AG',
      ['QDS', failed, 'Ada'],
      { ...unsplit, asks: ['plan', 'decompose-serial', 'answer'] },
    ],
    [
      'sub-questions of QDP: RA, AG',
      ['QDP', failed, 'Ada'],
      { ...unsplit, asks: ['plan', 'decompose-parallel', 'answer'] },
    ],
    [
      'the workflow of a sub-question: RA, AG',
      ['QDP', 'first', 'QDS', 'QDP', 'one', 'Bob'],
      {
        asks: ['plan', 'decompose-parallel', 'plan', 'answer', 'summarize'],
        searched: [['who'], ['first']],
      },
    ],
    ['a query: the question as it is', ['QR, RA, AG', failed, 'Ada'], { searched: [['who']], answer: 'Ada' }],
    [
      'a sub-question with the answers before it: as it is',
      ['QDS', 'first\nsecond', 'AG', 'one', failed, 'AG', 'two', 'Bob'],
      {
        shown: expect.arrayContaining([expect.stringContaining('1. first → one\n2. second → two\n')]),
        answer: 'Bob',
      },
    ],
    ['a choice after an error: all documents', ['RA, DS, AG', failed, 'Ada'], best],
    ['a choice of no document that exists: all documents', ['RA, DS, AG', 'Document9', 'none', 'Ada'], best],
    ['a choice of no document: all documents', ['RA, DS, AG', '<think>none</think>', 'Ada'], best],
    [
      'an answer: what was chosen comes first',
      ['RA, DS, AG', 'Document2', 'unknown'],
      { ...noAnswer, docids: ['c', 'a', 'b', 'd', 'e', 'f'] },
    ],
    [
      'choice and answer: the fused order',
      ['QR, RA, DS, AG', 'first', failed, failed],
      { docids: ['c', 'a'], fused: [false, false] },
    ],
    [
      'the answer of a sub-question: those after it, which need it, are not asked',
      ['QDS', 'first\nsecond', 'RA, AG', failed, 'second', 'RA, AG', 'two', 'Bob'],
      { ...noAnswer, asks: ['plan', 'decompose-serial', 'plan', 'answer'], docids: ['c', 'a'] },
    ],
    [
      'a summary: no answer',
      ['QDP', 'second', 'RA, DS, AG', 'Document1', 'one', failed],
      { ...noAnswer, docids: ['e', 'd'] },
    ],
    [
      'a later round whose retrieval fails: that sub-question has no documents',
      ['QDS', 'first\nx', 'RA, AG', 'one', 'broken', 'RA, AG', 'two', 'Bob'],
      { answer: 'Bob', citations: ['c', 'a'], fallback: undefined, result: { trace: { partial: true } } },
    ],
    ['everything: the hits of the query', [failed, failed], { ...noAnswer, docids: found.who }],
  ])('%s', async (_name, answers, expected) => expect(await answering(answers)).toMatchObject(expected))
})

it('a question of a conversation is made to stand alone first', async () => {
  const history = [{ role: 'user', text: 'Tell me of Ada.' }] as const
  const { result, shown, asks } = await answering(
    ['{"query": "first"}', 'RA, AG', 'Ada'],
    {},
    {},
    { text: 'who', history },
  )
  expect(asks).toEqual(['reading/standalone', 'plan', 'answer'])
  expect(shown[1]).toBe('Question:\nfirst')
  expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'a'] })
})

describe('a caller that takes no answer gets the evidence as ranking', () => {
  it.each([
    ['AG', ['AG'], ['plan'], found.who],
    ['RA, DS, AG', ['RA, DS, AG', 'Document3'], ['plan', 'select'], ['d', 'a', 'b', 'c', 'e', 'f']],
    [
      'QDP, without the answers of its sub-questions',
      ['QDP', 'first\nsecond', 'RA, DS, AG', 'RA, DS, AG', 'Document1', 'Document1'],
      ['plan', 'decompose-parallel', 'plan', 'plan', 'select', 'select'],
      ['a', 'e', 'c', 'd'],
    ],
    [
      'QDS, with the answers that later sub-questions need',
      ['QDS', 'first\nx', 'RA, DS, AG', 'Document1', 'one', 'second', 'RA, AG'],
      ['plan', 'decompose-serial', 'plan', 'select', 'answer', 'rewrite', 'plan'],
      ['a', 'd', 'e', 'c'],
    ],
  ])('%s', async (_name, answers, expected, ranking) => {
    const { result, docids, asks } = await answering(answers, {}, { answer: false })
    expect(asks).toEqual(expected)
    expect(docids).toEqual(ranking)
    expect(result).not.toHaveProperty('answer')
    expect(result).not.toHaveProperty('citations')
  })
})

describe('within a budget', () => {
  const script = ['QDS', 'first\nx', 'RA, DS, AG', 'Document1', 'one', 'second', 'RA, AG', 'two', 'Bob']
  const prompts = [
    'plan',
    'decompose-serial',
    'plan',
    'select',
    'answer',
    'rewrite',
    'plan',
    'answer',
    'summarize',
  ]

  it.each([
    [1, 'answer', found.who],
    // No sub-question is answered, so the question itself is.
    [4, 'answer', ['a', 'b', 'c', 'd', 'e', 'f']],
    // Only the first sub-question is answered.
    [8, 'summarize', ['a', 'c', 'd', 'e']],
    [9, 'summarize', ['a', 'd', 'e', 'c']],
    [10, 'summarize', ['a', 'd', 'e', 'c']],
  ])('of %i prompts the last one is for the answer', async (asks, last, docids) => {
    const before = Math.min(asks, script.length) - 1
    expect(await answering([...script.slice(0, before), 'Bob'], {}, {}, undefined, { asks })).toMatchObject({
      asks: [...prompts.slice(0, before), last],
      answer: 'Bob',
      fallback: undefined,
      docids,
    })
  })

  it('of one round, later sub-questions have no documents', async () =>
    expect(await answering(script, {}, {}, undefined, { rounds: 1 })).toMatchObject({
      answer: 'Bob',
      citations: ['a'],
    }))

  it('of fewer texts, sub-questions at the same time have no documents', async () => {
    const answers = ['first\nsecond', 'one', 'two', 'Bob']
    expect(await answering(answers, { workflow: 'QDP' }, {}, undefined, { subQueries: 1 })).toMatchObject({
      answer: 'Bob',
      fallback: undefined,
      searched: [['who'], ['first']],
    })
  })
})

describe('options', () => {
  it.each([
    ['AG', ['Ada'], ['answer'], []],
    ['r, ag', ['Ada'], ['answer'], ['a', 'b', 'c', 'd', 'e']],
    ['QR, RA, DS, AG', ['first', 'Document0', 'Ada'], ['rewrite', 'select', 'answer'], ['c']],
    ['QDP', ['first', 'one', 'Ada'], ['decompose-parallel', 'answer', 'summarize'], ['c', 'a']],
    [
      'QDS',
      ['first\nx', 'one', 'second', 'two', 'Ada'],
      ['decompose-serial', 'answer', 'rewrite', 'answer', 'summarize'],
      ['c', 'd', 'a', 'e'],
    ],
  ])('workflow: %s, for every question', async (workflow, answers, expected, citations) => {
    const { result, asks } = await answering(answers, { workflow })
    expect(asks).toEqual(expected)
    expect(result).toMatchObject({ answer: 'Ada', citations })
    const { prompts = [], agents = [] } = mao({ workflow })
    expect(new Set(prompts)).toMatchObject(
      new Set(['reading/standalone', ...expected.map((name) => `mao/${name}`)]),
    )
    expect(agents).toEqual([])
  })

  it('longAnswer: sentences, with marks of the documents of one question', async () => {
    const one = await answering(['RA, AG', 'She did [2] [9].'], { longAnswer: true })
    expect(one.result).toMatchObject({ answer: 'She did [2].' })
    const several = await answering(['QDP', 'first', 'RA, AG', 'one', 'Both did [1].'], { longAnswer: true })
    expect(several.result).toMatchObject({ answer: 'Both did.' })
  })

  it('rules: a function answers in place of a prompt, which no model serves', async () => {
    const rules = {
      'mao/plan': ({ turn }) => (turn === 'question' ? ['QDP'] : ['RA', 'AG']),
      'mao/decompose-parallel': async () => ['first', 'second', 'who', 'x', 'y'],
      'mao/answer': ({ documents: shown }) => shown[0]?.docid,
    } satisfies MaoOptions['rules']
    const { result, asks, shown } = await answering(['Bob'], { rules })
    expect(asks).toEqual(['summarize'])
    expect(shown[0]).toContain('1. first → c\n2. second → d\n3. who → a\n4. x → unknown\n\n')
    expect(result.answer).toBe('Bob')
    const { prompts = [], agents } = mao({ rules })
    expect(prompts.some((name) => Object.hasOwn(rules, name))).toBe(false)
    expect(agents).toEqual([])
  })

  it('strict: thoughts in front of a workflow are a failure, and "unknown" an answer', async () => {
    const thinking = '<think>easy</think>AG'
    expect((await answering([thinking, 'unknown'])).asks).toEqual(['plan', 'answer'])
    const { result } = await answering([thinking, thinking, 'unknown'], { strict: true })
    expect(result).toMatchObject({ answer: 'unknown', citations: ['a', 'b', 'c', 'd', 'e'] })
  })

  it('are in the budget that it declares', () => {
    expect(mao()).toMatchObject({
      name: 'mao',
      budget: { rounds: 4, subQueries: 4, asks: 23, timeout: 60_000, askTimeout: 10_000 },
      agents: ['mao/plan'],
    })
    expect(mao().prompts).toHaveLength(8)
    expect(mao({ timeout: 1000, askTimeout: 500 }).budget).toMatchObject({ timeout: 1000, askTimeout: 500 })
  })

  it.each([
    { workflow: 'DS, AG' },
    { workflow: 'AS' },
    { workflow: '' },
    { rules: { 'mmoa/answer': () => 'Ada' } },
    { timeout: 0 },
    { alpha: 0.1 },
  ])('refuses %j', (options) => expectError(() => mao(options as MaoOptions), 'bad-config'))
})
