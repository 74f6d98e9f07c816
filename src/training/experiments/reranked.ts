/** What re-ranking makes of choices; those that bring the same lists are re-ranked once. */

import { createReranker } from '../../rerank/rerank.ts'
import type { RerankSection } from '../../rerank/rerank-section.ts'
import type { Reader } from '../../text/reader.ts'
import { readPoolOf } from '../example.ts'
import { broughtLists } from '../train-policy.ts'
import type { ChoiceTable } from './choice-table.ts'

/** The docids after re-ranking, best first: those of the pool, then what was fused beside it. */
export function prepareReranked(
  section: RerankSection,
  reader: Reader,
): (table: ChoiceTable, choice: number) => Promise<readonly string[]> {
  const reranker = createReranker(section, reader)
  const known = new Map<string, readonly string[]>()
  return async (table, choice) => {
    const { example, choices } = table.prepared
    const key = `${choices[choice]!.members.join()} ${example.qid}`
    let pool = known.get(key)
    if (pool === undefined) {
      const lists = await broughtLists(table.prepared, choice)
      await readPoolOf(example, lists)
      pool = reranker.rerank(example.query, lists, [], example.documentOf).map(({ docid }) => docid)
      known.set(key, pool)
    }
    return [...new Set([...pool, ...table.fused(choice)])]
  }
}
