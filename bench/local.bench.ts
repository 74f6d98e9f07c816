/** What the local policy costs a search beside its retrieval: features, plans, their gains, re-ranking. One core. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { prepareChoice } from '../policies/local/decision/decision.ts'
import { plansOf } from '../policies/local/decision/plans.ts'
import { prepareSecondStage } from '../policies/local/decision/second-stage.ts'
import { searchesOf, widerSubQueries } from '../policies/local/decision/wider-pool.ts'
import { secondStageLimit } from '../policies/local/local.ts'
import { readPolicy } from '../policies/local/policy-file/policy-store.ts'
import { poolSize } from '../policies/local/rerank/pool.ts'
import { createPoolScorer } from '../policies/local/rerank/rerank.ts'
import { type ShippedName, shippedPath } from '../policies/local/shipped.ts'
import { collectExamples, type Example } from '../policies/local/training/example.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import type { DocumentOf } from '../src/reranker.ts'
import { createReader } from '../src/text/reader.ts'
import type { Document } from '../src/types.ts'
import { median, percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

interface Case {
  readonly folder: string
  /** Hits of each list: 20 before an engine. */
  readonly depth: number
  readonly policy?: ShippedName
}

/** The collections of `../shared/data` are judged ones; the last two have long texts without titles, and products. */
const cases: readonly Case[] = [
  { folder: 'src/sample', depth: 100 },
  { folder: '../shared/data/hotpotqa-train', depth: 100 },
  { folder: '../shared/data/hotpotqa-train', depth: 20 },
  { folder: '../shared/data/mtrag', depth: 20, policy: 'bm25-untitled' },
  { folder: '../shared/data/esci-mini-train', depth: 20 },
]

/** Of which the fastest counts for each query, since others use the machine, too. */
const passes = { readBefore: 7, cold: 3 }

const stages = ['second stage: pool, texts, features, bridges', 'plans', 'their gains', 're-ranking'] as const

type Stage = (typeof stages)[number]

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const count = quick ? 40 : 150
  const rows = []
  for (const one of cases.filter(({ folder }) => existsSync(folder)))
    rows.push(...(await measure(one, count)))
  return {
    name: 'local',
    rows,
    notes: [
      `Milliseconds of processor time, all threads together, of one search with BM25, lists of so many hits and a pool of ${poolSize}, medians over at most ${count} queries (of each the fastest of ${passes.readBefore} passes, cold of ${passes.cold}); without retrieval, fusion and the fetching of documents.`,
      'read before: the texts have been read by an earlier search, as when they are analyzed at indexing. cold: every text of every search is new, as when it comes from a cluster.',
      'The bundled policy decides. Searches that are left alone with certainty have no second request: their re-ranking is of the first lists.',
      'Judged collections are left out where there is no ../shared/data. Before an engine, lists have 20 hits.',
    ],
  }
}

async function measure(
  { folder, depth, policy = 'bm25' }: Case,
  count: number,
): Promise<BenchResult['rows']> {
  const documents: Document[] = []
  for await (const document of readCorpus(await findCorpus(folder))) documents.push(document)
  const { queries, qrels } = await readBeir(folder)
  const byDocid = new Map(documents.map((document) => [document.docid, document]))
  const collection = {
    name: folder,
    queries: queries.slice(0, count),
    qrels,
    retrievers: [await buildWinkBm25(documents)],
    documents: async (docids: readonly string[]) => docids.map((docid) => byDocid.get(docid)),
  }
  const examples = await collectExamples([collection], { depth })
  const { terms, decision, rerank } = await readPolicy(shippedPath(policy))
  const reader = createReader(terms)
  const lookAhead = prepareSecondStage(decision!, reader)
  const choose = prepareChoice(decision!.gains)
  const { scores } = createPoolScorer(rerank!, reader)

  /** The milliseconds of each stage of one search. */
  async function search(
    { query, lists, search }: Example,
    documentOf: DocumentOf,
  ): Promise<Map<Stage, number>> {
    const times = new Map<Stage, number>()
    const timed = <T>(stage: Stage, work: () => T): T => {
      const start = process.cpuUsage()
      const result = work()
      const { user, system } = process.cpuUsage(start)
      times.set(stage, (user + system) / 1000)
      return result
    }
    const stage = timed('second stage: pool, texts, features, bridges', () =>
      lookAhead(query, lists, documentOf),
    )
    const plans = timed('plans', () => plansOf(query, lists, stage, documentOf, reader))
    const { plan, isSure } = timed('their gains', () => choose({ stage, plans }))
    const chosen = searchesOf(plan)
    const isWider = plan !== undefined || !isSure
    const wider = isWider ? widerSubQueries(stage, chosen, secondStageLimit) : []
    const found = await search(
      [...chosen, ...wider].map((one) => ({ ...one, round: 1 })),
      depth,
    )
    const all = [...lists, ...found.flat()]
    timed('re-ranking', () => scores(query, all, documentOf))
    return times
  }

  const warm = new Map<Example, Map<Stage, number>>()
  const cold = new Map<Example, Map<Stage, number>>()
  for (const example of examples) {
    const documentOf: DocumentOf = (docid) => byDocid.get(docid)
    // The first pass reads the texts that the next ones have read before.
    for (let pass = 0; pass <= passes.readBefore; pass++) {
      const times = await search(example, documentOf)
      if (pass > 0) keepFastest(warm, example, times)
    }
  }
  for (let pass = 0; pass < passes.cold; pass++)
    for (const [place, example] of examples.entries()) {
      const unread = new Map<string, Document>()
      const documentOf: DocumentOf = (docid) => {
        const document = unread.get(docid) ?? { ...byDocid.get(docid)!, docid: `${docid} ${pass} ${place}` }
        unread.set(docid, document)
        return document
      }
      keepFastest(cold, example, await search(example, documentOf))
    }

  return [...stages, 'all of these' as const].map((stage) => {
    const of = (all: typeof warm): number[] =>
      Array.from(all.values(), (times) => (stage === 'all of these' ? sumOf(times) : times.get(stage)!))
    return {
      queries: basename(folder),
      hits: depth,
      stage,
      read_before_p50: rounded(median(of(warm))),
      read_before_p95: rounded(percentile(of(warm), 0.95)),
      cold_p50: rounded(median(of(cold))),
      cold_p95: rounded(percentile(of(cold), 0.95)),
    }
  })
}

const sumOf = (times: ReadonlyMap<Stage, number>): number =>
  [...times.values()].reduce((sum, ms) => sum + ms, 0)

/** The pass that took less in all. */
function keepFastest<K>(all: Map<K, Map<Stage, number>>, key: K, times: Map<Stage, number>): void {
  const before = all.get(key)
  if (before === undefined || sumOf(times) < sumOf(before)) all.set(key, times)
}

await printWhenMain(import.meta.filename, run)
