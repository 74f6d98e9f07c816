/**
 * What the bundled policy brings over a public collection, in BEIR's own layout as it is downloaded (corpus.jsonl, queries.jsonl,
 * qrels/test.tsv). BM25 in the process; the query alone, the decision, and the decision re-ranked, with paired tests.
 *
 *     npx tsx bench/beir.ts <folder> [--split test] [--metrics ndcg@10,recall@100]
 *
 * Figures are those of `querent compare` over an index of the folder, which is not kept.
 */
import { parseArgs } from 'node:util'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { none } from '../policies/none.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { evaluate } from '../src/evaluation/evaluate.ts'
import { randomizationTest } from '../src/evaluation/significance.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Document } from '../src/types.ts'
import { rounded } from './numbers.ts'
import { print } from './print.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'test' },
    metrics: { type: 'string', default: 'ndcg@10,recall@100' },
  },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Give the folder of a collection: npx tsx bench/beir.ts scifact')
  process.exit(2)
}
const metrics = values.metrics.split(',')
const { queries, qrels } = await readBeir(folder, { split: values.split })
const documents: Document[] = []
for await (const document of readCorpus(await findCorpus(folder))) documents.push(document)
const retrievers = [await buildWinkBm25(documents)]
const local = await localPolicy({ retrievers })
const systems = {
  BM25: { policy: none() },
  decision: { policy: local.policy },
  'decision, re-ranked': local,
}

const rows: Record<string, string | number>[] = []
const alone = new Map<string, readonly number[]>()
for (const [system, parts] of Object.entries(systems)) {
  const { search } = createOptimizer({ retrievers, ...parts })
  const { values: found, summary, qids } = await evaluate(search, queries, qrels, { metrics, k: 100 })
  for (const metric of metrics) {
    const each = qids.map((qid) => found.get(metric)!.get(qid)!)
    const before = alone.get(metric)
    if (before === undefined) alone.set(metric, each)
    rows.push({
      metric,
      system,
      mean: rounded(100 * summary.metrics[metric]!),
      p: before === undefined ? '' : rounded(randomizationTest(each, before, { rounds: 10_000, seed: 1 }).p),
      left_alone: rounded((100 * summary.leftAlone) / summary.queries),
    })
  }
}
await local.policy.close?.()
const notes = [
  `${documents.length} documents, ${alone.get(metrics[0]!)?.length} judged queries; lists of 100 hits. mean in %.`,
  'p: paired randomization test against BM25, not corrected for the number of tests. left_alone: % of queries with one request.',
]
print({ name: `beir ${folder}`, rows, notes })
