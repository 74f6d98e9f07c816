/**
 * What the optimizer adds to a search: the time of `optimizer.search` less that of the same calls of the same retrievers
 * without it. Both are timed for each query, one right after the other, since a busy machine changes from second to
 * second; which goes first alternates, since the second finds the caches warm.
 */
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { none } from '../policies/none.ts'
import { createRandom } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Retriever } from '../src/types.ts'
import { modelAtOnce, subQueriesOf } from './backends.ts'
import { documents, wordsPerDocument, wordsPerQuery, zipfianWords } from './generated.ts'
import { microseconds } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 5_000
const depth = 100
const subQueries = 3
const warmUp = 500

type Row = Record<string, string | number>

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const searches = quick ? 500 : 3_000
  const words = zipfianWords(createRandom(1))
  const texts = Array.from(documents(size, () => words(wordsPerDocument)))
  const bm25 = await buildWinkBm25(texts)
  const other = await buildWinkBm25(texts, { name: 'other', k1: 1.2, b: 0.75 })
  const rows: Row[] = []
  for (const retrievers of [[bm25], [bm25, other]]) {
    for (const policy of ['none', 'acqo'] as const)
      rows.push(await compare(policy, retrievers, searches, words))
  }
  return {
    name: 'optimizer',
    rows,
    notes: [
      `BM25 over ${size} generated documents; depth ${depth}, 10 fused hits with provenance, a trace; ${searches} searches.`,
      'bare: the same calls of the same retrievers, without the optimizer. overhead: the difference, query by query.',
      `acqo: a chat model that answers at once with ${subQueries} sub-queries, the original query is searched beside them.`,
    ],
  }
}

async function compare(
  name: 'none' | 'acqo',
  retrievers: readonly Retriever[],
  searches: number,
  words: (count: number) => string,
): Promise<Row> {
  let rewrites: readonly string[] = []
  const chat = modelAtOnce(() => rewrites)
  const policy = name === 'acqo' ? acqo() : none()
  const optimizer = createOptimizer({ retrievers, policy, chat, k: 10, depth })

  async function bare(text: string): Promise<void> {
    const requests = name === 'acqo' ? [[text], rewrites] : [[text]]
    await Promise.all(
      requests.flatMap((request) => {
        const batch = subQueriesOf(request)
        return retrievers.map((retriever) => retriever.retrieve(batch, { k: depth }))
      }),
    )
  }

  const times = { bare: [] as number[], search: [] as number[], overhead: [] as number[] }
  for (let search = -warmUp; search < searches; search++) {
    const text = words(wordsPerQuery)
    rewrites = Array.from({ length: subQueries }, () => words(wordsPerQuery))
    const took = { bare: 0, search: 0 }
    for (const system of search % 2 === 0 ? (['bare', 'search'] as const) : (['search', 'bare'] as const)) {
      const start = performance.now()
      await (system === 'bare' ? bare(text) : optimizer.search(text))
      took[system] = performance.now() - start
    }
    if (search < 0) continue
    times.bare.push(took.bare)
    times.search.push(took.search)
    times.overhead.push(took.search - took.bare)
  }
  for (const all of Object.values(times)) all.sort((a, b) => a - b)
  return {
    policy: name,
    retrievers: retrievers.length,
    bare_p50_us: microseconds(quantile(times.bare, 0.5)),
    bare_p95_us: microseconds(quantile(times.bare, 0.95)),
    search_p50_us: microseconds(quantile(times.search, 0.5)),
    search_p95_us: microseconds(quantile(times.search, 0.95)),
    overhead_p50_us: microseconds(quantile(times.overhead, 0.5)),
    overhead_p95_us: microseconds(quantile(times.overhead, 0.95)),
  }
}

await printWhenMain(import.meta.filename, run)
