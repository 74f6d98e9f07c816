/** The URL's parameters beside a body: which win, which go where. What engines make of both was asked of Elasticsearch 9.5.3 and OpenSearch 3.8.0. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { isOn, readParameters } from '../../../../../adapters/apps/drop-in/parse/parameters.ts'
import {
  parseSearch,
  type RewritableSearch,
} from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { fakeEngine, finding, found, idsOf, run, searchFor } from '../../../../support/fake-engine.ts'
import { deciding } from '../../../../support/scripted-policy.ts'

const query = { match: { text: 'bridge' } }

function read(parameters: JsonObject, body: JsonObject = {}): RewritableSearch {
  const result = parseSearch({ parameters, body: { query, ...body } }, {}, { window: 100 })
  if ('reason' in result) throw new Error(result.reason)
  return result
}
const bodyOf = (parameters: JsonObject, body: JsonObject = {}): JsonObject => {
  const { query: _, ...rest } = read(parameters, body).body
  return rest
}

it.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
  ['the URL’s `from` and `size` win', { from: '20', size: '5' }, { from: 1, size: 9 }, { from: 20, size: 5 }],
  ['the body’s stay where the URL has none', { size: '5' }, { from: 1 }, { from: 1, size: 5 }],
  [
    'the URL’s switches and numbers win',
    { explain: '', version: 'false', timeout: '1s', terminate_after: '7', track_total_hits: '50' },
    { explain: false, version: true, timeout: '2s', terminate_after: 1, track_total_hits: true },
    { explain: false, version: false, timeout: '1s', terminate_after: 7, track_total_hits: 50 },
  ],
  ['`track_total_hits` may be a switch', { track_total_hits: 'true' }, {}, { track_total_hits: true }],
  [
    '`stored_fields` are the URL’s',
    { stored_fields: 'a,b' },
    { stored_fields: ['c'] },
    { stored_fields: ['a', 'b'] },
  ],
  [
    '`docvalue_fields` are both',
    { docvalue_fields: 'a,b' },
    { docvalue_fields: [{ field: 'c' }] },
    { docvalue_fields: [{ field: 'c' }, 'a', 'b'] },
  ],
  ['`stats` are the URL’s', { stats: 'a,b' }, { stats: ['c'] }, { stats: ['a', 'b'] }],
  [
    '`search_pipeline` is the URL’s',
    { search_pipeline: 'a' },
    { search_pipeline: 'b' },
    { search_pipeline: 'a' },
  ],
  ['`_source` of the URL wins', { _source: 'false' }, { _source: ['a'] }, { _source: false }],
  ['`_source` may be names', { _source: 'a,b*' }, { _source: false }, { _source: { includes: ['a', 'b*'] } }],
  [
    '`_source_includes` win over names',
    { _source: 'a', _source_includes: 'b' },
    {},
    { _source: { includes: ['b'] } },
  ],
  [
    '`_source` off wins over `_source_includes`',
    { _source: 'false', _source_includes: 'b' },
    {},
    { _source: false },
  ],
  [
    '`_source_excludes` alone take the place of the body’s `_source`',
    { _source_excludes: 'a,b' },
    { _source: ['c'] },
    { _source: { excludes: ['a', 'b'] } },
  ],
  [
    '`_source_includes` and `_source_excludes` stand together',
    { _source: 'true', _source_includes: 'a', _source_excludes: 'b' },
    {},
    { _source: { includes: ['a'], excludes: ['b'] } },
  ],
  ['`_source` of nothing is all of it', { _source: '' }, { _source: ['a'] }, { _source: true }],
  [
    '`_source_exclude_vectors` takes the place of the body’s `_source`',
    { _source_exclude_vectors: 'false' },
    { _source: ['a'] },
    { _source: { exclude_vectors: false } },
  ],
  [
    'lists of a client stay lists',
    { _source_includes: ['a', 'b'] },
    {},
    { _source: { includes: ['a', 'b'] } },
  ],
  [
    'numbers and switches of a client stay what they are',
    { size: 5, explain: true },
    {},
    { size: 5, explain: true },
  ],
])('%s', (_, parameters, body, expected) => expect(bodyOf(parameters, body)).toEqual(expected))

it("a sort of the URL is added to the body's: by a field first is not by score", () => {
  const sorted = (parameters: JsonObject, body: JsonObject) =>
    parseSearch({ parameters, body: { query, ...body } }, {}, { window: 100 })
  const reason = 'it is not sorted by `_score` first'
  expect(sorted({ sort: '_score' }, { sort: [{ year: 'desc' }] })).toEqual({ reason })
  expect(sorted({ sort: 'year,_score' }, {})).toEqual({ reason })
  expect(sorted({ sort: '_score,year' }, {})).toMatchObject({ body: { sort: ['_score', 'year'] } })
  expect(sorted({ sort: '_score' }, {})).not.toHaveProperty('reason')
})

it.each<readonly [string, unknown, readonly unknown[]]>([
  ['a URL', '_score:desc,_id:asc,year', [{ _score: { order: 'desc' } }, { _id: { order: 'asc' } }, 'year']],
  [
    'a client',
    ['_score:desc', 'meta:year:desc'],
    [{ _score: { order: 'desc' } }, { 'meta:year': { order: 'desc' } }],
  ],
  [
    'a URL whose direction engines ignore',
    '_score,year:down,_id:desc',
    ['_score', { _id: { order: 'desc' } }],
  ],
])('the directions of a sort are in the body as engines read them there: of %s', (_, sort, expected) => {
  expect(bodyOf({ sort })).toEqual({ sort: expected })
  expect(bodyOf({ sort }, { sort: ['_score'] })).toEqual({ sort: ['_score', ...expected] })
})

it('a sort by score alone is dropped with its direction, and is none of the words of a body', () => {
  expect(bodyOf({ sort: '_score:desc' })).toEqual({})
  const reason = 'it is not sorted by `_score` first'
  expect(parseSearch({ parameters: { sort: '_score:asc' }, body: { query } }, {}, { window: 100 })).toEqual({
    reason,
  })
  // Engines look for a field of this name.
  expect(
    parseSearch({ parameters: {}, body: { query, sort: ['_score:desc'] } }, {}, { window: 100 }),
  ).toEqual({ reason })
})

it('routing, preference and the like go into the header of each leg, and stay in the URL of request 1', () => {
  const parameters = {
    routing: 'acme',
    preference: '_local',
    ignore_unavailable: 'true',
    allow_no_indices: 'false',
    search_type: 'dfs_query_then_fetch',
  }
  const { header, url, body } = read(parameters)
  expect(header).toEqual({ ...parameters, ignore_unavailable: true, allow_no_indices: false })
  expect(url).toEqual(parameters)
  expect(body).toEqual({ query })
})

it('what shapes the answer stays in the URL, but for `filter_path`: without its parts nothing can be fused', () => {
  const shaping = { rest_total_hits_as_int: 'true', typed_keys: 'true', pretty: '', human: 'true' }
  const { header, url } = read({ ...shaping, filter_path: 'took' })
  expect(url).toEqual(shaping)
  expect(header).toEqual({})
})

it('what stands in the body is no longer in the URL', () => {
  const { url } = read({
    size: '5',
    _source: 'a',
    _source_exclude_vectors: 'true',
    sort: '_score',
    routing: 'a',
  })
  expect(url).toEqual({ routing: 'a' })
})

it('absent values of a client are none', () =>
  expect(readParameters({ q: undefined, scroll: null, size: undefined })).toEqual({
    header: {},
    body: {},
    url: {},
  }))

it('an empty switch is on, as engines read it', () =>
  expect(['', 'true', true, 'false', false, undefined, '1'].map(isOn)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]))

it("each leg has the header, the caller's own search has its URL", async () => {
  const lists = { bridge: found('a'), 'golden gate': found('b') }
  const call = searchFor(
    'bridge',
    {},
    { routing: 'acme', preference: 'x', size: '1', from: '1', typed_keys: 'true' },
  )
  const engine = fakeEngine(call, finding(lists))
  const policy = deciding(['golden gate', 'brooklyn'])
  expect(idsOf(await run(call, engine, { options: { policy } }))).toEqual(['b'])
  expect(engine.searches).toEqual([
    {
      url: { routing: 'acme', preference: 'x', typed_keys: 'true' },
      body: { query, from: 0, size: 2 },
    },
  ])
  expect(engine.batches[0]?.map(({ header }) => header)).toEqual(
    Array(2).fill({ routing: 'acme', preference: 'x' }),
  )
})
