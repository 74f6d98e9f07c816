import { expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { choiceTable } from '../../../bench/experiments/choice-table.ts'
import { fitRerank } from '../../../bench/experiments/reranked.ts'
import { surely } from '../../../bench/experiments/trained-choice.ts'
import { actionInputs } from '../../../policies/local/actions.ts'
import { prepareAll } from '../../../policies/local/training/action-space.ts'
import { collectExamples } from '../../../policies/local/training/example.ts'
import { readBeir } from '../../../src/evaluation/beir-folder.ts'
import { createReader } from '../../../src/text/reader.ts'
import { countTerms } from '../../../src/text/term-weights.ts'
import type { Document } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../../support/small-policy.ts'
import { decisionBy, linear } from '../../support/small-scorers.ts'

it('re-ranks what a query found, and not what another retriever had found for it', async () => {
  const documents = await sampleDocuments()
  const { queries, qrels } = await readBeir(sampleFolder)
  const reader = createReader(countTerms(documents))
  const tablesOf = async (searched: readonly Document[]) => {
    const retrievers = [await buildWinkBm25(searched)]
    const collection = { name: 'sample', queries: queries.slice(0, 10), qrels, retrievers }
    const examples = await collectExamples([{ ...collection, documents: finderOf(searched) }], { depth: 10 })
    const prepared = await prepareAll(examples, () => decisionBy({}), reader)
    return prepared.map((one) => choiceTable(one, {}))
  }
  const [all, few] = await Promise.all([
    tablesOf(documents),
    tablesOf(documents.filter((_, place) => place % 2 === 0)),
  ])
  const { rerank } = await fitRerank(all, { choice: linear(actionInputs, {}) }, reader, { seed: 1 })
  const asIs = surely(0)
  const docidsOf = (table: (typeof all)[number]) =>
    table.prepared.example.lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)).sort()
  for (const [place, table] of all.entries()) {
    expect([...(await rerank(table, asIs))].sort()).toEqual(docidsOf(table))
    expect([...(await rerank(few[place]!, asIs))].sort()).toEqual(docidsOf(few[place]!))
  }
  expect(all.map(docidsOf)).not.toEqual(few.map(docidsOf))
})
