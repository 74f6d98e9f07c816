/** The schemas of what search endpoints answer. The types of the answers are checked against them when they are compiled. */
import { z } from 'zod'
import { countOrNone as count } from '../../../../src/config.ts'
import {
  contribution,
  endedBy,
  kind,
  legHit,
  legStatus,
  nothingFound,
  readFilter,
  subQuery,
  traceSchema,
} from '../../../../src/trace-schema.ts'
import type { Document } from '../../../../src/types.ts'
import type { AnsweredHit, SearchAnswer } from '../answer.ts'
import type { Problem } from '../problem.ts'
import { maxFound, type SearchEvent } from '../stream.ts'

const ms = z.number().nonnegative().describe('Milliseconds.')
const probability = z.number().min(0).max(1)
const rank = z.int().positive()

const document: z.ZodType<Document> = z.strictObject({
  docid: z.string(),
  title: z.string().exactOptional(),
  text: z.string(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
})

const hit: z.ZodType<AnsweredHit> = z.strictObject({
  rank,
  docid: z.string(),
  score: z.number(),
  confidence: probability.describe('The probability that it is relevant.').exactOptional(),
  document: document.exactOptional(),
  provenance: z.array(contribution).describe('With `explain`.').exactOptional(),
  fused: z
    .strictObject({ rank, score: z.number() })
    .describe('With `explain`, if re-ranked.')
    .exactOptional(),
  recency: probability.describe('With `explain`: what its age multiplied 1/rank by.').exactOptional(),
})

const answerShape = {
  hits: z.array(hit),
  answer: z
    .string()
    .describe('If the policy answers questions. Untrusted: show it as plain text, not as Markdown or HTML.')
    .exactOptional(),
  citations: z.array(z.string()).describe('Docids that the answer was written from.').exactOptional(),
  unanswered: z
    .literal(true)
    .describe('The policy looked for an answer, and the documents do not tell it.')
    .exactOptional(),
  endedBy: endedBy.describe('What of the budget was spent when the search wanted more.').exactOptional(),
  answerable: probability.describe('The probability that at least one hit is relevant.').exactOptional(),
  failedPrompts: z
    .array(z.strictObject({ prompt: z.string(), code: z.string() }))
    .describe('Prompts that failed, which the search went on or fell back without. Absent if none did.')
    .exactOptional(),
  nothingFound: nothingFound
    .describe('Why nothing was found that has all of what was asked for, and what the hits have instead.')
    .exactOptional(),
  decision: z.strictObject({ kind, reason: z.string(), subQueries: z.array(subQuery) }),
  took: count.describe('Milliseconds.'),
  partial: z.boolean().describe('Whether a part of the search failed or was late: hits may be missing.'),
  trace: traceSchema.describe('With `explain`.').exactOptional(),
}

const searchAnswer: z.ZodType<SearchAnswer> = z.strictObject(answerShape)

const place = { detail: z.string() }

const problem: z.ZodType<Problem> = z.strictObject({
  type: z.string().regex(/^urn:problem-type:querent:/),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  remedy: z.string(),
  errors: z
    .array(
      z.union([
        z.strictObject({ pointer: z.string().describe('A JSON pointer into the body.'), ...place }),
        z.strictObject({ parameter: z.string().describe('A parameter of the URL.'), ...place }),
      ]),
    )
    .exactOptional(),
  retryAfter: count.describe('Seconds.').exactOptional(),
})

const searchEvent: z.ZodType<SearchEvent> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('decision'), kind, reason: z.string() }),
  z.strictObject({
    type: z.literal('round'),
    round: count,
    reason: z.string(),
    subQueries: z.array(subQuery),
  }),
  z.strictObject({
    type: z.literal('leg'),
    round: count,
    retriever: z.string(),
    subQuery,
    status: legStatus,
    hits: count,
    ms,
    found: z
      .array(legHit.extend({ title: z.string().exactOptional() }))
      .max(maxFound)
      .exactOptional()
      .describe('The best hits, with `explain`; those of the original query with their titles, if known.'),
  }),
  z.strictObject({
    type: z.literal('filters'),
    read: z.array(readFilter).describe('Words that were read as filters.'),
  }),
  z.strictObject({ type: z.literal('fused'), method: z.string(), hits: count, ms }),
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('reranked'), pool: count, kept: z.boolean(), ms }),
  z.strictObject({ type: z.literal('fallback'), code: z.string() }),
  z.strictObject({ type: z.literal('result'), ...answerShape }),
  z.strictObject({ type: z.literal('error'), problem }),
])

const rerankAnswer = z.strictObject({
  id: z.uuid(),
  model: z.string(),
  results: z.array(
    z.strictObject({
      index: count.describe('Of the document in the request.'),
      relevance_score: z.number(),
      document: z.strictObject({ title: z.string().exactOptional(), text: z.string() }).exactOptional(),
    }),
  ),
  meta: z.strictObject({ api_version: z.strictObject({ version: z.string() }) }),
})

const vectorStorePage = z.strictObject({
  object: z.literal('vector_store.search_results.page'),
  search_query: z.array(z.string()),
  data: z.array(
    z.strictObject({
      file_id: z.string().describe('The docid.'),
      filename: z.string(),
      score: probability,
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
      content: z.array(z.strictObject({ type: z.literal('text'), text: z.string() })),
    }),
  ),
  has_more: z.literal(false),
  next_page: z.null(),
})

const difyRecords = z.strictObject({
  records: z.array(
    z.strictObject({
      content: z.string(),
      score: probability,
      title: z.string(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
})

const health = z.strictObject({ status: z.enum(['ok', 'stopping']), version: z.string() })

/** Each body of an answer, by its name in the document. */
export const answerSchemas = {
  Document: document,
  Hit: hit,
  Trace: traceSchema,
  SearchAnswer: searchAnswer,
  SearchEvent: searchEvent,
  Problem: problem,
  RerankAnswer: rerankAnswer,
  VectorStorePage: vectorStorePage,
  DifyRecords: difyRecords,
  Health: health,
} as const
