/**
 * How many judged queries a policy needs: trained on more and more of a collection's, judged by others that share no relevant
 * document with them. Prints a table.
 *
 *     npx tsx bench/training-size.ts <BEIR folder> --index <dir> [--split train] [--retrievers bm25] [--seeds 3]
 *       [--sizes 20,50,100,200,500] [--against <policy file>]
 *
 * `--against`: a policy that was trained elsewhere, for comparison. Each seed holds out another fifth.
 */
import { parseArgs } from 'node:util'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { type LocalPolicy, makeLocalPolicy } from '../policies/local/local-policy.ts'
import { readPolicy } from '../policies/local/policy-store.ts'
import { trainOnIndexes } from '../policies/local/training/train-on-indexes.ts'
import { none } from '../policies/none.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { evaluate } from '../src/evaluation/evaluate.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { foldsOf } from '../src/learn/folds.ts'
import { createRandom, permutation } from '../src/learn/random.ts'
import { mean } from '../src/learn/statistics.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { conversationOf } from '../src/training/data/conversations.ts'
import { relevantOf } from '../src/training/data/relevant-docs.ts'
import type { Query } from '../src/types.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    index: { type: 'string' },
    split: { type: 'string', default: 'test' },
    retrievers: { type: 'string', default: 'bm25' },
    seeds: { type: 'string', default: '3' },
    sizes: { type: 'string', default: '20,50,100,200,500' },
    against: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined || values.index === undefined) throw new Error('Give a BEIR folder and --index.')

const metrics = ['recall@5', 'ndcg@10']
const { queries, qrels } = await readBeir(folder, { split: values.split })
const index = await openIndex(values.index, {
  retrievers: values.retrievers.split(','),
  embedder: ({ model }) => onnxEmbedder({ model }),
})
const judged = queries.filter(({ qid }) => relevantOf(qrels.get(qid ?? '')).length > 0)
const keys = judged.map((query) => [conversationOf(query), ...relevantOf(qrels.get(query.qid!))])

/** Name of a row → for each seed its figures, in %. */
const rows = new Map<string, number[][]>()
for (let seed = 1; seed <= Number(values.seeds); seed++) {
  const folds = foldsOf(keys, 5, seed)
  const held = judged.filter((_, place) => folds[place] === 0)
  const others = judged.filter((_, place) => folds[place] !== 0)
  const order = [...permutation(others.length, createRandom(seed))].map((place) => others[place]!)
  await measure('original query', held, { policy: none() })
  if (values.against !== undefined)
    await measure('trained elsewhere', held, makeLocalPolicy(await readPolicy(values.against)))
  for (const size of [
    ...values.sizes
      .split(',')
      .map(Number)
      .filter((one) => one < order.length),
    order.length,
  ]) {
    const start = performance.now()
    const collection = { name: 'collection', queries: order.slice(0, size), qrels, index }
    const { policy } = await trainOnIndexes([collection], { seed })
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    console.error(`seed ${seed}, ${size} queries: ${seconds} s`)
    await measure(size === order.length ? 'all others' : String(size), held, makeLocalPolicy(policy))
  }
}
await index.close()
console.log(
  [
    '| trained on | recall@5, decision | recall@5, re-ranked | nDCG@10, decision | nDCG@10, re-ranked | left unchanged |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...[...rows].map(([name, seeds]) => {
      const figures = seeds[0]!.map((_, column) => mean(seeds.map((figure) => figure[column]!)).toFixed(1))
      return `| ${name} | ${figures.join(' | ')} |`
    }),
  ].join('\n'),
)

async function measure(name: string, held: readonly Query[], made: LocalPolicy): Promise<void> {
  const searched = {
    retrievers: index.retrievers,
    documents: (docids: readonly string[]) => index.documents.get(docids),
  }
  const [alone, reranked] = [
    await evaluate(createOptimizer({ ...searched, policy: made.policy }).search, held, qrels, { metrics }),
    await evaluate(createOptimizer({ ...searched, ...made }).search, held, qrels, { metrics }),
  ]
  const figure = (metric: string): number[] =>
    [alone, reranked].map(({ summary }) => 100 * summary.metrics[metric]!)
  const leftAlone = (100 * alone.summary.decisions['as-is']) / alone.summary.queries
  rows.set(name, [...(rows.get(name) ?? []), [...metrics.flatMap(figure), leftAlone]])
}
