import { describe, expect, it } from 'vitest'
import { readUbiEvents, readUbiQueries, ubiEventOf, ubiQueryOf } from '../../../src/training/data/read-ubi.ts'
import {
  searchesOfUbi,
  type UbiEvent,
  type UbiOptions,
  type UbiQuery,
} from '../../../src/training/data/ubi.ts'
import { expectError } from '../../support/expect-error.ts'
import { allOf, sourceOf } from '../../support/lines-of.ts'

const query = (queryId: string, hits: string, more: Partial<UbiQuery> = {}): UbiQuery => ({
  queryId,
  text: `words of ${queryId}`,
  hits: hits.split(' ').filter(Boolean),
  ...more,
})
const event = (queryId: string, action: string, docid: string, ordinal?: number): UbiEvent => ({
  queryId,
  action,
  docids: [docid],
  ...(ordinal !== undefined && { ordinal }),
})
const click = (queryId: string, docid: string, ordinal?: number) => event(queryId, 'click', docid, ordinal)
const impression = (queryId: string, docid: string, ordinal?: number) =>
  event(queryId, 'impression', docid, ordinal)

/** Each search as `words: shown | clicks`. */
async function joined(queries: readonly UbiQuery[], events: readonly UbiEvent[], options: UbiOptions = {}) {
  const { searches, ...counts } = await searchesOfUbi({ queries, events }, options)
  const lines = searches.map(({ query: { text }, shown, clicks }) => {
    return `${text}: ${shown.join(' ')} | ${clicks.map(({ docid }) => docid).join(' ')}`
  })
  return { lines, counts }
}

describe('searchesOfUbi', () => {
  it('joins queries and clicks by query_id, and counts what it leaves out', async () => {
    const { lines, counts } = await joined(
      [
        query('q1', 'a b c'),
        query('q2', 'a b'),
        query('q3', 'a', { time: 5 }),
        { queryId: 'q4', hits: ['a'] },
        query('q5', ''),
      ],
      [
        click('q1', 'b'),
        click('q1', 'c'),
        event('q2', 'hover', 'a'),
        click('q3', 'z'),
        click('q4', 'a'),
        click('q5', 'a'),
        click('q6', 'a'),
      ],
    )
    // A click on what was not returned stays: the click model ignores it.
    expect(lines).toEqual(['words of q1: a b c | b c', 'words of q3: a | z'])
    expect(counts).toEqual({ unclicked: 1, incomplete: 2, unknown: 1 })
  })

  it('takes what the user saw for what was shown, in the order of positions', async () => {
    const { lines } = await joined(
      [query('fused', 'a b c d'), query('unplaced', 'a b'), query('partly', 'a b c'), query('last', 'a b c')],
      [
        // The engine returned a b c d. The page showed x a c.
        impression('fused', 'c', 3),
        impression('fused', 'x', 1),
        impression('fused', 'a', 2),
        click('fused', 'c', 3),
        // Without positions, impressions say nothing about the order.
        impression('unplaced', 'b'),
        click('unplaced', 'b'),
        // A clicked document was seen, even if its impression was lost.
        impression('partly', 'a', 0),
        click('partly', 'c', 1),
        // So was one whose click has no position. It stands last, since nobody knows better.
        impression('last', 'a', 0),
        impression('last', 'b', 1),
        click('last', 'c'),
      ],
    )
    expect(lines.toSorted()).toEqual([
      'words of fused: x a c | c',
      'words of last: a b c | c',
      'words of partly: a c | c',
      'words of unplaced: a b | b',
    ])
  })

  it('joins the pages of a search', async () => {
    const { lines } = await joined(
      [query('q', 'c d', { time: 2, text: 'page 2' }), query('q', 'a b', { time: 1 })],
      [click('q', 'd')],
    )
    expect(lines).toEqual(['words of q: a b c d | d'])
  })

  it('knows a document by any of its names', async () => {
    const { lines } = await joined(
      [query('q', '17 18')],
      [{ queryId: 'q', action: 'click', docids: ['isbn-18', '18'] }],
    )
    expect(lines).toEqual(['words of q: 17 18 | 18'])
  })

  it('takes the actions, the application and the time that are asked for, in the order of time', async () => {
    const queries = [
      query('new', 'a', { time: 30, application: 'shop' }),
      query('newer', 'a', { time: 40, application: 'shop' }),
      query('old', 'a', { time: 10, application: 'shop' }),
      query('other', 'a', { time: 30, application: 'blog' }),
      query('timeless', 'a', { application: 'shop' }),
    ]
    const events = queries
      .toReversed()
      .map((logged): UbiEvent => ({ ...logged, action: 'purchase', docids: ['a'] }))
    const options = { actions: ['purchase'], application: 'shop', since: 20 }
    expect((await joined(queries, events, options)).lines).toEqual([
      'words of new: a | a',
      'words of newer: a | a',
    ])
    expect((await joined(queries, events)).counts).toEqual({ unclicked: 5, incomplete: 0, unknown: 0 })
  })
})

/** Records as OpenSearch's documentation has them. */
const loggedQuery = {
  timestamp: 1731599541000,
  query_id: '00112233-4455-6677-8899-aabbccddeeff',
  client_id: 'b1',
  user_query: 'dracula ',
  query: '{"query":{"match":{"title":"dracula"}}}',
  query_response_id: 'r1',
  query_response_hit_ids: ['d17', 'd4'],
  query_attributes: {},
  application: 'library',
}
const loggedEvent = {
  application: 'library',
  action_name: 'click',
  query_id: loggedQuery.query_id,
  session_id: 's1',
  client_id: 'b1',
  timestamp: '2024-11-14T15:52:25Z',
  message_type: 'CLICK_THROUGH',
  message: 'opened a book',
  event_attributes: {
    object: { object_id: 'd4', object_id_field: '_id' },
    position: { ordinal: 2, x: 25, y: 40 },
  },
}

describe('readUbiQueries and readUbiEvents', () => {
  const file = (...lines: readonly (object | string)[]) => sourceOf('ubi.jsonl', ...lines)

  it('read records, and hits of a search', async () => {
    const hit = (_source: object) => ({ _index: 'ubi', _id: 'x', _score: 1, _source })
    const asked = {
      queryId: loggedQuery.query_id,
      text: 'dracula',
      hits: ['d17', 'd4'],
      time: 1731599541000,
      application: 'library',
    }
    expect(await allOf(readUbiQueries(file(loggedQuery, hit(loggedQuery))))).toEqual([asked, asked])
    const done = {
      queryId: loggedQuery.query_id,
      action: 'click',
      docids: ['d4'],
      ordinal: 2,
      time: Date.UTC(2024, 10, 14, 15, 52, 25),
      application: 'library',
    }
    expect(await allOf(readUbiEvents(file(loggedEvent, hit(loggedEvent))))).toEqual([done, done])
  })

  it('read the names of the schema, old and new', () => {
    const { query_response_hit_ids: hits, ...rest } = loggedQuery
    for (const key of ['query_response_object_ids', 'query_response_objects_ids'])
      expect(ubiQueryOf({ ...rest, [key]: [4, '5'] })?.hits).toEqual(['4', '5'])
    expect(ubiQueryOf({ ...loggedQuery, query_response_object_ids: ['isbn'] })?.hits).toEqual(['isbn'])
    expect(ubiQueryOf({ ...loggedQuery, user_query: { text: 'emma' } })?.text).toBe('emma')
    expect(ubiQueryOf({ ...loggedQuery, user_query: ' ', timestamp: 'soon' })).toEqual({
      queryId: loggedQuery.query_id,
      hits,
      application: 'library',
    })
    const object = { object_id: 'isbn', internal_id: 'd4' }
    const event_attributes = { object }
    expect(ubiEventOf({ ...loggedEvent, event_attributes })?.docids).toEqual(['isbn', 'd4'])
    expect(ubiEventOf({ ...loggedEvent, timestamp: '1731599545000' })?.time).toBe(1731599545000)
  })

  it('leave out events that are about no document of a search', async () => {
    const { query_id: _, ...elsewhere } = loggedEvent
    const about = { ...loggedEvent, event_attributes: { position: { x: 1 } } }
    const search = { action_name: 'on_search', query_id: 'q', event_attributes: null }
    expect(await allOf(readUbiEvents(file(elsewhere, about, search)))).toEqual([])
  })

  it.each([
    ['{', /ubi\.jsonl:2: .*JSON/],
    [{ user_query: 'x' }, /ubi\.jsonl:2: .*"query_id"/],
    [{ ...loggedQuery, query_response_hit_ids: 'd4' }, /ubi\.jsonl:2: .*"query_response_hit_ids"/],
  ])('name file and line of a record that is not one: %#', async (line, fact) => {
    await expectError(allOf(readUbiQueries(file(loggedQuery, line))), 'bad-file', fact)
  })
})
