/**
 * How BM25 grows with documents and FAISS with vectors: time to build, time of a search, memory.
 * Each size is measured in a process of its own, since memory that was used once is not given back.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFaiss, type Faiss, loadFaiss } from '../adapters/search/faiss.ts'
import { loadFaissLibrary } from '../adapters/search/faiss-library.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { createRandom, type Random } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import type { Embedder, Retriever } from '../src/types.ts'
import { collectGarbage } from '../test/support/collect-garbage.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

type Row = Record<string, string | number>

const hits = 100
const queries = 200
const dimensions = 384

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
      `FAISS: random vectors of ${dimensions} dimensions, the hardest there are for HNSW; embedding is not counted.`,
      'Memory: growth of the resident set, from before the build until after the searches.',
      faiss
        ? `FAISS keeps ${await inProcess<number>(import.meta.filename, ['leak', 20_000])} bytes of each search (see buildFaiss).`
        : 'FAISS was left out: faiss-node is not installed.',
    ],
  }
}

async function measure(index: string, size: number): Promise<Row | number> {
  if (index === 'leak') return leakOf(size)
  const before = resident()
  const random = createRandom(size)
  const embedder = randomEmbedder(random)
  const words = zipfianWords(random)
  const start = performance.now()
  const built =
    index === 'bm25'
      ? await buildWinkBm25(documents(size, () => words(wordsPerDocument)))
      : await buildFaiss(
          documents(size, () => ''),
          { embedder, hnsw: index === 'hnsw' },
        )
  const retriever: Retriever = index.endsWith('batched') ? await reopened(built, embedder) : built
  const build = performance.now() - start - embedder.spent()
  const text = () => (index === 'bm25' ? words(wordsPerQuery) : '')
  const single = await timesOf(retriever, 1, text)
  const batch = async (count: number) => rounded(quantile(await timesOf(retriever, count, text), 0.5))
  return {
    index,
    size,
    build_s: rounded(build / 1000),
    query_p50_ms: rounded(quantile(single, 0.5)),
    query_p95_ms: rounded(quantile(single, 0.95)),
    batch8_p50_ms: await batch(8),
    batch32_p50_ms: await batch(32),
    batch256_p50_ms: await batch(256),
    memory_mb: Math.round((resident() - before) / 2 ** 20),
  }
}

/** Opened for batches. */
async function reopened(built: Pick<Faiss, 'save'>, embedder: Embedder): Promise<Retriever> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-bench-'))
  try {
    await built.save(folder)
    return await loadFaiss(folder, { embedder, batched: true })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Milliseconds, ascending, of each call with `count` sub-queries; the first calls warm up and are not counted. */
async function timesOf(retriever: Retriever, count: number, text: () => string): Promise<number[]> {
  const calls = Math.max(10, Math.ceil(queries / count))
  const times: number[] = []
  for (let call = -5; call < calls; call++) {
    const subQueries = Array.from({ length: count }, () => ({ text: text(), round: 1 }))
    const start = performance.now()
    await retriever.retrieve(subQueries, { k: hits })
    if (call >= 0) times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

/** Bytes by which the process grows with each of so many searches. */
async function leakOf(searches: number): Promise<number> {
  const library = await loadFaissLibrary()
  const index = new library.IndexFlatIP(dimensions)
  const vector = new Array<number>(dimensions).fill(0)
  index.add(vector)
  for (let search = 0; search < 1000; search++) index.search(vector, 1)
  const before = resident()
  for (let search = 0; search < searches; search++) index.search(vector, 1)
  return Math.max(0, Math.round((resident() - before) / searches))
}

/** Gives every text a random vector, and tells the milliseconds that it took. */
function randomEmbedder(random: Random): Embedder & { spent(): number } {
  let spent = 0
  function vector(): Float32Array {
    const values = Float32Array.from({ length: dimensions }, () => random.float() + random.float() - 1)
    const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
    return values.map((value) => value / length)
  }
  return {
    name: 'random',
    dimensions,
    spent: () => spent,
    async embed(texts) {
      const start = performance.now()
      const vectors = texts.map(vector)
      spent += performance.now() - start
      return vectors
    },
  }
}

function resident(): number {
  collectGarbage()
  return process.memoryUsage.rss()
}

await answer(import.meta.filename, (index, size) => measure(index!, Number(size)))
await printWhenMain(import.meta.filename, run)
