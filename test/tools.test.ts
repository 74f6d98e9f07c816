/** The tools of one search: what a policy asks, retrieves, fuses and reads. */
import { describe, expect, it } from 'vitest'
import type { Prompt } from '../src/prompt.ts'
import type { Reranker } from '../src/reranker.ts'
import type { Hit, Leg } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { manualClock } from './support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from './support/scripted.ts'
import { searchTools } from './support/search-tools.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const retriever = () => scriptedRetriever({ found })
const textsOf = (legs: readonly Leg[]): string[] => legs.map(({ subQuery }) => subQuery.text)
const docidsOf = (list: readonly Hit[]): string[] => list.map(({ docid }) => docid)
const echo: Prompt<string, string> = {
  name: 'echo',
  render: (text) => [{ role: 'user', content: text }],
  parse: (text) => text,
}

describe('original', () => {
  it('is under way before the policy asks for it, and is searched once', async () => {
    const { tools, retriever: bm25 } = searchTools({ retriever: retriever() })
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who']])
    expect(await tools.original()).toMatchObject([
      { subQuery: { text: 'who', round: 0 }, hits: hits('a', 'b') },
    ])
    expect(await tools.original()).toBe(await tools.original())
    expect(bm25.calls).toHaveLength(1)
  })
})

describe('retrieve', () => {
  it('searches texts in one request, and numbers the rounds from 1', async () => {
    const { tools, retriever: bm25 } = searchTools({ retriever: retriever(), declared: { rounds: 2 } })
    const one = await tools.retrieve([{ text: 'first' }, { text: 'second', from: 'b' }], { reason: 'r' })
    const two = await tools.retrieve([{ text: 'third' }], { reason: 'r' })
    expect([...one, ...two].map(({ subQuery }) => subQuery)).toEqual([
      { text: 'first', round: 1 },
      { text: 'second', round: 1, from: 'b' },
      { text: 'third', round: 2 },
    ])
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who'], ['first', 'second'], ['third']])
  })

  it('answers a text that was searched before from what came, which is no round', async () => {
    const { tools, retriever: bm25 } = searchTools({ retriever: retriever() })
    const once = await tools.retrieve([{ text: 'first' }], { reason: 'once' })
    const again = await tools.retrieve([{ text: ' FIRST ' }, { text: 'Who' }], { reason: 'again' })
    // The original query's legs come first, whatever the order of the texts.
    expect(textsOf(again)).toEqual(['who', 'first'])
    expect(again[1]).toBe(once[0])
    expect(bm25.calls).toHaveLength(2)
  })

  it('searches the original query for no texts, or blank ones', async () => {
    const { tools, retriever: bm25 } = searchTools({ retriever: retriever() })
    for (const texts of [[], [{ text: ' ' }]])
      expect(textsOf(await tools.retrieve(texts, { reason: 'r' }))).toEqual(['who'])
    expect(bm25.calls).toHaveLength(1)
  })

  it('searches texts that do not vote in the same request, and returns none of their legs', async () => {
    const { tools, retriever: bm25, isFound } = searchTools({ retriever: retriever() })
    const texts = [{ text: 'first' }, ...['second', 'first'].map((text) => ({ text, votes: false }))]
    expect(textsOf(await tools.retrieve(texts, { reason: 'r' }))).toEqual(['first'])
    expect(bm25.calls[1]!.texts).toEqual(['first', 'second'])
    expect(['d', 'e'].map(isFound)).toEqual([true, false])
  })

  it('searches the same text again under another filter', async () => {
    const query = { text: 'who', filter: { year: 2019 } }
    const { tools, retriever: bm25 } = searchTools({ query, retriever: retriever() })
    await tools.retrieve([{ text: 'who' }], { reason: 'in 2020', filter: { year: 2020 } })
    expect(bm25.calls.map(({ options }) => options.filter)).toEqual([{ year: 2019 }, { year: 2020 }])
  })

  it('rejects where the budget is spent, and searches nothing then', async () => {
    const { tools, retriever: bm25 } = searchTools({ retriever: retriever(), declared: { subQueries: 2 } })
    const three = ['first', 'second', 'third'].map((text) => ({ text }))
    await expectError(tools.retrieve(three, { reason: 'r' }), 'budget-exceeded')
    await tools.retrieve(three.slice(0, 2), { reason: 'r' })
    await expectError(tools.retrieve([{ text: 'third' }], { reason: 'r' }), 'budget-exceeded', 'once')
    expect(bm25.calls).toHaveLength(2)
  })

  it('rejects after the search has ended', async () => {
    const { tools } = searchTools({ signal: AbortSignal.abort(new Error('over')) })
    await expect(tools.retrieve([{ text: 'first' }], { reason: 'r' })).rejects.toThrow('over')
    await expect(tools.ask(echo, 'x')).rejects.toThrow('over')
  })
})

describe('ask', () => {
  it('runs a prompt on the model that serves it', async () => {
    const [chat, other] = [scriptedChat(['yes', 'no']), scriptedChat([])]
    const { tools, recorder } = searchTools({ modelFor: (name) => (name === 'echo' ? chat : other) })
    expect(await tools.ask(echo, 'is it so?')).toBe('yes')
    await tools.ask({ ...echo, final: true }, 'and the answer?')
    expect(chat.calls[0]!.messages).toEqual([{ role: 'user', content: 'is it so?' }])
    const { steps, tokens } = await recorder.finish({ hits: [] })
    expect(steps).toMatchObject([
      {},
      { type: 'ask', prompt: 'echo', model: 'scripted', attempts: 1, output: 'yes' },
      { type: 'ask', prompt: 'echo', final: true, output: 'no' },
    ])
    expect(steps[1]).not.toHaveProperty('final')
    expect(tokens).toEqual({ prompt: 20, completion: 10 })
  })

  it('rejects where no model serves the prompt, or the budget has no more prompts', async () => {
    const lonely = searchTools().tools
    await expectError(lonely.ask(echo, ''), 'bad-config')
    const { tools } = searchTools({ modelFor: () => scriptedChat(['a', 'b']), declared: { asks: 1 } })
    await tools.ask(echo, '')
    await expectError(tools.ask(echo, ''), 'budget-exceeded')
  })

  it('gives the model its time, and aborts it then', async () => {
    const clock = manualClock()
    const chat = scriptedChat(['late'], { ms: 9000, clock })
    const { tools } = searchTools({ clock, modelFor: () => chat, declared: { askTimeout: 300 } })
    const asking = expectError(tools.ask(echo, ''), 'deadline', /"scripted".* 300 ms/)
    await clock.advance(300)
    await asking
    expect(chat.calls[0]!.signal!.aborted).toBe(true)
  })
})

describe('documents', () => {
  it('come from the hits, else from the finder, which is asked once for each', async () => {
    const asked: (readonly string[])[] = []
    const { tools } = searchTools({
      retriever: retriever(),
      async findDocuments(docids) {
        asked.push(docids)
        return docids.map((docid) => (docid === 'z' ? undefined : { docid, text: `text of ${docid}` }))
      },
    })
    const documentOf = await tools.documents(['a', 'z'])
    expect([documentOf('a')?.text, documentOf('z')]).toEqual(['text of a', undefined])
    expect((await tools.documents(['a', 'b']))('b')?.text).toBe('text of b')
    expect(asked).toEqual([['a', 'z'], ['b']])
  })

  it('that are known are read even if the finder fails; it rejects where none is', async () => {
    let fails = false
    const { tools } = searchTools({
      retriever: retriever(),
      async findDocuments(docids) {
        if (fails) throw new Error('store down')
        return docids.map((docid) => ({ docid, text: `text of ${docid}` }))
      },
    })
    await tools.documents(['a'])
    fails = true
    const documentOf = await tools.documents(['a', 'b'])
    expect([documentOf('a')?.text, documentOf('b')]).toEqual(['text of a', undefined])
    await expect(tools.documents(['b'])).rejects.toThrow('store down')
  })

  it('are unknown where nothing finds them', async () =>
    expect((await searchTools().tools.documents(['a']))('a')).toBeUndefined())
})

describe('fuse', () => {
  const lists = (...all: readonly (readonly string[])[]): Leg[] =>
    all.map((docids, place) => ({
      retriever: 'bm25',
      subQuery: { text: `list ${place}`, round: 1 },
      hits: hits(...docids),
    }))
  const failed = (message: string): Leg => ({
    retriever: 'dense',
    subQuery: { text: 'who', round: 0 },
    error: new Error(message),
  })
  const isPartial = async ({ recorder }: ReturnType<typeof searchTools>) =>
    (await recorder.finish({ hits: [] })).partial

  it('merges the lists, each hit with the lists that it comes from', async () => {
    const made = searchTools()
    const [best, ...others] = made.tools.fuse(lists(['a', 'b'], ['c', 'b'], ['b']))
    // b is second, second and first: 1/2 + 1/2 + 1.
    expect(best).toMatchObject({ docid: 'b', rank: 1, score: 2 })
    expect(best!.provenance!.map(({ rank, share }) => [rank, share])).toEqual([
      [2, 1 / 4],
      [2, 1 / 4],
      [1, 1 / 2],
    ])
    expect(docidsOf(others)).toEqual(['a', 'c'])
    expect(await isPartial(made)).toBe(false)
  })

  it('leaves out legs that failed, and says that the result is partial', async () => {
    const made = searchTools()
    expect(docidsOf(made.tools.fuse([failed('down'), ...lists(['a'])]))).toEqual(['a'])
    expect(await isPartial(made)).toBe(true)
    const incomplete = searchTools()
    incomplete.tools.fuse(lists(['a']).map((leg) => ({ ...leg, incomplete: 'a shard failed' }) as Leg))
    expect(await isPartial(incomplete)).toBe(true)
  })

  it('throws the first error where no leg has an answer, and fuses no legs to no hits', () => {
    const { tools } = searchTools()
    expect(() => tools.fuse([failed('first'), failed('second')])).toThrow('first')
    expect(tools.fuse([])).toEqual([])
  })

  it('gives as many hits as the caller wants, or as it is told', () => {
    const many = lists(Array.from({ length: 150 }, (_, place) => `d${place}`))
    const { tools } = searchTools({ k: 5 })
    expect(tools.fuse(many)).toHaveLength(5)
    expect(tools.fuse(many, { k: 7 })).toHaveLength(7)
  })

  it('puts evidence first, which may come from behind the hits that are wanted', () => {
    const { tools } = searchTools({ k: 2 })
    expect(docidsOf(tools.fuse(lists(['a', 'b', 'c']), { first: ['c'] }))).toEqual(['c', 'a'])
  })
})

describe('rerank', () => {
  const made = () => searchTools({ retriever: retriever(), k: 2 })

  it('says of a hit that did not vote which lists brought it', async () => {
    const { tools } = made()
    await tools.original()
    await tools.retrieve([{ text: 'first' }, { text: 'second', votes: false }], { reason: 'r' })
    const [d, a, ...others] = await tools.rerank({ rerank: () => hits('d', 'a', 'b') }, hits('a'))
    expect(others).toEqual([])
    expect(d!.provenance).toEqual([
      { retriever: 'bm25', subQuery: { text: 'second', round: 1 }, rank: 1, score: 1 },
    ])
    expect(a!.provenance!.map(({ subQuery, rank }) => [subQuery.text, rank])).toEqual([
      ['who', 1],
      ['first', 2],
    ])
  })

  it('keeps the order where the re-ranker fails, and writes down why', async () => {
    const { tools, recorder } = made()
    const rerank = () => Promise.reject(new Error('no model'))
    expect(docidsOf(await tools.rerank({ rerank }, hits('a', 'b', 'c')))).toEqual(['a', 'b', 'c'])
    const { steps } = await recorder.finish({ hits: [] })
    expect(steps.at(-1)).toMatchObject({ type: 'rerank', error: { message: 'no model' } })
  })

  it('sees the lists of some texts alone, and gives as many hits as are wanted', async () => {
    const { tools } = made()
    await tools.original()
    await tools.retrieve([{ text: 'first' }, { text: 'second', votes: false }], { reason: 'r' })
    const seen: string[][] = []
    const rerank: Reranker['rerank'] = (_, lists) => {
      seen.push(lists.map(({ subQuery }) => subQuery.text))
      return hits('d', 'a', 'b')
    }
    const request = { texts: ['FIRST', 'second'], k: 3 }
    expect(docidsOf(await tools.rerank({ rerank }, hits('a'), request))).toEqual(['d', 'a', 'b'])
    expect(seen).toEqual([['first', 'second']])
  })

  it('keeps what has to come first, even what the re-ranker leaves out', async () => {
    const { tools } = searchTools({ k: 5 })
    const rerank = () => hits('d', 'c', 'b')
    const first = ['c', new Set(['a', 'b'])]
    expect(docidsOf(await tools.rerank({ rerank }, hits('a', 'b', 'c', 'd'), { first }))).toEqual([
      'c',
      'b',
      'a',
      'd',
    ])
  })
})

describe('left', () => {
  it('is what of the budget has not been spent yet', async () => {
    const clock = manualClock()
    const chat = scriptedChat(['yes'])
    const { tools } = searchTools({
      retriever: retriever(),
      clock,
      declared: { rounds: 2, asks: 3, tokens: 100, timeout: 1000 },
      modelFor: () => chat,
    })
    expect(tools.left()).toEqual(tools.budget)
    await tools.retrieve([{ text: 'first' }, { text: 'second' }], { reason: 'r' })
    await tools.ask(echo, 'is it?')
    await clock.advance(400)
    expect(tools.left()).toMatchObject({ rounds: 1, subQueries: 13, asks: 2, tokens: 85, timeout: 600 })
  })
})
