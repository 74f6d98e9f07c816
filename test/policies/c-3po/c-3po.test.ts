import { describe, expect, it } from 'vitest'
import { type C3poOptions, c3po } from '../../../policies/c-3po/c-3po.ts'
import { expectError } from '../../support/expect-error.ts'
import { type AnsweringCase, answeringBy, documentsNamed, noAnswer } from '../../support/search-answering.ts'

const found = {
  who: ['a', 'b', 'c', 'd'],
  first: ['c', 'a', 'd'],
  second: ['d', 'e'],
  broken: new Error('no'),
  many: Array.from({ length: 25 }, (_, place) => `m${place}`),
}
const documents = documentsNamed(['a', 'b', 'c', 'd', 'e', ...found.many])
const answering = answeringBy<C3poOptions>(c3po, { found, documents })
const failed = new Error('no answer')
const enough = 'Thought: enough. Action: [LLM]'
const next = (query: string): string => `Thought: need ${query}. Action: [Retrieval] ${query}`
const keep = (...numbers: readonly number[]): string => `Thought: so. Action: ${JSON.stringify(numbers)}`

describe('the Reasoning Router', () => {
  it('[No Retrieval]: the model answers alone, beside the hits of the query', async () => {
    const { result, docids, searched, shown, asks } = await answering(['[No Retrieval]', 'Ada'])
    expect(asks).toEqual(['router', 'answer'])
    expect(searched).toEqual([['who']])
    expect(shown[1]).toBe('Question:\nwho')
    expect(result).toMatchObject({ answer: 'Ada', citations: [] })
    expect(result.trace.outcome.strategy).toBe('[No Retrieval]')
    expect(docids).toEqual(['a', 'b', 'c', 'd'])
    expect(result.trace).toMatchObject({ kind: 'as-is', reason: 'the model answers without documents' })
  })

  it('[Retrieval]: one search, one filter', async () => {
    const { result, docids, searched, shown, asks } = await answering([
      '[Retrieval] first',
      keep(4, 1),
      'Ada',
    ])
    expect(asks).toEqual(['router', 'filter', 'answer'])
    expect(searched).toEqual([['who'], ['first']])
    expect(shown[1]).toBe(
      // The question itself has found a, b, c, d: the lists take turns.
      'Documents:\nDocument 1 (Title: C): text of c\nDocument 2 (Title: A): text of a\nDocument 3 (Title: B): text of b\nDocument 4 (Title: D): text of d\n\nQuestion:\nwho',
    )
    expect(shown[2]).toContain('Document 1 (Title: D): text of d\nDocument 2 (Title: C): text of c\n')
    expect(result).toMatchObject({ answer: 'Ada', citations: ['d', 'c'], trace: { reason: 'one search' } })
    expect(docids).toEqual(['d', 'c', 'a', 'b'])
  })

  it('[Planning]: a plan, searches for what it wants, until the documents are enough', async () => {
    const { result, docids, searched, shown, asks } = await answering([
      '[Planning]',
      'One thing, then another.',
      next('first'),
      keep(1),
      next('second'),
      keep(2, 1),
      enough,
      'Ada',
    ])
    expect(asks).toEqual(['router', 'plan', 'decide', 'filter', 'decide', 'filter', 'decide', 'answer'])
    expect(searched).toEqual([['who'], ['first'], ['second']])
    expect(shown[2]).toBe('Documents:\nnone yet\n\nPlan:\nOne thing, then another.\n\nQuestion:\nwho')
    expect(shown[3]).toContain('\n\nObjective:\nneed first.\n\nQuestion:\nwho')
    expect(shown[4]).toContain('Documents:\nDocument 1 (Title: C): text of c\n\nPlan:')
    expect(shown[6]).toContain(
      'Document 1 (Title: C): text of c\nDocument 2 (Title: E): text of e\nDocument 3 (Title: D)',
    )
    expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'e', 'd'] })
    expect(shown[5]).toContain('\n\nKept before:\n- C\n\nObjective:')
    expect(docids).toEqual(['c', 'e', 'd', 'a', 'b'])
    expect(result.trace).toMatchObject({ kind: 'decompose', reason: 'search 2 of the plan' })
  })
})

describe('a plan', () => {
  it('that needs nothing: the model answers alone', async () => {
    const { result, asks } = await answering(['[Planning]', 'None.', enough, 'Ada'])
    expect(asks).toEqual(['router', 'plan', 'decide', 'answer'])
    expect(result).toMatchObject({ answer: 'Ada', citations: [] })
  })

  it('ends after maxRounds searches, and nobody is asked whether to go on', async () => {
    const answers = ['[Planning]', 'Plan.', next('first'), keep(1), next('second'), keep(1), 'Ada']
    const { result, asks } = await answering(answers, { maxRounds: 2 })
    expect(asks.slice(2)).toEqual(['decide', 'filter', 'decide', 'filter', 'answer'])
    expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'd'] })
  })

  it('ends when more than ten documents are kept; the same search gives the next ten', async () => {
    const ten = keep(...Array.from({ length: 10 }, (_, place) => place + 1))
    const { result, searched, asks } = await answering(
      ['[Planning]', 'Plan.', next('many'), ten, next('many'), keep(10, 1), 'Ada'],
      {},
      { k: 20 },
    )
    expect(asks.slice(2)).toEqual(['decide', 'filter', 'decide', 'filter', 'answer'])
    expect(searched).toEqual([['who'], ['many']])
    expect(result.citations).toEqual([
      ...['m0', 'a', 'm1', 'b', 'm2', 'c', 'm3', 'd', 'm4', 'm5'],
      ...['m19', 'm10'],
    ])
  })

  it('shows that a search brought nothing, and cites it never', async () => {
    const nothing = (place: number, query: string): string =>
      `Document ${place} (Title: ${query}): No relevant information about ${query} was found`
    const answers = ['[Planning]', 'Plan.', next('first'), keep(), next('broken'), enough, 'Ada [1].']
    const { result, shown } = await answering(answers, { longAnswer: true })
    expect(shown[4]).toContain(`Documents:\n${nothing(1, 'first')}\n\n`)
    expect(shown.at(-1)).toContain(`${nothing(1, 'first')}\n${nothing(2, 'broken')}\n`)
    expect(result).toMatchObject({ answer: 'Ada.', citations: [], trace: { partial: true } })
    const more = await answering([...answers.slice(0, 4), next('second'), keep(1), enough, 'Ada [1].'])
    expect(more.shown[6]).toContain(`${nothing(1, 'first')}\nDocument 2 (Title: D): text of d\n\n`)
    expect(more.shown.at(-1)).toBe('Documents:\nDocument 1 (Title: D): text of d\n\nQuestion:\nwho')
    expect(more.citations).toEqual(['d'])
  })

  it('where nothing is found, nobody is asked to choose', async () => {
    const { shown, asks, answer, citations } = await answering(
      ['[Retrieval] zzz', 'Ada'],
      {},
      {},
      { text: 'yyy' },
    )
    expect(asks).toEqual(['router', 'answer'])
    expect(shown[1]).toContain('No relevant information about zzz was found')
    expect([answer, citations]).toEqual(['Ada', []])
  })
})

describe('decisions that need no prompt, by rules of Querent', () => {
  const plan = ['[Planning]', 'Two things.\n1. Find out first\n2. Find out about it']

  it('the first step of a plan is searched; the plan is over when each step has brought something', async () => {
    const { asks, searched, shown, answer } = await answering([
      ...plan,
      keep(1),
      next('second'),
      keep(1),
      'Ada',
    ])
    expect(asks).toEqual(['router', 'plan', 'filter', 'decide', 'filter', 'answer'])
    expect(searched).toEqual([['who'], ['first'], ['second']])
    expect(shown[2]).toContain('\n\nObjective:\nfirst\n\n')
    expect(answer).toBe('Ada')
  })

  it('a step that brought nothing does not count', async () => {
    const { asks } = await answering([...plan, keep(), next('second'), keep(1), enough, 'Ada'])
    expect(asks.slice(2)).toEqual(['filter', 'decide', 'filter', 'decide', 'answer'])
  })

  it('a first step that names nothing is for the Decision Maker', async () => {
    const { asks, searched } = await answering([
      ...['[Planning]', '1. mayor of that city'],
      ...[next('first'), keep(1), 'Ada'],
    ])
    expect(asks.slice(2)).toEqual(['decide', 'filter', 'answer'])
    expect(searched).toEqual([['who'], ['first']])
  })

  it('nobody is asked where nothing more may be searched', async () => {
    const answers = ['[Planning]', 'Plan.', next('first'), keep(1), 'Ada']
    const { asks, answer } = await answering(answers, {}, {}, undefined, { rounds: 1 })
    expect(asks.slice(2)).toEqual(['decide', 'filter', 'answer'])
    expect(answer).toBe('Ada')
  })
})

describe('goes on without', () => {
  const unrouted = {
    asks: ['router', 'filter', 'answer'],
    searched: [['who']],
    answer: 'Ada',
    citations: ['b'],
    reason: 'there is no route: searched the question',
  }
  const plan = ['[Planning]', 'Plan.', next('first')]
  it.each<AnsweringCase>([
    ['the Router after an error: the question is searched', [failed, keep(2), 'Ada'], unrouted],
    [
      'the Router after two answers out of format: the same',
      ['I would search.', '[Search] who', keep(2), 'Ada'],
      unrouted,
    ],
    [
      'a plan: the question is searched',
      ['[Planning]', failed, keep(1), 'Ada'],
      {
        asks: ['router', 'plan', 'filter', 'answer'],
        answer: 'Ada',
        citations: ['a'],
        reason: 'there is no plan: searched the question',
      },
    ],
    [
      'the Decision Maker: the answer comes next',
      [...plan, keep(2), failed, 'Ada'],
      { asks: ['router', 'plan', 'decide', 'filter', 'decide', 'answer'], answer: 'Ada', citations: ['a'] },
    ],
    [
      'the Information Filter: the first three are kept',
      ['[Retrieval] who', failed, 'Ada'],
      { answer: 'Ada', citations: ['a', 'b', 'c'] },
    ],
    [
      'an answer: what was kept comes first',
      ['[Retrieval] who', keep(3), 'unknown'],
      { ...noAnswer, docids: ['c', 'a', 'b', 'd'] },
    ],
    [
      'filter and answer: the fused order',
      ['[Retrieval] first', failed, failed],
      { ...noAnswer, docids: ['a', 'c', 'd', 'b'], fused: [false, false, false, false] },
    ],
    [
      'route and answer, where nothing was to be searched: the hits of the query',
      ['[No Retrieval]', failed],
      { ...noAnswer, docids: ['a', 'b', 'c', 'd'] },
    ],
    [
      'a later round whose retrieval fails',
      [...plan, keep(1), next('broken'), enough, 'Ada'],
      { answer: 'Ada', citations: ['c'], fallback: undefined, result: { trace: { partial: true } } },
    ],
  ])('%s', async (_name, answers, expected) => expect(await answering(answers)).toMatchObject(expected))
})

it('a question of a conversation is made to stand alone first', async () => {
  const history = [{ role: 'user', text: 'Tell me of Ada.' }] as const
  const answers = ['{"query": "first"}', '[Retrieval] second', keep(1), 'Ada']
  const { result, shown, asks } = await answering(answers, {}, {}, { text: 'who', history })
  expect(asks).toEqual(['reading/standalone', 'router', 'filter', 'answer'])
  expect(shown[0]).toContain('Q1: Tell me of Ada.')
  expect(shown.slice(1).every((content) => content.endsWith('Question:\nfirst'))).toBe(true)
  expect(result.trace.outcome).toMatchObject({ answer: 'Ada', citations: ['d'] })
})

it('a caller that takes no answer gets the evidence as ranking, without the last prompt', async () => {
  const { result, docids, asks } = await answering(['[Retrieval] first', keep(4)], {}, { answer: false })
  expect(asks).toEqual(['router', 'filter'])
  expect(docids).toEqual(['d', 'a', 'c', 'b'])
  expect(result).not.toHaveProperty('answer')
  const alone = await answering(['[No Retrieval]'], {}, { answer: false })
  expect(alone.docids).toEqual(['a', 'b', 'c', 'd'])
})

it.each([
  [1, [], ['a', 'b', 'c', 'd']],
  [3, ['router', 'plan'], ['a', 'b', 'c', 'd']],
  // Nothing is left for the filter: the first document of each text stays.
  [4, ['router', 'plan', 'decide'], ['c', 'a', 'b', 'd']],
])('of a budget of %i prompts the last one is for the answer', async (asks, before, docids) => {
  const answers = [...['[Planning]', 'Plan.', next('first')].slice(0, asks - 1), 'Ada']
  const seen = await answering(answers, {}, {}, undefined, { asks })
  expect(seen).toMatchObject({ asks: [...before, 'answer'], docids, answer: 'Ada', fallback: undefined })
})

describe('options', () => {
  it.each([
    ['no-retrieval', ['Ada'], ['answer'], []],
    ['retrieval', [keep(1), 'Ada'], ['filter', 'answer'], ['a']],
    [
      'planning',
      ['Plan.', next('first'), keep(1), enough, 'Ada'],
      ['plan', 'decide', 'filter', 'decide', 'answer'],
      ['c'],
    ],
  ] as const)('force: %s', async (force, answers, expected, citations) => {
    const { result, asks } = await answering(answers, { force })
    expect(asks).toEqual(expected)
    expect(result).toMatchObject({ answer: 'Ada', citations })
    const { prompts = [], agents = [] } = c3po({ force })
    expect(prompts).toEqual(expect.arrayContaining(expected.map((name) => `c3po/${name}`)))
    expect(prompts).toHaveLength(new Set(expected).size + 1)
    expect(agents.every((agent) => prompts.includes(agent))).toBe(true)
  })

  it('rules: a function answers in place of a prompt, which no model serves', async () => {
    const rules = {
      'c3po/router': () => ({ action: 'planning' }),
      'c3po/decide': ({ documents: kept }) =>
        kept.length === 0
          ? { action: 'retrieval', thought: 'more', query: 'second' }
          : { action: 'answer', thought: 'enough' },
      'c3po/filter': async ({ documents: shown, objective }) =>
        objective === 'more' ? [shown.findIndex(({ docid }) => docid === 'e') + 1] : [],
    } satisfies C3poOptions['rules']
    const { result, asks } = await answering(['Plan.', 'Ada'], { rules })
    expect(asks).toEqual(['plan', 'answer'])
    expect(result).toMatchObject({ answer: 'Ada', citations: ['e'] })
    expect(c3po({ rules })).toMatchObject({
      prompts: ['reading/standalone', 'c3po/plan', 'c3po/answer'],
      agents: [],
    })
  })

  it('strict: numbers of no document and words around an action are failures, and "unknown" an answer', async () => {
    const answers = ['Well: [Retrieval] first', '[Retrieval] first', keep(1, 7), keep(7), 'unknown']
    const { result } = await answering(answers, { strict: true })
    expect(result).toMatchObject({ answer: 'unknown', citations: ['c', 'a', 'b'] })
  })

  it('are in the budget that it declares', () => {
    expect(c3po()).toMatchObject({
      budget: { rounds: 4, subQueries: 5, asks: 12, timeout: 60_000, askTimeout: 10_000 },
      agents: ['c3po/router', 'c3po/decide', 'c3po/filter'],
    })
    expect(c3po({ maxRounds: 2, timeout: 1000, askTimeout: 500 }).budget).toEqual({
      rounds: 2,
      subQueries: 3,
      asks: 8,
      timeout: 1000,
      askTimeout: 500,
    })
  })

  it.each([
    { maxRounds: 0 },
    { maxRounds: 21 },
    { force: 'search' },
    { rules: { 'mmoa/answer': () => 'Ada' } },
    { timeout: 0 },
  ])('refuses %j', (options) => expectError(() => c3po(options as C3poOptions), 'bad-config'))
})
