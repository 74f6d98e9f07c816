import { describe, expect, it } from 'vitest'
import { type AgenticOptions, agentic } from '../../../policies/agentic/agentic.ts'
import { none } from '../../../policies/none.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import { rerankedHits } from '../../../src/reranked-hits.ts'
import type { Reranker } from '../../../src/reranker.ts'
import { expectError } from '../../support/expect-error.ts'
import { finderOf } from '../../support/finder.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { type AnsweringCase, answeringBy, documentsNamed, noAnswer } from '../../support/search-answering.ts'

const found = {
  who: ['a', 'b', 'c', 'd'],
  'who wrote a': ['c', 'e', 'f', 'a'],
  'born f': ['g', 'b', 'h', 'd'],
  many: Array.from({ length: 30 }, (_, place) => `m${place}`),
  broken: new Error('no'),
}
const documents = documentsNamed([...'abcdefgh', ...found.many])
const answering = answeringBy<AgenticOptions>((options) => agentic({ policy: none(), ...options }), {
  found,
  documents,
})
const failed = new Error('no answer')
const titlesIn = (content = ''): string[] =>
  Array.from(content.matchAll(/^Document \d+ \(Title: (.*?)\)/gm), ([, title]) => title!.toLowerCase())

describe('a round', () => {
  it('answers from the first page: one prompt, no request', async () => {
    const { result, docids, searched, shown, asks } = await answering(['Answer: Ada\nDocuments: 3, 1'])
    expect(asks).toEqual(['round'])
    expect(searched).toEqual([['who']])
    expect(shown[0]).toMatch(/^Documents:\nDocument 1 \(Title: A\): text of a\n/)
    expect(shown[0]).toMatch(/\n\nSearched so far:\n- the question: 4 documents\n\nQuestion:\nwho$/)
    expect(result).toMatchObject({ answer: 'Ada', citations: ['c', 'a'] })
    expect(docids).toEqual(['c', 'a', 'b', 'd'])
    expect(result.trace.outcome.strategy).toBe('1 prompt')
    expect(result.trace).toMatchObject({ kind: 'as-is' })
  })

  it('writes queries and keeps documents: what is kept is shown first, then what each query found and was not shown', async () => {
    const { result, docids, searched, shown } = await answering([
      'Search: who wrote a\nSearch: born f\nDocuments: 2',
      'Answer: Ada\nDocuments: 3, 1',
    ])
    expect(searched).toEqual([['who'], ['who wrote a', 'born f']])
    // c and b come back among the first three of a query; a and d do not.
    expect(titlesIn(shown[1])).toEqual(['b', 'c', 'e', 'f', 'g', 'h'])
    expect(shown[1]).toContain('- who wrote a: 2 new documents')
    expect(result).toMatchObject({ answer: 'Ada', citations: ['e', 'b'], trace: { kind: 'decompose' } })
    // Cited, kept, and then in turns, the latest round first.
    expect(docids).toEqual(['e', 'b', 'c', 'g', 'a', 'f', 'h', 'd'])
    expect(result.trace.steps.findLast((step) => step.type === 'decide')).toMatchObject({
      details: { kept: ['e', 'b'], searched: [{ text: 'who' }, { text: 'who wrote a' }, { text: 'born f' }] },
    })
  })

  it('"unknown" keeps what was ever kept in front', async () => {
    const answers = ['Search: born f\nDocuments: 4', 'Answer: unknown\nDocuments: 2']
    expect(await answering(answers)).toMatchObject({
      ...noAnswer,
      docids: ['g', 'd', 'a', 'b', 'h', 'c'],
      reason: 'the documents do not tell the answer, after 2 prompts',
    })
  })

  it('at the beginning shows 16 documents, and 6 of one query', async () => {
    const { shown } = await answering(['Search: many\nDocuments: none', 'Answer: unknown'])
    expect(titlesIn(shown[1])).toEqual(found.many.slice(0, 6))
    const { shown: first } = await answering(['Answer: unknown'], {}, {}, { text: 'many' })
    expect(titlesIn(first[0])).toEqual(found.many.slice(0, 16))
  })

  it('says which words of a query no document has', async () => {
    const { shown } = await answering(['Search: who wrote a\nDocuments: none', 'Answer: unknown'])
    expect(shown[1]).toContain('- who wrote a: 2 new documents; none of the documents has: wrote\n')
  })
})

describe('ends', () => {
  it.each<AnsweringCase>([
    [
      'with the first page, if the model fails',
      [failed],
      { ...noAnswer, docids: ['a', 'b', 'c', 'd'], fused: [false, false, false, false] },
    ],
    [
      'with what was kept, if it fails later',
      ['Search: who wrote a\nDocuments: 3', failed],
      { ...noAnswer, docids: ['c', 'a', 'e', 'b', 'f', 'd'], asks: ['round', 'round'] },
    ],
    [
      'where queries find nothing else: nobody is asked again',
      ['Search: zzz\nDocuments: 2'],
      { ...noAnswer, docids: ['b', 'a', 'c', 'd'], asks: ['round'], searched: [['who'], ['zzz']] },
    ],
    [
      'where a search fails',
      ['Search: broken\nDocuments: 2'],
      { ...noAnswer, docids: ['b', 'a', 'c', 'd'], result: { trace: { partial: true } } },
    ],
    [
      'where the question itself is written as a query',
      ['Search: Who\nDocuments: 2'],
      { ...noAnswer, docids: ['b', 'a', 'c', 'd'], searched: [['who']] },
    ],
  ])('%s', async (_name, answers, expected) => expect(await answering(answers)).toMatchObject(expected))

  it('after the second prompt, which nothing is searched after; after the third, if that is allowed', async () => {
    const answers = [
      'Search: who wrote a\nDocuments: 1',
      'Search: born f\nDocuments: 1',
      'Answer: Ada\nDocuments: 1',
    ]
    const { asks, searched } = await answering(answers)
    // The second one is asked to repair what it wrote.
    expect(asks).toEqual(['round', 'round'])
    expect(searched).toHaveLength(2)
    const more = await answering(answers, { maxRounds: 3 })
    expect(more).toMatchObject({ asks: ['round', 'round', 'round'], answer: 'Ada' })
    expect(more.searched).toHaveLength(3)
  })
})

describe('the last prompt that a budget allows asks for the answer', () => {
  const isLast = (content: string): boolean => content.includes('Nothing more is searched')
  /** What the first prompt says under a budget. */
  async function firstUnder(budget: object, { maxRounds = 3, usd = 0 } = {}): Promise<string> {
    const chat = scriptedChat(['Answer: Ada\nDocuments: 1'])
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: agentic({ policy: none(), maxRounds }),
      chat,
      budget,
      ...(usd > 0 && { prices: { scripted: { prompt: usd, completion: usd } } }),
      documents: finderOf(documents),
    })
    expect((await optimizer.search('who')).answer).toBe('Ada')
    return chat.calls[0]!.messages[0]!.content
  }

  it.each([
    [{}, false],
    [{ asks: 1 }, true],
    [{ asks: 2 }, false],
    [{ tokens: 100 }, true],
    [{ tokens: 10_000 }, false],
    [{ subQueries: 1 }, false],
  ])('%j', async (budget, expected) => expect(isLast(await firstUnder(budget))).toBe(expected))

  it('dollars and time: if the last prompt used more than half', async () => {
    const clock = manualClock()
    const chat = scriptedChat(['Search: who wrote a\nDocuments: 1', 'Answer: Ada\nDocuments: 1'], {
      ms: 4,
      clock,
    })
    const { search } = createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: agentic({ policy: none(), maxRounds: 3, timeout: 11 }),
      chat,
      clock,
      documents: finderOf(documents),
    })
    const searching = search('who')
    for (let step = 0; step < 2; step++) await clock.advance(4)
    expect((await searching).answer).toBe('Ada')
    expect(chat.calls.map(({ messages }) => isLast(messages[0]!.content))).toEqual([false, true])
  })
})

/** Leaves the question alone, and searches another text beside each that says "wrote". */
const local: Policy = {
  name: 'deciding',
  async run({ text }, tools) {
    const original = await tools.original()
    const texts = text.includes('wrote') ? [{ text: 'born f', votes: false }] : []
    tools.decide('as-is', 'it is plain')
    const legs = await tools.retrieve(texts, { reason: 'beside it' })
    return { hits: tools.fuse([...new Set([...original, ...legs])]) }
  },
}

/** Turns the order around, of all documents of the lists that it sees, and is as sure of each as it is told. */
const turning = (confidence: number) => {
  const seen: { readonly question: string; readonly lists: readonly string[] }[] = []
  const rerank: Reranker = {
    rerank({ text }, lists, fused) {
      seen.push({ question: text, lists: lists.map(({ subQuery }) => subQuery.text) })
      const docids = [...new Set(lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)))].toReversed()
      const scored = docids.map((docid, place) => ({ docid, score: -place }))
      return rerankedHits(fused, scored).map((hit) => ({ ...hit, confidence }))
    },
  }
  return { rerank, seen }
}

describe('the local policy', () => {
  it('searches each text as if a user had asked for it, and re-ranks it by itself', async () => {
    const { rerank, seen } = turning(0.2)
    const answers = ['Search: who wrote a\nDocuments: 1', 'Answer: Ada\nDocuments: 1']
    const { searched, shown, result } = await answering(answers, { policy: local, rerank })
    expect(searched).toEqual([['who'], ['who wrote a'], ['born f']])
    expect(seen).toEqual([
      { question: 'who', lists: ['who'] },
      { question: 'who wrote a', lists: ['who wrote a', 'born f'] },
    ])
    expect(titlesIn(shown[0])).toEqual(['d', 'c', 'b', 'a'])
    // Of what the texts beside it found, too: re-ranking brought it in.
    expect(titlesIn(shown[1])).toEqual(['d', 'h', 'b', 'g', 'f', 'e'])
    expect(result.hits[0]).toMatchObject({ docid: 'd', rank: 1, score: 1, confidence: 0.2 })
    expect(result.hits.map(({ docid }) => docid)).toEqual([...'dhcbgafe'])
  })

  it('where it is sure and no answer is wanted, no model is asked, unless always', async () => {
    const sure = { policy: local, rerank: turning(0.9).rerank }
    const plain = await answering([], sure, { answer: false })
    expect(plain).toMatchObject({ asks: [], docids: [...'dcba'] })
    expect(plain.result.trace.outcome.strategy).toBe('no prompt')
    const asked = { asks: ['round'], docids: [...'bdca'] }
    const answers = ['Documents: 3']
    expect(await answering(answers, { ...sure, askWhen: 'always' }, { answer: false })).toMatchObject(asked)
    const unsure = { policy: local, rerank: turning(0.3).rerank }
    expect(await answering(answers, unsure, { answer: false })).toMatchObject(asked)
  })

  it('where it is sure, the first prompt is the one that answers, unless always', async () => {
    const sure = { policy: local, rerank: turning(0.9).rerank }
    const answers = ['Answer: unknown\nSearch: who wrote a\nDocuments: 1', 'Answer: Ada\nDocuments: 1']
    const one = await answering(answers, sure)
    expect(one).toMatchObject({ asks: ['round'], docids: [...'dcba'] })
    expect(one.result.endedBy).toBeUndefined()
    expect((await answering(answers, { ...sure, askWhen: 'always' })).asks).toEqual(['round', 'round'])
  })

  it('of few rounds searches the texts alone', async () => {
    const answers = ['Search: who wrote a\nDocuments: 1', 'Answer: Ada\nDocuments: 1']
    const seen = await answering(answers, { policy: local }, {}, { text: 'who wrote a' }, { rounds: 1 })
    expect(seen.searched).toEqual([['who wrote a']])
  })

  it('sees the conversation, and so does the model', async () => {
    const history = [{ role: 'user', text: 'Tell me of Ada.' }] as const
    const { shown } = await answering(['Answer: Ada\nDocuments: 1'], {}, {}, { text: 'who', history })
    expect(shown[0]).toMatch(/Conversation so far:\nQ1: Tell me of Ada\.\n\nCurrent question:\nwho$/)
  })
})

it('shows one of each among near copies', async () => {
  const text =
    'The long bridge of the north was built in the year of the great flood by nobody in particular.'
  const copies = [
    { docid: 'a', title: 'Bridge', text },
    { docid: 'b', title: 'bridge', text: `${text} It stands.` },
    { docid: 'c', title: 'Tower', text },
    { docid: 'd', title: 'Bridge', text: 'Another text of it.' },
  ]
  const searching = answeringBy<AgenticOptions>(() => agentic({ policy: none() }), {
    found,
    documents: copies,
  })
  const { shown, docids } = await searching(['Answer: Ada\nDocuments: 2'])
  expect(titlesIn(shown[0])).toEqual(['bridge', 'tower', 'bridge'])
  expect(docids).toEqual(['c', 'a', 'b', 'd'])
})

it('streams the answer alone, with marks that are places in the citations', async () => {
  const pieces = [
    'Answ',
    'er: Ada ',
    '[',
    '3, 1',
    '] wrote',
    ' it in the years of the flood, and nobody else did',
    '.\nDocu',
    'ments: 2',
    ', 3',
  ]
  const chat = {
    name: 'streaming',
    async complete(_: unknown, { onText }: { onText?: (piece: string) => void } = {}) {
      for (const piece of pieces) onText?.(piece)
      return { text: pieces.join(''), tokens: { prompt: 1, completion: 1 } }
    },
  }
  const { search } = createOptimizer({
    retrievers: [scriptedRetriever({ found })],
    policy: agentic({ policy: none() }),
    chat,
    documents: finderOf(documents),
  })
  const said: string[] = []
  // The first stream of a model waits until it is known that the model does not think.
  await search('who', { onText: () => {} })
  const { answer, citations } = await search('who', { onText: (piece) => said.push(piece) })
  expect(answer).toBe('Ada [1] [2] wrote it in the years of the flood, and nobody else did.')
  expect(citations).toEqual(['c', 'a', 'b'])
  expect(said.join('')).toBe(answer)
  expect(said.length).toBeGreaterThan(2)
})

it('declares what it needs, and refuses wrong options', async () => {
  expect(agentic()).toMatchObject({
    name: 'agentic',
    budget: { asks: 2, rounds: 5, subQueries: 63, timeout: 60_000, askTimeout: 25_000 },
    prompts: ['agentic/round'],
    agents: ['agentic/round'],
  })
  expect(agentic({ maxRounds: 1 }).budget).toMatchObject({ asks: 1, rounds: 1, subQueries: 15 })
  for (const wrong of [
    { maxRounds: 0 },
    { answer: 'none' },
    { askWhen: 'never' },
    { policy: {} },
    { rerank: {} },
  ])
    await expectError(() => agentic(wrong as unknown as AgenticOptions), 'bad-config')
})

it('without a policy of its own, loads the bundled local one with the first search', async () => {
  const { result, docids } = await answeringBy<object>(() => agentic(), { found, documents })([
    'Answer: Ada\nDocuments: 2',
  ])
  expect(result.answer).toBe('Ada')
  expect(docids).toHaveLength(4)
  expect(result.trace.steps.some(({ type }) => type === 'rerank')).toBe(true)
})
