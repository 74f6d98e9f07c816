/** BM25 with its defaults on judged collections, against the figures of another BM25 with the same settings. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { scoreRun } from '../../src/evaluation/score.ts'
import type { Hit } from '../../src/types.ts'

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

// k1 0.9, b 0.4, title and text, Lucene's stop words, Porter stems.
const figures = [
  { collection: 'hotpotqa-train', metric: 'recall@5', percent: 74.0 },
  { collection: '2wikimultihopqa-train', metric: 'recall@5', percent: 67.0 },
  { collection: 'scifact', metric: 'ndcg@10', percent: 67.6 },
  { collection: 'cranfield', metric: 'ndcg@10', percent: 40.3 },
  { collection: 'mtrag', metric: 'ndcg@10', percent: 33.8 },
]

for (const { collection, metric, percent } of figures) {
  const folder = `${data}${collection}`
  const title = `has ${metric} ${percent} on ${collection}, at most 1 point below and 2 above`
  it.skipIf(!existsSync(folder))(`${title} (needs the judged collections in ../shared/data)`, async () => {
    const { queries, qrels } = await readBeir(folder)
    const retriever = await buildWinkBm25(readCorpus(await findCorpus(folder)))
    const run = new Map<string, readonly Hit[]>()
    for (const { qid, text } of queries) {
      const [leg] = await retriever.retrieve([{ text, round: 1 }], { k: 10 })
      run.set(qid!, leg!.hits!)
    }
    const found = 100 * scoreRun(run, qrels, [metric]).means.get(metric)!
    expect(found).toBeGreaterThan(percent - 1)
    expect(found).toBeLessThan(percent + 2)
  })
}
