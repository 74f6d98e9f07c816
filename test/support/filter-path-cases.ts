/**
 * Searches that differ in `filter_path` alone. `filter-path-answers.json` beside this file has what Elasticsearch 9.5.3
 * says to each: test/engines/filter-path.test.ts asks anew, and writes the file where `UPDATE_FIXTURES` is 1.
 */
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'

/** How an answer looks when it is filtered by the engine; the key is the filter. */
export interface FilterPathAnswers {
  readonly whole: JsonObject
  readonly filtered: Readonly<Record<string, JsonObject>>
}

export const filters: readonly string[] = [
  // One way through the answer.
  'hits',
  'hits.hits',
  'hits.hits._id',
  'hits.total.value',
  'hits.hits._source.title',
  'hits.hits._source.author.name',
  'took',
  // Several.
  'hits.hits._id,hits.hits._score',
  'hits.total, hits.hits._id',
  '_shards,timed_out,hits.max_score',
  'hits.hits._id,hits',
  'hits,hits.hits._id',
  // `*` within a name, and as one.
  'hits.hits._*',
  'hits.hits.*',
  'hits.*._id',
  'hits.hits._s*',
  'hits.hits._*e',
  'hits.hits._s*r*e',
  '*',
  '*.*',
  '*.total',
  'h*.t*.v*',
  '_shards.*ed',
  'aggregations.*.buckets.key',
  'aggregations.*.buckets.*.value',
  // `**` for any number of names.
  '**',
  '**.name',
  '**._id',
  'hits.**',
  'hits.**.name',
  'hits.**._source.**.name',
  '**.key',
  '**.buckets.**',
  '**.a*',
  'hits.hits.**.title',
  '**.hits',
  'hits.hits**',
  '*s.**.name',
  'took.**',
  'hits.total.**',
  'hits.hits._source.empty.**',
  'hits.hits._source.tags.**',
  '**.**',
  'hits.**.hits',
  'hits.**._id',
  '**.hits.**',
  // Left out.
  '-took.**',
  '-hits.total.**',
  '-**.**',
  '-hits.hits._source.*.*',
  '-took',
  '-hits',
  '-hits.hits',
  '-hits.hits._source',
  '-hits.hits._source.author',
  '-hits.hits._source.*.name',
  '-hits.hits._*',
  '-hits.hits.*',
  '-**.name',
  '-**._source',
  '-**',
  '-*',
  '-hits.**',
  '-_shards,-timed_out',
  '-hits.hits._source.tags',
  '-aggregations.*.buckets.doc_count',
  // Both.
  'hits.hits,-hits.hits._source',
  '-hits.hits._source,hits.hits',
  'hits.hits._*,-hits.hits._score',
  'hits.**,-hits.hits._source.author',
  '*,-hits',
  '**,-**.name',
  'hits.hits._source,-hits.hits._source',
  'hits.hits._id,-took',
  // What stands in a name.
  'hits.hits._source.a\\.b',
  'hits.hits._source.a.b',
  'hits.hits._source.a\\.*',
  '-hits.hits._source.a\\.b',
  // What is not there, and what is none.
  'nothing',
  'nothing.of.it',
  'hits.nothing',
  'took.nothing',
  'hits.hits._id.nothing',
  '-nothing',
  '-hits.hits._id.nothing',
  'Hits',
  ' hits.hits._id ',
  ',hits.hits._id,',
  'hits.hits._id,,took',
  ',',
  ' ',
  'hits.',
  'hits.hits.',
  '.hits',
  'hits..hits',
  'hits.hits.0._id',
  'hits.hits[0]._id',
  // Lists of lists, empty and null values.
  'hits.hits._source.matrix',
  'hits.hits._source.empty',
  'hits.hits._source.nothing',
  '-hits.hits._source.matrix',
  'hits.hits._source.people.name',
  '-hits.hits._source.people.name',
  'hits.hits._source.people.*',
]

const documents: readonly JsonObject[] = [
  {
    title: 'bridge one',
    author: { name: 'ann', age: 40 },
    tags: ['a', 'b'],
    'a.b': 'joined',
    matrix: [
      [1, 2],
      [3, 4],
    ],
    empty: {},
    none: [],
    nothing: null,
    people: [{ name: 'x', role: 'r' }, { name: 'y' }],
  },
  { title: 'bridge two bridge', author: { name: 'bob' }, tags: [], a: { b: 'apart' }, nothing: 0 },
  { title: 'a tunnel' },
]

const body = {
  query: { match: { title: 'bridge' } },
  aggs: {
    tags: { terms: { field: 'tags.keyword' }, aggs: { age: { max: { field: 'author.age' } } } },
  },
  highlight: { fields: { title: {} } },
}

/** Makes an index, asks it with each filter, and deletes it. `took` differs from search to search: it is 1 here. */
export async function askWithFilters(url: string, index: string): Promise<FilterPathAnswers> {
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await send(url, 'PUT', `/${index}`, { settings })
  try {
    for (const [place, document] of documents.entries())
      await send(url, 'PUT', `/${index}/_doc/${place + 1}?refresh=true`, document)
    const ask = async (filter: string): Promise<JsonObject> => {
      const answer = await send(
        url,
        'POST',
        `/${index}/_search?filter_path=${encodeURIComponent(filter)}`,
        body,
      )
      return named(answer, index)
    }
    const filtered: [string, JsonObject][] = []
    for (const filter of filters) filtered.push([filter, await ask(filter)])
    return { whole: await ask(''), filtered: Object.fromEntries(filtered) }
  } finally {
    await send(url, 'DELETE', `/${index}`)
  }
}

/** The answer with what is another one each time replaced. */
function named(answer: JsonObject, index: string): JsonObject {
  const same = JSON.parse(JSON.stringify(answer).replaceAll(index, 'works')) as JsonObject
  return same.took === undefined ? same : { ...same, took: 1 }
}

async function send(url: string, method: string, path: string, content?: JsonObject): Promise<JsonObject> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(content && { body: JSON.stringify(content) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} had ${response.status}: ${text}`)
  return JSON.parse(text) as JsonObject
}
