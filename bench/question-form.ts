/**
 * What the form of a query does to the decision: claims, each of them as it is and as a question that asks no more than it.
 * Prints a table.
 *
 *     npx tsx bench/question-form.ts <BEIR folder> --index <dir> [--split test] [--policy <file>]
 */
import { parseArgs } from 'node:util'
import { localPolicy } from '../policies/local/local-policy.ts'
import { none } from '../policies/none.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { evaluate } from '../src/evaluation/evaluate.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { createOptimizer } from '../src/optimizer.ts'

const forms: readonly { readonly name: string; readonly of: (claim: string) => string }[] = [
  { name: 'the claim', of: (claim) => claim },
  { name: 'the claim?', of: (claim) => `${withoutStop(claim)}?` },
  {
    name: 'Is it true that the claim?',
    of: (claim) => `Is it true that ${claim[0]!.toLowerCase()}${withoutStop(claim).slice(1)}?`,
  },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    index: { type: 'string' },
    split: { type: 'string', default: 'test' },
    policy: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined || values.index === undefined) throw new Error('Give a BEIR folder and --index.')

const metric = 'ndcg@10'
const { queries, qrels } = await readBeir(folder, { split: values.split })
const index = await openIndex(values.index, { retrievers: ['bm25'] })
const { retrievers } = index
const { policy, rerank } = await localPolicy({ retrievers, file: values.policy })
const rows: string[] = []
for (const { name, of } of forms) {
  const asked = queries.map((query) => ({ ...query, text: of(query.text) }))
  const judge = (options: Pick<Parameters<typeof createOptimizer>[0], 'policy' | 'rerank'>) => {
    const { search } = createOptimizer({
      retrievers,
      documents: (docids) => index.documents.get(docids),
      budget: { timeout: 60_000 },
      legTimeout: 60_000,
      ...options,
    })
    return evaluate(search, asked, qrels, { metrics: [metric] })
  }
  const [asIs, alone, reranked] = [
    await judge({ policy: none() }),
    await judge({ policy }),
    await judge({ policy, rerank }),
  ]
  const left = alone.traces.filter(({ kind }) => kind === 'as-is').length
  const cells = [asIs, alone, reranked].map(({ means }) => (100 * means.get(metric)!).toFixed(1))
  rows.push(`| ${name} | ${[...cells, ((100 * left) / queries.length).toFixed(0)].join(' | ')} |`)
}
await index.close()
console.log(
  [
    '| form | original query | decision | re-ranked | left unchanged, % |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n'),
)

function withoutStop(claim: string): string {
  return claim.trim().replace(/\.$/, '')
}
