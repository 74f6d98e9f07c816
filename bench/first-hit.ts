/**
 * What becomes of the first hit: a folder in BEIR's layout, searched by BM25 alone, by the local policy without re-ranking, and by
 * the local policy. bench/first-hit/README.md says how the two collections are made that it was written for.
 *
 *     npx tsx bench/first-hit.ts <folder> [--k 10] [--changed]
 *
 * If the folder has `numbers.tsv` (in the columns of judgments: which documents have the number or size that the query names), it also
 * counts how often the first hit has it. `--changed` lists the queries whose first hit is right in one system only.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { none } from '../policies/none.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { type Evaluation, evaluate } from '../src/evaluation/evaluate.ts'
import { readQrels } from '../src/evaluation/trec.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Document } from '../src/types.ts'
import { rounded } from './numbers.ts'
import { print } from './print.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { k: { type: 'string', default: '10' }, changed: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Give the folder of a collection: npx tsx bench/first-hit.ts bench/first-hit/manpages')
  process.exit(2)
}
const metrics = ['ndcg@10', 'recall@5', 'mrr@10', 'recall@1', 'success@1', 'success@1-l2']
const { queries, qrels } = await readBeir(folder)
const numbersFile = join(folder, 'numbers.tsv')
const numbers = existsSync(numbersFile) ? await readQrels(numbersFile) : new Map<string, never>()
const documents = new Map<string, Document>()
for await (const document of readCorpus(await findCorpus(folder))) documents.set(document.docid, document)
const retrievers = [await buildWinkBm25([...documents.values()])]
const systems = {
  none: { policy: none() },
  'local --no-rerank': await localPolicy({ retrievers, rerank: false }),
  local: await localPolicy({ retrievers }),
}

const rows: Record<string, string | number>[] = []
const evaluations = new Map<string, Evaluation>()
for (const [system, parts] of Object.entries(systems)) {
  const { search } = createOptimizer({ retrievers, ...parts })
  const found = await evaluate(search, queries, qrels, { metrics, k: Number(values.k) })
  evaluations.set(system, found)
  const { means, summary, qids } = found
  const mean = (metric: string): number => rounded(100 * means.get(metric)!)
  rows.push({
    system,
    'ndcg@10': mean('ndcg@10'),
    'recall@5': mean('recall@5'),
    'mrr@10': mean('mrr@10'),
    'recall@1': mean('recall@1'),
    first: mean('success@1'),
    best_first: mean('success@1-l2'),
    kept: keptOf(found, 'success@1'),
    best_kept: keptOf(found, 'success@1-l2'),
    further: rounded((100 * (qids.length - summary.oneRequest)) / qids.length),
    ...(numbers.size > 0 && { number: numberFirst(found) }),
  })
  await parts.policy.close?.()
}

/** The share of the queries whose first hit was right without a policy, and still is. */
function keptOf({ values: now, qids }: Evaluation, metric: string): number | string {
  const before = evaluations.get('none')!.values.get(metric)!
  const right = qids.filter((qid) => before.get(qid) === 1)
  const kept = right.filter((qid) => now.get(metric)!.get(qid) === 1)
  return right.length === 0 ? '' : rounded((100 * kept.length) / right.length)
}

/** Of the queries with a number that one of the first ten hits has: the share whose first hit has it. */
function numberFirst({ run }: Evaluation): string {
  const has = [...numbers].map(([qid, having]) =>
    run
      .get(qid)!
      .slice(0, 10)
      .map(({ docid }) => having.has(docid)),
  )
  const possible = has.filter((flags) => flags.includes(true))
  return `${rounded((100 * possible.filter(([first]) => first).length) / possible.length)} of ${possible.length}`
}

/** The queries whose first hit is right in one system only, and both first hits. */
function printChanged(system: string): void {
  const [before, now] = [evaluations.get('none')!, evaluations.get(system)!]
  const titleOf = (docid: string | undefined): string => {
    const title = docid === undefined ? '' : (documents.get(docid)?.title ?? '')
    return `${docid}: ${title}`.slice(0, 60)
  }
  for (const { qid, text } of queries) {
    const [wasRight, isRight] = [before, now].map((found) => found.values.get('success@1')!.get(qid!))
    if (wasRight === isRight) continue
    const [was, is] = [before, now].map(({ run }) => titleOf(run.get(qid!)?.[0]?.docid))
    console.log(`${system} ${isRight === 1 ? 'won ' : 'lost'}  ${qid} ${text}\n    ${was}\n    ${is}`)
  }
}

const missing = [...qrels.values()].flatMap((grades) => [...grades.keys()]).filter((id) => !documents.has(id))
const notes = [
  `${documents.size} documents, ${rows.length && evaluations.get('none')!.qids.length} queries; lists of ${values.k} hits. All in %.`,
  'first, best_first: the first hit is relevant, or has grade 2. kept, best_kept: the same where it was so without a policy.',
  'further: queries with more than one request. number: the first hit has the number, where one of the first ten has it.',
  ...(missing.length > 0 ? [`Judged, but not in the corpus: ${missing.join(', ')}`] : []),
]
print({ name: `first-hit ${folder}`, rows, notes })
if (values.changed) for (const system of ['local --no-rerank', 'local']) printChanged(system)
