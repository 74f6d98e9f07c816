/**
 * `POST /retrieval`: Dify's protocol for knowledge bases outside (docs.dify.ai, External Knowledge API). The server has one
 * index, which every `knowledge_id` means.
 */
import { z } from 'zod'
import { count, oneObject, queryText } from './kinds.ts'
import { postJson } from './post-json.ts'
import { scoredHits } from './scored-hits.ts'
import type { ServedSearchOptions } from './vector-store.ts'

export const difyPath = '/retrieval'

/** The body of a request. */
export const difyRequest = z.object(
  {
    query: queryText,
    retrieval_setting: z
      .object({
        top_k: count(100).nullish(),
        score_threshold: z.number('must be a number').max(1, 'must be 1 or less').nullish(),
      })
      .nullish(),
    // They would be lost: the retrievers take filters in their own language.
    metadata_condition: z
      .object({ conditions: z.array(z.unknown()).max(0, 'are not taken here').nullish() })
      .nullish(),
  },
  oneObject,
)

/** Makes the handler. A document without metadata gets `{}`: Dify cannot read `null` there. */
export const difyHandler = ({ optimizer, limit = 65_536, onError }: ServedSearchOptions) =>
  postJson({
    purpose: 'retrieval',
    schema: difyRequest,
    limit,
    onError,
    async answer({ query, retrieval_setting }, signal) {
      const { top_k, score_threshold } = retrieval_setting ?? {}
      const { hits } = await optimizer.search({ text: query, k: top_k ?? 10 }, { signal, answer: false })
      return {
        records: scoredHits(hits, score_threshold ?? 0).map(({ hit, score }) => ({
          content: hit.document?.text ?? '',
          score,
          title: hit.document?.title ?? hit.docid,
          metadata: { ...hit.document?.metadata, docid: hit.docid },
        })),
      }
    },
  })
