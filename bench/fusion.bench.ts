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
import { createRandom, type Random } from '../src/random.ts'
import type { FuseOptions, Fusion, RankedList } from '../src/types.ts'
import { microseconds, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, collectGarbage, inProcess } from './process.ts'
import { installRanx, type RanxTimes, ranxVersion, timeRanx } from './ranx/ranx.ts'
import type { BenchResult, RunOptions } from './result.ts'

const width = 3
const hits = 100
const overlap = 0.5
/** Different queries, fused in turn: few enough to stay in the processor's cache, as lists that just came in do. */
const queries = 8
/** Queries in one call of ranx, which is made for batches. */
const batch = 200

interface Measured {
  readonly p50: number
  readonly p95: number
  readonly union: number
  readonly allocated: number
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

/** Its fusion alone, without retrievers and callbacks. It tells documents apart by their text, here the docid. */
function ensemble(lists: readonly RankedList[]): () => unknown {
  const retriever = new EnsembleRetriever({ retrievers: [], weights: lists.map(() => 1 / lists.length) })
  const found = lists.map((list) =>
    list.hits.map(({ docid, score }) => new Document({ pageContent: docid, metadata: { score } })),
  )
  return () => retriever._weightedReciprocalRank(found)
}

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const calls = quick ? 2_000 : 20_000
  const rows: Row[] = []
  const notes: string[] = []

  async function add(system: string, depth: number, shared: number, base?: number): Promise<number> {
    const measured = await inProcess<Measured>(import.meta.filename, [system, depth, shared, calls])
    rows.push(rowOf(system, depth, shared, measured, base ?? measured.p50))
    return measured.p50
  }

  const base = await add('rank-score', hits, overlap)
  for (const system of Object.keys(systems).slice(1)) await add(system, hits, overlap, base)
  try {
    await installRanx()
    for (const oneThread of [true, false]) {
      const times = await timeRanx(runsOf(batch), { calls: quick ? 50 : 300, oneThread })
      rows.push(...ranxRows(times, base))
    }
  } catch (thrown) {
    rows.push({ ...rowOf('ranx: MISSING', hits, overlap, undefined, base) })
    notes.push(`RANX IS MISSING, since it could not be installed or run: ${toError(thrown).message}`)
  }

  for (const shared of [0, 1]) await add('rank-score', hits, shared)
  for (const depth of [10, 1_000, 10_000]) {
    const own = await add('rank-score', depth, overlap)
    for (const system of ['rrf', 'LangChain.js']) await add(system, depth, overlap, own)
  }

  notes.push(
    `${width} lists; overlap: the part of each list that all lists have, at random ranks, the rest being in one list only.`,
    `One call a query, ${queries} queries in turn, ${calls} calls at ${hits} hits; a call makes the whole sorted union into hits unless k says otherwise.`,
    'times: the p50 over that of rank-score at the same hits and overlap. allocated: by one call, garbage included.',
    'LangChain.js: EnsembleRetriever._weightedReciprocalRank of @langchain/classic, its fusion alone (RRF).',
    `ranx ${ranxVersion}: fuse(method="rrf") on runs made beforehand, compiled and warm; single: runs of one query, as in a search; batch: of ${batch}, per query.`,
  )
  return { name: 'fusion', rows, notes }
}

function rowOf(
  system: string,
  depth: number,
  shared: number,
  measured: Measured | undefined,
  base: number,
): Row {
  return {
    system,
    hits: depth,
    overlap: shared,
    union: measured?.union ?? '-',
    p50_us: measured === undefined ? '-' : microseconds(measured.p50),
    p95_us: measured === undefined ? '-' : microseconds(measured.p95),
    times: measured === undefined ? '-' : rounded(measured.p50 / base),
    allocated_kb: measured === undefined || Number.isNaN(measured.allocated) ? '-' : measured.allocated,
  }
}

function ranxRows({ threads, single, batch: whole }: RanxTimes, base: number): Row[] {
  const counted = `${threads} thread${threads === 1 ? '' : 's'}`
  const union = unionOf(listsOf(createRandom(1), hits, overlap))
  return Object.entries({ single, batch: whole }).map(([kind, times]) => {
    const [p50, p95] = [quantile(times, 0.5) / 1000, quantile(times, 0.95) / 1000]
    return rowOf(`ranx, ${kind}, ${counted}`, hits, overlap, { p50, p95, union, allocated: Number.NaN }, base)
  })
}

async function measure(system: string, depth: number, shared: number, calls: number): Promise<Measured> {
  const random = createRandom(1)
  const lists = Array.from({ length: queries }, () => listsOf(random, depth, shared))
  const fuse = lists.map(systems[system]!)
  const count = Math.ceil((calls * hits) / Math.max(hits, depth))
  const times: number[] = []
  for (let call = -count / 4; call < count; call++) {
    const next = fuse[Math.abs(Math.floor(call)) % queries]!
    const start = performance.now()
    const fused = next()
    if (fused instanceof Promise) await fused
    if (call >= 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    union: unionOf(lists[0]!),
    allocated: await allocatedBy(fuse[0]!),
  }
}

/** Kilobytes that one call allocates, heap and array buffers: the most of a few, since a collection may fall into one. */
async function allocatedBy(fuse: () => unknown): Promise<number> {
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  let most = 0
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    const before = used()
    const fused = await fuse()
    most = Math.max(most, used() - before)
    if (fused === undefined) throw new Error('nothing was fused')
  }
  return rounded(most / 1024)
}

/** Lists of which so many hits are in all, at random ranks, and the others in one; strings are not shared, as from JSON. */
function listsOf(random: Random, depth: number, shared: number): RankedList[] {
  const query = random.uint32()
  const common = Math.round(depth * shared)
  const lists = Array.from({ length: width }, (_, index) => {
    const docids = Array.from({ length: depth }, (_unused, place) =>
      place < common ? `doc-${query}-${place}` : `doc-${query}-${index}-${place}`,
    )
    const hitsOf = shuffled(docids, random).map((docid, place) => ({
      docid,
      score: 30 - (20 * (place + random.float())) / depth,
      rank: place + 1,
    }))
    return { retriever: 'bm25', subQuery: { text: `sub-query ${index}`, stage: 1 as const }, hits: hitsOf }
  })
  return JSON.parse(JSON.stringify(lists))
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const drawn = items.map((item) => ({ item, key: random.float() }))
  return drawn.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

const unionOf = (lists: readonly RankedList[]): number =>
  new Set(lists.flatMap((list) => list.hits.map(({ docid }) => docid))).size

/** The same kind of lists as runs of so many queries, as ranx wants them. */
function runsOf(count: number): Record<string, Record<string, number>>[] {
  const random = createRandom(1)
  const lists = Array.from({ length: count }, () => listsOf(random, hits, overlap))
  return Array.from({ length: width }, (_, index) =>
    Object.fromEntries(
      lists.map((query, qid) => [
        `q${qid}`,
        Object.fromEntries(query[index]!.hits.map(({ docid, score }) => [docid, score])),
      ]),
    ),
  )
}

await answer(import.meta.filename, (system, depth, shared, calls) =>
  measure(system!, Number(depth), Number(shared), Number(calls)),
)
await printWhenMain(import.meta.filename, run)
