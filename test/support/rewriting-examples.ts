/** One search of each kind that applications send, and its expected result: docs/rewriting.md shows them. */

import { exact, type FieldKind } from '../../adapters/apps/drop-in/parse/field-kinds.ts'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { CallerHints, RewritableSearch } from '../../adapters/apps/drop-in/parse/parse-search.ts'

export interface Example {
  /** What is special about it. */
  readonly name: string
  readonly body?: unknown
  readonly parameters?: JsonObject
  readonly told?: CallerHints
  /** What its fields are. Default: texts. */
  readonly kinds?: Readonly<Record<string, FieldKind>>
  /** Where the words stand, with points between keys; absent where it passes through. */
  readonly slots?: readonly string[]
  /** The fields whose texts are searched. Default: none. */
  readonly fields?: readonly string[]
  /** Why it passes through. */
  readonly passes?: string
  /** How the engine's order counts beside the re-ranker's. Default: not at all. */
  readonly ranks?: string
}

/** How the hits of a search are ranked, as `Example.ranks`. */
export function howRanked({ fixed, ranking }: RewritableSearch): string | undefined {
  const { isFuzzy, factors } = ranking
  const said = [
    fixed !== undefined && alone(fixed),
    isFuzzy && corrected,
    factors.length > 0 && inside,
  ].filter((one) => one !== false)
  return said.length === 0 ? undefined : said.join('; ')
}

export interface ExampleGroup {
  readonly heading: string
  /** Whether a section of docs/rewriting.md says the same, so that it does not list them. */
  readonly isInProse?: boolean
  readonly examples: readonly Example[]
}

/** The user's words in every example, unless others are told. */
export const words = 'who built the bridge'

const match = { match: { title: words } }
const bool = (parts: JsonObject): JsonObject => ({ query: { bool: parts } })
const built = { text_embedding: { model_id: 'm', model_text: words } }

const typing = 'the user may still be typing its last word'
const corrected = 'words are read as the engine found them'
const inside = "words rank inside the engine's order"
const alone = (reason: string): string => `no sub-queries: ${reason}`

/** A search for the words, with something more. */
const and = (name: string, more: JsonObject, passes?: string): Example => ({
  name,
  body: { query: match, ...more },
  ...(passes === undefined ? inTitle : { passes }),
})
/** So many names that differ. */
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${name}${place}`)

const inMust = { slots: ['query.bool.must.0.match.title'], fields: ['title'] }
const inTitle = { slots: ['query.match.title'], fields: ['title'] }

/** A search with parameters in its URL. */
const by = (name: string, parameters: JsonObject, passes?: string): Example => ({
  ...and(name, {}, passes),
  parameters,
})

/** A query that passes through. */
const foreign = (name: string, inner: unknown): Example => ({
  name: `\`${name}\``,
  body: { query: { [name]: inner } },
  passes: `Querent does not know the clause \`${name}\``,
})

const strict = 'its `operator: and` says how many words must match'
const counted = 'its `minimum_should_match` says how many words must match'
const owner = { match: { owner: words } }
const keyword: FieldKind = { is: 'a keyword field' }
const ofOwner: Pick<Example, 'kinds'> = { kinds: { owner: keyword } }

/** What the same body comes to where a field is no text. */
const ofKinds: readonly Example[] = [
  {
    name: '`match` on a keyword field or a number, which is a filter',
    body: { query: owner },
    ...ofOwner,
    passes: '`owner` is a keyword field',
  },
  {
    name: '`match` on a field that is text in one index and missing in the others',
    body: { query: match },
    kinds: { title: 'partly' },
    ...inTitle,
  },
  {
    name: '`match` on another view of a text field (`.keyword`, `.raw`, `.exact`, …)',
    body: { query: { match: { 'title.raw': words } } },
    kinds: { 'title.raw': exact },
    passes: '`title.raw` is a field for whole values, by its name',
  },
  {
    name: '`bool`: a `match` on a keyword field beside the words in `must`, which stays unchanged',
    body: bool({ must: [match, owner] }),
    ...ofOwner,
    ...inMust,
  },
  {
    name: '`bool`: a `match` on a keyword field with a different text, which stays unchanged',
    body: bool({ must: [match, { match: { owner: 'acme' } }] }),
    ...ofOwner,
    ...inMust,
  },
  {
    name: '`bool`: a `match` on a keyword field that is one of several alternatives',
    body: bool({ should: [match, { match: { owner: { query: words } } }] }),
    ...ofOwner,
    slots: ['query.bool.should.0.match.title', 'query.bool.should.1.match.owner.query'],
    fields: ['title'],
  },
  {
    name: '`multi_match` on text fields and a keyword field, any of which may match',
    body: { query: { multi_match: { query: words, fields: ['title', 'owner'] } } },
    ...ofOwner,
    slots: ['query.multi_match.query'],
    fields: ['title', 'owner'],
  },
  {
    name: '`multi_match` on keyword fields only',
    body: { query: { multi_match: { query: words, fields: ['owner', 'year'] } } },
    kinds: { owner: keyword, year: keyword },
    passes: '`owner` is a keyword field',
  },
  {
    name: '`multi_match` on a keyword field and a text field that some indices lack',
    body: { query: { multi_match: { query: words, fields: ['title', 'owner'] } } },
    kinds: { title: 'partly', owner: keyword },
    passes: '`owner` is a keyword field',
  },
  {
    name: '`multi_match` with a pattern that matches no text field',
    body: { query: { multi_match: { query: words, fields: ['own*'] } } },
    kinds: { 'own*': keyword },
    passes: '`own*` stands for no text field',
  },
  {
    name: '`match` on a field that no index has',
    body: { query: { match: { titel: words } } },
    kinds: { titel: 'none' },
    passes: '`titel`: no such field',
  },
]

/** What says how many of the words must match. */
const ofStrictness: readonly Example[] = [
  {
    name: '`match` with `operator` `and`',
    body: { query: { match: { title: { query: words, operator: 'and' } } } },
    slots: ['query.match.title.query'],
    fields: ['title'],
    ranks: alone(strict),
  },
  {
    name: '`multi_match` with a `minimum_should_match` above 1, or a percentage',
    body: { query: { multi_match: { query: words, fields: ['title'], minimum_should_match: '2<75%' } } },
    slots: ['query.multi_match.query'],
    fields: ['title'],
    ranks: alone(counted),
  },
  {
    name: '`match` with `operator` `or` and `minimum_should_match` 1',
    body: { query: { match: { title: { query: words, operator: 'or', minimum_should_match: 1 } } } },
    slots: ['query.match.title.query'],
    fields: ['title'],
  },
  {
    name: '`bool`: a clause with `operator` `and` is one of several alternatives',
    body: bool({ should: [{ match: { title: { query: words, operator: 'AND' } } }, match] }),
    slots: ['query.bool.should.0.match.title.query', 'query.bool.should.1.match.title'],
    fields: ['title'],
  },
  {
    name: '`bool`: a clause with `operator` `and` must match, and others may',
    body: bool({ must: [{ match: { title: { query: words, operator: 'and' } } }], should: [match] }),
    slots: ['query.bool.must.0.match.title.query', 'query.bool.should.0.match.title'],
    fields: ['title'],
    ranks: alone(strict),
  },
]

const clauses: readonly Example[] = [
  { name: '`match`', body: { query: match }, ...inTitle },
  {
    name: '`match`, long form',
    body: { query: { match: { title: { query: words, lenient: true, boost: 2 } } } },
    slots: ['query.match.title.query'],
    fields: ['title'],
  },
  {
    name: '`multi_match` with boosts',
    body: { query: { multi_match: { query: words, fields: ['title^3', 'body'], type: 'best_fields' } } },
    slots: ['query.multi_match.query'],
    fields: ['title', 'body'],
  },
  {
    name: '`multi_match` with equal boosts',
    body: { query: { multi_match: { query: words, fields: ['title^2', 'body^2'], boost: 3 } } },
    slots: ['query.multi_match.query'],
    fields: ['title', 'body'],
  },
  {
    name: '`combined_fields` with boosts',
    body: { query: { combined_fields: { query: words, fields: ['title', 'body^2'] } } },
    slots: ['query.combined_fields.query'],
    fields: ['title', 'body'],
  },
  {
    name: '`match_phrase_prefix`',
    body: { query: { match_phrase_prefix: { title: words } } },
    passes: typing,
  },
  {
    name: '`match_bool_prefix`',
    body: { query: { match_bool_prefix: { title: { query: words } } } },
    passes: typing,
  },
  {
    name: '`match_bool_prefix` and `match_phrase_prefix` beside the words',
    body: bool({
      should: [match, { match_bool_prefix: { title: words } }, { match_phrase_prefix: { title: words } }],
    }),
    slots: [0, 1, 2].map(
      (place) =>
        `query.bool.should.${place}.${['match', 'match_bool_prefix', 'match_phrase_prefix'][place]}.title`,
    ),
    fields: ['title'],
    ranks: alone(typing),
  },
  ...(['bool_prefix', 'phrase_prefix'] as const).map((type) => ({
    name: `\`multi_match\` of type \`${type}\` beside the words`,
    body: bool({ should: [match, { multi_match: { query: words, fields: ['title', 'body'], type } }] }),
    slots: ['query.bool.should.0.match.title', 'query.bool.should.1.multi_match.query'],
    fields: ['title'],
    ranks: alone(typing),
  })),
  {
    name: '`fuzziness`',
    body: { query: { match: { title: { query: words, fuzziness: 'AUTO' } } } },
    slots: ['query.match.title.query'],
    fields: ['title'],
    ranks: corrected,
  },
  {
    name: '`fuzziness` of 0',
    body: { query: { match: { title: { query: words, fuzziness: 0 } } } },
    slots: ['query.match.title.query'],
    fields: ['title'],
  },
  {
    name: '`dis_max`',
    body: { query: { dis_max: { queries: [match, { match: { body: words } }], tie_breaker: 0.3 } } },
    slots: ['query.dis_max.queries.0.match.title', 'query.dis_max.queries.1.match.body'],
    fields: ['title', 'body'],
  },
  {
    name: '`bool`: words in `must`, and the same words in `should`',
    body: bool({
      must: { multi_match: { query: words, fields: ['title', 'body'] } },
      should: [
        { match_phrase: { title: words } },
        { term: { 'title.raw': words } },
        { prefix: { title: { value: words } } },
        { fuzzy: { title: words } },
      ],
    }),
    slots: [
      'query.bool.must.multi_match.query',
      'query.bool.should.0.match_phrase.title',
      'query.bool.should.1.term.title.raw',
      'query.bool.should.2.prefix.title.value',
      'query.bool.should.3.fuzzy.title',
    ],
    fields: ['title', 'body'],
    ranks: corrected,
  },
  {
    name: '`bool`: a boost for the exact title',
    body: bool({ must: match, should: { term: { 'title.raw': { value: words, boost: 100 } } } }),
    slots: ['query.bool.must.match.title', 'query.bool.should.term.title.raw.value'],
    fields: ['title'],
  },
  {
    name: '`bool`: a filter in `must`',
    body: bool({ must: [match, { term: { tag: 'a' } }, { range: { year: { gte: 1880 } } }] }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
  },
  {
    name: '`bool`: a preference in `should`',
    body: bool({ must: [match], should: [{ term: { tag: 'a' } }] }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`bool`: a `rank_feature` in `must`',
    body: bool({ must: [match, { rank_feature: { field: 'pagerank' } }] }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`bool`: words in several clauses of `should`',
    body: bool({ should: [match, { match: { body: words } }], minimum_should_match: 1 }),
    slots: ['query.bool.should.0.match.title', 'query.bool.should.1.match.body'],
    fields: ['title', 'body'],
  },
  {
    name: '`bool`: the same words in `filter` and `must_not`, too',
    body: bool({ must: [match], filter: [{ term: { owner: words } }], must_not: { match: { body: words } } }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
  },
  {
    name: '`bool`: a `term` with the same text in `must`',
    body: bool({ must: [match, { term: { owner: words } }] }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
  },
  {
    name: '`bool`: the words twice in `must`',
    body: bool({ must: [match, { match: { owner: words } }] }),
    slots: ['query.bool.must.0.match.title', 'query.bool.must.1.match.owner'],
    fields: ['title', 'owner'],
    ranks: alone('its words stand in several clauses that must all match'),
  },
  {
    name: '`bool`: the words twice in `should`, where two must match',
    body: bool({ should: [match, { match: { body: words } }], minimum_should_match: '100%' }),
    slots: ['query.bool.should.0.match.title', 'query.bool.should.1.match.body'],
    fields: ['title', 'body'],
    ranks: alone('its words stand in several clauses that must all match'),
  },
  {
    name: '`bool`: two different texts',
    body: bool({ must: [match, { match: { author: 'roebling' } }] }),
    passes: 'it searches for several different texts',
  },
  {
    name: '`bool`: words in `filter` only',
    body: bool({ filter: [match], should: [{ range: { year: { gte: 1880 } } }] }),
    passes: 'it has conditions alone, and no words to rank by',
  },
  {
    name: '`function_score` with functions',
    body: {
      query: {
        function_score: { query: match, functions: [{ filter: { match: { title: words } }, weight: 2 }] },
      },
    },
    slots: ['query.function_score.query.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`function_score` by a field',
    body: { query: { function_score: { query: match, field_value_factor: { field: 'views' } } } },
    slots: ['query.function_score.query.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`function_score` without functions',
    body: { query: { function_score: { query: match, functions: [], boost_mode: 'sum' } } },
    slots: ['query.function_score.query.match.title'],
    fields: ['title'],
  },
  {
    name: '`semantic`',
    body: { query: { semantic: { field: 'meaning', query: words } } },
    slots: ['query.semantic.query'],
    fields: ['meaning'],
  },
  {
    name: '`neural`',
    body: { query: { neural: { vector: { query_text: words, model_id: 'm', k: 50 } } } },
    slots: ['query.neural.vector.query_text'],
  },
  {
    name: '`neural` with only an image',
    body: { query: { neural: { vector: { query_image: 'aGk=', model_id: 'm' } } } },
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`neural_sparse`',
    body: { query: { neural_sparse: { weights: { query_text: words, model_id: 'm' } } } },
    slots: ['query.neural_sparse.weights.query_text'],
  },
  {
    name: '`neural_sparse` with tokens',
    body: { query: { neural_sparse: { weights: { query_tokens: { bridge: 1.5 } } } } },
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`sparse_vector`',
    body: { query: { sparse_vector: { field: 'weights', inference_id: 'm', query: words } } },
    slots: ['query.sparse_vector.query'],
  },
  {
    name: '`sparse_vector` with a vector',
    body: { query: { sparse_vector: { field: 'weights', query_vector: { bridge: 1.5 } } } },
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`knn` with a query vector builder',
    body: { query: { knn: { field: 'vector', query_vector_builder: built, k: 50 } } },
    slots: ['query.knn.query_vector_builder.text_embedding.model_text'],
  },
  {
    name: '`knn` with a vector',
    body: { query: { knn: { field: 'vector', query_vector: [0.1, 0.2], k: 50 } } },
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`knn` with a vector, in the form of OpenSearch',
    body: { query: { knn: { vector: { vector: [0.1, 0.2], k: 50 } } } },
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: 'words beside `knn` with a query vector builder',
    body: {
      query: match,
      knn: [{ field: 'vector', query_vector_builder: built, filter: { term: { a: 1 } } }],
    },
    slots: ['query.match.title', 'knn.0.query_vector_builder.text_embedding.model_text'],
    fields: ['title'],
  },
  {
    name: 'words beside `knn` with a vector',
    body: { query: match, knn: { field: 'vector', query_vector: [0.1, 0.2], k: 50 } },
    ...inTitle,
  },
  {
    name: 'words beside vectors of both kinds',
    body: {
      query: match,
      knn: [
        { field: 'vector', query_vector_builder: built },
        { field: 'vector', query_vector: [0.1, 0.2], k: 50 },
      ],
    },
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`bool`: words, a vector and weights in `should`',
    body: bool({
      should: [
        match,
        { knn: { vector: { vector: [0.1, 0.2], k: 50 } } },
        { sparse_vector: { field: 'weights', query_vector: { bridge: 1.5 } } },
        { neural_sparse: { weights: { query_tokens: { bridge: 1.5 } } } },
      ],
    }),
    slots: ['query.bool.should.0.match.title'],
    fields: ['title'],
  },
  {
    name: '`bool`: words and a vector in `must`',
    body: bool({ must: [match, { knn: { field: 'vector', query_vector: [0.1, 0.2] } }] }),
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`hybrid` of words and a vector',
    body: { query: { hybrid: { queries: [match, { knn: { vector: { vector: [0.1, 0.2], k: 9 } } }] } } },
    slots: ['query.hybrid.queries.0.match.title'],
    fields: ['title'],
  },
  {
    name: '`hybrid`',
    body: { query: { hybrid: { queries: [match, { neural: { vector: { query_text: words, k: 9 } } }] } } },
    slots: ['query.hybrid.queries.0.match.title', 'query.hybrid.queries.1.neural.vector.query_text'],
    fields: ['title'],
  },
  ...(['match_phrase', 'term', 'prefix', 'fuzzy'] as const).map((name) => ({
    name: `\`${name}\` alone, which is a filter`,
    body: { query: { [name]: { title: words } } },
    passes:
      name === 'match_phrase'
        ? 'its words stand in a phrase alone'
        : `its words stand in a \`${name}\` clause alone`,
  })),
  {
    name: '`multi_match` of phrases only',
    body: { query: { multi_match: { query: words, fields: ['title'], type: 'phrase' } } },
    passes: 'its words stand in a phrase alone',
  },
  {
    name: 'words, and clauses without words in `should`',
    body: bool({
      must: [match],
      should: [
        { terms: { tag: ['a'] } },
        { range: { year: { gte: 1880 } } },
        { exists: { field: 'tag' } },
        { ids: { values: ['1'] } },
        { wildcard: { tag: 'a*' } },
        { regexp: { tag: 'a.*' } },
        { match_all: {} },
        { match_none: {} },
        { constant_score: { filter: { match: { title: words } } } },
        { geo_bounding_box: { at: {} } },
        { geo_distance: { distance: '1km', at: [0, 0] } },
        { geo_polygon: { at: {} } },
        { geo_shape: { at: {} } },
        { geo_grid: { at: {} } },
        { shape: { at: {} } },
        { distance_feature: { field: 'made', origin: 'now', pivot: '7d' } },
        { rank_feature: { field: 'pagerank' } },
        { terms_set: { tag: { terms: ['a'], minimum_should_match: 1 } } },
        { script: { script: { source: 'true' } } },
        { match: { year: 1883 } },
        { match: { year: { query: 1883 } } },
        { term: { open: true } },
      ],
    }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  ...['query_string', 'simple_query_string'].flatMap((name): Example[] => [
    {
      name: `\`${name}\` without operators`,
      body: { query: { [name]: { query: words, fields: ['title', 'body'] } } },
      slots: [`query.${name}.query`],
      fields: ['title', 'body'],
    },
    {
      name: `\`${name}\` without fields`,
      body: { query: { [name]: { query: words } } },
      slots: [`query.${name}.query`],
    },
    {
      name: `\`${name}\` with operators`,
      body: { query: { [name]: { query: '"the bridge" +built -bought', fields: ['title'] } } },
      passes: `the words of its \`${name}\` have operators`,
    },
    {
      name: `\`${name}\` whose words must all match`,
      body: { query: { [name]: { query: words, fields: ['title'], default_operator: 'AND' } } },
      slots: [`query.${name}.query`],
      fields: ['title'],
      ranks: alone(strict),
    },
  ]),
  {
    name: '`query_string` with a question mark',
    body: { query: { query_string: { query: `${words}?`, default_field: 'title' } } },
    passes: 'the words of its `query_string` have operators',
  },
  {
    name: '`nested`: the words of another alternative',
    body: bool({ should: [match, { nested: { path: 'parts', query: { match: { 'parts.name': words } } } }] }),
    slots: ['query.bool.should.0.match.title', 'query.bool.should.1.nested.query.match.parts.name'],
    fields: ['title'],
  },
  {
    name: '`nested` that must match',
    body: bool({
      must: [match, { nested: { path: 'parts', query: { match: { 'parts.name': words } } } }],
      should: [{ nested: { path: 'parts', query: { match: { 'parts.name': 'tower' } } } }],
    }),
    slots: ['query.bool.must.0.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`nested` alone',
    body: { query: { nested: { path: 'parts', query: { match: { 'parts.name': words } } } } },
    passes: 'its words stand in a `nested` clause alone',
  },
  foreign('has_child', { type: 'part', query: match }),
  foreign('more_like_this', { like: words }),
  foreign('intervals', { title: { match: { query: words } } }),
  foreign('span_term', { title: words }),
  {
    name: '`boosting`',
    body: { query: { boosting: { positive: match, negative: { term: { tag: 'a' } }, negative_boost: 0.5 } } },
    slots: ['query.boosting.positive.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`script_score` that multiplies or adds to the score',
    body: { query: { script_score: { query: match, script: { source: "_score * doc['views'].value" } } } },
    slots: ['query.script_score.query.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  {
    name: '`script_score` with any other script',
    body: { query: { script_score: { query: match, script: { source: '1' } } } },
    passes: 'its `script_score` ranks by more than words',
  },
  {
    name: '`pinned`',
    body: { query: { pinned: { ids: ['1'], organic: match } } },
    slots: ['query.pinned.organic.match.title'],
    fields: ['title'],
    ranks: inside,
  },
  foreign('percolate', { field: 'query', document: {} }),
  foreign('agentic', { query_text: words }),
  foreign('wrapper', { query: 'e30=' }),
]

const fromRetriever = (retriever: JsonObject): JsonObject => ({ retriever })
const standard = { standard: { query: match } }

const retrievers: readonly Example[] = [
  {
    name: '`standard`',
    body: fromRetriever({ standard: { query: match, filter: { match: { title: words } } } }),
    slots: ['retriever.standard.query.match.title'],
    fields: ['title'],
  },
  {
    name: '`knn` with a query vector builder',
    body: fromRetriever({ knn: { field: 'vector', query_vector_builder: built, k: 10, num_candidates: 50 } }),
    slots: ['retriever.knn.query_vector_builder.text_embedding.model_text'],
  },
  {
    name: '`rrf` of words and a vector',
    body: fromRetriever({
      rrf: { retrievers: [standard, { knn: { field: 'vector', query_vector: [1], k: 10 } }] },
    }),
    slots: ['retriever.rrf.retrievers.0.standard.query.match.title'],
    fields: ['title'],
  },
  {
    name: '`linear` of words and a vector',
    body: fromRetriever({
      linear: {
        retrievers: [{ retriever: standard }, { retriever: { knn: { field: 'v', query_vector: [1] } } }],
      },
    }),
    slots: ['retriever.linear.retrievers.0.retriever.standard.query.match.title'],
    fields: ['title'],
  },
  {
    name: '`knn` with a vector',
    body: fromRetriever({ knn: { field: 'vector', query_vector: [1], k: 10, num_candidates: 50 } }),
    passes: 'it searches by a vector, and Querent cannot make one of other words',
  },
  {
    name: '`rrf`',
    body: fromRetriever({
      rrf: {
        retrievers: [standard, { knn: { field: 'vector', query_vector_builder: built, k: 10 } }],
        rank_window_size: 50,
      },
    }),
    slots: [
      'retriever.rrf.retrievers.0.standard.query.match.title',
      'retriever.rrf.retrievers.1.knn.query_vector_builder.text_embedding.model_text',
    ],
    fields: ['title'],
  },
  {
    name: '`rrf` over fields',
    body: fromRetriever({ rrf: { query: words, fields: ['title', 'meaning'] } }),
    slots: ['retriever.rrf.query'],
    fields: ['title', 'meaning'],
  },
  {
    name: '`linear` with weights',
    body: fromRetriever({
      linear: { retrievers: [{ retriever: standard, weight: 2 }], rank_window_size: 20 },
    }),
    slots: ['retriever.linear.retrievers.0.retriever.standard.query.match.title'],
    fields: ['title'],
  },
  {
    name: '`rrf` with more hits than its window, which Elasticsearch refuses',
    body: { ...fromRetriever({ rrf: { retrievers: [standard] } }), size: 20 },
    passes: 'it asks for more hits than its `rank_window_size`',
  },
  {
    name: '`standard` with a sort',
    body: fromRetriever({ standard: { query: match, sort: ['year'] } }),
    passes: 'a retriever of it sorts',
  },
  ...['text_similarity_reranker', 'rule', 'pinned', 'rescorer', 'diversify'].map((name) => ({
    name: `\`${name}\``,
    body: fromRetriever({ [name]: { retriever: standard } }),
    passes: `Querent does not know the retriever \`${name}\``,
  })),
]

const parts: readonly Example[] = [
  and('`from`, `size`', { from: 20, size: 20 }),
  and('`from` and `size` beyond the window', { from: 95, size: 10 }),
  and(
    'hits beyond the window with `collapse`',
    { from: 95, size: 10, collapse: { field: 'shelf' } },
    'it asks for hits beyond the first 100',
  ),
  and('`size` above 100', { size: 101 }, 'it asks for more than 100 hits at once'),
  and('`size` 0', { size: 0 }, 'it asks for no hits (`size: 0`)'),
  and('`size` that is not a count', { size: -1 }, 'its `from` or `size` is not a whole number'),
  and('`_source`, `fields`, `stored_fields`, `docvalue_fields`, `script_fields`', {
    _source: false,
    fields: ['a*'],
    stored_fields: ['b'],
    docvalue_fields: ['c'],
    script_fields: { d: { script: { source: '1' } } },
  }),
  and('`highlight`, `explain`, `version`, `seq_no_primary_term`', {
    highlight: { fields: { title: {} } },
    explain: true,
    version: true,
    seq_no_primary_term: true,
  }),
  and('`aggs`, `aggregations`, `suggest`, `profile` (answered by the original search)', {
    aggs: { a: { terms: { field: 'a' } } },
    aggregations: { a: { terms: { field: 'a' } } },
    suggest: { s: { text: words, term: { field: 'title' } } },
    profile: true,
  }),
  and('`post_filter`, `min_score`, `runtime_mappings`, `derived`, `stats`, `ext`', {
    post_filter: { match: { title: words } },
    min_score: 1,
    runtime_mappings: {},
    derived: {},
    stats: ['a'],
    ext: {},
  }),
  { ...and('`indices_boost`', { indices_boost: [{ a: 2 }] }), ranks: inside },
  and('`track_total_hits`, `track_scores`, `timeout`, `terminate_after`', {
    track_total_hits: true,
    track_scores: true,
    timeout: '1s',
    terminate_after: 100,
  }),
  and('`collapse`, `pit`, `search_pipeline`, `project_routing`', {
    collapse: { field: 'group' },
    pit: { id: 'p' },
    search_pipeline: 's',
    project_routing: '_alias:*',
  }),
  and('`sort` by score', { sort: [{ _score: { order: 'desc' } }] }),
  and('an empty `sort`', { sort: [] }),
  and('`sort` by a field', { sort: [{ year: 'asc' }] }, 'it is not sorted by `_score` first'),
  and('`sort` by score, then by a field', { sort: ['_score', 'year'] }),
  and(
    '`sort` by score, then by a field, in a point in time',
    { sort: ['_score', 'year'], pit: { id: 'p' } },
    'its pages continue by `search_after`',
  ),
  and('`sort` by score, ascending', { sort: { _score: 'asc' } }, 'it is not sorted by `_score` first'),
  and('`search_after`', { search_after: [1] }, 'it continues a list by `search_after`'),
  and('`slice`', { slice: { id: 0, max: 2 } }, 'it reads one part of the index (`slice`)'),
  and('`rescore`', { rescore: { query: { rescore_query: match } } }, 'the engine re-ranks it (`rescore`)'),
  and('`rank`', { rank: { rrf: {} } }, 'the engine merges its lists (`rank`)'),
  and('`sub_searches`', { sub_searches: [] }, 'the engine merges its lists (`sub_searches`)'),
  and('`stored_fields` `_none_`', { stored_fields: '_none_', docvalue_fields: ['_id'] }),
  and(
    '`stored_fields` with `_none_` and a field, which engines refuse',
    { stored_fields: ['_none_'], _source: ['title'] },
    'its hits would have no `_id`',
  ),
  and('an unknown key', { shiny: true }, 'Querent does not know its part `shiny`'),
  and('a key such as `constructor`', { constructor: 1 }, 'Querent does not know its part `constructor`'),
  {
    name: '`suggest` alone',
    body: { suggest: { s: { text: words, term: { field: 'title' } } } },
    passes: 'it matches all documents',
  },
  { name: 'nothing', body: {}, passes: 'it matches all documents' },
  { name: 'no body', passes: 'its body is not a JSON object' },
  { name: 'an array', body: [], passes: 'its body is not a JSON object' },
  { name: 'blank words', body: { query: { match: { title: ' \n ' } } }, passes: 'its words are empty' },
  {
    name: 'very long words',
    body: { query: { match: { title: 'a'.repeat(10_001) } } },
    passes: 'its words are longer than 10000 characters',
  },
  {
    name: 'more than 1000 fields',
    body: { query: { multi_match: { query: words, fields: numbered('title', 1001) } } },
    passes: 'it searches more than 1000 fields',
  },
  and(
    '`fields`, `stored_fields` and `docvalue_fields` with more than 100 patterns together',
    { fields: numbered('a*', 99), stored_fields: 'b*', docvalue_fields: ['c', { field: 'd*' }] },
    'it lists the fields of its hits by more than 100 patterns',
  ),
  {
    name: 'a query that is not an object',
    body: { query: 'title:bridge' },
    passes: 'a clause of it is not a JSON object',
  },
  {
    name: 'a clause with two names',
    body: { query: { ...match, term: { a: 1 } } },
    passes: 'a clause of it has no name, or several',
  },
  {
    name: 'a clause with two fields',
    body: { query: { match: { title: words, body: words } } },
    passes: 'a clause of it names several fields',
  },
]

const parameters: readonly Example[] = [
  by('`from`, `size`, `timeout`, `terminate_after`, `stats`', {
    from: '10',
    size: '10',
    timeout: '1s',
    terminate_after: '9',
    stats: 'a,b',
  }),
  by('`_source`, `_source_includes`, `_source_excludes`, `_source_exclude_vectors`', {
    _source: 'true',
    _source_includes: 'a',
    _source_excludes: 'b',
    _source_exclude_vectors: 'false',
  }),
  by('`stored_fields`, `docvalue_fields`, `version`, `seq_no_primary_term`, `explain`', {
    stored_fields: 'a',
    docvalue_fields: 'b',
    version: 'true',
    seq_no_primary_term: 'true',
    explain: '',
  }),
  by('`track_total_hits`, `track_scores`, `search_pipeline`', {
    track_total_hits: '100',
    track_scores: 'true',
    search_pipeline: 's',
  }),
  by('`routing`, `preference`, `search_type`, `request_cache`, `project_routing`', {
    routing: 'a',
    preference: '_local',
    search_type: 'dfs_query_then_fetch',
    request_cache: 'true',
    project_routing: '_alias:*',
  }),
  by('`ignore_unavailable`, `ignore_throttled`, `allow_no_indices`, `expand_wildcards`', {
    ignore_unavailable: 'true',
    ignore_throttled: 'true',
    allow_no_indices: 'true',
    expand_wildcards: 'open',
  }),
  by('`allow_partial_search_results`, `ccs_minimize_roundtrips`, `cancel_after_time_interval`', {
    allow_partial_search_results: 'true',
    ccs_minimize_roundtrips: 'true',
    cancel_after_time_interval: '10s',
  }),
  by(
    '`filter_path`, `rest_total_hits_as_int`, `typed_keys`, `pretty`, `human`, `error_trace`, `phase_took`',
    {
      filter_path: 'hits.hits._id',
      rest_total_hits_as_int: 'true',
      typed_keys: 'true',
      pretty: '',
      human: 'false',
      error_trace: 'true',
      phase_took: 'true',
    },
  ),
  {
    name: '`filter_path` with more than 100 patterns',
    body: { query: match },
    parameters: { filter_path: numbered('hits.a*', 101).join() },
    passes: 'its `filter_path` has more than 100 patterns',
  },
  by('`batched_reduce_size`, `max_concurrent_shard_requests`, `pre_filter_shard_size`', {
    batched_reduce_size: '2',
    max_concurrent_shard_requests: '5',
    pre_filter_shard_size: '1',
  }),
  by('`format=json`', { format: 'json' }),
  by('`format=yaml`, `cbor`, `smile`', { format: 'yaml' }, 'its format is `yaml`, and not JSON'),
  by('`sort=_score`', { sort: '_score:desc' }),
  by('`sort` by a field', { sort: 'year:asc' }, 'it is not sorted by `_score` first'),
  by('`scroll`', { scroll: '1m' }, 'it is read in batches (`scroll`)'),
  {
    name: '`q` without operators, with `df`, `analyzer`, `analyze_wildcard`, `lenient`',
    parameters: { q: words, df: 'title', analyzer: 'english', analyze_wildcard: 'true', lenient: '' },
    slots: ['query.query_string.query'],
    fields: ['title'],
  },
  {
    name: '`q` with operators',
    parameters: { q: 'title:bridge' },
    passes: 'the words of its `query_string` have operators',
  },
  {
    name: '`q` and `default_operator=AND`',
    parameters: { q: words, default_operator: 'AND' },
    slots: ['query.query_string.query'],
    ranks: alone(strict),
  },
  by('`df`, `analyzer`, `default_operator`, without `q`', { df: 'x', default_operator: 'AND' }),
  by('any other parameter', { shiny: 'true' }, 'Querent does not know its parameter `shiny`'),
]

const query = 'what the user typed'
const slots: readonly Example[] = [
  {
    name: 'in a query',
    body: bool({ must: [{ nested: { path: 'p', query: { match: { 'p.a': '{{query}}' } } } }] }),
    told: { query },
    slots: ['query.bool.must.0.nested.query.match.p.a'],
  },
  {
    name: 'in several places, `filter` and `suggest` among them',
    body: {
      ...bool({ should: [{ match: { a: '{{query}}' } }], filter: [{ match: { b: '{{query}}' } }] }),
      suggest: { text: '{{query}}' },
    },
    told: { query },
    slots: ['query.bool.should.0.match.a', 'query.bool.filter.0.match.b', 'suggest.text'],
  },
  {
    name: 'within a longer string',
    body: { query: { match: { a: 'the {{query}}' } } },
    told: { query },
    passes: 'it has no `{{query}}`',
  },
  { name: 'nowhere', body: { query: match }, told: { query }, passes: 'it has no `{{query}}`' },
  ...['query_string', 'simple_query_string'].map((name) => ({
    name: `in \`${name}\``,
    body: { query: { [name]: { query: '{{query}}' } } },
    told: { query },
    passes: `words in its \`${name}\` would be syntax`,
  })),
  {
    name: 'in a script',
    body: { query: match, script_fields: { a: { script: { source: '{{query}}' } } } },
    told: { query },
    passes: 'words in its `script` would be syntax',
  },
]

export const exampleGroups: readonly ExampleGroup[] = [
  { heading: 'Clauses of a query', examples: clauses },
  { heading: 'Fields that are not text', examples: ofKinds, isInProse: true },
  { heading: 'How many words must match in a clause', examples: ofStrictness, isInProse: true },
  { heading: 'Retrievers', examples: retrievers },
  { heading: 'Other parts of the body', examples: parts },
  { heading: 'Parameters of the URL', examples: parameters },
  { heading: 'The placeholder `{{query}}`', examples: slots, isInProse: true },
]

/** The types of an example's fields. */
export const kindsIn =
  ({ kinds = {} }: Example) =>
  () =>
  (field: string): FieldKind =>
    kinds[field] ?? 'text'
