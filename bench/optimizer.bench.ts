/** What the optimizer adds to a search: the time of `optimizer.search` less that of the same calls of the same retrievers without it. */
import { acqo } from '../policies/acqo/acqo.ts'
import { none } from '../policies/none.ts'
import { createRandom } from '../src/learn/random.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { ChatModel, Retriever } from '../src/types.ts'
import { generatedBm25, type Words, wordsPerQuery, zipfianWords } from './generated.ts'
import { inTurns } from './measuring.ts'
import { median, microseconds, percentile } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 5_000
const depth = 100
const subQueries = 3
const warmUp = 500

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const searches = quick ? 500 : 3_000
  const bm25 = await generatedBm25(size, zipfianWords(createRandom(1)))
  const other = await generatedBm25(size, zipfianWords(createRandom(1)), { name: 'other', k1: 1.2, b: 0.75 })
  const words = zipfianWords(createRandom(2))
  const rows = []
  for (const retrievers of [[bm25], [bm25, other]])
    for (const policy of ['none', 'acqo'] as const)
      rows.push(await compare(policy, retrievers, searches, words))
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
  words: Words,
) {
  let rewrites: readonly string[] = []
  const chat: ChatModel = {
    name: 'at-once',
    complete: async () => ({
      text: JSON.stringify({ query: rewrites.join(' %% ') }),
      tokens: { prompt: 0, completion: 0 },
    }),
  }
  const policy = name === 'acqo' ? acqo() : none()
  const optimizer = createOptimizer({ retrievers, policy, chat, k: 10, depth })
  const bare = (text: string): Promise<unknown> =>
    Promise.all(
      (name === 'acqo' ? [[text], rewrites] : [[text]]).flatMap((texts) =>
        retrievers.map((retriever) =>
          retriever.retrieve(
            texts.map((text) => ({ text, round: 1 })),
            { k: depth },
          ),
        ),
      ),
    )
  const [bareMs, searchMs] = await inTurns(searches, warmUp, () => {
    const text = words(wordsPerQuery)
    rewrites = Array.from({ length: subQueries }, () => words(wordsPerQuery))
    return [() => bare(text), () => optimizer.search(text)]
  })
  const overhead = searchMs.map((ms, call) => ms - bareMs[call]!)
  return {
    policy: name,
    retrievers: retrievers.length,
    bare_p50_us: microseconds(median(bareMs)),
    search_p50_us: microseconds(median(searchMs)),
    overhead_p50_us: microseconds(median(overhead)),
    overhead_p95_us: microseconds(percentile(overhead, 0.95)),
  }
}

await printWhenMain(import.meta.filename, run)
