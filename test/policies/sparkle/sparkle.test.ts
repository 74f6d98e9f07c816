import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentsAsTriples, type SparkleOptions, sparkle } from '../../../policies/sparkle/sparkle.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Document, Step } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { finderOf } from '../../support/finder.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { type AnsweringCase, answeringBy, documentsNamed, noAnswer } from '../../support/search-answering.ts'
import { seed } from '../../support/seed.ts'

const found = {
  who: ['a', 'b', 'c', 'd'],
  first: ['c', 'a', 'd'],
  second: ['d', 'e'],
  broken: new Error('no'),
  many: Array.from({ length: 25 }, (_, place) => `m${place}`),
}
const documents = documentsNamed(['a', 'b', 'c', 'd', 'e', ...found.many], 'Fact of').map(
  ({ text, ...document }) => ({ ...document, text: `${text}.` }),
)
const answering = answeringBy<SparkleOptions>(sparkle, { found, documents })
const failed = new Error('no answer')
const thought = (text: string): string => `<think>${text}`
const answer = (text: string): string => `<answer>${text}</answer>`
const yes = 'Yes (retrieval is required)'
const no = 'No (retrieval is not required)'
const query = (text: string): string =>
  `Step 1: <who; needs; [unknown]>\nStep 2: we need to know: ${text}\nStep 3: ${text}`
const fact = (docid: string): string => `${docid.toUpperCase()}: Fact of ${docid}.`
/** A step that searches and chooses. */
const step = (text: string, docid: string): readonly string[] => [
  thought(`about ${text}`),
  yes,
  query(text),
  fact(docid),
]

it('thinks, searches for what a thought lacks, and answers from the documents of chosen facts', async () => {
  const answers = [...step('first', 'a'), ...step('second', 'e'), thought('So.'), no, answer('Ada')]
  const { result, docids, searched, shown, asks } = await answering(answers)
  const round = ['think', 'decide', 'formulate', 'integrate']
  expect(asks).toEqual([...round, ...round, 'think', 'decide', 'think'])
  expect(searched).toEqual([['who'], ['first'], ['second']])
  expect(shown[3]).toBe(
    `Facts:\n${fact('c')}\n${fact('a')}\n${fact('d')}\n\nReasoning chain:\n<who; needs; [unknown]>\n\nQuery:\nfirst\n\nQuestion:\nwho`,
  )
  const context = 'Documents:\nDocument 1 (Title: A): Fact of a.\nDocument 2 (Title: E): Fact of e.\n\n'
  const thoughts = '<think>about first</think>\n<think>about second</think>\n'
  expect(shown[8]).toBe(`${context}Thoughts:\n${thoughts}\nQuestion:\nwho`)
  expect(shown[9]).toBe(
    `${context}Earlier thoughts:\n${thoughts}\nCurrent thought:\n<think>So.</think>\n\nQuestion:\nwho`,
  )
  expect(result).toMatchObject({ answer: 'Ada', citations: ['a', 'e'] })
  // a and e were chosen; d has two places, then c.
  expect(docids).toEqual(['a', 'e', 'd', 'c'])
  expect(result.trace).toMatchObject({ kind: 'decompose', reason: 'search 2, after 2 thoughts' })
})

describe('what a thought itself says, by a rule of Querent', () => {
  const asking = [
    thought('Who is first?'),
    query('first'),
    fact('a'),
    thought('So the answer is Ada.'),
    answer('Ada'),
  ]
  const asks = ['think', 'formulate', 'integrate', 'think', 'think']

  it('a thought that asks is searched, one that answers is not, and nobody decides', async () =>
    expect(await answering(asking)).toMatchObject({ asks, answer: 'Ada', citations: ['a'] }))

  it('in training, and by a rule, it is decided', async () => {
    const rules = { 'sparkle/decide': () => false }
    const ruled = await answering([asking[0]!, answer('Ada')], { rules })
    expect(ruled.asks).toEqual(['think', 'think'])
    const { asks: strictly } = await answering([asking[0]!, no, answer('Ada')], { strict: true })
    expect(strictly).toEqual(['think', 'decide', 'think'])
  })
})

it('an answer at once needs no search: the hits of the query beside it', async () => {
  const { result, docids, searched, asks } = await answering([answer('Ada')])
  expect([asks, searched]).toEqual([['think'], [['who']]])
  expect(result).toMatchObject({ answer: 'Ada', citations: [] })
  expect(docids).toEqual(['a', 'b', 'c', 'd'])
  expect(result.trace).toMatchObject({ kind: 'as-is', reason: 'no thought led to a search' })
})

it('a decision against searching leaves the context as it is', async () => {
  const { searched, shown } = await answering([thought('Hm.'), no, answer('Ada')])
  expect(searched).toEqual([['who']])
  expect(shown[2]).toBe('Documents:\nnone yet\n\nThoughts:\n<think>Hm.</think>\n\nQuestion:\nwho')
})

it('a query that was searched before changes nothing, whatever its case', async () => {
  const answers = [...step('first', 'c'), thought('Again?'), yes, query('First'), answer('Ada')]
  const { result, searched, asks } = await answering(answers)
  expect(searched).toEqual([['who'], ['first']])
  expect(asks.filter((name) => name === 'integrate')).toHaveLength(1)
  expect(result.citations).toEqual(['c'])
})

it('the same document again changes nothing', async () => {
  const { result } = await answering([...step('first', 'd'), ...step('second', 'd'), answer('Ada')])
  expect(result.citations).toEqual(['d'])
})

it('the question as it is may be the query, which costs no request', async () => {
  const { result, searched } = await answering([...step('who', 'b'), answer('Ada')])
  expect(searched).toEqual([['who']])
  expect(result).toMatchObject({ answer: 'Ada', citations: ['b'], trace: { kind: 'as-is' } })
})

it('after the last search nobody decides any more, and after the last thought the model must answer', async () => {
  const answers = [...step('first', 'c'), thought('2'), thought('3'), answer('Ada')]
  const { result, asks, shown } = await answering(answers, { maxRounds: 1, maxSteps: 3 })
  expect(asks).toEqual(['think', 'decide', 'formulate', 'integrate', 'think', 'think', 'think'])
  expect(shown[6]).toContain('<think>2</think>\n<think>3</think>')
  expect(result).toMatchObject({ answer: 'Ada', citations: ['c'] })
})

it('twenty facts of ten documents are shown', async () => {
  const { shown } = await answering([...step('many', 'm3'), answer('Ada')])
  expect(shown[3]!.match(/^M\d+: /gm)).toHaveLength(10)
})

describe('goes on without', () => {
  const chosen = {
    ...noAnswer,
    docids: ['d', 'c', 'a'],
    result: { trace: { outcome: { citations: ['d'] } } },
  }
  const undecided = { searched: [['who']], answer: 'Ada' }
  const hm = thought('Hm.')
  it.each<AnsweringCase>([
    ['thoughts after an error, with what was chosen first', [...step('first', 'd'), failed], chosen],
    ['thoughts after two empty answers: the same', [...step('first', 'd'), '', ''], chosen],
    ['any thought: the hits of the query', [failed], { ...noAnswer, docids: ['a', 'b', 'c', 'd'] }],
    ['a decision after an error: nothing is searched', [hm, failed, answer('Ada')], undecided],
    ['a decision after two that are none: the same', [hm, 'Perhaps.', 'Perhaps.', answer('Ada')], undecided],
    [
      'a query: the question is searched',
      [hm, yes, failed, fact('b'), answer('Ada')],
      {
        shown: expect.arrayContaining([
          expect.stringContaining('Reasoning chain:\nnone yet\n\nQuery:\nwho\n'),
        ]),
        answer: 'Ada',
        citations: ['b'],
        reason: 'there is no query: searched the question',
      },
    ],
    [
      'a choice: the context stays as it is',
      [hm, yes, query('first'), 'none', 'none again', answer('Ada')],
      { answer: 'Ada', citations: [], docids: ['c', 'a', 'd'] },
    ],
    [
      'documents: nobody is asked to choose where nothing is found',
      [hm, yes, query('zzz'), answer('Ada')],
      {
        asks: ['think', 'decide', 'formulate', 'think'],
        answer: 'Ada',
        citations: [],
        docids: ['a', 'b', 'c', 'd'],
      },
    ],
    [
      'a later round whose retrieval fails',
      [...step('first', 'c'), hm, yes, query('broken'), answer('Ada')],
      { answer: 'Ada', citations: ['c'], fallback: undefined, result: { trace: { partial: true } } },
    ],
    [
      'the first round: the hits of the query, labeled',
      [hm, yes, query('broken'), answer('Ada')],
      { ...noAnswer, docids: ['a', 'b', 'c', 'd'], fallback: expect.anything() },
    ],
    [
      'an answer, if it is "unknown", and asks for none again',
      [...step('first', 'd'), answer('unknown')],
      { ...chosen, asks: ['think', 'decide', 'formulate', 'integrate', 'think'] },
    ],
  ])('%s', async (_name, answers, expected) => expect(await answering(answers)).toMatchObject(expected))
})

it('a question of a conversation is made to stand alone first', async () => {
  const history = [{ role: 'user', text: 'Tell me of Ada.' }] as const
  const answers = ['{"query": "first"}', ...step('second', 'd'), answer('Ada')]
  const { result, shown, asks } = await answering(answers, {}, {}, { text: 'who', history })
  expect(asks).toEqual(['reading/standalone', 'think', 'decide', 'formulate', 'integrate', 'think'])
  expect(shown[0]).toContain('Q1: Tell me of Ada.')
  expect(shown.slice(1).every((content) => content.endsWith('Question:\nfirst'))).toBe(true)
  expect(result).toMatchObject({ answer: 'Ada', citations: ['d'] })
})

it('a caller that takes no answer gets the evidence as ranking, without the prompt at the end', async () => {
  const answers = [...step('first', 'd'), thought('2')]
  const settings = { maxSteps: 2, maxRounds: 1 }
  const { result, docids, asks } = await answering(answers, settings, { answer: false })
  expect(asks).toEqual(['think', 'decide', 'formulate', 'integrate', 'think'])
  expect(docids).toEqual(['d', 'c', 'a'])
  expect(result).not.toHaveProperty('answer')
  const early = await answering([...step('first', 'd'), answer('Ada')], {}, { answer: false })
  expect(early.docids).toEqual(['d', 'c', 'a'])
  expect(early.result).not.toHaveProperty('answer')
})

describe('within a budget below its own', () => {
  const answers = [...step('first', 'd'), ...step('second', 'e'), answer('Ada')]
  it.each([
    // The question's documents, where nothing else was searched.
    [1, ['a', 'b', 'c', 'd']],
    [2, ['a', 'b', 'c', 'd']],
    // There is no prompt for a query, then none for a choice.
    [3, ['a', 'b', 'c', 'd']],
    [4, ['c', 'a', 'd']],
    [5, ['d']],
    [8, ['d', 'e']],
  ])('of %i prompts the last one is for the answer, from what is at hand', async (prompts, citations) => {
    const said = [...answers.slice(0, prompts - 1), answer('Ada')]
    const seen = await answering(said, {}, {}, undefined, { asks: prompts })
    expect(seen.asks).toHaveLength(prompts)
    expect(seen).toMatchObject({ answer: 'Ada', citations, fallback: undefined })
    expect(seen.result.endedBy).toBe('asks')
  })

  it('of nine prompts it has its answer', async () =>
    expect(await answering(answers, {}, {}, undefined, { asks: 9 })).toMatchObject({
      answer: 'Ada',
      citations: ['d', 'e'],
    }))

  it('of one round it finds nothing more, and thinks on', async () => {
    const { result, citations } = await answering(answers, {}, {}, undefined, { rounds: 1 })
    expect(result.trace.steps.filter(({ type }) => type === 'retrieve')).toHaveLength(2)
    expect(citations).toBeUndefined()
    expect(result.trace.outcome.citations).toEqual(['d'])
  })
})

describe('options', () => {
  it('firstRetrieval: five documents of the question before the first thought', async () => {
    const first = await answering([answer('Ada')], { firstRetrieval: true })
    expect(first.searched).toEqual([['who']])
    expect(first.shown[0]).toContain('Document 4 (Title: D): Fact of d.\n\nThoughts:\nnone yet')
    expect(first.result).toMatchObject({ answer: 'Ada', citations: ['a', 'b', 'c', 'd'] })
    const many = await answering([answer('Ada')], { firstRetrieval: true }, {}, { text: 'many' })
    expect(many.result.citations).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
    // Nobody chose them: without an answer they are what the fusion says.
    const none = await answering([failed], { firstRetrieval: true })
    expect(none.result.trace.outcome.citations).toBeUndefined()
  })

  it('rules: without the Retrieval Decision, the Query Formulation and the Knowledge Integration, as in Table 4', async () => {
    const without = {
      triples: documentsAsTriples(),
      rules: {
        'sparkle/decide': () => true,
        'sparkle/formulate': ({ thoughts }) => ({ chain: '', query: thoughts.at(-1)! }),
        'sparkle/integrate': ({ candidates }) => candidates,
      },
    } satisfies SparkleOptions
    const { result, asks, searched } = await answering([thought('first'), answer('Ada')], without)
    expect(asks).toEqual(['think', 'think'])
    expect(searched[1]).toEqual(['first'])
    expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'a', 'd'] })
    expect(sparkle(without)).toMatchObject({ prompts: ['reading/standalone', 'sparkle/think'], agents: [] })
  })

  it('chain: false asks for a query alone', async () => {
    const answers = [thought('Hm.'), yes, 'Step 2: the gap\nStep 3: first', fact('c'), answer('Ada')]
    const { shown } = await answering(answers, { chain: false })
    expect(shown[3]).toContain('Reasoning chain:\nnone yet\n')
  })

  it('triples: facts that were made before', async () => {
    const of = async (list: readonly Document[]) =>
      list.map(({ docid }) => ({ head: docid, relation: 'is', tail: 'x', docid }))
    const answers = [thought('Hm.'), yes, query('first'), '<a; is; x>', answer('Ada')]
    const { result, shown } = await answering(answers, { triples: { of } })
    expect(shown[3]).toContain('Facts:\n<c; is; x>\n<a; is; x>\n<d; is; x>\n\n')
    expect(result.citations).toEqual(['a'])
  })

  it('longAnswer: marks are places in the citations', async () => {
    const answers = [...step('first', 'c'), ...step('second', 'e'), answer('So it is [2] [4].')]
    const { result } = await answering(answers, { longAnswer: true })
    expect(result).toMatchObject({ answer: 'So it is [2].', citations: ['c', 'e'] })
  })

  it('strict: what is not the grammar is a failure, and "unknown" an answer', async () => {
    const answers = [
      ...[thought('1'), 'Yes', 'Yes'],
      ...[thought('2'), yes, 'Step 3: second', 'Step 3: second', 'a: fact of a', 'a', answer('unknown')],
    ]
    const { result, asks } = await answering(answers, { strict: true })
    expect(asks).toEqual(['think', 'decide', 'think', 'decide', 'formulate', 'integrate', 'think'])
    expect(result).toMatchObject({ answer: 'unknown', citations: [] })
  })

  it('are in the budget that it declares', () => {
    expect(sparkle()).toMatchObject({
      budget: { rounds: 5, subQueries: 5, asks: 31, timeout: 90_000, askTimeout: 10_000 },
      prompts: [
        'reading/standalone',
        'sparkle/think',
        'sparkle/decide',
        'sparkle/formulate',
        'sparkle/integrate',
      ],
      agents: ['sparkle/decide', 'sparkle/formulate', 'sparkle/integrate'],
    })
    const options = { maxSteps: 3, maxRounds: 2, firstRetrieval: true, timeout: 1000, askTimeout: 500 }
    expect(sparkle(options).budget).toEqual({
      rounds: 3,
      subQueries: 3,
      asks: 13,
      timeout: 1000,
      askTimeout: 500,
    })
  })

  it('the budget is enough for whatever the model says, and all of it can be spent', async () => {
    const says = fc.constantFrom(thought('Hm.'), yes, yes, no, query('first'), query('second'), fact('d'), '')
    let most = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(says, { minLength: 100, maxLength: 100 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        async (answers, maxSteps, maxRounds) => {
          const policy = sparkle({ maxSteps, maxRounds })
          const { search } = createOptimizer({
            retrievers: [scriptedRetriever({ found })],
            policy: { ...policy, budget: { asks: 100, rounds: 100, subQueries: 100 } },
            chat: scriptedChat(answers),
            documents: finderOf(documents),
          })
          const { trace } = await search('who')
          const count = (type: Step['type']): number => trace.steps.filter((one) => one.type === type).length
          // One of the prompts in the budget is for conversations.
          expect(count('ask')).toBeLessThan(policy.budget!.asks!)
          expect(count('retrieve') - 1).toBeLessThanOrEqual(policy.budget!.rounds!)
          most = Math.max(most, count('ask') / (policy.budget!.asks! - 1))
        },
      ),
      { seed, numRuns: 50 },
    )
    expect(most).toBeGreaterThan(0.5)
    // Four prompts, three for a second step with the same query, and the answer at the end.
    const again = [thought('Again.'), yes, query('first'), answer('Ada')]
    const { asks } = await answering([...step('first', 'a'), ...again], { maxSteps: 2, maxRounds: 2 })
    expect(asks).toHaveLength(8)
  })

  it.each([
    { maxSteps: 0 },
    { maxSteps: 31 },
    { maxRounds: 21 },
    { triples: [] },
    { embedder: {} },
    { rules: { 'c3po/answer': () => 'Ada' } },
    { timeout: 0 },
  ])('refuses %j', (options) =>
    expectError(() => sparkle(options as unknown as SparkleOptions), 'bad-config'),
  )
})
