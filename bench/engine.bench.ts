/**
 * Before a real Elasticsearch with 120,000 documents: what the proxy adds to a request that passes through, and what an
 * optimized search costs beside the raw one and beside LangChain.js's retrievers on the same server.
 *
 * The bars: passing through adds at most 0.5 ms (p50, 200 requests/s) and keeps 95 % of the throughput of a bare proxy;
 * three sub-queries beside the original at most 1.5 times the raw search, a second stage at most 2.2 times, left alone 1.0.
 */
import type { Client } from '@elastic/elasticsearch'
import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { MultiQueryRetriever } from '@langchain/classic/retrievers/multi_query'
import { Document as Passage } from '@langchain/core/documents'
import { BaseRetriever } from '@langchain/core/retrievers'
import { FakeListChatModel } from '@langchain/core/utils/testing'
// The package as it is published, which is what users run.
import { querent } from 'querent/elasticsearch'
import { legDepth } from '../adapters/apps/drop-in/plan/leg-body.ts'
import { defaultWindow } from '../adapters/apps/drop-in/run/options.ts'
import { createRandom } from '../src/learn/random.ts'
import type { Policy } from '../src/policy.ts'
import { withIndex } from './elasticsearch.ts'
import { load, type Seen, startRole } from './engine-roles.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { inTurns } from './measuring.ts'
import { median, percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

const count = 120_000
const index = 'querent-bench'
type Row = Record<string, string | number>

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const words = zipfianWords(createRandom(1))
  const texts = Array.from(
    documents(count, () => words(wordsPerDocument)),
    (document) => ({ ...document, title: document.text.split(' ', 5).join(' ') }),
  )
  return withIndex(index, texts, async (client, node) => {
    const passing = await passThrough(node, quick)
    const searches = Array.from({ length: quick ? 30 : 500 }, () => [
      words(wordsPerQuery),
      ...Array.from({ length: 3 }, () => words(3)),
    ])
    // Seconds of searches of each system before any counts: Node and Java compile late, and servers have run for longer.
    const warming = quick ? 1 : 10
    return {
      name: 'engine',
      rows: [
        ...passing,
        ...(await optimized(client, searches, 10, warming)),
        ...(await optimized(client, searches, 100, warming)),
      ],
      notes: [
        `Elasticsearch with ${count} generated documents of ${wordsPerDocument} words, on the same machine as the client and the proxies.`,
        'Passing through: GET of a document, three rounds in turn, medians. perSecond: over 16 connections, as many as they can.',
        `Searches: one at a time, each system in turn with the raw search, after ten seconds of them, eight at a time, for what is compiled late; times: its p50 beside that of the raw search in the same loop. What decides is at hand at once, so that only searching is measured; so is what LangChain's model answers.`,
      ],
    }
  })
}

/** Direct, a bare proxy, ours: in turn, three times. */
async function passThrough(node: string, quick: boolean): Promise<Row[]> {
  const roles = { bare: await startRole('bare', node), querent: await startRole('querent', node) }
  const ways = { direct: node, 'bare proxy': roles.bare.url, 'querent proxy': roles.querent.url }
  const seen = new Map(Object.keys(ways).map((way) => [way, { paced: [] as Seen[], full: [] as Seen[] }]))
  try {
    for (let round = 0; round < 4; round++) {
      for (const [way, url] of Object.entries(ways)) {
        const urls = Array.from({ length: 1000 }, (_, place) => `${url}/${index}/_doc/d${place}`)
        const seconds = quick ? 1 : 5
        const paced = await measured({ urls, seconds, connections: 16, perSecond: 200 })
        const full = await measured({ urls, seconds, connections: 16 })
        // The first round warms up.
        if (round > 0) {
          seen.get(way)!.paced.push(paced)
          seen.get(way)!.full.push(full)
        }
      }
    }
  } finally {
    roles.bare.stop()
    roles.querent.stop()
  }
  const direct = seen.get('direct')!
  return [...seen].map(([way, { paced, full }]) => ({
    case: `${way}, passing through`,
    p50_ms: rounded(median(paced.map(({ p50 }) => p50))),
    p99_ms: rounded(median(paced.map(({ p99 }) => p99))),
    added_ms: rounded(median(paced.map(({ p50 }) => p50)) - median(direct.paced.map(({ p50 }) => p50))),
    perSecond: Math.round(median(full.map(({ perSecond }) => perSecond))),
    times: '',
  }))
}

const measured = (what: Parameters<typeof load>[0]): Promise<Seen> =>
  inProcess<Seen>(import.meta.filename, [JSON.stringify(what)])

/** The sub-queries of a query. */
type TextsOf = (query: string) => readonly string[]

/** A policy that has decided already. */
function decided(name: string, textsOf: TextsOf, isSecond: boolean): Policy {
  return {
    name,
    reads: false,
    async run({ text }, tools) {
      const subQueries = textsOf(text).map((text) => ({ text }))
      if (isSecond) await tools.original()
      if (subQueries.length === 0) return { hits: tools.fuse(await tools.original()) }
      return {
        hits: tools.fuse([
          ...(await tools.retrieve(subQueries, { reason: 'at hand' })),
          ...(await tools.original()),
        ]),
      }
    },
  }
}

async function optimized(
  client: Client,
  searches: readonly (readonly string[])[],
  size: number,
  warming: number,
): Promise<Row[]> {
  const subQueriesOf = new Map(searches.map(([query = '', ...subQueries]) => [query, subQueries]))
  const textsOf: TextsOf = (query) => subQueriesOf.get(query) ?? []
  const wrap = (name: string, subQueries: TextsOf, isSecond = false): Client =>
    querent(client, { policy: decided(name, subQueries, isSecond), rerank: false })
  const bodyOf = (query: string) => ({
    index,
    size,
    query: { multi_match: { query, fields: ['title', 'text'] } },
  })
  const search = (one: Client) => (query: string) => one.search(bodyOf(query))
  const deep = (count: number): number => legDepth({ from: 0, size, depth: defaultWindow }, count, false)
  const sendLegs = (query: string) =>
    client.msearch({
      searches: textsOf(query).flatMap((text) => [
        { index },
        { ...bodyOf(text), index: undefined, size: deep(textsOf(query).length), track_total_hits: false },
      ]),
    })
  const retriever = (fields: string[]) => new EngineRetriever(client, fields, size)
  const systems: Record<string, (query: string) => Promise<unknown>> = {
    'raw search': search(client),
    'the same requests by hand': (query) => Promise.all([client.search(bodyOf(query)), sendLegs(query)]),
    'and one after the other': async (query) => [await client.search(bodyOf(query)), await sendLegs(query)],
    'left alone': search(wrap('alone', () => [])),
    'three sub-queries beside': search(wrap('beside', textsOf)),
    'three sub-queries, second stage': search(wrap('second', textsOf, true)),
    'local policy, no re-ranking': search(querent(client, { rerank: false })),
    'local policy, re-ranking': search(querent(client)),
    'local policy, re-ranking, window 100': search(querent(client, { window: 100 })),
    'LangChain MultiQueryRetriever': (query) =>
      MultiQueryRetriever.fromLLM({
        llm: new FakeListChatModel({ responses: [textsOf(query).join('\n')] }),
        retriever: retriever(['title', 'text']),
        queryCount: 3,
      }).invoke(query),
    'LangChain EnsembleRetriever': (query) =>
      new EnsembleRetriever({
        retrievers: [retriever(['title']), retriever(['text'])],
        weights: [0.5, 0.5],
      }).invoke(query),
  }
  const raw = search(client)
  const rows: Row[] = []
  // What all others send: the engine has searched for a minute before the first row.
  await warm(systems['the same requests by hand']!, searches, 6 * warming)
  for (const [name, run] of Object.entries(systems)) {
    await warm(run, searches, warming)
    const [rawMs, ownMs] = await inTurns(searches.length, 0, (place) => {
      const [query = ''] = searches[place]!
      return [() => raw(query), () => run(query)]
    })
    rows.push({
      case: `${name}, size ${size}`,
      p50_ms: rounded(median(ownMs)),
      p99_ms: rounded(percentile(ownMs, 0.99)),
      added_ms: rounded(median(ownMs) - median(rawMs)),
      perSecond: '',
      times: rounded(median(ownMs) / median(rawMs)),
    })
  }
  return rows
}

/** Searches for so long, eight at a time. */
async function warm(
  run: (query: string) => Promise<unknown>,
  searches: readonly (readonly string[])[],
  seconds: number,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  let next = 0
  const worker = async (): Promise<void> => {
    while (performance.now() < end) await run(searches[next++ % searches.length]![0]!)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** What a user of LangChain.js writes to search this index. */
class EngineRetriever extends BaseRetriever {
  readonly lc_namespace = ['querent', 'bench']
  readonly #client: Client
  readonly #fields: string[]
  readonly #size: number

  constructor(client: Client, fields: string[], size: number) {
    super()
    this.#client = client
    this.#fields = fields
    this.#size = size
  }

  override async _getRelevantDocuments(query: string): Promise<Passage[]> {
    const { hits } = await this.#client.search<{ title?: string; text: string }>({
      index,
      size: this.#size,
      query: { multi_match: { query, fields: this.#fields } },
    })
    return hits.hits.map(
      ({ _id, _source }) => new Passage({ pageContent: _source!.text, metadata: { id: _id } }),
    )
  }
}

await answer(import.meta.filename, (what) => load(JSON.parse(what!)))
await printWhenMain(import.meta.filename, run)
