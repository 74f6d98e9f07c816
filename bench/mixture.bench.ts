/**
 * What people ask, before a real Elasticsearch with 120,000 documents: 70 plain questions, 20 chains of facts and 10
 * conversations of a hundred. What each setting costs beside the raw search, and what it finds.
 *
 * The collections beside the checkout are one index here, which documents drawn from their words fill up. The shipped policy
 * was trained on these queries: what it finds compares the settings, and says nothing about other queries.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@elastic/elasticsearch'
// The package as it is published, which is what users run.
import { querent } from 'querent/elasticsearch'
import { localPolicy } from 'querent/policies/local'
import { policyDigest } from '../policies/local/policy-file/policy-digest.ts'
import { readPolicy } from '../policies/local/policy-file/policy-store.ts'
import { shippedPath } from '../policies/local/shipped.ts'
import { filesOf, type Source, trainingSources } from '../scripts/training-sources.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { createRandom, permutation } from '../src/learn/random.ts'
import { mean } from '../src/learn/statistics.ts'
import type { Observer } from '../src/observe.ts'
import { defaultThreads } from '../src/runtime/threads.ts'
import type { DecisionKind, Document, Hit, Query } from '../src/types.ts'
import { withIndex } from './elasticsearch.ts'
import { percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const collections = '../shared/data'
const index = 'querent-mixture'
const documents = 120_000
const size = 10
const metrics = ['ndcg@10', 'recall@5']

/** Of a hundred queries. */
const shares = { plain: 70, chains: 20, conversations: 10 }
type Kind = keyof typeof shares

const kindOf = (name: string): Kind =>
  ['hotpotqa-train', '2wikimultihopqa-train', 'musique-train'].includes(name)
    ? 'chains'
    : name === 'mtrag'
      ? 'conversations'
      : 'plain'

interface Asked {
  readonly kind: Kind
  readonly query: Query
  readonly grades: ReadonlyMap<string, number>
}

/** One way to search: its times by query, and what it found. */
interface System {
  readonly name: string
  readonly search: (query: Query) => Promise<readonly Hit[]>
  readonly ms: Map<Asked, number>
  /** Milliseconds of processor time of this process, all threads together. */
  readonly processor: Map<Asked, number>
  readonly run: Map<string, readonly Hit[]>
  /** What was decided for the last search. Absent for the raw search. */
  last?: DecisionKind | 'passed'
  /** The queries that were left alone. */
  readonly leftAlone: Set<Asked>
  passedThrough: number
}

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  if (!existsSync(collections)) throw new Error(`The judged collections are not there: ${collections}`)
  const { all, texts } = await readAll()
  const asked = draw(all, quick ? 100 : 1000)
  const taught = asked.slice(0, quick ? 50 : 300)
  return withIndex(index, [...filledUp(texts)], async (client) => {
    const systems = await systemsOf(client)
    for (const { search } of systems) for (const { query } of taught) await search(query)
    // Each in turn goes first, so that nobody always finds the engine's caches filled by others.
    for (const [place, one] of asked.entries())
      for (const turn of systems.keys()) await timed(systems[(place + turn) % systems.length]!, one)
    return { name: 'mixture', rows: rowsOf(systems, asked), notes: notesOf(asked.length, texts.length) }
  })
}

/** All judged queries, and all documents. Docids begin with the name of their corpus. */
async function readAll(): Promise<{ readonly all: readonly Asked[]; readonly texts: readonly Document[] }> {
  const corpora = new Map<string, Document[]>()
  const all: Asked[] = []
  for (const source of trainingSources) {
    const corpus = source.index ?? source.name
    if (!corpora.has(corpus)) corpora.set(corpus, await corpusOf(corpus))
    all.push(...(await askedOf(source, corpus)))
  }
  return { all, texts: [...corpora.values()].flat() }
}

async function corpusOf(name: string): Promise<Document[]> {
  const texts: Document[] = []
  for await (const document of readCorpus(await findCorpus(join(collections, name))))
    texts.push({ ...document, docid: `${name} ${document.docid}` })
  return texts
}

async function askedOf(source: Source, corpus: string): Promise<Asked[]> {
  const { name } = source
  const folder = join(collections, source.folder ?? name)
  const { queries, qrels } = await readBeir(folder, filesOf(folder, source))
  return queries.flatMap((query): Asked[] => {
    const grades = qrels.get(query.qid!)
    if (grades === undefined) return []
    return [
      {
        kind: kindOf(name),
        query: { ...query, qid: `${name} ${query.qid}` },
        grades: new Map([...grades].map(([docid, grade]) => [`${corpus} ${docid}`, grade])),
      },
    ]
  })
}

/** So many queries, as many of each kind as it has of a hundred, in random order. */
function draw(all: readonly Asked[], count: number): Asked[] {
  const random = createRandom(1)
  const mixed = (some: readonly Asked[]): Asked[] =>
    [...permutation(some.length, random)].map((at) => some[at]!)
  return mixed(
    Object.entries(shares).flatMap(([kind, share]) =>
      mixed(all.filter((one) => one.kind === kind)).slice(0, (count * share) / 100),
    ),
  )
}

/** The documents, and as many more of their words as there have to be: the words of one and another in random order. */
function* filledUp(texts: readonly Document[]): Generator<Document> {
  const random = createRandom(2)
  const words = (): string[] => texts[random.integer(texts.length)]!.text.split(/\s+/, 100)
  yield* texts
  for (let place = texts.length; place < documents; place++) {
    const both = [...words(), ...words()]
    const text = [...permutation(both.length, random)].slice(0, 100).map((at) => both[at]!)
    yield { docid: `drawn ${place}`, title: text.slice(0, 3).join(' '), text: text.join(' ') }
  }
}

async function systemsOf(client: Client): Promise<System[]> {
  const file = await readPolicy(shippedPath('bm25'))
  const bodyOf = (text: string) => ({
    index,
    size,
    query: { multi_match: { query: text, fields: ['title', 'text'] } },
  })
  const made = (name: string, options?: Parameters<typeof querent>[1]): System => {
    const system: System = {
      name,
      ms: new Map(),
      processor: new Map(),
      run: new Map(),
      leftAlone: new Set(),
      passedThrough: 0,
      async search({ text, history = [] }) {
        const { hits } = await own.search(bodyOf(text), { context: { querent: { history } } })
        return hits.hits.map(({ _id, _score }, place) => ({
          docid: _id!,
          score: _score ?? 0,
          rank: place + 1,
        }))
      },
    }
    const observe: Observer = {
      onSearch: ({ trace }) => {
        system.last = trace?.kind ?? 'passed'
      },
    }
    const own = options === undefined ? client : querent(client, { ...options, observe })
    return system
  }
  /** The name gives it a digest of its own: searches with the same policy share threads, and the texts that those have read. */
  async function reranked(name: string, window: number): Promise<System> {
    const { digest: _, ...rest } = { ...file, options: { ...file.options, name } }
    const own = { ...rest, digest: policyDigest(rest) }
    return made(name, {
      ...(await localPolicy({ file: own, workers: defaultThreads() })),
      window,
    })
  }
  return [
    made('raw search'),
    made('decision, no re-ranking', { rerank: false }),
    ...(await Promise.all(
      [10, 20, 30, 40, 60].map((window) => reranked(`re-ranked, window ${window}`, window)),
    )),
  ]
}

async function timed(system: System, asked: Asked): Promise<void> {
  const before = process.cpuUsage()
  const start = performance.now()
  const hits = await system.search(asked.query)
  system.ms.set(asked, performance.now() - start)
  const { user, system: kernel } = process.cpuUsage(before)
  system.processor.set(asked, (user + kernel) / 1000)
  system.run.set(asked.query.qid!, hits)
  if (system.last === 'as-is') system.leftAlone.add(asked)
  if (system.last === 'passed') system.passedThrough++
}

function rowsOf(systems: readonly System[], asked: readonly Asked[]): BenchResult['rows'] {
  const qrels = new Map(asked.map(({ query, grades }) => [query.qid!, grades]))
  const [raw] = systems
  return systems.map(({ name, ms, processor, run, leftAlone, passedThrough }) => {
    const at = (part: number, wanted: (one: Asked) => boolean, of = ms): number =>
      percentile(
        asked.filter(wanted).map((one) => of.get(one)!),
        part,
      )
    const times = (part: number, wanted: (one: Asked) => boolean): number =>
      rounded(at(part, wanted) / at(part, wanted, raw!.ms))
    const { means } = scoreRun(run, qrels, metrics)
    return {
      system: name,
      p50_ms: rounded(at(0.5, () => true)),
      p95_ms: rounded(at(0.95, () => true)),
      times_p50: times(0.5, () => true),
      times_p95: times(0.95, () => true),
      ...Object.fromEntries(
        Object.keys(shares).map((kind) => [`times_${kind}`, times(0.5, (one) => one.kind === kind)]),
      ),
      times_left_alone: leftAlone.size === 0 ? '' : times(0.5, (one) => leftAlone.has(one)),
      left_alone_percent: rounded((100 * leftAlone.size) / asked.length),
      processor_p50_ms: rounded(at(0.5, () => true, processor)),
      processor_mean_ms: rounded(mean([...processor.values()])),
      passed_through: passedThrough,
      ...Object.fromEntries(metrics.map((metric) => [metric, rounded(100 * means.get(metric)!)])),
    }
  })
}

const notesOf = (queries: number, texts: number): string[] => [
  `Elasticsearch with ${documents} documents on the same machine as the client: ${texts} of the judged collections in one index, the others drawn from their words. ${queries} queries (${Object.entries(
    shares,
  )
    .map(([kind, share]) => `${share} % ${kind}`)
    .join(', ')}), one at a time, each by every system in turn; size ${size}.`,
  'times: p50 or p95 beside that of the raw search with the same queries. processor: time of this process, all threads together, without the engine.',
  'The shipped policy was trained on these queries. What is found compares the settings with each other.',
]

await printWhenMain(import.meta.filename, run)
