/** What a filter adds to a search in this process: each query with and without one, in turns. */
import { buildFaiss } from '../adapters/search/faiss.ts'
import { loadFaissLibrary } from '../adapters/search/faiss-library.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { createRandom } from '../src/learn/random.ts'
import type { Document, Retriever } from '../src/types.ts'
import { documents, randomEmbedder, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { inTurns } from './measuring.ts'
import { median, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const hits = 100

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
  const indexes: [string, Retriever][] = [
    ['bm25', await buildWinkBm25(corpus(() => words(wordsPerDocument)))],
  ]
  const faiss = await loadFaissLibrary().then(
    () => true,
    () => false,
  )
  for (const hnsw of faiss ? [false, true] : []) {
    const vectors = corpus(() => '', hnsw ? size / 10 : size)
    indexes.push([
      hnsw ? 'hnsw' : 'flat',
      await buildFaiss(vectors, { embedder: randomEmbedder(random), hnsw }),
    ])
  }
  const rows = []
  for (const [index, retriever] of indexes)
    for (const [name, filterOf] of Object.entries(filters)) {
      const [without, within] = await inTurns(quick ? 20 : 100, 5, (call) => {
        const asked = [{ text: words(wordsPerQuery), round: 1 }]
        return [
          () => retriever.retrieve(asked, { k: hits }),
          () => retriever.retrieve(asked, { k: hits, filter: filterOf(call + 10) }),
        ]
      })
      rows.push({
        index,
        filter: name,
        without_ms: rounded(median(without)),
        with_ms: rounded(median(within)),
        ratio: rounded(median(within) / median(without)),
      })
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

await printWhenMain(import.meta.filename, run)
