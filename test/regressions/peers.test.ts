/**
 * What users complain of in other projects, and bugs that were seen in their sources: where it concerns us, a test that
 * names it. Requests go over HTTP, through the proxy to an upstream that keeps them.
 *
 * Aggregations, profiles and totals are compared with the engines' own in test/engines/answers.test.ts; those engines have no
 * license, so that nothing there can need one.
 *
 * What does not concern us, and why:
 * - nested fusion depends on the number of shards, grouped scores differ (qdrant#10640, #9764): fusion happens once, here,
 *   over whole lists.
 * - scores cannot be compared between queries, nor cut at a threshold (ZotSeek#45, khive#1111): so it is with every method that
 *   looks at ranks; docs/drop-in.md says it of `_score`.
 * - kNN counts k hits (elasticsearch#97807), an implicit cap of 100 (weaviate#3198): the engines' own.
 * - hybrid through `_msearch` fails from 513 shards on (neural-search#1750): the engine's bug; what fails is fallen back from,
 *   test/adapters/apps/drop-in/failures.test.ts.
 * - hybrid is up to ten times slower than bool, one sub-query after the other (neural-search#704): the engine's; what ours cost
 *   is measured by `npm run bench`.
 * - fusion with FastAPI is slow (llama_index#8921), dependencies between sub-questions are found one by one (#6599): there are two
 *   requests a search at the most, test/optimizer.test.ts.
 * - planning by a model is a preview, the stable path extracts (microsoft-agentic-harness#103): a matter of Azure's.
 * - a decomposer that looks at a question's structure alone (openrag#751): not a matter of one input; the local policy is
 *   trained on the retriever's own ranks and judged by its figures, `querent evaluate`.
 * - the arithmetic mean divides by lists that do not have the document (OpenSearch): our `opensearch` does as OpenSearch does,
 *   on purpose, test/fusion/opensearch.test.ts; `comb-anz` below is the mean that leaves them out.
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import { isObject, type JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { createProxy, type ProxyOptions } from '../../adapters/apps/proxy/proxy.ts'
import { combAnz } from '../../fusion/comb-anz.ts'
import { fusionByName } from '../../fusion/index.ts'
import { rankScore } from '../../fusion/rank-score.ts'
import { relativeScore } from '../../fusion/relative-score.ts'
import { rrf } from '../../fusion/rrf.ts'
import { acqo } from '../../policies/acqo/acqo.ts'
import { explain } from '../../src/explain.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import type { Hit, Retriever } from '../../src/types.ts'
import { docidsOf, list, ranked, scoresOf } from '../fusion/lists.ts'
import { type Find, findIn, finding, found } from '../support/fake-engine.ts'
import { manualClock } from '../support/manual-clock.ts'
import { sendRaw, valuesOf } from '../support/raw-http.ts'
import { type RecordedRequest, startRecordingServer } from '../support/recording-server.ts'
import { hits, scriptedChat, scriptedRetriever } from '../support/scripted.ts'
import { deciding, leaving, patient } from '../support/scripted-policy.ts'
import { untrainedFusions } from '../support/untrained-fusions.ts'

const methods = untrainedFusions.map((name) => fusionByName(name))

const product = ['x-elastic-product', 'Elasticsearch']
const asJson = ['Content-Type', 'application/json']

/** A proxy before an engine that finds this. */
async function between(
  find: Find,
  options: Partial<ProxyOptions> = {},
  headers: readonly string[] = product,
) {
  /** The words that a body asks for, as the engine has them. */
  const answerTo = (body: JsonObject): JsonObject => ({
    ...findIn(find, inner(body)),
    ...(isObject(body.aggs) && { aggregations: { of: { value: JSON.stringify(body.query) } } }),
    ...(body.profile === true && { profile: { shards: [JSON.stringify(body.query)] } }),
  })
  const server = await startRecordingServer((request) => {
    // An engine that does not say what its fields are: their names decide.
    if (isCaps(request))
      return { status: 404, headers: [...headers, 'content-type', 'application/json'], body: '{}' }
    const bodies = bodiesOf(request)
    const answer = isMsearch(request)
      ? { took: 1, responses: bodies.map((body) => ({ ...answerTo(body), status: 200 })) }
      : answerTo(bodies[0]!)
    return { headers: [...headers, 'content-type', 'application/json'], body: JSON.stringify(answer) }
  })
  const proxy = await createProxy({ ...patient, rerank: false, retries: 0, ...options, target: server.url })
  const url = await proxy.listen(0)
  onTestFinished(async () => {
    await server.close()
    await proxy.close()
  })
  async function search(body: JsonObject | string, path = '/works/_search', more: readonly string[] = []) {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await sendRaw(url, { method: 'POST', path, headers: [...asJson, ...more], body: sent })
    const json = JSON.parse(String(answer.body))
    const found: JsonObject[] = json.hits?.hits ?? []
    return { ...answer, json, found, ids: found.map(({ _id }) => _id) }
  }
  /** What it was asked for, but for what its fields are. */
  const upstream = {
    get requests() {
      return server.requests.filter((request) => !isCaps(request))
    },
    clear: () => server.clear(),
  }
  const legs = (): JsonObject[] => upstream.requests.filter(isMsearch).flatMap(bodiesOf)
  return { upstream, search, legs }
}

const isCaps = ({ path }: RecordedRequest): boolean => path.includes('/_field_caps')

const isMsearch = ({ path }: RecordedRequest): boolean => path.includes('/_msearch')

const bodiesOf = (request: RecordedRequest): JsonObject[] =>
  String(request.body)
    .trim()
    .split('\n')
    .filter((_, place) => !isMsearch(request) || place % 2 === 1)
    .map((line) => JSON.parse(line))

/** A query below a bool is found as it is without. */
function inner(body: JsonObject): JsonObject {
  const { bool } = body.query as {
    readonly bool?: { readonly must: readonly JsonObject[]; readonly filter?: readonly JsonObject[] }
  }
  // Narrowed to documents, or to all but some, by us: the engine does that.
  if (bool === undefined || isObject(bool.filter?.[0]?.bool)) return body
  return { ...body, query: bool.must[0] }
}

const matching = (text: string, more: JsonObject = {}): JsonObject => ({
  query: { match: { text } },
  ...more,
})

const optimizerOf = (options: Partial<OptimizerOptions>) =>
  createOptimizer({ retrievers: [scriptedRetriever()], ...options })

/** Answers what it is told to, `ms` milliseconds of the clock after it was asked. */
const answering = (
  name: string,
  found: readonly Hit[],
  ms: number,
  clock: ReturnType<typeof manualClock>,
): Retriever => ({
  name,
  async retrieve(subQueries) {
    await new Promise<void>((resolve) => clock.after(ms, resolve))
    return subQueries.map((subQuery) => ({ retriever: name, subQuery, hits: found }))
  },
})

describe('fusion', () => {
  it('weights count in every method, or are refused (llama_index#21444)', () => {
    const lists = [
      list([
        ['a', 9],
        ['b', 5],
        ['c', 1],
      ]),
      list([
        ['c', 9],
        ['b', 2],
        ['d', 1],
      ]),
    ]
    expect(methods.length).toBeGreaterThan(20)
    for (const { name, fuse } of methods) {
      const weighted = (weights: readonly number[]) => {
        try {
          return scoresOf(fuse(lists, { weights }))
        } catch (error) {
          return (error as { code: string }).code
        }
      }
      const [one, other] = [weighted([0.75, 0.25]), weighted([0.25, 0.75])]
      if (one !== 'bad-weights') expect(one, name).not.toEqual(other)
    }
  })

  it('a list of weight 0 has no say, however bad it is: weights 1 and 0 give the first list (neural-search#910, basic-memory#577, typesense#1964)', () => {
    const [strong, weak] = [ranked('a', 'b', 'c'), ranked('x', 'c', 'y')]
    const fused = rrf().fuse([strong, weak], { weights: [1, 0] })
    expect(docidsOf(fused).slice(0, 3)).toEqual(['a', 'b', 'c'])
    expect(scoresOf(fused)).toMatchObject({ a: 1 / 61, b: 1 / 62, c: 1 / 63, x: 0, y: 0 })
  })

  it('a duplicate inside a list counts once, at its best rank (langchain#37046)', () => {
    const lists = [ranked('long', 'long', 'long', 'b'), ranked('b', 'long', 'b')]
    const once = [
      list([
        ['long', 4],
        ['b', 1],
      ]),
      list([
        ['b', 3],
        ['long', 2],
      ]),
    ]
    for (const { name, fuse } of methods) expect(scoresOf(fuse(lists)), name).toEqual(scoresOf(fuse(once)))
    expect(scoresOf(rankScore().fuse(lists))).toEqual({ long: 1 / 1 + 1 / 2, b: 1 / 2 + 1 / 1 })
  })

  it('two documents of one text stay two, and one with two texts stays one (langchain#38627, #22950)', () => {
    const hit = (docid: string, text: string): Hit => ({
      docid,
      score: 1,
      rank: 1,
      document: { docid, text },
    })
    const lists = [
      { ...ranked(), hits: [hit('a', 'same'), hit('b', 'same')] },
      { ...ranked(), hits: [hit('a', 'other')] },
    ]
    expect(docidsOf(rankScore().fuse(lists))).toEqual(['a', 'b'])
  })

  it('tied documents have one order, whatever order their lists came in (qdrant#6814, elasticsearch#101847)', () => {
    const [a, b, c] = [ranked('z', 'a'), ranked('m', 'z'), ranked('a', 'm')]
    const orders = [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ]
    for (const lists of orders) {
      expect(docidsOf(rankScore().fuse(lists))).toEqual(['a', 'm', 'z'])
      expect(docidsOf(rrf().fuse(lists))).toEqual(['a', 'm', 'z'])
    }
  })

  it('ranks begin at 1, and nothing is multiplied: 1 / 61 for the first hit (LlamaIndex and Haystack, sources)', () => {
    expect(scoresOf(rrf().fuse([ranked('a', 'b')]))).toEqual({ a: 1 / 61, b: 1 / 62 })
  })

  it("k may be 0 (LangChain.js, EnsembleRetriever's source)", () => {
    expect(scoresOf(rrf({ k: 0 }).fuse([ranked('a', 'b')]))).toEqual({ a: 1, b: 1 / 2 })
  })

  it("a document may be called __proto__ or constructor (LangChain.js, EnsembleRetriever's source)", () => {
    const lists = [ranked('__proto__', 'constructor'), ranked('constructor', '__proto__', 'a')]
    for (const { name, fuse } of methods)
      expect(docidsOf(fuse(lists)).sort(), name).toEqual(['__proto__', 'a', 'constructor'])
  })

  it("scores of the lists stay what they were (LlamaIndex, QueryFusionRetriever's source)", () => {
    const lists = [
      list([
        ['a', 9],
        ['b', 5],
      ]),
      list([
        ['b', 0.5],
        ['a', 0.25],
      ]),
    ]
    const written = JSON.stringify(lists)
    for (const { fuse } of methods) fuse(lists)
    expect(JSON.stringify(lists)).toBe(written)
  })

  it("queries that were asked for and never written take nothing away (LlamaIndex, QueryFusionRetriever's source)", async () => {
    const chat = scriptedChat([JSON.stringify({ query: 'only one' })])
    const retrievers = [scriptedRetriever({ found: { 'only one': ['a', 'b'] } })]
    const policy = acqo({ maxSubQueries: 4 })
    const { hits } = await optimizerOf({ retrievers, policy, chat, fusion: relativeScore() }).search('who')
    // The best of one list has all of its weight, and not a quarter.
    expect(scoresOf(hits)).toEqual({ a: 1, b: 0 })
  })

  it('a list that does not have a document is no 0 in the mean (OpenSearch, source)', () => {
    const lists = [
      list([
        ['a', 4],
        ['b', 2],
      ]),
      list([['b', 4]]),
    ]
    expect(scoresOf(combAnz().fuse(lists))).toEqual({ a: 4, b: 3 })
  })

  it("a retriever with larger numbers does not win by them (Haystack, MultiQueryTextRetriever's source)", () => {
    const lists = [list([['z', 31]], { retriever: 'bm25' }), list([['a', 0.9]], { retriever: 'dense' })]
    expect(docidsOf(rankScore().fuse(lists))).toEqual(['a', 'z'])
  })
})

describe('what is shown of a document', () => {
  const copy = (from: string): Hit[] => [
    { docid: 'a', score: 1, rank: 1, document: { docid: 'a', text: `the copy of ${from}` } },
  ]

  it("does not depend on who answered first (haystack#12774, LangChain.js MultiQueryRetriever's source)", async () => {
    const texts = new Set<string | undefined>()
    for (const [first, second] of [
      [10, 20],
      [20, 10],
    ] as const) {
      const clock = manualClock()
      const retrievers = [
        answering('one', [...copy('one'), ...hits('x', 'y').slice(1)], first, clock),
        answering('two', [...copy('two'), ...hits('x', 'z').slice(1)], second, clock),
      ]
      const searching = optimizerOf({ retrievers, clock }).search('who')
      await clock.advance(50)
      const { hits: fused } = await searching
      expect(docidsOf(fused)).toEqual(['a', 'y', 'z'])
      texts.add(fused[0]!.document?.text)
    }
    expect([...texts]).toEqual(['the copy of one'])
  })

  it("is what the caller's own search gave, where that found it (haystack#12774)", async () => {
    const marked = (leg: string) => found('b', 'a').map((hit) => ({ ...hit, highlight: { text: [leg] } }))
    const find = finding({ own: marked('own'), one: marked('one'), two: marked('two') })
    const { search } = await between(find, { policy: deciding(['one', 'two']) })
    for (const { highlight } of (await search(matching('own'))).found)
      expect(highlight).toEqual({ text: ['own'] })
  })
})

describe('a failure', () => {
  const down = new Error('down')
  const works = scriptedRetriever({ name: 'works', found: { who: ['a'] } })
  const fails = scriptedRetriever({ name: 'fails', fails: down })
  const empty = (name: string) => scriptedRetriever({ name })

  it("of one retriever leaves the others' hits, and is said: it is neither thrown nor turned into nothing (memory-lancedb-pro#581, lore#83, vellum-assistant#27325, RocketChat#42102, sim#7789)", async () => {
    const { hits, trace } = await optimizerOf({ retrievers: [works, fails] }).search('who')
    expect(scoresOf(hits)).toEqual({ a: 1 })
    expect(trace.partial).toBe(true)
    const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
    expect(legs.find(({ retriever }) => retriever === 'fails')).toMatchObject({
      status: 'failed',
      error: { message: 'down' },
    })
  })

  it('is not what no hits are: nothing found by both is an answer (memory-lancedb-pro#581)', async () => {
    const { hits, trace } = await optimizerOf({ retrievers: [empty('one'), empty('two')] }).search('who')
    expect([hits, trace.partial]).toEqual([[], false])
    const both = optimizerOf({ retrievers: [fails, scriptedRetriever({ name: 'other', fails: down })] })
    await expect(both.search('who')).rejects.toBe(down)
    // One that found nothing is not a reason to say that all have failed.
    const half = await optimizerOf({ retrievers: [empty('one'), fails] }).search('who')
    expect([half.hits, half.trace.partial]).toEqual([[], true])
  })

  it("of one generated query does not take the others away (LangChain.js, MultiQueryRetriever's source; LlamaIndex.TS, SubQuestionQueryEngine's)", async () => {
    const retriever = scriptedRetriever({ found: { who: ['a'], good: ['b'], bad: down } })
    const { hits, trace } = await optimizerOf({
      retrievers: [retriever],
      policy: deciding(['good', 'bad']),
    }).search('who')
    expect(scoresOf(hits)).toEqual({ a: 1, b: 1 })
    expect([trace.partial, trace.fallback]).toEqual([true, undefined])
  })
})

describe('what is generated', () => {
  const written = (...texts: readonly string[]) =>
    scriptedChat([JSON.stringify({ query: texts.join(' %% ') })])

  it('is bounded: of 30 sub-questions 3 are searched (llama_index#9652)', async () => {
    const retriever = scriptedRetriever({ found: { who: ['a'] } })
    const chat = written(...Array.from({ length: 30 }, (_, place) => `question ${place}`))
    await optimizerOf({ retrievers: [retriever], policy: acqo(), chat }).search('who')
    expect(retriever.calls.map(({ texts }) => texts)).toEqual([
      ['who'],
      ['question 0', 'question 1', 'question 2'],
    ])
  })

  it("is waited for beside the query's own search, not before it (attestor#110)", async () => {
    const clock = manualClock()
    const retriever = scriptedRetriever({ found: { who: ['a'] } })
    const chat = scriptedChat([JSON.stringify({ query: 'who else' })], { ms: 500, clock })
    const searching = optimizerOf({ retrievers: [retriever], policy: acqo(), chat, clock }).search('who')
    await clock.advance(0)
    expect([chat.calls.length, retriever.calls.map(({ texts }) => texts)]).toEqual([1, [['who']]])
    await clock.advance(1000)
    await searching
  })

  it('never takes the place of the query: that is searched, votes where it is let, and is the answer where all else fails (langchain#12696, LangChain.js)', async () => {
    const found = { who: ['a'], other: ['b'] }
    const search = (policy: OptimizerOptions['policy'], chat = written('other')) =>
      optimizerOf({ retrievers: [scriptedRetriever({ found })], policy, chat }).search('who')
    expect(docidsOf((await search(acqo({ withOriginal: true }))).hits)).toEqual(['a', 'b'])
    expect(docidsOf((await search(acqo(), written('nothing is found by this'))).hits)).toEqual(['a'])
    expect(docidsOf((await search(acqo(), scriptedChat([new Error('down')]))).hits)).toEqual(['a'])
  })

  it('is searched once, be it written twice, or be it the query (open-webui#10187)', async () => {
    const retriever = scriptedRetriever({ found: { who: ['a'], other: ['b'] } })
    const chat = written('other', 'who', 'Other ')
    const { hits } = await optimizerOf({ retrievers: [retriever], policy: acqo(), chat }).search('who')
    expect(retriever.calls.map(({ texts }) => texts)).toEqual([['who'], ['other']])
    expect(scoresOf(hits)).toEqual({ a: 1, b: 1 })
  })

  it('knows the conversation (langchain#4555, ragflow#2484, GraphRAG-SDK#252)', async () => {
    const chat = written('where was Frank Herbert born')
    const history = [
      { role: 'user', text: 'Who wrote Dune?' },
      { role: 'agent', text: 'Frank Herbert.' },
    ] as const
    await optimizerOf({ policy: acqo(), chat }).search({ text: 'Where was he born?', history })
    const asked = JSON.stringify(chat.calls[0]!.messages)
    for (const { text } of history) expect(asked).toContain(text)
  })

  it('may be nothing: a greeting is searched as it is, and the trace says why (langchain#4076, #7606, #20156)', async () => {
    const retriever = scriptedRetriever({ found: { hello: ['a'] } })
    const chat = written('hello')
    const { trace } = await optimizerOf({ retrievers: [retriever], policy: acqo(), chat }).search('hello')
    expect(retriever.calls).toHaveLength(1)
    expect(trace).toMatchObject({ kind: 'as-is', reason: 'the model answered with 1 of at most 3' })
  })
})

describe('a search through the proxy', () => {
  const find = finding({ own: found('a', 'b'), one: found('c', 'b'), two: found('b') })
  const decides = { policy: deciding(['one', 'two']) }

  it('is fused without a pipeline, a license or a plugin: rank scores, best first (neural-search#1011, elasticsearch#113100, redbox#203, langchain-elastic#38, elasticsearch-py#2651, langchain4j#6130, searchkit#1393)', async () => {
    const { upstream, search } = await between(find, decides)
    const answer = await search(matching('own'))
    expect(answer.found.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['b', 1 / 2 + 1 / 2 + 1],
      ['a', 1],
      ['c', 1],
    ])
    for (const { body, path } of upstream.requests)
      expect(`${path} ${body}`).not.toMatch(/rrf|retriever|hybrid|pipeline/)
  })

  it('says what each sub-query gave to each hit, and the score can be made of it (neural-search#1180, #1294, #1419, #1976)', async () => {
    const { search } = await between(find, decides)
    const { found } = await search(matching('own'), '/works/_search', ['x-querent-explain', 'true'])
    type Given = {
      readonly subQuery: { readonly text: string }
      readonly rank: number
      readonly score: number
    }
    const given = found.map(
      ({ _querent }) => (_querent as { readonly provenance: readonly Given[] }).provenance,
    )
    expect(given[0]!.map(({ subQuery, rank, score }) => [subQuery.text, rank, score])).toEqual([
      ['own', 2, 1],
      ['one', 2, 1],
      ['two', 1, 1],
    ])
    for (const [place, { _score }] of found.entries())
      expect(given[place]!.reduce((sum, { rank }) => sum + 1 / rank, 0)).toBeCloseTo(_score as number, 12)
  })

  it("has the aggregations and the profile of the caller's own words, which no leg is asked for (neural-search#1255, #1548, #509, #422, #1173)", async () => {
    const { search, legs } = await between(find, decides)
    const body = matching('own', { aggs: { of: { cardinality: { field: 'text' } } }, profile: true })
    const { json, ids } = await search(body)
    expect(ids).toEqual(['b', 'a', 'c'])
    const own = JSON.stringify(body.query)
    expect([json.aggregations.of.value, json.profile.shards]).toEqual([own, [own]])
    expect(legs()).toHaveLength(2)
    expect(legs().some((leg) => 'aggs' in leg || 'profile' in leg)).toBe(false)
  })

  it('sends all sub-queries at once, more than five, below a bool as on top (neural-search#1932, #704)', async () => {
    const texts = Array.from({ length: 7 }, (_, place) => `sub-query ${place}`)
    const { upstream, search, legs } = await between(find, { policy: deciding(texts) })
    const filter = [{ term: { tenant: 'mine' } }]
    await search({ query: { bool: { must: [{ match: { text: 'own' } }], filter } } })
    expect(upstream.requests).toHaveLength(2)
    expect(legs()).toEqual(
      texts.map((text) =>
        expect.objectContaining({ query: { bool: { must: [{ match: { text } }], filter } } }),
      ),
    )
  })

  it('has its search_pipeline in the body of each leg, where the engine reads it (OpenSearch#15748, #16085)', async () => {
    const { search, legs } = await between(find, decides)
    await search(matching('own'), '/works/_search?search_pipeline=mine')
    expect(legs().map(({ search_pipeline: pipeline }) => pipeline)).toEqual(['mine', 'mine'])
  })

  it("by an msearch template is the engine's alone (OpenSearch#18508)", async () => {
    const { upstream, search } = await between(find, decides)
    const lines = '{}\n{"query":{"match":{"text":"own"}}}\n'
    await search(lines, '/_msearch/template')
    expect(upstream.requests.map(({ path, body }) => [path, String(body)])).toEqual([
      ['/_msearch/template', lines],
    ])
  })

  it("that is left alone costs one request, the caller's own bytes (azure-search-openai-demo#3167, azure-sdk-tools#13825)", async () => {
    const { upstream, search } = await between(find, { policy: leaving })
    const body = '{ "query": {"match": {"text": "own"}}, "min_score": 1.0 }'
    expect((await search(body)).ids).toEqual(['a', 'b'])
    expect(upstream.requests.map(({ body }) => String(body))).toEqual([body])
  })

  it('is let through where its caller says so (GraphRAG-SDK#231)', async () => {
    const { upstream, search } = await between(find, decides)
    const off = ['x-querent-optimize', 'false']
    expect((await search(matching('own'), '/works/_search', off)).ids).toEqual(['a', 'b'])
    expect(upstream.requests).toHaveLength(1)
  })

  it.each([
    ['passed on where the engine says it', product],
    ['not invented where it does not', []],
  ])(
    "has the product's header: %s (elasticsearch-js#1520, #1523, elasticsearch-perl#228, zincsearch#390)",
    async (_, said) => {
      const { search } = await between(find, decides, said)
      const optimized = await search(matching('own'))
      expect(optimized.ids).toEqual(['b', 'a', 'c'])
      const passed = await search(matching('own'), '/works/_search?scroll=1m')
      for (const { headers } of [optimized, passed])
        expect(valuesOf(headers, 'x-elastic-product')).toEqual(said.slice(1))
    },
  )
})

describe('pages', () => {
  const many = (prefix: string, count: number) =>
    found(...Array.from({ length: count }, (_, place) => `${prefix}${place}`))
  /** Fifteen hits in all. */
  const find = finding({
    own: many('a', 10),
    one: [...many('b', 5), ...many('a', 5)],
    two: [...many('a', 2), ...many('b', 5)],
  })
  const options = { policy: deciding(['one', 'two']), window: 20 }

  it('have no hit twice and lose none, up to the window (weaviate#3205, #8594)', async () => {
    const { search } = await between(find, options)
    const pages = []
    for (let from = 0; from < 20; from += 5)
      pages.push(...(await search(matching('own', { from, size: 5 }))).ids)
    expect(pages).toHaveLength(15)
    expect(new Set(pages)).toEqual(new Set([...many('a', 10), ...many('b', 5)].map(({ _id }) => _id)))
  })

  it('have one total, which is a lower bound, and no more than can be reached (neural-search#1346, elasticsearch#99011, #124632, meilisearch#5972)', async () => {
    const { search } = await between(find, options)
    const totals = []
    for (let from = 0; from < 20; from += 5)
      totals.push((await search(matching('own', { from, size: 5 }))).json.hits.total)
    expect(totals).toEqual(Array(4).fill(totals[0]))
    expect(totals[0].relation).toBe('gte')
    // Ten match the query as it is; fifteen can be reached.
    expect(totals[0].value).toBeGreaterThanOrEqual(10)
    expect(totals[0].value).toBeLessThanOrEqual(15)
  })

  it("go on behind the window with the rest of the engine's own: what is counted can be reached (sumo#3316)", async () => {
    const counted = finding({ own: many('a', 1281), one: many('b', 10), two: [] })
    const { search } = await between(counted, options)
    const first = await search(matching('own'))
    expect(first.json.hits.total.value).toBe(1281)
    expect(first.ids.filter((id) => String(id).startsWith('b'))).not.toEqual([])
    const last = await search(matching('own', { from: 1275, size: 10 }))
    const behind = await search(matching('own', { from: 1285, size: 10 }))
    // Eight hits of a sub-query stand on the first pages, so that the last ones come eight places behind the count.
    expect([...last.ids, ...behind.ids]).toEqual(
      many('a', 1281)
        .slice(1267)
        .map(({ _id }) => _id),
    )
  })

  it('may be longer than the window: they are not refused (langchain4j#6219)', async () => {
    const { search } = await between(find, options)
    const { status, ids } = await search(matching('own', { size: 50 }))
    expect([status, ids.length]).toEqual([200, 15])
  })

  it('are made of lists that are as deep for a short page, or where no size is given (mem0#5909)', async () => {
    const { search, legs } = await between(find, options)
    for (const more of [{}, { size: 3 }, { from: 3, size: 3 }]) await search(matching('own', more))
    expect(legs().map(({ size }) => size)).toEqual(Array(6).fill(8))
  })
})

it('a fused score is one that can be explained again from the trace (neural-search#1180)', async () => {
  const found = { who: ['a', 'b'], one: ['b', 'c'], two: ['c', 'b'] }
  const optimizer = optimizerOf({
    retrievers: [scriptedRetriever({ found })],
    policy: deciding(['one', 'two']),
  })
  const { trace } = await optimizer.search('who')
  for (const { score, recomputed } of explain(trace, rankScore())) expect(recomputed).toBeCloseTo(score, 12)
})
