/**
 * Fusion against LangChain.js and ranx, on the same lists in the same run, and how it grows with the hits. Each system has a
 * process of its own, so that none runs on code that another has warmed up or spoilt.
 */
import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { Document } from '@langchain/core/documents'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { toError } from '../src/errors.ts'
import { quantile } from '../src/evaluation/statistics.ts'
import { createRandom } from '../src/random.ts'
import type { FuseOptions, Fusion, RankedList } from '../src/types.ts'
import { type Drawn, drawLists, runsOf, unionOf } from './fusion-lists.ts'
import { microseconds, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, collectGarbage, inProcess } from './process.ts'
import { installRanx, type RanxTimes, ranxVersion, timeRanx } from './ranx/ranx.ts'
import type { BenchResult, RunOptions } from './result.ts'

const usual: Drawn = { lists: 3, hits: 100, overlap: 0.5 }
/** Different queries, fused in turn: few enough to stay in the processor's cache. */
const queries = 8
/** Queries in one call of ranx, which is made for batches. */
const batch = 200

/** Milliseconds of a call: median and 95th percentile. */
interface Times {
  readonly p50: number
  readonly p95: number
}

interface Measured {
  /** The same lists again, of docids and scores. */
  readonly warm?: Times
  /** Lists that were just parsed, with documents. */
  readonly fresh?: Times
  readonly allocatedKb?: number
}

type Row = Record<string, string | number>

/** System → what fuses the lists of a query. Making it is not timed. */
const systems: Readonly<Record<string, (lists: readonly RankedList[]) => () => unknown>> = {
  'rank-score': fusing(rankScore()),
  'rank-score, k = 10': fusing(rankScore(), { k: 10 }),
  'rank-score, k = 10, provenance': fusing(rankScore(), { k: 10, provenance: true }),
  'rank-score, provenance': fusing(rankScore(), { provenance: true }),
  'rank-score, two retrievers': (lists) =>
    fusing(rankScore())(lists.map((list, index) => ({ ...list, retriever: `retriever ${index % 2}` }))),
  rrf: fusing(rrf()),
  'LangChain.js': ensemble,
}

function fusing(fusion: Fusion, options: FuseOptions = {}): (lists: readonly RankedList[]) => () => unknown {
  return (lists) => () => fusion.fuse(lists, options)
}

/** Its fusion alone, without retrievers and callbacks. */
function ensemble(lists: readonly RankedList[]): () => unknown {
  const retriever = new EnsembleRetriever({ retrievers: [], weights: lists.map(() => 1 / lists.length) })
  const found = lists.map(({ hits }) =>
    hits.map(({ docid, document }) => new Document({ pageContent: document?.text ?? docid, metadata: {} })),
  )
  return () => retriever._weightedReciprocalRank(found)
}

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const calls = quick ? 1_000 : 10_000
  const rows: Row[] = []
  const notes: string[] = []

  async function add(system: string, drawn: Drawn, base?: Measured): Promise<Measured> {
    const words = [system, drawn.lists, drawn.hits, drawn.overlap, calls]
    const measured = await inProcess<Measured>(import.meta.filename, words)
    rows.push(rowOf(system, drawn, measured, base ?? measured))
    return measured
  }

  const base = await add('rank-score', usual)
  for (const system of Object.keys(systems).slice(1)) await add(system, usual, base)
  try {
    await installRanx()
    for (const oneThread of [true, false]) {
      const times = await timeRanx(runsOf(batch, usual), { calls: quick ? 20 : 200, oneThread })
      rows.push(...ranxRows(times, base))
    }
  } catch (thrown) {
    rows.push(rowOf('ranx: MISSING', usual, {}, base))
    notes.push(`RANX IS MISSING, since it could not be installed or run: ${toError(thrown).message}`)
  }
  for (const overlap of [0, 1]) await add('rank-score', { ...usual, overlap })
  for (const hits of [10, 1_000, 10_000]) {
    const own = await add('rank-score', { ...usual, hits })
    for (const system of ['rrf', 'LangChain.js']) await add(system, { ...usual, hits }, own)
  }

  notes.push(
    `${usual.lists} lists; overlap: the part of each list that all lists have, at random ranks; the rest is in one list only.`,
    'A call makes the whole sorted union into hits, unless k says otherwise; median and 95th percentile of single calls.',
    `p50, p95: lists of docids and scores, as from an index in the process; ${queries} queries in turn.`,
    'fresh: hits with their documents of 100 words, parsed from JSON right before the call, as from an engine; parsing is not timed.',
    'times, fresh_times: so many times the median of rank-score on the same lists. allocated: by one call, garbage included.',
    'LangChain.js: EnsembleRetriever._weightedReciprocalRank of @langchain/classic, its fusion (RRF) alone. It tells documents apart by their text; where there is none, by the docid in its place.',
    `ranx ${ranxVersion}: fuse(method="rrf") on runs made beforehand, compiled and warm. single: one query, as in a search; batch: ${batch} in one call, per query.`,
  )
  return { name: 'fusion', rows, notes }
}

function rowOf(system: string, drawn: Drawn, { warm, fresh, allocatedKb }: Measured, base: Measured): Row {
  const times = (own: Times | undefined, others: Times | undefined): string | number =>
    own === undefined || others === undefined ? '-' : rounded(own.p50 / others.p50)
  return {
    system,
    hits: drawn.hits,
    overlap: drawn.overlap,
    union: unionOf(drawn),
    p50_us: warm === undefined ? '-' : microseconds(warm.p50),
    p95_us: warm === undefined ? '-' : microseconds(warm.p95),
    times: times(warm, base.warm),
    fresh_p50_us: fresh === undefined ? '-' : microseconds(fresh.p50),
    fresh_p95_us: fresh === undefined ? '-' : microseconds(fresh.p95),
    fresh_times: times(fresh, base.fresh),
    allocated_kb: allocatedKb ?? '-',
  }
}

function ranxRows({ threads, single, batch: whole }: RanxTimes, base: Measured): Row[] {
  const counted = `${threads} thread${threads === 1 ? '' : 's'}`
  return Object.entries({ single, batch: whole }).map(([kind, times]) =>
    rowOf(`ranx, ${kind}, ${counted}`, usual, { warm: quantiles(times.map((time) => time / 1000)) }, base),
  )
}

const quantiles = (ascending: readonly number[]): Times => ({
  p50: quantile(ascending, 0.5),
  p95: quantile(ascending, 0.95),
})

async function measure(system: string, drawn: Drawn, calls: number): Promise<Measured> {
  const prepare = systems[system]!
  const random = createRandom(1)
  const drawnLists = Array.from({ length: queries }, () => drawLists(random, drawn))
  const prepared = drawnLists.map((lists) => prepare(withoutDocuments(lists)))
  const answers = drawnLists.map((lists) => JSON.stringify(lists))
  const parsed = (query: number): (() => unknown) => prepare(JSON.parse(answers[query]!))
  const count = Math.ceil((calls * usual.hits) / Math.max(usual.hits, drawn.hits))
  const warm = await timesOf(count, (call) => prepared[call % queries]!)
  const fresh = await timesOf(Math.ceil(count / 5), (call) => parsed(call % queries))
  return { warm, fresh, allocatedKb: await allocatedBy(prepared[0]!) }
}

const withoutDocuments = (lists: readonly RankedList[]): RankedList[] =>
  lists.map((list) => ({
    ...list,
    hits: list.hits.map(({ docid, score, rank }) => ({ docid, score, rank })),
  }))

/** The times of so many calls, after a quarter as many that warm up. `next` is not timed. */
async function timesOf(count: number, next: (call: number) => () => unknown): Promise<Times> {
  const warmUp = Math.ceil(count / 4)
  const times: number[] = []
  for (let call = 0; call < warmUp + count; call++) {
    const fuse = next(call)
    const start = performance.now()
    const fused = fuse()
    if (fused instanceof Promise) await fused
    if (call >= warmUp) times.push(performance.now() - start)
  }
  return quantiles(times.sort((a, b) => a - b))
}

/** Kilobytes that one call allocates, heap and array buffers: the most of a few, since a collection may fall into one. */
async function allocatedBy(fuse: () => unknown): Promise<number> {
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const sizes: number[] = []
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    const before = used()
    const fused = await fuse()
    sizes.push(used() - before)
    if (fused === undefined) throw new Error('nothing was fused')
  }
  return rounded(Math.max(...sizes) / 1024)
}

await answer(import.meta.filename, (system, lists, hits, overlap, calls) =>
  measure(system!, { lists: Number(lists), hits: Number(hits), overlap: Number(overlap) }, Number(calls)),
)
await printWhenMain(import.meta.filename, run)
