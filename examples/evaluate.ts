/** Compares the local policy with the original query, on the judged queries of `my-collection` in the index `my-index`. */
import { createOptimizer } from 'querent'
import { assertHolds, baselineOf, compare, evaluate, readBeir } from 'querent/evaluation'
import { openIndex } from 'querent/index-folder'
import { localPolicy } from 'querent/policies/local'

const index = await openIndex('my-index')
const { retrievers } = index
const documents = (docids: readonly string[]) => index.documents.get(docids)
const baseline = createOptimizer({ retrievers })
const optimizer = createOptimizer({ retrievers, documents, ...(await localPolicy({ retrievers })) })

const { queries, qrels } = await readBeir('my-collection')
const metrics = ['recall@5', 'ndcg@10']
const before = await evaluate(baseline.search, queries, qrels, { metrics })
const after = await evaluate(optimizer.search, queries, qrels, { metrics })
const { systems } = compare(
  [
    { name: 'original query', evaluation: before },
    { name: 'local policy', evaluation: after },
  ],
  { collection: 'my-collection', k: 100, depth: 100 },
)
for (const { name, summary } of systems) console.log(name, summary.metrics)

// Throws if the policy finds less than the original query, or too little.
assertHolds(after, { baseline: baselineOf(before), atLeast: { 'ndcg@10': 0.42 } })

await index.close()
