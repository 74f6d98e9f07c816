/** What a re-ranker does to a list, outside of a search. */
import type { Reranker } from '../../../src/reranker.ts'
import { docidsOf } from '../../fusion/lists.ts'
import { hits } from '../../support/scripted.ts'

/** The new order of documents whose texts are their docids. */
export async function orderBy(reranker: Reranker, ...docids: readonly string[]): Promise<string[]> {
  const reranked = await reranker.rerank({ text: 'q' }, [], hits(...docids), (docid) => ({
    docid,
    text: docid,
  }))
  return [...docidsOf(reranked)]
}
