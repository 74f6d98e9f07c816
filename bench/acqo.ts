/**
 * What ACQO's parts are worth on the judged collections that have a language model's recorded rewrites: the paper's
 * Table 5, with rank-score fusion against RRF(60), with and without decomposition, with the original's vote, and with
 * the two ways of merging several retrievers. One search a query; all variants are fused from the legs in its trace.
 *
 *     npx tsx bench/acqo.ts [--collections <folder>] [--indexes <folder>] [--json]
 *
 * `--indexes` holds one index a collection, made by `querent index … --dense`; one that is missing is made, which takes
 * minutes for its vectors.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { openaiChat } from '../adapters/models/openai.ts'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { startChatReplay } from '../scripts/chat-replay.mjs'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import { buildIndex } from '../src/index-folder/build.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Fusion, Hit, Query, RankedList, Retriever, Trace } from '../src/types.ts'

const names = ['hotpotqa-train', '2wikimultihopqa-train', 'musique-train', 'mtrag', 'scifact']
const metrics = ['recall@5', 'ndcg@10', 'ndcg@3', 'mrr@3', 'map@10', 'recall@4']

/** The lists of one search: those of the original query, and those of the sub-queries that were decided on. */
interface Searched {
  readonly original: readonly RankedList[]
  readonly decided: readonly RankedList[]
}

const first = ({ decided }: Searched): RankedList[] => {
  const text = decided[0]?.subQuery.text
  return decided.filter(({ subQuery }) => subQuery.text === text)
}

/** What is compared: how the lists of a search become one. */
const variants: Readonly<Record<string, (searched: Searched) => Hit[]>> = {
  'as it is': ({ original }) => rankScore().fuse(original),
  'rank-score': ({ decided }) => rankScore().fuse(decided),
  'rank-score, original votes': ({ original, decided }) =>
    rankScore().fuse([...new Set([...original, ...decided])]),
  'RRF(60)': ({ decided }) => rrf({ k: 60 }).fuse(decided),
  'no decomposition (first sub-query)': (searched) => rankScore().fuse(first(searched)),
  'rank-score, each retriever first': ({ decided }) => retrieverFirst(decided, rankScore()),
  'RRF(60), each retriever first': ({ decided }) => retrieverFirst(decided, rrf({ k: 60 })),
}

/** The sub-queries' lists are merged within each retriever, and then what comes of that. */
function retrieverFirst(lists: readonly RankedList[], fusion: Fusion): Hit[] {
  const retrievers = [...new Set(lists.map(({ retriever }) => retriever))]
  const merged = retrievers.map((retriever) => {
    const own = lists.filter((list) => list.retriever === retriever)
    return { retriever, subQuery: own[0]!.subQuery, hits: fusion.fuse(own) }
  })
  return fusion.fuse(merged)
}

interface Row {
  readonly collection: string
  readonly retrievers: string
  readonly variant: string
  readonly queries: number
  readonly means: Readonly<Record<string, number>>
  /** Against rank-score on the first metric: Holm-corrected within a collection and its retrievers. */
  readonly p: number | undefined
}

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
    json: { type: 'boolean', default: false },
  },
})

const rows: Row[] = []
for (const name of names) {
  const folder = join(values.collections, name)
  if (!existsSync(join(folder, 'rewrites.jsonl'))) {
    console.error(`${folder} is absent: left out`)
    continue
  }
  rows.push(...(await study(name, folder)))
}
if (values.json) console.log(JSON.stringify(rows, null, 2))
else print()

async function study(name: string, folder: string): Promise<Row[]> {
  const index = await openedIndex(join(values.indexes, name), folder)
  const recorded = join(folder, 'rewrites.jsonl')
  const server = await startChatReplay({ files: [recorded] })
  const { queries, qrels } = await readBeir(folder, {})
  const lines = (await readFile(recorded, 'utf8')).trim().split('\n')
  const sampled = new Set(lines.map((line) => (JSON.parse(line) as { qid: string }).qid))
  const sample = queries.filter(({ qid }) => qid !== undefined && sampled.has(qid))
  const chat = openaiChat({ model: 'replay', baseUrl: server.url })
  const [bm25, dense] = index.retrievers as [Retriever, Retriever]
  const made: Row[] = []
  for (const retrievers of [[bm25], [dense], [bm25, dense]]) {
    const optimizer = createOptimizer({
      retrievers,
      policy: acqo(),
      chat,
      budget: { timeout: 60_000 },
      legTimeout: 60_000,
    })
    const searched = new Map<string, Searched>()
    for (const query of sample) searched.set(query.qid!, await lists(optimizer.search, query))
    made.push(...compared(name, retrievers.map((retriever) => retriever.name).join('+'), searched, qrels))
  }
  await server.close()
  await index.close()
  return made
}

async function openedIndex(out: string, folder: string): Promise<Awaited<ReturnType<typeof openIndex>>> {
  if (!existsSync(join(out, 'index.json'))) {
    console.error(`indexing ${folder}, vectors included: this takes minutes`)
    await buildIndex(readCorpus(join(folder, 'corpus.jsonl')), { out, dense: await onnxEmbedder() })
  }
  return openIndex(out, { retrievers: ['bm25', 'dense'], embedder: ({ model }) => onnxEmbedder({ model }) })
}

async function lists(search: (query: Query) => Promise<{ trace: Trace }>, query: Query): Promise<Searched> {
  const { trace } = await search(query)
  if (trace.fallback !== undefined) throw new Error(`${query.qid} fell back: ${trace.fallback.message}`)
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const all = legs.map(({ retriever, subQuery, hits = [] }) => ({
    retriever,
    subQuery,
    hits: hits.map((hit, index) => ({ ...hit, rank: index + 1 })),
  }))
  const key = (text: string): string => text.trim().toLowerCase()
  const wanted = new Set(trace.subQueries.map(({ text }) => key(text)))
  return {
    original: all.filter(({ subQuery }) => subQuery.text === query.text),
    decided: all.filter(({ subQuery }) => wanted.has(key(subQuery.text))),
  }
}

function compared(
  collection: string,
  retrievers: string,
  searched: ReadonlyMap<string, Searched>,
  qrels: Parameters<typeof scoreRun>[1],
): Row[] {
  const qids = [...searched.keys()]
  const scored = Object.entries(variants).map(([variant, fuse]) => {
    const run = new Map(Array.from(searched, ([qid, found]) => [qid, fuse(found)]))
    return { variant, scores: scoreRun(run, qrels, metrics, qids) }
  })
  const main = metrics[collection === 'mtrag' || collection === 'scifact' ? 1 : 0]!
  const valuesOf = ({ scores }: (typeof scored)[number]): number[] =>
    qids.map((qid) => scores.values.get(main)!.get(qid)!)
  const reference = valuesOf(scored.find(({ variant }) => variant === 'rank-score')!)
  const others = scored.filter(({ variant }) => variant !== 'rank-score')
  const corrected = holm(others.map((other) => randomizationTest(reference, valuesOf(other)).p))
  const p = new Map(others.map(({ variant }, index) => [variant, corrected[index]]))
  return scored.map(({ variant, scores }) => ({
    collection,
    retrievers,
    variant,
    queries: qids.length,
    means: Object.fromEntries(scores.means),
    p: p.get(variant),
  }))
}

function print(): void {
  console.log(`| collection | retrievers | fused | ${metrics.join(' | ')} | p |`)
  console.log(`| --- | --- | --- |${metrics.map(() => ' --- |').join('')} --- |`)
  for (const { collection, retrievers, variant, queries, means, p } of rows) {
    const figures = metrics.map((metric) => (100 * means[metric]!).toFixed(1)).join(' | ')
    console.log(
      `| ${collection} (${queries}) | ${retrievers} | ${variant} | ${figures} | ${p?.toFixed(4) ?? ''} |`,
    )
  }
}
