/** Bodies that between them ask for everything that the answer to a search can hold. */
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { EngineKind, World } from '../support/search-world.ts'

export interface SearchBody {
  readonly name: string
  /** The body with these words in it. */
  readonly body: (words: string, world: World) => JsonObject
  readonly parameters?: Readonly<Record<string, string>>
  /** Default: the one with all documents. `undefined`: none, the body says where. */
  readonly index?: (world: World) => string | undefined
  /** Default: both. */
  readonly engines?: readonly EngineKind[]
  /** Why it passes through. */
  readonly passes?: RegExp
  /** Whether its own hits are all that may come back: it passes through, unless they are re-ranked. Default: false. */
  readonly isStrict?: boolean
  /** What a sub-query is searched with, where that is not the body with its words. */
  readonly leg?: SearchBody['body']
  /** Whether it ranks by more than words: its lists are merged by score, unless its hits are re-ranked. Default: false. */
  readonly hasFactors?: boolean
}

const match = (words: string): JsonObject => ({
  query: { multi_match: { query: words, fields: ['title', 'text'] } },
})
const both = (world: World): string => `${world.works},${world.copies}`

/** The base with something more. */
const and =
  (more: JsonObject): SearchBody['body'] =>
  (words) => ({ ...match(words), ...more })

const parts = (words: string): JsonObject => ({
  query: {
    bool: {
      must: [{ match: { text: words } }],
      filter: [{ nested: { path: 'parts', query: { match: { 'parts.name': 'front' } }, inner_hits: {} } }],
    },
  },
})

export const searchBodies: readonly SearchBody[] = [
  { name: 'multi_match', body: and({}) },
  {
    name: 'multi_match with boosts',
    body: (words) => ({ query: { multi_match: { query: words, fields: ['title^2', 'text'] } } }),
  },
  { name: 'match, short', body: (words) => ({ query: { match: { text: words } } }) },
  {
    name: 'match with operator',
    body: (words) => ({ query: { match: { text: { query: words, minimum_should_match: '20%' } } } }),
    isStrict: true,
  },
  {
    name: 'operator and',
    body: (words) => ({
      query: { match: { text: { query: words.split(' ').slice(0, 3).join(' '), operator: 'and' } } },
    }),
    isStrict: true,
  },
  ...['query_string', 'simple_query_string'].map(
    (name): SearchBody => ({
      name,
      body: (words) => ({ query: { [name]: { query: words, fields: ['title', 'text'] } } }),
    }),
  ),
  {
    name: 'query_string with operators',
    body: (words) => ({ query: { query_string: { query: `(${words}) AND bridge`, fields: ['text'] } } }),
    passes: /operators/,
  },
  {
    name: 'a vector beside the words',
    body: (words) => ({ ...match(words), knn: { field: 'vector', query_vector: [3, 1, 0.5, 1], k: 20 } }),
    leg: match,
    engines: ['elasticsearch'],
  },
  {
    name: 'a vector in should',
    body: (words) => ({
      query: {
        bool: {
          should: [match(words).query, { knn: { field: 'vector', query_vector: [3, 1, 0.5, 1], k: 9 } }],
        },
      },
    }),
    leg: (words) => ({ query: { bool: { should: [match(words).query, { match_none: {} }] } } }),
    engines: ['elasticsearch'],
  },
  {
    name: 'a keyword field beside texts',
    body: (words) => ({ query: { multi_match: { query: words, fields: ['title', 'text', 'subject'] } } }),
  },
  {
    name: 'nested in should',
    body: (words) => ({
      query: {
        bool: {
          must: [{ match: { text: words } }],
          should: [{ nested: { path: 'parts', query: { match: { 'parts.name': 'front' } } } }],
        },
      },
    }),
    hasFactors: true,
  },
  {
    name: 'match with fuzziness',
    body: (words) => ({ query: { match: { text: { query: words, fuzziness: 'AUTO' } } } }),
  },
  {
    name: 'match_bool_prefix',
    body: (words) => ({ query: { match_bool_prefix: { text: words } } }),
    passes: /typing/,
  },
  {
    name: 'combined_fields',
    body: (words) => ({ query: { combined_fields: { query: words, fields: ['title', 'text'] } } }),
  },
  {
    name: 'dis_max and function_score',
    body: (words) => ({
      query: {
        function_score: {
          query: {
            dis_max: { queries: [{ match: { title: words } }, { match: { text: words } }], tie_breaker: 0.3 },
          },
          functions: [{ filter: { term: { subject: 'bridges' } }, weight: 2.5 }],
        },
      },
    }),
    hasFactors: true,
  },
  {
    name: 'bool with filter, must_not and a term that scores',
    body: (words) => ({
      query: {
        bool: {
          must: [{ match: { text: words } }],
          should: [{ term: { price: 3.0 } }],
          filter: [
            { range: { serial: { gte: 9007199254740000 } } },
            { terms: { subject: ['bridges', 'rivers', 'opera'] } },
          ],
          must_not: [{ match: { title: 'notes' } }],
        },
      },
    }),
    hasFactors: true,
  },
  {
    name: 'aggs',
    body: and({
      aggs: {
        subjects: { terms: { field: 'subject' }, aggs: { price: { avg: { field: 'price' } } } },
        years: { date_histogram: { field: 'made', calendar_interval: 'year', min_doc_count: 1 } },
        most: { max: { field: 'serial' } },
      },
    }),
  },
  {
    name: 'typed_keys',
    body: and({
      aggregations: { subjects: { terms: { field: 'subject' } } },
      suggest: { words: { text: 'brooklin bridg', term: { field: 'title' } } },
    }),
    parameters: { typed_keys: 'true' },
  },
  {
    name: 'suggest',
    body: and({
      suggest: { words: { text: 'brooklin bridg', term: { field: 'title', suggest_mode: 'always' } } },
    }),
  },
  { name: 'profile', body: and({ profile: true }) },
  { name: 'highlight', body: and({ highlight: { fields: { text: { fragment_size: 40 }, title: {} } } }) },
  {
    name: 'fields',
    body: and({
      fields: ['t*', { field: 'made', format: 'yyyy/MM' }, 'serial', 'parts.name'],
      _source: false,
    }),
  },
  {
    name: 'docvalue_fields, one with the name of a title',
    body: and({ docvalue_fields: ['subject', { field: 'made', format: 'yyyy' }], _source: false }),
  },
  {
    name: 'docvalue_fields in the URL',
    body: and({ docvalue_fields: ['subject'] }),
    parameters: { docvalue_fields: 'shelf' },
  },
  { name: 'stored_fields', body: and({ stored_fields: ['shelf'] }) },
  {
    name: 'stored_fields and _source',
    body: and({ stored_fields: ['shelf'], _source: ['title', 'serial'] }),
  },
  {
    name: 'stored_fields in the URL',
    body: and({}),
    parameters: { stored_fields: 'shelf', _source: 'true' },
  },
  {
    name: 'stored_fields _none_ with _source, which engines refuse',
    body: and({ stored_fields: '_none_', _source: true }),
    passes: /_id/,
  },
  {
    name: 'script_fields',
    body: and({
      script_fields: {
        twice: { script: { source: "doc['price'].value * 2" } },
        name: { script: { source: "'made'" } },
      },
      _source: false,
    }),
    engines: ['opensearch'],
  },
  {
    name: 'collapse with inner_hits',
    body: and({
      collapse: { field: 'subject', inner_hits: { name: 'others', size: 2, _source: ['title'] } },
    }),
  },
  {
    name: 'collapse by the name of a title, without _source',
    body: and({ collapse: { field: 'subject' }, _source: false }),
  },
  {
    name: 'collapse by a number that no double holds',
    body: and({ collapse: { field: 'serial' } }),
    index: both,
  },
  { name: 'nested inner_hits', body: parts },
  {
    name: 'nested inner_hits, totals as numbers',
    body: parts,
    parameters: { rest_total_hits_as_int: 'true' },
  },
  { name: 'explain', body: and({ explain: true, size: 3 }) },
  { name: 'explain in the URL', body: and({ size: 3 }), parameters: { explain: 'true' } },
  {
    name: 'switches in the URL, empty',
    body: and({ size: 3 }),
    parameters: { explain: '', version: '', track_scores: '' },
  },
  { name: 'version and seq_no_primary_term', body: and({ version: true, seq_no_primary_term: true }) },
  { name: 'version in the URL', body: and({}), parameters: { version: 'true', seq_no_primary_term: 'true' } },
  {
    name: 'named queries',
    body: (words) => ({
      query: {
        bool: {
          should: [
            { match: { title: { query: words, _name: 'in the title' } } },
            { match: { text: { query: words, _name: 'in the text' } } },
          ],
        },
      },
    }),
  },
  {
    name: 'named queries with their scores',
    body: (words) => ({ query: { match: { title: { query: words, _name: 'in the title' } } } }),
    parameters: { include_named_queries_score: 'true' },
    passes: /include_named_queries_score/,
  },
  { name: 'min_score', body: and({ min_score: 2 }) },
  {
    name: 'post_filter',
    body: and({
      post_filter: { term: { subject: 'bridges' } },
      aggs: { all: { terms: { field: 'subject' } } },
    }),
  },
  {
    name: 'indices_boost',
    body: (words, world) => ({
      ...match(words),
      indices_boost: [{ [world.copies]: 3 }, { [world.works]: 0.5 }],
    }),
    index: both,
    hasFactors: true,
  },
  { name: 'two indices with the same ids', body: and({ size: 30 }), index: both },
  { name: 'every index', body: and({}), index: (world) => world.pattern },
  {
    name: 'runtime_mappings',
    body: and({ runtime_mappings: { price: { type: 'keyword' } }, fields: ['price'], _source: false }),
    engines: ['elasticsearch'],
  },
  {
    name: 'derived fields',
    body: and({
      derived: { twice: { type: 'double', script: { source: "emit(doc['price'].value * 2)" } } },
      fields: ['twice'],
    }),
    engines: ['opensearch'],
  },
  { name: 'routing', body: and({}), index: (world) => world.routed, parameters: { routing: 'north' } },
  { name: 'ids under several routings', body: and({ size: 40 }), index: (world) => world.routed },
  {
    name: 'preference and search_type',
    body: and({}),
    index: both,
    parameters: { preference: '_local', search_type: 'dfs_query_then_fetch' },
  },
  {
    name: 'ignore_unavailable',
    body: and({}),
    index: (world) => `${world.works},qx-missing`,
    parameters: { ignore_unavailable: 'true' },
  },
  {
    name: 'a missing index',
    body: and({}),
    index: (world) => `${world.works},qx-missing`,
    passes: /answered 404/,
  },
  { name: 'track_total_hits true', body: and({ track_total_hits: true }) },
  { name: 'track_total_hits false', body: and({ track_total_hits: false }) },
  { name: 'track_total_hits a number', body: and({ track_total_hits: 5 }) },
  { name: 'track_total_hits in the URL', body: and({}), parameters: { track_total_hits: '7' } },
  { name: 'rest_total_hits_as_int', body: and({}), parameters: { rest_total_hits_as_int: 'true' } },
  ...[
    'hits.hits._id,hits.total',
    'hits.hits._source.title,took',
    '-hits.hits._source,-_shards',
    'hits.**.value,aggregations.*.buckets.key',
    'hits.hits._s*,-hits.hits._score',
    'nothing.of.it',
    '_shards',
  ].map(
    (filter): SearchBody => ({
      name: `filter_path ${filter}`,
      body: and({ aggs: { subjects: { terms: { field: 'subject' } } } }),
      parameters: { filter_path: filter },
    }),
  ),
  { name: '_source false', body: and({ _source: false }) },
  { name: '_source a name', body: and({ _source: 'serial' }) },
  { name: '_source a list', body: and({ _source: ['title', 'pa*'] }) },
  {
    name: '_source includes and excludes',
    body: and({ _source: { includes: ['t*', 'parts'], excludes: ['parts.weight'] } }),
  },
  { name: '_source in the URL', body: and({ _source: ['title'] }), parameters: { _source: 'serial,price' } },
  {
    name: '_source_includes in the URL',
    body: and({}),
    parameters: { _source_includes: 't*', _source_excludes: 'text' },
  },
  {
    name: '_source_exclude_vectors in the URL',
    body: and({}),
    parameters: { _source_exclude_vectors: 'false' },
    engines: ['elasticsearch'],
  },
  {
    name: '_source_exclude_vectors with others',
    body: and({}),
    parameters: { _source_exclude_vectors: 'false', _source_includes: 'vector,title' },
    engines: ['elasticsearch'],
  },
  {
    name: '_source exclude_vectors',
    body: and({ _source: { exclude_vectors: false } }),
    engines: ['elasticsearch'],
  },
  { name: 'from and size', body: and({ from: 5, size: 7 }) },
  {
    name: 'from and size in the URL',
    body: and({ from: 1, size: 2 }),
    parameters: { from: '10', size: '5' },
  },
  { name: 'size 120', body: and({ size: 120 }), passes: /more than 100/ },
  { name: 'a page beyond the window', body: and({ from: 100, size: 10 }) },
  {
    name: 'a page beyond the window, collapsed',
    body: and({ from: 100, size: 10, collapse: { field: 'shelf' } }),
    passes: /beyond/,
  },
  {
    name: 'size 0',
    body: and({ size: 0, aggs: { all: { terms: { field: 'subject' } } } }),
    passes: /no hits/,
  },
  { name: 'sort by score', body: and({ sort: ['_score'] }) },
  {
    name: 'sort by score in the URL, by something else in the body',
    body: and({ sort: ['serial'] }),
    parameters: { sort: '_score:desc' },
    passes: /sorted/,
  },
  {
    name: 'sort by score and a field in the URL',
    body: and({}),
    parameters: { sort: '_score:desc,serial:asc' },
  },
  { name: 'sort by something else', body: and({ sort: [{ made: 'desc' }, '_score'] }), passes: /sorted/ },
  {
    name: 'search_after',
    body: and({ sort: [{ serial: 'asc' }], search_after: [5] }),
    passes: /search_after/,
  },
  {
    name: 'rescore',
    body: (words) => ({
      ...match(words),
      rescore: { window_size: 20, query: { rescore_query: { match_phrase: { text: words } } } },
    }),
    passes: /rescore/,
  },
  { name: 'no words', body: () => ({ query: { match_all: {} } }), passes: /matches all/ },
  {
    name: 'timeout, terminate_after and stats',
    body: and({ timeout: '20s', terminate_after: 10_000, stats: ['a'] }),
  },
  {
    name: 'ext.ubi, which engines without its plugin refuse',
    body: and({ ext: { ubi: { query_id: 'q-1', user_query: 'bridge', client_id: 'c-1' } } }),
    passes: /answered 400/,
  },
  {
    name: 'a query that the engine refuses',
    body: (words) => ({ query: { match: { text: { query: words, nonsense: 1 } } } }),
    passes: /answered 400/,
  },
]
