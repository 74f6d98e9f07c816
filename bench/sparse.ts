/**
 * Whether learned sparse retrieval (SPLADE) beats BM25, or adds to it when their lists are fused. Prints a table.
 *
 *     node scripts/install-native.mjs && node scripts/export-model.mjs splade-tiny      # after npm run build
 *     npx tsx bench/sparse.ts [--collections <folder>] [--indexes <folder>] nq-train boolq-train …
 *
 * Documents are encoded once; their sparse index is kept in the folder of `--indexes`, beside that of their words.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { onnxSparseEncoder } from '../adapters/models/onnx-sparse.ts'
import { buildSparse, loadSparse } from '../adapters/search/sparse.ts'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { indexOf, type Source, trainingSources } from '../scripts/training-sources.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import type { Hit, RankedList, Retriever } from '../src/types.ts'
import { type Loaded, loadCollection } from './local-collections.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
  },
})
const encoder = await onnxSparseEncoder({ model: 'splade-tiny', threads: 1 })
const metrics = ['ndcg@10', 'recall@5']

/** Given the lists of BM25 and of SPLADE. */
const systems: Readonly<Record<string, (lists: readonly RankedList[]) => readonly Hit[]>> = {
  BM25: ([bm25]) => bm25!.hits,
  SPLADE: ([, splade]) => splade!.hits,
  'both, rank-score': (lists) => rankScore().fuse(lists, { k: 100 }),
  'both, RRF(60)': (lists) => rrf().fuse(lists, { k: 100 }),
}

async function sparseOf({ corpus }: Loaded, folder: string): Promise<Retriever> {
  if (existsSync(folder)) return loadSparse(folder, { encoder })
  const index = await buildSparse(corpus.values(), { encoder, keepDocuments: false })
  await index.save(folder)
  return index
}

async function rowsOf(source: Source) {
  const loaded = await loadCollection(source, { ...values, retrievers: ['bm25'] })
  const sparse = await sparseOf(loaded, join(values.indexes, 'sparse', indexOf(source)))
  const runs = Object.keys(systems).map(() => new Map<string, readonly Hit[]>())
  for (const { qid = '', text } of loaded.queries) {
    if (!loaded.qrels.has(qid)) continue
    const lists: RankedList[] = []
    for (const retriever of [...loaded.retrievers, sparse])
      lists.push((await retriever.retrieve([{ text, round: 0 }], { k: 100 }))[0] as RankedList)
    for (const [at, fuse] of Object.values(systems).entries()) runs[at]!.set(qid, fuse(lists))
  }
  const qids = [...runs[0]!.keys()]
  const scored = runs.map((run) => scoreRun(run, loaded.qrels, metrics, qids))
  const valuesOf = (at: number, metric: string): number[] =>
    qids.map((qid) => scored[at]!.values.get(metric)!.get(qid)!)
  await loaded.close()
  return Object.keys(systems).map((system, at) => ({
    name: `| ${source.name} (${qids.length}) | ${system} |`,
    figures: metrics.map((metric) => 100 * scored[at]!.means.get(metric)!),
    /** Against BM25. */
    p:
      at === 0 ? [] : metrics.map((metric) => randomizationTest(valuesOf(at, metric), valuesOf(0, metric)).p),
  }))
}

const rows = []
for (const source of trainingSources)
  if (positionals.includes(source.name)) rows.push(...(await rowsOf(source)))
const corrected = holm(rows.flatMap(({ p }) => p))
console.log(`| collection | searched by | ${metrics.map((metric) => `${metric} | p`).join(' | ')} |`)
console.log(`| --- | --- |${metrics.map(() => ' ---: | ---: |').join('')}`)
for (const { name, figures, p } of rows) {
  const cells = figures.flatMap((figure, at) => [
    figure.toFixed(1),
    p[at] === undefined ? '' : corrected.shift()!.toFixed(4),
  ])
  console.log(`${name} ${cells.join(' | ')} |`)
}
await encoder.close?.()
