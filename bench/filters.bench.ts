/** What a filter adds to a search in this process: each query with and without one, in turns. */
import { buildFaiss } from '../adapters/search/faiss.ts'
import { loadFaissLibrary } from '../adapters/search/faiss-library.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { createRandom, type Random } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import type { Document, Embedder, Retriever } from '../src/types.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const hits = 100
const dimensions = 384

/** Of a document's place: one document in two, in a hundred, and bounds that pass one in ten. */
const filters = {
  half: () => ({ half: 1 }),
  hundredth: () => ({ hundredth: 7 }),
  'tenth, by bounds': () => ({ place: { gte: 0, lt: 0.1 } }),
  'tenth, new each time': (call: number) => ({ place: { gte: call / 1e6, lt: 0.1 + call / 1e6 } }),
} as const

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const size = quick ? 10_000 : 100_000
  const random = createRandom(1)
  const words = zipfianWords(random)
  const corpus = (text: () => string, count = size): Document[] =>
    Array.from(documents(count, text), (document, place) => ({
      ...document,
      metadata: { half: place % 2, hundredth: place % 100, place: random.float() },
    }))
  const text = () => words(wordsPerQuery)
  const rows = await rowsOf('bm25', await buildWinkBm25(corpus(() => words(wordsPerDocument))), text, quick)
  const faiss = await loadFaissLibrary().then(
    () => true,
    () => false,
  )
  if (faiss)
    for (const hnsw of [false, true]) {
      const retriever = await buildFaiss(
        corpus(() => '', hnsw ? size / 10 : size),
        { embedder: randomEmbedder(random), hnsw },
      )
      rows.push(...(await rowsOf(hnsw ? 'hnsw' : 'flat', retriever, text, quick)))
    }
  return {
    name: 'filters',
    rows,
    notes: [
      `${size} generated documents (a tenth of them for HNSW, which takes long to build), depth ${hits}; medians of the same queries with and without the filter, in turns.`,
      'A mask is remembered, but the last filter differs with each query.',
      ...(faiss ? [] : ['FAISS was left out: faiss-node is not installed.']),
    ],
  }
}

async function rowsOf(index: string, retriever: Retriever, text: () => string, quick: boolean) {
  const rows = []
  for (const [name, filterOf] of Object.entries(filters)) {
    const [without, within]: [number[], number[]] = [[], []]
    for (let call = -5; call < (quick ? 20 : 100); call++) {
      const asked = [{ text: text(), round: 1 }]
      for (const times of call % 2 === 0 ? [without, within] : [within, without]) {
        const filter = times === within ? { filter: filterOf(call + 10) } : {}
        const start = performance.now()
        await retriever.retrieve(asked, { k: hits, ...filter })
        if (call >= 0) times.push(performance.now() - start)
      }
    }
    const [plain, filtered] = [without, within].map((times) => quantile(Float64Array.from(times).sort(), 0.5))
    rows.push({
      index,
      filter: name,
      without_ms: rounded(plain!),
      with_ms: rounded(filtered!),
      ratio: rounded(filtered! / plain!),
    })
  }
  return rows
}

/** Random directions: a query is not nearer to the documents that pass than to others. */
function randomEmbedder(random: Random): Embedder {
  const vector = (): Float32Array => {
    const values = Float32Array.from({ length: dimensions }, () => random.float() - 0.5)
    const length = Math.hypot(...values)
    return values.map((one) => one / length)
  }
  return { name: 'random', dimensions, embed: async (texts) => texts.map(vector) }
}

await printWhenMain(import.meta.filename, run)
