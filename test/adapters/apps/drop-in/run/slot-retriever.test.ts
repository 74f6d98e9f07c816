/** One request's own retriever: the words of a sub-query in the caller's template, on the caller's index. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import type { FetchPlan } from '../../../../../adapters/apps/drop-in/plan/fetch-plan.ts'
import { firstRequest } from '../../../../../adapters/apps/drop-in/plan/first-request.ts'
import { hitTexts } from '../../../../../adapters/apps/drop-in/plan/hit-texts.ts'
import {
  type SlotRetrieverSettings,
  slotRetriever,
} from '../../../../../adapters/apps/drop-in/run/slot-retriever.ts'
import type { Leg } from '../../../../../src/types.ts'
import { expectError } from '../../../../support/expect-error.ts'
import {
  answered,
  answerOf,
  type Faults,
  fakeEngine,
  finding,
  found,
  searchFor,
} from '../../../../support/fake-engine.ts'

const lists = { bridge: found('a', 'b', 'c'), gate: found('x', 'b'), arch: found('b', 'y') }
const whole: FetchPlan = { textOnly: false, pool: 100, shared: 100 }

function made(more: JsonObject = {}, faults: Faults = {}, settings: Partial<SlotRetrieverSettings> = {}) {
  const call = searchFor('bridge', more)
  const understood = parseSearch(call, {}, { window: 100 })
  if ('reason' in understood) throw new Error(understood.reason)
  const engine = fakeEngine(call, finding(lists), faults)
  const texts = hitTexts(understood.body, understood.fields, { title: 'title', text: ['text'] })
  const { isReranked = false, reach = whole } = settings
  const failures: unknown[] = []
  const retriever = slotRetriever({
    understood,
    engine,
    texts,
    isReranked,
    reach,
    certain: async () => understood,
    request: firstRequest(call, understood, false, texts, isReranked, reach),
    reachAfter: () => reach,
    values: async () => [],
    legTimeout: 1000,
    signal: new AbortController().signal,
    onFailed: (error) => void failures.push(error),
    ...settings,
  })
  const retrieve = (...words: readonly string[]): Promise<readonly Leg[]> =>
    retriever.retrieve(
      words.map((text) => ({ text, round: 1 })),
      { k: 100, timeout: 1000 },
    )
  /** The legs of these words, after the original query was searched, as the optimizer does. */
  const sub = async (...words: readonly string[]) => {
    await retrieve('bridge')
    return retrieve(...words)
  }
  return { retriever, engine, retrieve, sub, failures }
}
const idsOf = (leg: Leg | undefined) => leg?.hits?.map(({ docid }) => (JSON.parse(docid) as string[])[1])

const partlyFailed = (type: string) => ({
  ...answerOf(found('a')),
  _shards: { total: 2, successful: 1, skipped: 0, failed: 1, failures: [{ shard: 1, reason: { type } }] },
})

describe('the original query', () => {
  it('is request 1, sent once, whoever asks for it', async () => {
    const { retriever, engine, retrieve } = made()
    const [answer, [leg]] = await Promise.all([retriever.original(), retrieve('bridge')])
    expect(engine.searches).toEqual([undefined])
    expect(engine.batches).toEqual([])
    expect(idsOf(leg)).toEqual(['a', 'b', 'c'])
    expect(answer).toMatchObject({ isChanged: false, from: 0, isCut: false, status: 200 })
    expect(leg!.hits![0]!.document).toMatchObject({ title: 'title of a', text: 'text of a' })
  })

  it("has the beginning of the caller's list, and says whether it may go on", async () => {
    const { retriever } = made({ size: 2 })
    const { hits, all, isCut } = await retriever.original()
    expect([hits.length, all!.length, isCut]).toEqual([2, 2, true])
  })

  it('reads the first 6000 characters of a text', async () => {
    const [a] = found('a')
    const long = { ...a, _source: { text: 'x'.repeat(10_000) } }
    const { retriever } = made({}, { search: () => answered(answerOf([long])) })
    const { hits } = await retriever.original()
    expect(hits[0]!.document!.text).toHaveLength(6000)
    expect(hits[0]!.given).toBe(long)
  })

  it('is sent as the caller wrote it where the engine refuses more', async () => {
    const { retriever, engine } = made(
      { from: 1, size: 1 },
      {
        search: (change) =>
          change === undefined
            ? answered(answerOf(lists.bridge, { from: 1, size: 1 }))
            : answered({ error: { type: 'illegal_argument_exception' } }, 400),
      },
    )
    expect(await retriever.original()).toMatchObject({ isChanged: false, from: 1, all: undefined })
    expect(engine.searches).toEqual([
      { url: {}, body: expect.objectContaining({ from: 0, size: 2 }) },
      undefined,
    ])
  })

  it("is sent as the caller wrote it where more fails on some shards, once, and that is the caller's answer", async () => {
    const partly = partlyFailed('circuit_breaking_exception')
    for (const own of [answerOf(lists.bridge), partly]) {
      const search = (change?: unknown) => answered(change === undefined ? own : partly)
      const { retriever, engine } = made({}, { search }, { isReranked: true })
      expect(await retriever.original()).toMatchObject({ isChanged: false, body: own })
      expect(engine.searches).toEqual([
        { url: {}, body: expect.objectContaining({ from: 0, size: 100 }) },
        undefined,
      ])
    }
  })

  it("is not sent again where the caller's own search fails on some shards", async () => {
    const partly = partlyFailed('circuit_breaking_exception')
    const { retriever, engine } = made({}, { search: () => answered(partly) })
    expect(await retriever.original()).toMatchObject({ body: partly })
    expect(engine.searches).toEqual([undefined])
  })

  it('is not sent again where a shard would have failed without more, too', async () => {
    const partly = partlyFailed('no_shard_available_action_exception')
    const { retriever, engine } = made({}, { search: () => answered(partly) }, { isReranked: true })
    expect(await retriever.original()).toMatchObject({ isChanged: true })
    expect(engine.searches).toHaveLength(1)
  })

  it.each<readonly [string, JsonObject, number]>([
    ['an error', { error: { type: 'x', reason: 'so' } }, 503],
    ['an answer without hits', { took: 1 }, 200],
  ])("rejects with the engine's own answer: %s", async (_, body, status) => {
    const answer = answered(body, status)
    const { retriever, failures } = made({}, { search: () => answer })
    await expect(retriever.original()).rejects.toMatchObject({ name: 'AnswerError', answer })
    expect(failures).toHaveLength(1)
  })
})

describe('sub-queries', () => {
  it("are searched in one request, each in the caller's template", async () => {
    const { engine, sub, retriever } = made({ query: { match: { text: 'bridge' } }, min_score: 1 })
    const legs = await sub('gate', 'arch')
    expect(legs.map(({ subQuery }) => subQuery.text)).toEqual(['gate', 'arch'])
    expect(legs.map(idsOf)).toEqual([
      ['x', 'b'],
      ['b', 'y'],
    ])
    expect(engine.batches).toHaveLength(1)
    expect(engine.batches[0]!.map(({ body }) => [body.query, body.min_score])).toEqual([
      [{ match: { text: 'gate' } }, 1],
      [{ match: { text: 'arch' } }, 1],
    ])
    expect(retriever.others).toHaveLength(2)
  })

  it('wait until it is certain what the fields are', async () => {
    const { engine, sub } = made({}, {}, { certain: () => Promise.reject(new Error('a condition')) })
    await expect(sub('gate')).rejects.toThrow('a condition')
    expect(engine.batches).toEqual([])
  })

  it('of more than 10,000 characters fail, and the others are searched', async () => {
    const { engine, sub } = made()
    const [gate, long] = await sub('a'.repeat(10_001), 'gate')
    expect(idsOf(gate)).toEqual(['x', 'b'])
    expect(long!.error).toMatchObject({ code: 'budget-exceeded' })
    expect(engine.batches[0]).toHaveLength(1)
  })

  it('fail one by one', async () => {
    const unscored = answerOf([{ ...found('x')[0], _score: null }])
    const shards = { ...answerOf(found('y')), _shards: { total: 2, failed: 1 } }
    const { sub } = made(
      {},
      { msearch: () => [{ error: { type: 'x', reason: 'so' }, status: 500 }, unscored, shards] },
    )
    const [failed, bad, incomplete] = await sub('gate', 'arch', 'pier')
    expect(failed!.error).toMatchObject({ statusCode: 500 })
    expect(bad!.error).toMatchObject({ code: 'bad-list' })
    expect(incomplete).toMatchObject({ incomplete: '1 of 2 shards failed' })
  })

  it('fail together where there is not one answer for each', async () => {
    const { sub } = made({}, { msearch: () => [answerOf([])] })
    await expectError(sub('gate', 'arch'), 'retriever-failed', /2\b.*\b1\b/)
  })
})

describe('conditions', () => {
  const where = [{ field: 'brand', is: ['Northwind'] }]
  const conditions = { bool: { filter: [{ terms: { brand: ['Northwind'] } }] } }

  it('go around the query of a leg, before and after the original query', async () => {
    const { retriever, engine } = made({}, { msearch: (legs) => legs.map(() => ({ hits: { hits: [] } })) })
    const narrowed = () => retriever.retrieve([{ text: 'gate', round: 0, where }], { k: 100, timeout: 1000 })
    const [leg] = await narrowed()
    expect(leg!.subQuery.where).toBe(where)
    await retriever.original()
    await narrowed()
    const queries = engine.batches.flat().map(({ body }) => body.query)
    expect(queries).toHaveLength(2)
    for (const query of queries)
      expect(query).toEqual({ bool: { must: [{ match: { text: 'gate' } }], filter: [conditions] } })
    expect(engine.searches).toHaveLength(1)
  })

  it.each<[string, JsonObject, boolean]>([
    ['a query', {}, true],
    ['groups', { collapse: { field: 'brand' } }, false],
  ])('are possible for %s: %s', (_, more, expected) => {
    expect(made(more).retriever.narrows).toBe(expected)
  })
})

describe('given', () => {
  it('is the hit of the original query, else of the list that ranked it highest', async () => {
    const { retriever, sub } = made()
    await sub('gate', 'arch')
    const wordsOf = (id: string) => retriever.given(JSON.stringify(['works', id]))?.words
    expect(['a', 'b', 'x', 'y', 'z'].map(wordsOf)).toEqual(['bridge', 'bridge', 'gate', 'arch', undefined])
  })

  it('is not whole where lists bring texts alone', async () => {
    const reach: FetchPlan = { textOnly: true, pool: 10, shared: 10 }
    const { retriever, engine, sub } = made({ size: 2 }, {}, { reach, isReranked: true })
    await sub('gate')
    const isWhole = (id: string) => retriever.given(JSON.stringify(['works', id]))?.isWhole
    // a and b stand on the caller's page, c in its list, x in that of the sub-query.
    expect(['a', 'b', 'c', 'x'].map(isWhole)).toEqual([true, true, false, false])
    expect(engine.searches).toEqual([undefined])
    expect(engine.batches.map((batch) => batch.map(({ body }) => body._source))).toEqual([[false], [false]])
  })
})
