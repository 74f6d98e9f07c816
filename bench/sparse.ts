/**
 * Whether learned sparse retrieval (SPLADE) beats BM25, or adds to it when their lists are fused. Prints a table.
 *
 *     node scripts/install-native.mjs && node scripts/export-model.mjs splade-tiny      # after npm run build
 *     npx tsx bench/sparse.ts [--model splade-tiny] [--collections <folder>] [--indexes <folder>] [nq-train …]
 *
 * The collections are those of ../shared/data. Documents are encoded once; their index is kept in the folder of `--indexes`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { onnxSparseEncoder } from '../adapters/models/onnx-sparse.ts'
import { buildSparse, loadSparse } from '../adapters/search/sparse.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { type Source, trainingSources } from '../scripts/training-sources.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import type { Document, Fusion, Hit, RankedList, Retriever } from '../src/types.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', default: 'splade-tiny' },
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench/sparse' },
  },
})
const encoder = await onnxSparseEncoder({ model: values.model, threads: 1 })

const depth = 100
const metrics = ['ndcg@10', 'recall@5']
const fused: Readonly<Record<string, Fusion>> = {
  'both, rank-score': rankScore(),
  'both, RRF(60)': rrf(),
}
const all: readonly Source[] = [...trainingSources, { name: 'cranfield' }]
const sources = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

async function corpusOf(name: string): Promise<readonly Document[]> {
  const corpus: Document[] = []
  for await (const document of readCorpus(await findCorpus(join(values.collections, name))))
    corpus.push(document)
  return corpus
}

async function sparseOf(name: string, corpus: readonly Document[]): Promise<Retriever> {
  const folder = join(values.indexes, name)
  if (existsSync(folder)) return loadSparse(folder, { encoder })
  const start = performance.now()
  const index = await buildSparse(corpus, { encoder, keepDocuments: false })
  console.error(`${name}: ${((performance.now() - start) / corpus.length).toFixed(1)} ms a document`)
  await index.save(folder)
  return index
}

interface Row {
  readonly collection: string
  readonly system: string
  readonly figures: readonly number[]
  /** Against BM25, one for each metric. */
  readonly p: readonly number[]
}

async function rowsOf({
  name,
  folder: own = name,
  index = own,
  split,
  queries,
  qrels,
}: Source): Promise<Row[]> {
  const folder = join(values.collections, own)
  const judged = await readBeir(folder, {
    ...(split && { split }),
    ...(queries && { queries: join(folder, queries) }),
    ...(qrels && { qrels: join(folder, qrels) }),
  })
  const asked = judged.queries.filter(({ qid }) => judged.qrels.has(qid!))
  const qids = asked.map(({ qid }) => qid!)
  const corpus = await corpusOf(index)
  const retrievers = [await buildWinkBm25(corpus), await sparseOf(index, corpus)]

  const runs = new Map(
    ['BM25', 'SPLADE', ...Object.keys(fused)].map((system) => [system, new Map<string, readonly Hit[]>()]),
  )
  for (const { qid, text } of asked) {
    const lists: RankedList[] = []
    for (const retriever of retrievers)
      lists.push((await retriever.retrieve([{ text, round: 0 }], { k: depth }))[0] as RankedList)
    runs.get('BM25')!.set(qid!, lists[0]!.hits)
    runs.get('SPLADE')!.set(qid!, lists[1]!.hits)
    for (const [system, { fuse }] of Object.entries(fused))
      runs.get(system)!.set(qid!, fuse(lists, { k: depth }))
  }

  const scored = Array.from(runs.values(), (run) => scoreRun(run, judged.qrels, metrics, qids))
  const valuesOf = (system: number, metric: string): number[] =>
    qids.map((qid) => scored[system]!.values.get(metric)!.get(qid)!)
  return [...runs.keys()].map((system, at) => ({
    collection: `${name} (${qids.length})`,
    system,
    figures: metrics.map((metric) => 100 * scored[at]!.means.get(metric)!),
    p:
      at === 0 ? [] : metrics.map((metric) => randomizationTest(valuesOf(at, metric), valuesOf(0, metric)).p),
  }))
}

const rows: Row[] = []
for (const source of sources) rows.push(...(await rowsOf(source)))
const corrected = holm(rows.flatMap(({ p }) => p))
console.log(`| collection | searched by | ${metrics.map((metric) => `${metric} | p`).join(' | ')} |`)
console.log(`| --- | --- |${metrics.map(() => ' ---: | ---: |').join('')}`)
for (const { collection, system, figures, p } of rows) {
  const cells = figures.flatMap((figure, at) => [
    figure.toFixed(1),
    p[at] === undefined ? '' : corrected.shift()!.toFixed(4),
  ])
  console.log(`| ${collection} | ${system} | ${cells.join(' | ')} |`)
}
await encoder.close?.()
