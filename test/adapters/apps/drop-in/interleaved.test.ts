/** Interleaved pages: slices of one draft of the engine's own list and the optimized one, in an answer that is otherwise the engine's. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { SearchRequest } from '../../../../adapters/apps/drop-in/run/caller-engine.ts'
import { type AppOptions, appSettings } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { teamDraft } from '../../../../src/evaluation/team-draft.ts'
import { createRandom, permutation } from '../../../../src/learn/random.ts'
import type { SearchReport } from '../../../../src/observe.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import {
  answerOf,
  answerOfRun,
  fakeEngine,
  finding,
  found,
  idsOf,
  type Running,
  run,
  searchFor,
} from '../../../support/fake-engine.ts'
import { deciding, leaving } from '../../../support/scripted-policy.ts'

const [pages, size, window] = [10, 10, 20]
const subQueries = ['first', 'second']

const interleaved = { interleavedFor: 'somebody' }

/** Puts the last document of the lists first. */
const reversing: Reranker = {
  needs: (_, lists) => lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)),
  rerank: (_, _lists, fused) =>
    fused.toReversed().map((hit, place) => ({ ...hit, score: -place, rank: place + 1 })),
  explain: () => [],
}

/** An engine with a hundred hits in some order, and lists for sub-queries that have other documents, too. */
function listsOf(seed: number): Readonly<Record<string, JsonObject[]>> {
  const random = createRandom(seed)
  const some = (count: number, most: number): JsonObject[] =>
    found(...Array.from(permutation(most, random).slice(0, count), (number) => `d${number}`))
  return { words: some(100, 100), first: some(20, 130), second: some(20, 130) }
}

/** All pages of a search, with what observers are told. */
async function read(
  lists: Readonly<Record<string, readonly JsonObject[]>>,
  options: AppOptions,
  more: JsonObject = {},
  context: Partial<Running> = {},
) {
  const reports: SearchReport[] = []
  const observe = { onSearch: (report: SearchReport) => void reports.push(report) }
  const settings = await appSettings({ ...options, window, observe }, 'test')()
  const answers: JsonObject[] = []
  const ids: string[] = []
  for (let page = 0; page < pages; page++) {
    const call = searchFor('words', { ...more, from: page * size, size })
    const result = await run(call, fakeEngine(call, finding(lists)), { options, settings, ...context })
    answers.push(answerOfRun(result))
    ids.push(...idsOf(result))
  }
  return { answers, ids, reports }
}

describe.each([
  ['fused', {}, {}],
  ['re-ranked', { rerank: reversing }, {}],
  ['with costly hits', {}, { highlight: { fields: { text: {} } } }],
  ['re-ranked, with costly hits', { rerank: reversing }, { highlight: { fields: { text: {} } } }],
] as const)('%s', (_, more, body) => {
  const options = { policy: deciding(subQueries), rerank: false, ...more }

  // Forty in all.
  it('ten searches of ten pages: a draft of both lists, no hit twice, none lost', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const lists = listsOf(seed)
      const { ids, reports } = await read(lists, options, body, interleaved)
      const engine = lists.words!.map(({ _id }) => String(_id))
      const { ids: optimized } = await read(lists, options, body)
      const { qid } = reports[0]!.interleaved!
      const drafted = teamDraft(engine.slice(0, window), optimized.slice(0, window), qid).slice(0, window)
      const first = drafted.map(({ docid }) => docid)
      expect(ids).toEqual([...first, ...engine.filter((id) => !first.includes(id))].slice(0, pages * size))
      expect(new Set(ids).size).toBe(ids.length)
      // Ten pages hold all of the engine's hits but those for which others made place.
      expect(engine.filter((id) => !ids.includes(id))).toHaveLength(
        first.filter((id) => !engine.includes(id)).length,
      )
      const sides = reports.flatMap((report) => report.interleaved ?? [])
      expect(new Set(sides.map((page) => page.qid))).toEqual(new Set([qid]))
      for (const side of ['engine', 'querent'] as const)
        expect(sides.flatMap((page) => page[side])).toEqual(
          drafted.flatMap((one) => (one.side === side ? one.docid : [])),
        )
    }
  })
})

it("leaves all but the hits as the engine's answer has it", async () => {
  const lists = listsOf(1)
  const aggregations = { brands: { buckets: [{ key: 'a', doc_count: 3 }] } }
  const call = searchFor('words')
  const engine = fakeEngine(call, finding(lists), {
    search: (change) => {
      const body = { ...answerOf(lists.words!, (change?.body ?? {}) as { size?: number }), aggregations }
      return { body, status: 200, own: body }
    },
  })
  const answer = answerOfRun(
    await run(call, engine, { options: { policy: deciding(subQueries), rerank: false }, ...interleaved }),
  )
  expect(answer).toMatchObject({
    aggregations,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: { total: { value: 100, relation: 'eq' }, max_score: 1 },
  })
  const scores = (answer as { hits: { hits: { _score: number }[] } }).hits.hits.map(({ _score }) => _score)
  expect(scores).toEqual(Array.from({ length: 10 }, (_, place) => 1 / (place + 1)))
})

it('says of each hit which side brought it, and of the page in `ext.ubi` too', async () => {
  const options = { policy: deciding(subQueries), rerank: false }
  const ubi = { ext: { ubi: { query_id: 'u7', user_query: 'words' } } }
  const { answers, reports } = await read(listsOf(2), options, ubi, { ...interleaved, explains: true })
  const { queryId, ...sides } = reports[0]!.interleaved!
  expect(queryId).toBe('u7')
  expect(answers[0]).toMatchObject({
    ext: { ubi: { interleaved: sides } },
    _querent: {
      outcome: { kind: 'changed', reason: "interleaved with the engine's own list" },
      interleaved: reports[0]!.interleaved!,
    },
  })
  const { hits } = (answers[0] as { hits: { hits: { _id: string; _querent: { side: string } }[] } }).hits
  for (const { _id, _querent } of hits) expect(sides[_querent.side as 'engine']).toContain(_id)
  // Behind the window, the hits are nobody's.
  expect(reports[2]!.interleaved).toMatchObject({ engine: [], querent: [] })
})

it('drafts nothing where both lists are the same', async () => {
  const lists = listsOf(3)
  const engine = lists.words!.map(({ _id }) => String(_id))
  const same = await read(lists, { policy: leaving, rerank: false }, {}, interleaved)
  expect(same.ids).toEqual(engine)
  expect(same.reports.flatMap((report) => report.interleaved ?? [])).toEqual([])
})

it('is for a stable share of the callers, told apart as the `share` says', async () => {
  const options = { interleave: 0.2, share: { share: 1, by: 'x-user' } }
  const { rollout } = await appSettings(options, 'test')()
  const request: SearchRequest = {
    kind: 'search',
    index: 'works',
    parameters: {},
    items: [],
    query: undefined,
  }
  const users = Array.from({ length: 1000 }, (_, place) => `user ${place}`)
  const drafted = users.filter((user) => {
    const names = ['one', 'other'].map((identity) =>
      rollout!.interleavedFor(request, { identity, header: () => user }),
    )
    expect(names[0]).toBe(names[1])
    expect([user, undefined]).toContain(names[0])
    return names[0] !== undefined
  })
  // 200 of 1,000, with a standard deviation of √(1000 · 0.2 · 0.8) = 12.6.
  expect(Math.abs(drafted.length - 200)).toBeLessThan(4 * 12.6)
  expect((await appSettings({}, 'test')()).rollout).toBeUndefined()
})
