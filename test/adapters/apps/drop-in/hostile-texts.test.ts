/** Whatever users and models write, it is the text of a slot: hostile texts as both, on the way that requests take to the wire. */
import { Client as Elasticsearch } from '@elastic/elasticsearch'
import { Client as OpenSearch } from '@opensearch-project/opensearch'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type JsonObject, without } from '../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch, type SearchCall } from '../../../../adapters/apps/drop-in/parse/parse-search.ts'
import type { EngineLeg } from '../../../../adapters/apps/drop-in/run/caller-engine.ts'
import { optimizedSearch } from '../../../../adapters/apps/drop-in/run/optimized-search.ts'
import { appSettings } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { parseRequest, toJson } from '../../../../adapters/apps/proxy/json.ts'
import { linesOf } from '../../../../adapters/apps/proxy/optimize.ts'
import { createCache } from '../../../../adapters/cache/cache.ts'
import { withoutRepeats } from '../../../../src/dedupe.ts'
import { type Difference, differences } from '../../../support/differences.ts'
import { fakeEngine, found } from '../../../support/fake-engine.ts'
import { fuzzRuns } from '../../../support/fuzz-runs.ts'
import { hostileText, hostility } from '../../../support/hostile-texts.ts'

/** 500 at least, since fewer do not have all kinds of texts. Most of the time is that of texts of a megabyte. */
const runs = Math.min(Math.max(fuzzRuns, 500), 10_000)
const longest = 10_000

const memory = createCache()

/** The sub-queries of the search that is under way. */
let subQueries: readonly string[] = []
const settings = await appSettings(
  {
    resilience: { breaker: false },
    policy: {
      name: 'hostile',
      reads: false,
      async run(_, tools) {
        const legs = await tools.retrieve(
          subQueries.map((text) => ({ text })),
          { reason: 'the test says so' },
        )
        return { hits: tools.fuse([...(await tools.original()), ...legs]) }
      },
    },
  },
  'test',
)()

/** An application's search as it arrives: with a number that no double holds, and the same text in conditions. */
const template = (text: string): string => {
  const words = JSON.stringify(text)
  return `{"query":{"bool":{
    "must":[{"multi_match":{"query":${words},"fields":["title^2","text"]}},{"term":{"tenant":"acme"}}],
    "should":[{"match_phrase":{"title":${words}}}],
    "filter":[{"term":{"tenant":"acme"}},{"range":{"n":{"gte":9007199254740993}}},{"match":{"title":${words}}}],
    "must_not":[{"term":{"secret":${words}}}]}},
    "highlight":{"fields":{"text":{}}},"_source":["title"],"post_filter":{"term":{"open":true}}}`
}
const slots = ['query.bool.must.0.multi_match.query', 'query.bool.should.0.match_phrase.title']
/** Where an application says where the words go, they go there. */
const toldSlots = [...slots, 'query.bool.filter.2.match.title', 'query.bool.must_not.0.term.secret']

/** The ways to the wire, and how a line is read again to be compared. */
const { serializer: elasticsearch } = new Elasticsearch({ node: 'http://127.0.0.1:1' })
const { serializer: opensearch } = new OpenSearch({ node: 'http://127.0.0.1:1' })
const flat = (legs: readonly EngineLeg[]) => legs.flatMap(({ header, body }) => [{ ...header }, { ...body }])
const ways = {
  proxy: { parse: parseRequest, body: (body: JsonObject) => toJson(body), lines: linesOf },
  elasticsearch: {
    parse: JSON.parse,
    body: (body: JsonObject) => elasticsearch.serialize({ ...body }),
    lines: (legs: readonly EngineLeg[]) => elasticsearch.ndserialize(flat(legs)),
  },
  opensearch: {
    parse: JSON.parse,
    body: (body: JsonObject) => opensearch.serialize({ ...body }),
    lines: (legs: readonly EngineLeg[]) => opensearch.ndserialize(flat(legs)),
  },
} as const

/** All legs that were sent, and what request 1 was. */
async function sent(call: SearchCall, told: { readonly query?: string }, texts: readonly string[]) {
  subQueries = texts
  const understood = parseSearch(call, told, settings)
  if ('reason' in understood) return understood
  const engine = fakeEngine(call, () => found('a'))
  await optimizedSearch(understood, engine, {
    call,
    settings,
    memory,
    identity: '',
    isTold: told.query !== undefined,
    explains: false,
    signal: new AbortController().signal,
  })
  return { first: engine.searches[0], legs: engine.batches.flat() }
}

/** What a policy's texts come to: each once, and none that is too long, or the query as it is. */
const searchable = (texts: readonly string[], own: string): readonly string[] =>
  withoutRepeats([own, ...texts].map((text) => ({ text, round: 1 })))
    .map(({ text }) => text)
    .filter((text) => text !== own && text.length <= longest)

/** The same places with other words. */
const filledWith = (paths: readonly string[], before: string, after: string): Difference[] =>
  before === after ? [] : paths.map((path) => ({ path, before, after }))

/** One header and one body a leg, in lines. */
function bodiesIn(lines: string, legs: readonly EngineLeg[], parse: (line: string) => unknown): unknown[] {
  const parts = lines.split('\n')
  expect(parts).toHaveLength(2 * legs.length + 1)
  expect(parts.at(-1)).toBe('')
  return legs.map((_, place) => {
    expect(parts[2 * place]).toBe('{}')
    return parse(parts[2 * place + 1]!)
  })
}

/** What all of so many legs have of ours. */
const oursOf = (count: number) => ({
  size: count === 1 ? 20 : Math.max(5, Math.ceil(15 / count)),
  track_total_hits: false,
  timeout: '2000ms',
})

const searches = fc.tuple(
  fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
  fc.boolean(),
  hostileText,
  fc.oneof(
    { weight: 9, arbitrary: fc.tuple(hostileText) },
    { weight: 1, arbitrary: fc.array(hostileText, { minLength: 2, maxLength: 3 }) },
  ),
)

/** As rare as they are, a quick run may have none of them. */
const megabyte = '{"query":"'.repeat(2 ** 20).slice(0, 2 ** 20)
const long: [[keyof typeof ways, boolean, string, [string]]][] = [
  [['proxy', true, 'bridge', [megabyte]]],
  [['elasticsearch', false, megabyte, ['bridge']]],
]

it(`${runs} hostile texts are words in the caller’s slots, whoever wrote them`, {
  timeout: 600_000,
}, async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(searches, async ([way, isTold, own, texts]) => {
      for (const [name, has] of Object.entries(hostility))
        if ([own, ...texts].some(has)) seen.set(name, (seen.get(name) ?? 0) + 1)
      await check(way, isTold, own, texts)
    }),
    {
      seed: 5,
      numRuns: runs,
      examples: long,
      interruptAfterTimeLimit: 590_000,
      markInterruptAsFailure: true,
    },
  )
  expect([...seen.keys()].sort()).toEqual(Object.keys(hostility).sort())
})

/** @param isTold whether the words are told beside a body with a slot, or stand in it */
async function check(way: keyof typeof ways, isTold: boolean, own: string, texts: readonly string[]) {
  const { parse, lines: linesBy, body: bodyBy } = ways[way]
  const body = parse(template(isTold ? '{{query}}' : own)) as JsonObject
  const result = await sent({ parameters: {}, body }, isTold ? { query: own } : {}, texts)
  if ('reason' in result) {
    expect(own.trim() === '' || own.length > longest, result.reason).toBe(true)
    return
  }
  const [paths, words] = isTold ? [toldSlots, '{{query}}'] : [slots, own]
  if (isTold)
    expect(differences(body, parse(bodyBy(result.first!.body)))).toEqual(filledWith(paths, words, own))
  // Where it has the words already, the caller's own search goes as it came.
  else expect(result.first).toBeUndefined()

  const expected = searchable(texts, own)
  expect(result.legs).toHaveLength(expected.length)
  const ours = parse(JSON.stringify(oursOf(expected.length))) as JsonObject
  // Legs bring no highlights and nothing of the source: this policy reads no texts.
  const legTemplate = { ...without(body, 'highlight'), ...ours, _source: false }
  const lines = linesBy(result.legs)
  for (const [place, leg] of bodiesIn(lines, result.legs, parse).entries())
    expect(differences(legTemplate, leg)).toEqual(filledWith(paths, words, expected[place]!))
  if (way === 'proxy') expect(lines.split('9007199254740993')).toHaveLength(1 + result.legs.length)
}
