/**
 * How deep the lists of sub-queries have to be where nothing is re-ranked: with as many hits as the window each, and sharing a
 * page's worth or 15, 30 where there is one, as wrapped clients and the proxy ask for them (`leg-body.ts`). The caller's own
 * list is as long as the page, and goes on behind the fused one.
 *
 *     npx tsx bench/leg-depth.ts [--collections <folder>] [--indexes <folder>]
 *
 * `--indexes` holds one index a collection, made by `querent index`.
 */
import { parseArgs } from 'node:util'
import { legDepth } from '../adapters/apps/drop-in/plan/leg-body.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import type { Hit, Query, RankedList, Retriever } from '../src/types.ts'
import { type Loaded, loadCollection } from './local-collections.ts'

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
  },
})
const names = ['hotpotqa-train', '2wikimultihopqa-train', 'musique-train', 'mtrag', 'scifact']
const window = 100
const metrics = ['recall@5', 'recall@10', 'recall@20', 'recall@100', 'ndcg@10']

const depths: Readonly<Record<string, (size: number, count: number) => number>> = {
  'the window each': () => window,
  shared: (size, count) => legDepth({ from: 0, size, depth: window }, count, false),
}

/** A language model's recorded sub-queries, with and without the query's own vote. */
const recorded = ({ rewrites }: Loaded, withOriginal: boolean): Policy => ({
  name: withOriginal ? 'rewrites and the query' : 'rewrites',
  async run({ qid, text }, tools) {
    const texts = rewrites.get(qid!)!
    const legs = await tools.retrieve(
      [...(withOriginal ? [text] : []), ...texts].map((words) => ({ text: words })),
      { reason: 'recorded' },
    )
    return { hits: tools.fuse(legs) }
  },
})

/** The lists of one retriever, the query's own as long as a page. */
function cut(retriever: Retriever, query: Query, size: number, depth: (count: number) => number): Retriever {
  return {
    ...retriever,
    async retrieve(subQueries, options) {
      const others = subQueries.filter(({ text }) => text !== query.text).length
      const legs = await retriever.retrieve(subQueries, { ...options, k: window })
      return legs.map((leg) =>
        leg.error === undefined
          ? { ...leg, hits: leg.hits.slice(0, leg.subQuery.text === query.text ? size : depth(others)) }
          : leg,
      )
    },
  }
}

async function found(
  { retrievers: [retriever], documents }: Loaded,
  policy: Policy,
  query: Query,
  size: number,
  depth: (count: number) => number,
): Promise<readonly Hit[]> {
  const optimizer = createOptimizer({
    retrievers: [cut(retriever!, query, size, depth)],
    policy,
    documents,
    k: window * 16,
    budget: { timeout: 60_000 },
    legTimeout: 60_000,
  })
  const { hits } = await optimizer.search(query)
  const own = await retriever!.retrieve([{ text: query.text, round: 0 }], { k: window })
  const known = new Set(hits.map(({ docid }) => docid))
  const behind = (own[0] as RankedList).hits.filter(({ docid }) => !known.has(docid))
  return [...hits, ...behind].slice(0, window)
}

console.log(`| collection | policy | page | lists | ${metrics.join(' | ')} | p (recall@10) |`)
console.log(`| --- | --- | ---: | --- |${metrics.map(() => ' ---: |').join('')} ---: |`)
const lines: { readonly text: string; readonly p?: number }[] = []
for (const name of names) {
  const loaded = await loadCollection(
    { name },
    { collections: values.collections, indexes: values.indexes, retrievers: ['bm25'] },
  )
  const local = (await localPolicy({ rerank: false, retrievers: loaded.retrievers })).policy
  for (const policy of [recorded(loaded, false), recorded(loaded, true), local]) {
    const queries = loaded.queries.filter(({ qid }) => policy === local || loaded.rewrites.has(qid!))
    const qids = queries.map(({ qid }) => qid!)
    for (const size of [10, 100]) {
      const scored = []
      for (const [lists, depth] of Object.entries(depths)) {
        const run = new Map<string, readonly Hit[]>()
        for (const query of queries)
          run.set(query.qid!, await found(loaded, policy, query, size, (count) => depth(size, count)))
        scored.push({ lists, scores: scoreRun(run, loaded.qrels, metrics, qids) })
      }
      const [deep, shared] = scored.map(({ scores }) =>
        qids.map((qid) => scores.values.get('recall@10')!.get(qid)!),
      )
      const { p } = randomizationTest(deep!, shared!)
      for (const { lists, scores } of scored) {
        const figures = metrics.map((metric) => (100 * scores.means.get(metric)!).toFixed(2)).join(' | ')
        const text = `| ${name} (${qids.length}) | ${policy.name} | ${size} | ${lists} | ${figures} |`
        lines.push(lists === 'shared' ? { text, p } : { text })
      }
    }
  }
  await loaded.close()
}
const corrected = holm(lines.flatMap(({ p }) => (p === undefined ? [] : [p])))
for (const { text, p } of lines)
  console.log(p === undefined ? `${text} |` : `${text} ${corrected.shift()!.toFixed(3)} |`)
