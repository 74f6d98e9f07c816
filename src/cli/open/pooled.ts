import type { OpenedIndex } from '../../index-folder/open.ts'
import { mapConcurrently } from '../../runtime/workers.ts'
import type { Pair } from '../../training/labels/grade-prompt.ts'
import type { Qrels } from '../../types.ts'
import { withProgress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { type Variant, variantOf } from '../settings/variants.ts'
import { prepareSystem } from './build-search.ts'

/**
 * What is to be judged for each query (pooling, as at TREC): the first hits of each retriever for the query as it is, those of the
 * local policy, and what people judged. Documents that the index lacks are left out.
 */
export async function pooled(
  queries: readonly Pair['query'][],
  people: Qrels,
  index: OpenedIndex,
  settings: SettingsOf<'label'>,
  terminal: Terminal,
): Promise<readonly Pair[]> {
  const { k = 10, concurrency = 4 } = settings
  const alone = index.retrievers.map(({ name }) => variantOf({ policy: 'none', retrievers: [name] }))
  const open = async (variant: Variant) =>
    (await prepareSystem(variant, settings, terminal)).over(index).then(({ optimizer }) => optimizer)
  const optimizers = await Promise.all([...alone, variantOf({})].map(open))
  let done = 0
  const found = await withProgress(terminal, (progress) =>
    mapConcurrently(queries, concurrency, async (query) => {
      const docids = new Set(people.get(query.qid)?.keys())
      for (const optimizer of optimizers) {
        const { hits } = await optimizer.search({ ...query, k }, { signal: terminal.signal, answer: false })
        for (const { docid } of hits) docids.add(docid)
      }
      const documents = await index.documents.get([...docids])
      progress.update('searching', ++done, queries.length)
      return documents.flatMap((document) => (document === undefined ? [] : { query, document }))
    }),
  )
  return found.flat()
}
