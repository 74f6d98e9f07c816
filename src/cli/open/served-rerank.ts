/** The local re-ranker for documents that come with a request, without an index. */
import type { GivenDocument } from '../../../adapters/apps/http/rerank.ts'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { policyByName } from '../../../policies/by-name.ts'
import { QuerentError } from '../../errors.ts'
import type { Reranker } from '../../reranker.ts'
import { sigmoid } from '../../sigmoid.ts'
import type { Document, Hit, RankedList, SubQuery } from '../../types.ts'
import { defaultPolicy } from '../settings/setting-names.ts'
import type { Variant } from '../settings/variants.ts'
import { isOutside } from './reranking.ts'

export type ScoreDocuments = (
  query: string,
  documents: readonly GivenDocument[],
  signal: AbortSignal,
) => Promise<readonly number[]>

/** A policy's re-ranking: that which the settings name, else that of their policy, else that of the package's own one. */
export async function localReranker({ policy, rerank }: Variant): Promise<{
  readonly name: string
  readonly reranker: Reranker
}> {
  const named = rerank && !isOutside(rerank) ? rerank : policy
  for (const name of [named, defaultPolicy]) {
    const { rerank: reranker } = await (await policyByName(name)).make([])
    if (reranker !== undefined) return { name, reranker }
  }
  throw new QuerentError('bad-policy', `The policy ${defaultPolicy} has no re-ranking`)
}

/**
 * Scores documents from 0 to 1. BM25 over these documents alone finds the 60 best ones for the re-ranker, so that the order of
 * the request decides between equal ones only; the others follow in BM25's order.
 */
export const scoringBy =
  (reranker: Reranker): ScoreDocuments =>
  async (query, given, signal) => {
    const documents = given.map(
      ({ title, text }, place): Document => ({
        docid: docidOf(place),
        text,
        ...(title !== undefined && { title }),
      }),
    )
    const byDocid = new Map(documents.map((document) => [document.docid, document]))
    const list = await listOf(query, documents, signal)
    const hits = await reranker.rerank({ text: query }, [list], list.hits, (docid) => byDocid.get(docid), {
      signal,
    })
    const scores = new Map(hits.map(({ docid, score }) => [docid, sigmoid(score)]))
    return documents.map(({ docid }) => scores.get(docid) ?? 0)
  }

/** Sorts as the places do: docids decide between equal scores. */
const docidOf = (place: number): string => String(place).padStart(6, '0')

/** All documents in BM25's order. Those without a word of the query follow in their own. */
async function listOf(
  query: string,
  documents: readonly Document[],
  signal: AbortSignal,
): Promise<RankedList> {
  const bm25 = await buildWinkBm25(documents, { signal })
  const subQuery: SubQuery = { text: query, round: 0 }
  const [leg] = await bm25.retrieve([subQuery], { k: documents.length, signal })
  const found = leg?.hits ?? []
  const isFound = new Set(found.map(({ docid }) => docid))
  const rest = documents.filter(({ docid }) => !isFound.has(docid)).map(({ docid }) => ({ docid, score: 0 }))
  const hits = [...found, ...rest].map(({ docid, score }, index): Hit => ({ docid, score, rank: index + 1 }))
  return { retriever: bm25.name, kind: 'lexical', subQuery, hits }
}
