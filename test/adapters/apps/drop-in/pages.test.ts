/** Pages are slices of one fused list: no hit stands on two of them, and none is lost between them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identity } from '../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch } from '../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { type AppOptions, appSettings } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { rankScore } from '../../../../fusion/rank-score.ts'
import type { Policy } from '../../../../src/policy.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import type { RankedList } from '../../../../src/types.ts'
import {
  answerOfRun,
  fakeEngine,
  finding,
  found,
  idsOf,
  run,
  searchFor,
} from '../../../support/fake-engine.ts'
import { fuzzRuns } from '../../../support/fuzz-runs.ts'
import { deciding, leaving } from '../../../support/scripted-policy.ts'

const runs = Math.min(0.06 * fuzzRuns, 1000)
const subQueries = ['first', 'second', 'third']

/** Lists of documents, each once, as an engine gives them. */
const list = fc.uniqueArray(fc.nat(30), { maxLength: 25 }).map((ids) => found(...ids.map((id) => `d${id}`)))
interface World {
  /** For the words, and for each sub-query. */
  readonly lists: [JsonObject[], JsonObject[], JsonObject[], JsonObject[]]
  readonly size: number
  readonly window: number
  readonly withOriginal: boolean
  readonly inUrl: boolean
}
const world: fc.Arbitrary<World> = fc.record({
  lists: fc.tuple(list, list, list, list),
  size: fc.integer({ min: 1, max: 12 }),
  window: fc.integer({ min: 1, max: 30 }),
  withOriginal: fc.boolean(),
  inUrl: fc.boolean(),
})

/** Sub-queries that find nothing: the caller's own list goes on behind its first page. */
const nothingNew = (withOriginal: boolean): World => ({
  lists: [found('d1', 'd2', 'd3', 'd4', 'd5'), [], [], []],
  size: 2,
  window: 6,
  withOriginal,
  inUrl: false,
})

interface Paged {
  readonly size: number
  readonly window: number
  readonly inUrl: boolean
  /** What is in the body beside the query and the page. */
  readonly more?: JsonObject
  readonly options: AppOptions
}

/** All pages that are optimized, one after the other until the hits end, of an engine that finds these lists. */
async function pagesOf(
  lists: readonly (readonly JsonObject[])[],
  { size, window, inUrl, more = {}, options }: Paged,
): Promise<{ readonly pages: readonly (readonly string[])[]; readonly answers: readonly JsonObject[] }> {
  const find = finding(
    Object.fromEntries(['words', ...subQueries].map((text, place) => [text, lists[place]!])),
  )
  // As in an application: what is known of fields and hits is kept from page to page.
  const settings = await appSettings({ ...options, window }, 'test')()
  const pages: string[][] = []
  const answers: JsonObject[] = []
  for (let from = 0; ; from += size) {
    const call = inUrl
      ? searchFor('words', more, { from: String(from), size: String(size) })
      : searchFor('words', { ...more, from, size })
    if ('reason' in parseSearch(call, {}, { window })) return { pages, answers }
    const result = await run(call, fakeEngine(call, find), { options, settings })
    const ids = idsOf(result)
    if (ids.length === 0 && from >= depthFor(size, window)) return { pages, answers }
    pages.push(ids)
    answers.push(answerOfRun(result))
  }
}

/** Documents in the order of the fused lists, worked out by the fusion itself. */
function fusedIds(lists: readonly (readonly JsonObject[])[]): string[] {
  const ids = new Map<string, string>()
  const ranked = lists.map(
    (hits, place): RankedList => ({
      retriever: 'engine',
      subQuery: { text: `list ${place}`, round: 1 },
      hits: hits.map((hit, at) => {
        ids.set(identity(hit), String(hit._id))
        return { docid: identity(hit), score: Number(hit._score), rank: at + 1 }
      }),
    }),
  )
  return rankScore()
    .fuse(ranked)
    .map(({ docid }) => ids.get(docid)!)
}

/** The fused list as far as fused pages go; behind it what else the caller's own list has. */
function withRest(
  fused: readonly string[],
  [original = []]: readonly (readonly JsonObject[])[],
  depth: number,
): string[] {
  return [...new Set([...fused.slice(0, depth), ...original.map(({ _id }) => String(_id))])]
}

/** Of three sub-queries, which share 15: no page here is longer. */
const legDepthFor = (depth: number): number => Math.min(depth, 5)

const depthFor = (size: number, window: number): number => Math.ceil(window / size) * size

/** `pages` are this list, cut: each as long as it can be. */
function expectSlices(pages: readonly (readonly string[])[], whole: readonly string[], size: number): void {
  expect(pages).toEqual(pages.map((_, place) => whole.slice(place * size, (place + 1) * size)))
}

it('of the fused list', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(world, async ({ lists, size, window, withOriginal, inUrl }) => {
      const options = { policy: deciding(subQueries, { withOriginal }) }
      const { pages } = await pagesOf(lists, { size, window, inUrl, options })
      const depth = depthFor(size, window)
      const [original, ...others] = lists
      // Of the caller's own list only the first page votes: more is not asked for.
      const voting = others.map((hits) => hits.slice(0, legDepthFor(depth)))
      const fused = fusedIds(withOriginal ? [original.slice(0, size), ...voting] : voting)
      // Where the sub-queries found nothing, the caller's own search is what is left.
      const isAlone = others.every((hits) => hits.length === 0)
      const whole = isAlone ? original.map(({ _id }) => String(_id)) : withRest(fused, lists, depth)
      expect(pages.length).toBeGreaterThanOrEqual(Math.max(depth, whole.length) / size)
      expect(new Set(pages.flat()).size).toBe(pages.flat().length)
      expectSlices(pages, whole, size)
    }),
    { seed: 1, numRuns: runs, examples: [[nothingNew(true)], [nothingNew(false)]] },
  ),
)

it("of the engine's own list, where the query is left alone", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(world, async ({ lists, size, window, inUrl }) => {
      const { pages, answers } = await pagesOf(lists, { size, window, inUrl, options: { policy: leaving } })
      const whole = lists[0].map(({ _id }) => String(_id))
      expectSlices(pages, whole, size)
      for (const answer of answers)
        expect(answer).toMatchObject({ hits: { total: { value: whole.length, relation: 'eq' } } })
    }),
    { seed: 2, numRuns: runs },
  ),
)

/** Orders all documents that any list has by their number, the highest first. */
const byNumber: Reranker = {
  needs: (_, lists) => [...new Set(lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)))],
  rerank(_, lists, fused) {
    const before = new Map(fused.map((hit) => [hit.docid, hit]))
    const docids = [...new Set(lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)))]
    const number = (docid: string): number => Number(/d(\d+)/.exec(docid)![1])
    return docids
      .sort((a, b) => number(b) - number(a))
      .map((docid, place) => {
        const hit = before.get(docid)
        const moved = { docid, score: number(docid) - 15, rank: place + 1 }
        return hit === undefined ? moved : { ...hit, ...moved, fused: { rank: hit.rank, score: hit.score } }
      })
  },
  explain: () => [],
}

it('of the re-ranked list, with scores that fall from page to page', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(world, async ({ lists, size, window, withOriginal, inUrl }) => {
      const options = { policy: deciding(subQueries, { withOriginal }), rerank: byNumber }
      const { pages, answers } = await pagesOf(lists, { size, window, inUrl, options })
      const depth = depthFor(size, window)
      const all = lists.flatMap((hits) => hits.slice(0, depth)).map(({ _id }) => String(_id))
      const ordered = [...new Set(all)].sort((a, b) => Number(b.slice(1)) - Number(a.slice(1)))
      const whole = withRest(ordered, lists, depth)
      const isFused = lists.slice(withOriginal ? 0 : 1).some((hits) => hits.length > 0)
      // Where nothing votes, the engine's own list is given.
      if (isFused) expectSlices(pages, whole, size)
      expect(new Set(pages.flat()).size).toBe(pages.flat().length)
      if (!isFused) return
      const scores = answers.flatMap(({ hits }) =>
        (hits as { hits: { _score: number }[] }).hits.map(({ _score }) => _score),
      )
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      for (const [place, score] of scores.entries())
        expect(score > 0).toBe(place < Math.min(ordered.length, depth))
      for (const { hits } of answers) expect(hits).toMatchObject({ max_score: scores[0] ?? null })
    }),
    { seed: 3, numRuns: runs },
  ),
)

/** What an engine gives where it collapses: the best hit of each group, with the group under `fields`. */
function collapsed(hits: readonly JsonObject[]): JsonObject[] {
  const groups = new Map<string, JsonObject>()
  for (const hit of hits) {
    const group = groupOf(String(hit._id))
    if (groups.has(group)) continue
    groups.set(group, group === 'none' ? hit : { ...hit, fields: { group: [group] } })
  }
  return [...groups.values()]
}
/** Seven groups, and some documents of none. */
const groupOf = (id: string): string => {
  const number = Number(id.slice(1)) % 8
  return number === 7 ? 'none' : String(number)
}

it('of the fused list, collapsed: each group stands once, by its best hit', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(world, async ({ lists, size, window, withOriginal, inUrl }) => {
      const groups = lists.map(collapsed)
      const options = { policy: deciding(subQueries, { withOriginal }) }
      const more = { collapse: { field: 'group' } }
      const { pages } = await pagesOf(groups, { size, window, inUrl, more, options })
      const depth = depthFor(size, window)
      const [original = [], ...others] = groups
      const voting = others.map((hits) => hits.slice(0, legDepthFor(depth)))
      const fused = fusedIds(withOriginal ? [original.slice(0, size), ...voting] : voting)
      const seen = new Set<string>()
      const listed = withRest(fused, groups, fused.length)
      const whole = listed.filter((id) => !seen.has(groupOf(id)) && seen.add(groupOf(id))).slice(0, depth)
      const shown = pages.flat().map(groupOf)
      expect(new Set(shown).size).toBe(shown.length)
      if (others.some((hits) => hits.length > 0)) expectSlices(pages, whole, size)
    }),
    { seed: 4, numRuns: runs },
  ),
)

describe('what is decided', () => {
  it('is decided from the same on every page', async () => {
    const seen: unknown[] = []
    const curious: Policy = {
      name: 'curious',
      reads: false,
      async run(query, tools) {
        const original = await tools.original()
        seen.push({
          query,
          k: tools.k,
          lists: original.map(({ hits }) => hits?.map(({ docid, score }) => [docid, score])),
        })
        const legs = await tools.retrieve([{ text: 'first' }], { reason: 'so' })
        return { hits: tools.fuse([...original, ...legs]) }
      },
    }
    const lists = ['a', 'b', 'c', 'd'].map((letter) =>
      found(...[...Array(30).keys()].map((n) => `${letter}${n}`)),
    )
    for (const inUrl of [false, true]) {
      seen.length = 0
      await pagesOf(lists, { size: 5, window: 20, inUrl, options: { policy: curious } })
      expect(seen.length).toBeGreaterThan(4)
      expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1)
    }
  })

  it('is the same list that the pages of any size are cut of', async () => {
    const lists = ['a', 'b', 'c', 'd'].map((letter) =>
      found(...[...Array(30).keys()].map((n) => `${letter}${n}`)),
    )
    const options = { policy: deciding(subQueries, { withOriginal: false }) }
    const whole = (size: number) => pagesOf(lists, { size, window: 12, inUrl: false, options })
    const [ones, sixes, all] = await Promise.all([1, 6, 12].map(whole))
    expect(ones!.pages.flat()).toEqual(all!.pages.flat())
    expect(sixes!.pages.flat()).toEqual(all!.pages.flat())
  })
})
