/**
 * How much of the evidence of multi-hop questions gets through SPARKLE, stage by stage, with agents that know: each thought is the next
 * sub-question of the collection, all are searched, and a fact of a relevant document is chosen if one is shown. Prints a table, which
 * bounds the pipeline and says nothing about models.
 *
 *     npx tsx bench/sparkle-facts.ts <BEIR folder> --index <dir> [--split test] [--limit 300]
 */
import { parseArgs } from 'node:util'
import {
  documentsAsTriples,
  type SparkleOptions,
  sentencesAsTriples,
  sparkle,
} from '../policies/sparkle/sparkle.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Query } from '../src/types.ts'
import { readHops } from './hops.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    index: { type: 'string' },
    split: { type: 'string', default: 'test' },
    limit: { type: 'string', default: '300' },
  },
})
const [folder] = positionals
if (folder === undefined || values.index === undefined) throw new Error('Give a BEIR folder and --index.')

const { queries, qrels } = await readBeir(folder, { split: values.split })
const hops = await readHops(folder, { split: values.split })
const judged = queries.filter(({ qid = '' }) => hops.get(qid)!.length > 0).slice(0, Number(values.limit))
const index = await openIndex(values.index, { retrievers: ['bm25'] })

/** Shares of the relevant documents: found in ten, and chosen; and whether all were chosen. */
async function followed(query: Query, triples: SparkleOptions['triples']): Promise<number[]> {
  const relevant = [...qrels.get(query.qid!)!].filter(([, grade]) => grade > 0).map(([docid]) => docid)
  const texts = hops.get(query.qid!)!.map(({ text }) => text)
  const wanted = new Set(relevant)
  const policy = sparkle({
    triples,
    maxSteps: texts.length + 1,
    maxRounds: texts.length,
    rules: {
      'reading/standalone': ({ question }) => question,
      'sparkle/think': ({ thoughts }) =>
        thoughts.length < texts.length ? { thought: texts[thoughts.length]! } : { answer: 'known' },
      'sparkle/decide': () => true,
      'sparkle/formulate': ({ thoughts }) => ({ chain: '', query: thoughts.at(-1)! }),
      'sparkle/integrate': ({ candidates }) => {
        const chosen = candidates.find(({ docid }) => wanted.has(docid))
        wanted.delete(chosen?.docid ?? '')
        return chosen === undefined ? [] : [chosen]
      },
    },
  })
  const { search } = createOptimizer({
    retrievers: index.retrievers,
    documents: (docids) => index.documents.get(docids),
    legTimeout: 60_000,
    policy,
  })
  const { trace } = await search(query)
  const shareOf = (docids: ReadonlySet<string>): number =>
    relevant.filter((docid) => docids.has(docid)).length / relevant.length
  const rounds = trace.steps.flatMap((step) => (step.type === 'retrieve' && step.round > 0 ? step.legs : []))
  const found = new Set(rounds.flatMap(({ hits = [] }) => hits.slice(0, 10).map(({ docid }) => docid)))
  const chosen = shareOf(new Set(trace.outcome.citations))
  return [shareOf(found), chosen, chosen === 1 ? 1 : 0]
}

const rows: string[] = []
for (const [name, triples] of [
  ['sentences', sentencesAsTriples()],
  ['documents', documentsAsTriples()],
] as const) {
  const sums = [0, 0, 0]
  for (const query of judged)
    for (const [place, share] of (await followed(query, triples)).entries()) sums[place]! += share
  const cells = sums.map((sum) => ((100 * sum) / judged.length).toFixed(1))
  rows.push(`| ${name} | ${cells.join(' | ')} |`)
}
await index.close()
console.log(
  [
    `${judged.length} questions`,
    '',
    '| facts are | found in 10 documents a hop | chosen among 20 facts | all chosen |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
  ].join('\n'),
)
