import { describe, expect, it } from 'vitest'
import { type MmoaOptions, mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { expectError } from '../../support/expect-error.ts'
import { golden } from '../../support/golden.ts'
import { answeringBy, documentsNamed, noAnswer, searchAnswering } from '../../support/search-answering.ts'

const found = { who: ['a', 'b'], first: ['c', 'a', 'd'], second: ['d', 'e'] }
const documents = documentsNamed('abcde')
const answering = answeringBy<MmoaOptions>(mmoa, { found, documents })
const failed = new Error('no answer')

it('splits, selects and answers in three prompts and one round; what it read comes first', async () => {
  // c a d and d e, in turns, each once.
  const { result, docids, searched, shown, asks } = await answering([
    'first\nsecond',
    'Document3,Document1',
    'Answer: Ada',
  ])
  expect(asks).toEqual(['rewrite', 'select', 'answer'])
  expect(searched).toEqual([['who'], ['first', 'second']])
  expect(shown[1]).toContain(
    'Document0 (Title: C): text of c\nDocument1 (Title: D): text of d\nDocument2 (Title: A): text of a\nDocument3 (Title: E): text of e\n\nQuestion:',
  )
  expect(shown[2]).toContain(
    'Document 1 (Title: E): text of e\nDocument 2 (Title: D): text of d\n\nQuestion:',
  )
  expect(result).toMatchObject({ answer: 'Ada', citations: ['e', 'd'] })
  // e and d were selected; the others follow in the order of fusion.
  expect(docids).toEqual(['e', 'd', 'c', 'a'])
  expect(result.trace).toMatchObject({ kind: 'decompose', reason: '2 sub-questions' })
})

it.each(Object.entries(golden.mmoa.docAllocationK10))(
  'of %s sub-questions with documents of their own, each has its share of the ten: %j',
  async (count, shares) => {
    const texts = Array.from({ length: Number(count) }, (_, place) => `text ${place}`)
    const docidsOf = (text: string) => Array.from({ length: 10 }, (_, rank) => `${text}: ${rank}`)
    const { shown } = await searchAnswering(mmoa(), [texts.join('\n'), 'none', 'Ada'], {
      found: Object.fromEntries([['who', ['a']], ...texts.map((text) => [text, docidsOf(text)])]),
      documents: documentsNamed(texts.flatMap(docidsOf)),
      search: {},
      query: { text: 'who' },
    })
    const read = shown[1]!.split('\n').filter((line) => line.startsWith('Document'))
    expect(texts.map((text) => read.filter((line) => line.includes(`: text of ${text}: `)).length)).toEqual(
      shares,
    )
  },
)

it('a sub-question that refers to another one is not searched', async () => {
  const { searched } = await answering(['first\nWho was mayor of that city?', 'Document0', 'Ada'])
  expect(searched).toEqual([['who'], ['first']])
  expect((await answering(['Who was mayor of that city?', 'Document0', 'Ada'])).searched).toEqual([['who']])
})

it('a question that stays as it is costs no second request', async () => {
  const { result, searched } = await answering(['Who', 'Document1', 'Ada'])
  expect(searched).toEqual([['who']])
  expect(result).toMatchObject({ answer: 'Ada', citations: ['b'], trace: { kind: 'as-is' } })
})

it('a budget of fewer texts: the first sub-questions share the documents', async () => {
  const policy = { ...mmoa({ documents: 4 }), budget: { subQueries: 1 } }
  const { result, searched, shown } = await searchAnswering(policy, ['first\nsecond', '', 'Ada'], {
    found,
    documents,
    search: {},
    query: { text: 'who' },
  })
  expect(searched).toEqual([['who'], ['first']])
  expect(shown[1]).toContain('Document2 (Title: D): text of d')
  expect(result.trace.fallback).toBeUndefined()
  expect(result.trace.reason).toBe('2 sub-questions: searched 1 of them or the question')
})

describe('goes on without', () => {
  it('the Query Rewriter: the question is searched', async () => {
    const { result, searched } = await answering([failed, 'Document1', 'Ada'])
    expect(searched).toEqual([['who']])
    expect(result).toMatchObject({ answer: 'Ada', citations: ['b'] })
    expect(result.trace.reason).toBe('no sub-questions: searched the question')
  })

  it('more than eight sub-questions, and those beyond four', async () => {
    const lines = Array.from({ length: 9 }, (_, place) => `line ${place}`)
    expect((await answering([lines.join('\n'), 'Document0', 'Ada'])).searched).toEqual([['who']])
    const { searched, result } = await answering([lines.slice(1).join('\n'), failed, failed])
    expect(searched[1]).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
    // None of them finds anything: the original query's hits.
    expect(result.trace.fallback?.code).toBe('no-hits')
  })

  it('the Selector: all documents are read', async () => {
    const { result, docids } = await answering(['first', 'The first one.', 'That one.', 'Ada'])
    expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'a', 'd'] })
    expect(docids).toEqual(['c', 'a', 'd'])
  })

  it.each([
    ['an error', [failed]],
    ['an empty answer, twice', ['', '']],
    ['"unknown"', ['unknown']],
  ])('the Generator: %s; what was selected comes first', async (_name, answers) =>
    expect(await answering(['first', 'Document2', ...answers])).toMatchObject({
      ...noAnswer,
      docids: ['d', 'c', 'a'],
      result: { trace: { outcome: { citations: ['d'] } } },
    }),
  )

  it('Selector and Generator: the fused order', async () =>
    expect(await answering(['first', failed, failed])).toMatchObject({
      docids: ['c', 'a', 'd'],
      fused: [false, false, false],
    }))
})

it('strict: an empty selection is answered without documents, as in the paper', async () => {
  const { result, shown } = await answering(['first', '', 'Ada'], { strict: true })
  expect(shown[2]).toBe('Question:\nwho')
  expect(result).toMatchObject({ answer: 'Ada', citations: [] })
})

it('where the Selector says that none helps, the Generator looks for itself', async () => {
  const { result, asks } = await answering(['first', 'None of the documents helps.', 'Ada'])
  expect(asks).toEqual(['rewrite', 'select', 'answer'])
  expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'a', 'd'] })
})

it('where nothing is found, nobody is asked to select or to answer', async () => {
  const { result, asks } = await answering(['zzz'], {}, {}, { text: 'zzz' })
  expect(asks).toEqual(['rewrite'])
  expect(result.hits).toEqual([])
  expect(result).not.toHaveProperty('answer')
})

it('a caller that takes no answer gets the evidence as ranking, for two prompts', async () => {
  const { result, docids, asks } = await answering(['first', 'Document2'], {}, { answer: false })
  expect(asks).toEqual(['rewrite', 'select'])
  expect(docids).toEqual(['d', 'c', 'a'])
  expect(result).not.toHaveProperty('answer')
})

it('shows the conversation to all three', async () => {
  const history = [{ role: 'user', text: 'Tell me of Ada.' }] as const
  const query = { text: 'who', history }
  const { shown } = await answering(['first', 'Document0', 'Ada'], {}, {}, query)
  expect(shown.filter((content) => content.includes('Q1: Tell me of Ada.'))).toHaveLength(3)
})

describe('options', () => {
  it('rewrite: false is S+G, select: false is QR+G', async () => {
    const without = await answering(['Document1', 'Ada'], { rewrite: false })
    expect(without.asks).toEqual(['select', 'answer'])
    expect(without.result.citations).toEqual(['b'])
    const all = await answering(['first', 'Ada'], { select: false })
    expect(all.asks).toEqual(['rewrite', 'answer'])
    expect(all.result.citations).toEqual(['c', 'a', 'd'])
  })

  it('documents: how many are read', async () => {
    const { shown } = await answering(['first\nsecond', 'Document0', 'Ada'], { documents: 4 })
    expect(shown[1]!.match(/^Document\d/gm)).toHaveLength(4)
  })

  it('longAnswer: marks are places in the citations', async () => {
    const { result } = await answering(['first', 'Document2,Document0', 'So it is [2] [4].'], {
      longAnswer: true,
    })
    expect(result).toMatchObject({ answer: 'So it is [2].', citations: ['d', 'c'] })
  })

  it('rules: a function answers in place of a prompt, which no model serves', async () => {
    const rules = {
      'mmoa/rewrite': ({ question }) => [`${question === 'who' ? 'second' : 'first'}`],
      'mmoa/select': async ({ documents: shown }) => [shown.length - 1],
    } satisfies MmoaOptions['rules']
    const { result, asks, searched } = await answering(['Ada'], { rules })
    expect(asks).toEqual(['answer'])
    expect(searched[1]).toEqual(['second'])
    expect(result).toMatchObject({ answer: 'Ada', citations: ['e'] })
    const { prompts, agents } = mmoa({ rules })
    expect([prompts, agents]).toEqual([['mmoa/answer'], ['mmoa/answer']])
  })

  it('rules: one that throws is a prompt that failed', async () => {
    const rules = {
      'mmoa/select': () => {
        throw failed
      },
    }
    const { result } = await answering(['second', 'Ada'], { rules })
    expect(result).toMatchObject({ answer: 'Ada', citations: ['d', 'e'] })
  })

  it('strict: what is not the grammar is a failure, and "unknown" an answer', async () => {
    const { result, asks } = await answering(['second', 'Document1, Document0', 'Document1.', 'unknown'], {
      strict: true,
    })
    expect(asks).toEqual(['rewrite', 'select', 'answer'])
    expect(result).toMatchObject({ answer: 'unknown', citations: ['d', 'e'] })
  })

  it('trains all of its prompts', () => expect(mmoa().agents).toEqual(mmoa().prompts))

  it('are in the budget that it declares', () => {
    expect(mmoa().budget).toEqual({ rounds: 1, subQueries: 4, asks: 3, timeout: 20_000, askTimeout: 10_000 })
    expect(mmoa({ select: false, timeout: 1000, askTimeout: 500 })).toMatchObject({
      budget: { asks: 2, timeout: 1000, askTimeout: 500 },
      prompts: ['mmoa/rewrite', 'mmoa/answer'],
    })
  })

  it.each([
    { documents: 3 },
    { documents: 51 },
    { timeout: 0 },
    { answers: true },
    { rules: { answer: () => '' } },
    { rules: { 'mmoa/answer': 1 } },
  ])('refuses %j', (options) => expectError(() => mmoa(options as MmoaOptions), 'bad-config'))
})
