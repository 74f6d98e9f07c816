/**
 * `POST /retrieve`: the retrieval servers of ConvSearch-R1 and Search-R1. A request with `query_ids` is one of ConvSearch-R1's.
 *
 * ConvSearch-R1 sends queries with their ids. For each, it gets the best rank of a relevant document, or −1. The judgments are
 * the server's. Search-R1 sends queries and gets documents. Rank-score fusion merges the lists of several retrievers.
 */
import { z } from 'zod'
import { rankScore } from '../../../../fusion/rank-score.ts'
import { parseConfig } from '../../../../src/config.ts'
import { QuerentError, toError } from '../../../../src/errors.ts'
import { untilAborted } from '../../../../src/runtime/deadline.ts'
import { defaultTopk } from '../../../../src/training/rewards/reward.ts'
import { maxQueryWords } from '../../../../src/training/rewards/searcher.ts'
import { mapYielding } from '../../../../src/training/rewards/yield.ts'
import type { Hit, RankedList } from '../../../../src/types.ts'
import { identifier, listOf, maxItems, type Protocol, refusal, type Service } from './protocol.ts'

/** Search-R1's default number of documents. */
const defaultDocuments = 3

/** Maximum characters of all documents of an answer, which is held in memory as a whole. */
const longestAnswer = 2 ** 26

/** The body of a request. */
export const retrieveRequest = z
  .object({
    queries: listOf(z.string(), maxItems, 'must be a list of texts'),
    query_ids: listOf(identifier, maxItems).nullish(),
    topk: z.int().min(1).max(1000).nullish(),
    return_scores: z.boolean().nullish(),
    max_length: z.int().min(1).nullish(),
  })
  .refine(
    ({ queries, query_ids }) => !query_ids || query_ids.length === queries.length,
    'query_ids must be as many as queries',
  )

export const retrieve: Protocol = async (body, service, signal) => {
  const { queries, query_ids, topk, return_scores, max_length } = parseConfig(
    retrieveRequest,
    body,
    'The request',
  )
  const words = max_length ?? maxQueryWords
  const k = topk ?? (query_ids ? defaultTopk : defaultDocuments)
  // Cut at single spaces, as ConvSearch-R1 does.
  const cut = queries.map((query) => query.split(' ').slice(0, words).join(' '))
  const found = await service.searcher.search(
    cut.map((text) => ({ text, k })),
    signal,
  )
  // Neither reply format has a place for the error of one query: −1 and an empty list are valid results.
  const failed = refusal(found)
  if (failed !== undefined) return failed
  const lists = await mapYielding(found, (one) => (one instanceof Error ? [] : merged(one, k)), signal)
  const scores = lists.map((hits) => hits.map(({ score }) => score))
  if (query_ids) {
    const ranks = lists.map((hits, index) => bestRank(hits, query_ids[index]!, service))
    const result = return_scores ? [ranks, scores] : ranks
    return refusal(ranks) ?? { status: 200, body: { result } }
  }
  const documents = await documentsOf(lists, service, signal)
  const result = return_scores
    ? documents.map((ones, list) =>
        ones.map((document, place) => ({ document, score: scores[list]![place]! })),
      )
    : documents
  return { status: 200, body: { result } }
}

/** A single list stays unchanged, with its retriever's scores. */
export function merged(lists: readonly RankedList[], k: number): readonly Hit[] {
  return lists.length === 1 ? lists[0]!.hits : rankScore().fuse(lists, { k })
}

/** The rank for the reward of ConvSearch-R1. −1 if no relevant document was found. */
function bestRank(hits: readonly Hit[], qid: string, { scorer }: Service): number | Error {
  try {
    const golds = new Set(scorer.goldsOf(qid))
    return hits.find(({ docid }) => golds.has(docid))?.rank ?? -1
  } catch (thrown) {
    return toError(thrown)
  }
}

/**
 * Reads one list after the other: a large request does not read everything at once, and reading stops when the client
 * disconnects.
 */
export async function documentsOf(
  lists: readonly (readonly Hit[])[],
  { contentsOf }: Service,
  signal: AbortSignal,
): Promise<readonly (readonly object[])[]> {
  let characters = 0
  const read = async (hits: readonly Hit[]): Promise<readonly object[]> => {
    const contents = await untilAborted(contentsOf(hits.map(({ docid }) => docid)), signal)
    characters += contents.reduce((sum, text = '') => sum + text.length, 0)
    if (characters > longestAnswer) {
      throw new QuerentError(
        'budget-exceeded',
        `The documents found are longer than ${longestAnswer} characters`,
        {
          remedy: 'Send fewer queries at a time, or ask for fewer documents.',
        },
      )
    }
    return hits.map(({ docid }, place) => ({ id: docid, contents: contents[place] ?? '' }))
  }
  return mapYielding(lists, read, signal)
}
