/**
 * What ACQO's parts are worth on the judged collections that have a language model's recorded rewrites: the paper's Table 5, with
 * rank-score fusion against RRF(60), with and without decomposition, with the original's vote, and with the two ways of merging
 * several retrievers. Each query and its rewrites are searched once; all variants are fused from these lists.
 *
 *     npx tsx bench/acqo.ts [--collections <folder>] [--indexes <folder>]
 *
 * `--indexes` holds one index a collection, made by `querent index … --dense`.
 */
import { parseArgs } from 'node:util'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import type { Fusion, Hit, RankedList, Retriever } from '../src/types.ts'
import { type Loaded, loadCollection } from './local-collections.ts'

const names = ['hotpotqa-train', '2wikimultihopqa-train', 'musique-train', 'mtrag', 'scifact']
const metrics = ['recall@5', 'ndcg@10', 'ndcg@3', 'mrr@3', 'map@10', 'recall@4']
/** `acqo` searches the first three. */
const acqoSubQueries = 3

/** The lists of one query: those of the query as it is, and those of the sub-queries. */
interface Searched {
  readonly original: readonly RankedList[]
  readonly decided: readonly RankedList[]
}

/** What is compared: how the lists of a search become one. */
const variants: Readonly<Record<string, (searched: Searched) => Hit[]>> = {
  'as it is': ({ original }) => rankScore().fuse(original),
  'rank-score': ({ decided }) => rankScore().fuse(decided),
  'rank-score, original votes': ({ original, decided }) =>
    rankScore().fuse([...new Set([...original, ...decided])]),
  'RRF(60)': ({ decided }) => rrf({ k: 60 }).fuse(decided),
  'no decomposition (first sub-query)': ({ decided }) =>
    rankScore().fuse(decided.filter(({ subQuery }) => subQuery.text === decided[0]!.subQuery.text)),
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

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
  },
})

console.log(`| collection | retrievers | fused | ${metrics.join(' | ')} | p |`)
console.log(`| --- | --- | --- |${metrics.map(() => ' --- |').join('')} --- |`)
const where = { ...values, retrievers: ['bm25', 'dense'], embedder: await onnxEmbedder() }
for (const name of names) {
  const loaded = await loadCollection({ name }, where)
  const [bm25, dense] = loaded.retrievers as [Retriever, Retriever]
  for (const retrievers of [[bm25], [dense], [bm25, dense]]) await compare(name, loaded, retrievers)
  await loaded.close()
}

async function compare(name: string, loaded: Loaded, retrievers: readonly Retriever[]): Promise<void> {
  const searched = new Map<string, Searched>()
  for (const { qid = '', text } of loaded.queries)
    if (loaded.rewrites.has(qid))
      searched.set(qid, await search(text, loaded.rewrites.get(qid)!.slice(0, acqoSubQueries), retrievers))
  const qids = [...searched.keys()]
  const scored = Object.entries(variants).map(([variant, fuse]) => {
    const run = new Map(Array.from(searched, ([qid, found]) => [qid, fuse(found)]))
    return { variant, ...scoreRun(run, loaded.qrels, metrics, qids) }
  })
  const main = metrics[name === 'mtrag' || name === 'scifact' ? 1 : 0]!
  const valuesOf = (variant: string): number[] => {
    const { values } = scored.find((one) => one.variant === variant)!
    return qids.map((qid) => values.get(main)!.get(qid)!)
  }
  const others = Object.keys(variants).filter((variant) => variant !== 'rank-score')
  const corrected = holm(
    others.map((variant) => randomizationTest(valuesOf('rank-score'), valuesOf(variant)).p),
  )
  for (const { variant, means } of scored) {
    const figures = metrics.map((metric) => (100 * means.get(metric)!).toFixed(1)).join(' | ')
    const used = retrievers.map((retriever) => retriever.name).join('+')
    const p = corrected[others.indexOf(variant)]?.toFixed(4) ?? ''
    console.log(`| ${name} (${qids.length}) | ${used} | ${variant} | ${figures} | ${p} |`)
  }
}

/** Texts that differ only in case are one sub-query, and one that is the query itself has its lists. */
async function search(
  query: string,
  rewrites: readonly string[],
  retrievers: readonly Retriever[],
): Promise<Searched> {
  const key = (text: string): string => text.trim().toLowerCase()
  const texts = new Map([query, ...rewrites].toReversed().map((text) => [key(text), text]))
  const subQueries = Array.from(texts.values(), (text) => ({ text, round: 1 })).toReversed()
  const legs = await Promise.all(retrievers.map((retriever) => retriever.retrieve(subQueries, { k: 100 })))
  const lists = legs.flat() as RankedList[]
  const wanted = new Set(rewrites.map(key))
  return {
    original: lists.filter(({ subQuery }) => subQuery.text === query),
    decided: lists.filter(({ subQuery }) => wanted.has(key(subQuery.text))),
  }
}
