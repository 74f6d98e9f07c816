/** What is compared in `fusion.bench.ts`, and its measuring, in a process of its own for each. */
import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { Document } from '@langchain/core/documents'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { createRandom } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import type { FuseOptions, Fusion, RankedList, Document as TextDocument } from '../src/types.ts'
import { collectGarbage } from '../test/support/collect-garbage.ts'
import { type Drawn, drawLists } from './fusion-lists.ts'
import { rounded } from './numbers.ts'
import { answer, inProcess } from './process.ts'

/** Milliseconds of a call: median and 95th percentile. */
export interface Times {
  readonly p50: number
  readonly p95: number
}

export interface Measured {
  /** Lists that were just parsed from JSON. */
  readonly fresh: Times
  /** The same lists again. */
  readonly warm: Times
  /** By one call. */
  readonly allocatedKb: number
}

/** Different queries, fused in turn: few enough to stay in the processor's cache. */
export const queries = 8

/** System → what fuses the lists of a query. Making it is not timed. */
const systems = {
  'rank-score': fusing(rankScore()),
  'rank-score, provenance': fusing(rankScore(), { provenance: true }),
  'rank-score, k = 10': fusing(rankScore(), { k: 10 }),
  'rank-score, k = 10, provenance': fusing(rankScore(), { k: 10, provenance: true }),
  'rank-score, two retrievers': (lists) =>
    fusing(rankScore())(lists.map((list, index) => ({ ...list, retriever: `retriever ${index % 2}` }))),
  rrf: fusing(rrf()),
  'LangChain.js': ensemble,
} as const satisfies Record<string, (lists: readonly RankedList[]) => () => unknown>

export type System = keyof typeof systems
export const systemNames = Object.keys(systems) as readonly System[]

function fusing(fusion: Fusion, options: FuseOptions = {}): (lists: readonly RankedList[]) => () => unknown {
  return (lists) => () => fusion.fuse(lists, options)
}

/** Its fusion alone, without retrievers and callbacks. */
function ensemble(lists: readonly RankedList[]): () => unknown {
  const retriever = new EnsembleRetriever({ retrievers: [], weights: lists.map(() => 1 / lists.length) })
  const found = lists.map(({ hits }) =>
    hits.map(({ document }) => new Document({ pageContent: document!.text, metadata: {} })),
  )
  return () => retriever._weightedReciprocalRank(found)
}

/** Times so many calls with 300 hits, or fewer with more hits. */
export function measureSystem(system: System, drawn: Drawn, calls: number): Promise<Measured> {
  return inProcess<Measured>(import.meta.filename, [system, JSON.stringify(drawn), calls])
}

async function measure(system: System, drawn: Drawn, calls: number): Promise<Measured> {
  const prepare = systems[system]
  const random = createRandom(1)
  const answers = Array.from({ length: queries }, () => JSON.stringify(drawLists(random, drawn)))
  const parsed = (query: number): RankedList[] => JSON.parse(answers[query]!)
  const prepared = answers.map((_, query) => prepare(withSharedDocuments(parsed(query))))
  const count = Math.ceil((calls * 300) / Math.max(300, drawn.lists * drawn.hits))
  const warm = await timesOf(count, (call) => prepared[call % queries]!)
  const fresh = await timesOf(count, (call) => prepare(parsed(call % queries)))
  return { fresh, warm, allocatedKb: await allocatedBy(prepared[0]!) }
}

/** Lists as from an index in the process: a document is the same object in all of them, and its texts the same strings. */
function withSharedDocuments(lists: readonly RankedList[]): RankedList[] {
  const documents = new Map<string, TextDocument>()
  return lists.map((list) => ({
    ...list,
    hits: list.hits.map(({ score, rank, document: own }) => {
      const document = documents.get(own!.docid) ?? own!
      documents.set(document.docid, document)
      return { docid: document.docid, score, rank, document }
    }),
  }))
}

/** The times of so many calls, after half as many that warm up. `next` is not timed. */
async function timesOf(count: number, next: (call: number) => () => unknown): Promise<Times> {
  const warmUp = Math.ceil(count / 2)
  const times: number[] = []
  for (let call = 0; call < warmUp + count; call++) {
    const fuse = next(call)
    const start = performance.now()
    const fused = fuse()
    if (fused instanceof Promise) await fused
    if (call >= warmUp) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
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

await answer(import.meta.filename, (system, drawn, calls) =>
  measure(system as System, JSON.parse(drawn!), Number(calls)),
)
