/** What the page shows of a search: while it runs, at its end, and of a trace. */
import { expect, it } from 'vitest'
import { searchHandler } from '../../adapters/apps/http/fetch.ts'
import type { SearchEvent } from '../../adapters/apps/http/stream.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import { storyOf } from '../../src/page/story.ts'
import { begun, type SearchView, viewOfAnswer, withEvent } from '../../src/page/view.ts'
import type { Policy } from '../../src/policy.ts'
import { posted } from '../adapters/apps/http/http-server.ts'
import { scriptedChat, scriptedRetriever } from '../support/scripted.ts'
import { deciding } from '../support/scripted-policy.ts'

const found = { who: ['a', 'b', 'c'], first: ['c', 'a'], second: ['d'] }

/** The views of one search, after each line of its stream. */
async function viewsOf(options: Partial<OptimizerOptions> = {}): Promise<readonly SearchView[]> {
  const optimizer = createOptimizer({ retrievers: [scriptedRetriever({ found })], ...options })
  const handle = searchHandler({ optimizer })
  const asked = posted({ text: 'who', explain: true })
  const response = await handle(new Request('http://localhost/search?stream=1', asked))
  const events = (await response.text())
    .trim()
    .split('\n')
    .map((line): SearchEvent => JSON.parse(line))
  const views = [begun({ text: 'who' })]
  for (const event of events) views.push(withEvent(views.at(-1)!, event))
  return views
}

it('shows what the words found before the search is over, then everything', async () => {
  const views = await viewsOf({ policy: deciding(['first', 'second']) })
  const early = views.find(({ rounds }) => rounds[0]!.legs.length > 0)!
  expect(early.phase).toBe('searching')
  expect(early.rounds[0]!.legs[0]).toMatchObject({ retriever: 'bm25', hits: 3 })
  expect([...early.rounds[0]!.legs[0]!.ranks.keys()]).toEqual(['a', 'b', 'c'])

  const last = views.at(-1)!
  expect(last).toMatchObject({ phase: 'done', policy: 'deciding', decision: { kind: 'decompose' } })
  expect(last.rounds.map(({ subQueries }) => subQueries.map(({ text }) => text))).toEqual([
    ['who'],
    ['first', 'second'],
  ])
  expect(last.rounds[1]!.legs.map(({ ranks }) => [...ranks.keys()])).toEqual([['c', 'a'], ['d']])
  expect(last.fused?.texts?.map(({ text }) => text)).toEqual(['who', 'first', 'second'])
  expect(last.hits.map(({ docid }) => docid).sort()).toEqual(['a', 'b', 'c', 'd'])
})

it('has the same legs and decision at its end as the lines of the stream told', async () => {
  const views = await viewsOf({ policy: deciding(['first', 'second']) })
  const [before, after] = views.slice(-2) as [SearchView, SearchView]
  const legs = ({ rounds }: SearchView) =>
    rounds.flatMap((round) => round.legs.map(({ ms: _, ...leg }) => leg))
  expect(legs(after)).toEqual(legs(before))
})

it('tells why a search fell back, and why one failed', async () => {
  const chat = scriptedChat([new Error('down')])
  const { acqo } = await import('../../policies/acqo/acqo.ts')
  const fellBack = (await viewsOf({ policy: acqo(), chat })).at(-1)!
  expect(fellBack).toMatchObject({ phase: 'done', fallback: 'Error', decision: { kind: 'as-is' } })
  const failing = scriptedRetriever({ fails: new Error('down') })
  const failed = (await viewsOf({ retrievers: [failing] })).at(-1)!
  expect(failed).toMatchObject({ phase: 'failed', problem: { title: 'A search backend failed.' } })
})

it('the answer alone gives the same view', async () => {
  const last = (await viewsOf({ policy: deciding(['first']) })).at(-1)!
  const { hits, partial, trace } = last
  const { kind, reason, subQueries, times } = trace!
  const answer = { hits, partial, decision: { kind, reason, subQueries }, trace: trace! }
  expect(viewOfAnswer({ ...answer, took: Math.round(times.total) })).toEqual(last)
})

it('an answer grows with each piece, and the last line has the final one', () => {
  const pieces = ['In ', 'Taco'].map((text): SearchEvent => ({ type: 'text', text }))
  const written = pieces.reduce(withEvent, begun({ text: 'where' }))
  expect(written.answer).toBe('In Taco')
  const result: SearchEvent = {
    type: 'result',
    hits: [],
    answer: 'Tacoma',
    citations: ['a'],
    decision: { kind: 'as-is', reason: 'it is', subQueries: [] },
    took: 1,
    partial: false,
  }
  expect(withEvent(written, result)).toMatchObject({ phase: 'done', answer: 'Tacoma', citations: ['a'] })
  const { answer: _, ...without } = result
  expect(withEvent(written, without).answer).toBeUndefined()
})

it('labels each text once, in the order of searching', () => {
  const text = (words: string, round: number) => ({ text: words, round })
  const rounds = [
    { round: 0, subQueries: [text('who', 0)], legs: [] },
    { round: 1, subQueries: Array.from({ length: 9 }, (_, at) => text(`text ${at}`, 1)), legs: [] },
    { round: 2, subQueries: [text('text 0', 2), text('last', 2)], legs: [] },
  ]
  const known = { by: 'reader', needed: [], grades: new Map() } as const
  const { labelOf } = storyOf({ ...begun({ text: 'who' }), rounds }, known)
  expect(labelOf(text('who', 0))).toEqual({ mark: 'Q', color: 0 })
  expect(labelOf(text('text 0', 1))).toEqual({ mark: '1', color: 1 })
  expect(labelOf(text('text 8', 1))).toEqual({ mark: '9', color: 1 })
  expect(labelOf(text('text 0', 2))).toEqual({ mark: '1', color: 1 })
  expect(labelOf(text('last', 2))).toEqual({ mark: '10', color: 2 })
})

it('says that the documents do not tell the answer, and what of the budget ended the search', async () => {
  const policy: Policy = {
    name: 'mine',
    run: async (_query, tools) => ({
      hits: tools.fuse(await tools.original()),
      unanswered: true,
      endedBy: 'rounds',
    }),
  }
  expect((await viewsOf({ policy })).at(-1)).toMatchObject({ unanswered: true, endedBy: 'rounds' })
})
