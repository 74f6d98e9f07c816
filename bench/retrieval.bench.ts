/**
 * How BM25 grows with documents and FAISS with vectors: time to build, time of a search, memory.
 * Each size is measured in a process of its own, since memory that was used once is not given back.
 */
import { cpus } from 'node:os'
import { buildFaiss, loadFaiss } from '../adapters/search/faiss.ts'
import { loadFaissLibrary } from '../adapters/search/faiss-library.ts'
import { createRandom } from '../src/learn/random.ts'
import type { Retriever } from '../src/types.ts'
import {
  documents,
  generatedBm25,
  randomEmbedder,
  wordsPerDocument,
  wordsPerQuery,
  zipfianWords,
} from './generated.ts'
import { heldMegabytes, inFolder } from './measuring.ts'
import { median, percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

type Row = BenchResult['rows'][number]

const hits = 100
const queries = 200

const cases = [
  ...[1_000, 5_000, 10_000, 50_000].map((size) => ({ index: 'bm25', size })),
  ...[10_000, 50_000, 200_000].map((size) => ({ index: 'flat', size })),
  ...[10_000, 50_000].map((size) => ({ index: 'flat, batched', size })),
  ...[10_000, 50_000].map((size) => ({ index: 'hnsw', size })),
] as const

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const faiss = await loadFaissLibrary().then(
    () => true,
    () => false,
  )
  const rows: Row[] = []
  for (const { index, size } of cases) {
    if (quick && size > 10_000) continue
    if (index === 'bm25' || faiss) rows.push(await inProcess<Row>(import.meta.filename, [index, size]))
  }
  return {
    name: 'retrieval',
    rows,
    notes: [
      `Depth ${hits}, ${queries} queries one after the other, ${cpus().length} cores.`,
      `BM25: generated documents of ${wordsPerDocument} words by Zipf's law, queries of ${wordsPerQuery} words.`,
      'FAISS: random vectors, the hardest there are for HNSW; embedding is not counted.',
      'Memory: growth of the resident set, from before the build until after the searches.',
      ...(faiss ? [] : ['FAISS was left out: faiss-node is not installed.']),
    ],
  }
}

async function measure(index: string, size: number): Promise<Row> {
  const before = heldMegabytes().resident
  const random = createRandom(size)
  const embedder = randomEmbedder(random)
  const words = zipfianWords(random)
  const start = performance.now()
  const built = index === 'bm25' ? await generatedBm25(size, words) : await faiss()
  const build = performance.now() - start - embedder.spent()
  async function faiss(): Promise<Retriever> {
    const made = await buildFaiss(
      documents(size, () => ''),
      { embedder, hnsw: index === 'hnsw' },
    )
    if (!index.endsWith('batched')) return made
    return inFolder(async (folder) => {
      await made.save(folder)
      return loadFaiss(folder, { embedder, batched: true })
    })
  }
  /** Milliseconds of each call with `count` sub-queries; the first calls warm up and are not counted. */
  const timesOf = async (count: number): Promise<number[]> => {
    const times: number[] = []
    for (let call = -5; call < Math.max(10, queries / count); call++) {
      const subQueries = Array.from({ length: count }, () => ({ text: words(wordsPerQuery), round: 1 }))
      const start = performance.now()
      await built.retrieve(subQueries, { k: hits })
      if (call >= 0) times.push(performance.now() - start)
    }
    return times
  }
  const single = await timesOf(1)
  return {
    index,
    size,
    build_s: rounded(build / 1000),
    query_p50_ms: rounded(median(single)),
    query_p95_ms: rounded(percentile(single, 0.95)),
    batch8_p50_ms: rounded(median(await timesOf(8))),
    batch32_p50_ms: rounded(median(await timesOf(32))),
    batch256_p50_ms: rounded(median(await timesOf(256))),
    memory_mb: Math.round(heldMegabytes().resident - before),
  }
}

await answer(import.meta.filename, (index, size) => measure(index!, Number(size)))
await printWhenMain(import.meta.filename, run)
