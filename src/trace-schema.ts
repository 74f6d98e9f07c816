/** The schema of traces: by it training reads them back, and `schema/trace.schema.json` is made from it. */
import { z } from 'zod'
import { budgetParts } from './budget.ts'
import { countOrNone as count, issuesOf } from './config.ts'
import { QuerentError } from './errors.ts'
import { upgraded } from './trace-version-1.ts'
import type { Trace } from './types.ts'

const ms = z.number().nonnegative()
const failure = z.strictObject({ code: z.string(), message: z.string() })
export const endedBy = z.enum(budgetParts)
export const kind = z.enum(['as-is', 'rewrite', 'decompose'])
const usd = z.number().nonnegative()
const tokens = z.strictObject({ prompt: count, completion: count })
const retrieverKind = z.enum(['lexical', 'dense', 'sparse'])
const fieldValue = z.union([z.string(), z.number(), z.boolean()])
const bound = z.union([z.string(), z.number()]).exactOptional()
const condition = z.strictObject({
  field: z.string(),
  is: z.array(fieldValue).exactOptional(),
  not: z.array(fieldValue).exactOptional(),
  gt: bound,
  gte: bound,
  lt: bound,
  lte: bound,
})
export const subQuery = z.strictObject({
  text: z.string(),
  round: count,
  from: z.string().exactOptional(),
  where: z.array(condition).exactOptional(),
  relaxed: z
    .strictObject({
      words: z.enum(['all but one', 'any']).exactOptional(),
      near: z.literal(true).exactOptional(),
      without: z.array(z.string()).exactOptional(),
      alone: z.literal(true).exactOptional(),
    })
    .exactOptional(),
})
export const readFilter = z.strictObject({
  words: z.string(),
  condition,
  dropped: z.enum(['empty', 'unsupported', 'failed']).exactOptional(),
})
const turn = z.strictObject({ role: z.enum(['user', 'agent']), text: z.string() })

const query = z.strictObject({
  qid: z.string().exactOptional(),
  text: z.string(),
  history: z.array(turn).exactOptional(),
  intent: z.string().exactOptional(),
  filter: z.unknown().exactOptional(),
  k: count.exactOptional(),
})

export const nothingFound = z.strictObject({
  reason: z.string(),
  missing: z.array(z.string()).readonly().exactOptional(),
  shown: z.string().exactOptional(),
  query: z.string().exactOptional(),
})

export const legStatus = z.enum(['ok', 'failed', 'late', 'aborted'])

export const legHit = z.strictObject({ docid: z.string(), score: z.number() })

const leg = z.strictObject({
  retriever: z.string(),
  kind: retrieverKind.exactOptional(),
  subQuery,
  status: legStatus,
  ms,
  hits: z.array(legHit).exactOptional(),
  incomplete: z.string().exactOptional(),
  error: failure.exactOptional(),
})

export const contribution = z.strictObject({
  retriever: z.string(),
  subQuery,
  rank: z.int().positive(),
  score: z.number(),
  normalized: z.number().exactOptional(),
  weight: z.number().exactOptional(),
  share: z.number().exactOptional(),
})

const hit = z.strictObject({
  docid: z.string(),
  score: z.number(),
  rank: z.int().positive(),
  fused: z.strictObject({ rank: z.int().positive(), score: z.number() }).exactOptional(),
  confidence: z.number().min(0).max(1).exactOptional(),
  recency: z.number().min(0).max(1).exactOptional(),
  provenance: z.array(contribution).exactOptional(),
})

const step = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('retrieve'),
    round: count,
    reason: z.string().exactOptional(),
    subQueries: z.array(subQuery),
    startMs: ms,
    ms,
    legs: z.array(leg),
  }),
  z.strictObject({
    type: z.literal('ask'),
    prompt: z.string(),
    final: z.literal(true).exactOptional(),
    model: z.string(),
    startMs: ms,
    ms,
    attempts: count,
    tokens,
    usd: usd.exactOptional(),
    cache: z.enum(['hit', 'miss', 'joined', 'failed']).exactOptional(),
    output: z.string().exactOptional(),
    error: failure.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('decide'),
    startMs: ms,
    kind,
    reason: z.string(),
    details: z.unknown().exactOptional(),
  }),
  z.strictObject({
    type: z.literal('fuse'),
    method: z.string(),
    norm: z.string().exactOptional(),
    startMs: ms,
    ms,
    lists: z.array(z.strictObject({ retriever: z.string(), subQuery })),
    hits: count,
  }),
  z.strictObject({
    type: z.literal('rerank'),
    startMs: ms,
    ms,
    pool: count,
    question: z.string().exactOptional(),
    error: failure.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('filter'),
    startMs: ms,
    read: z.array(readFilter),
    error: failure.exactOptional(),
  }),
  z.strictObject({ type: z.literal('fallback'), startMs: ms, error: failure }),
])

export const traceSchema: z.ZodType<Trace> = z.strictObject({
  version: z.literal(2),
  query,
  policy: z.string(),
  kind,
  reason: z.string(),
  subQueries: z.array(subQuery),
  partial: z.boolean(),
  fallback: failure.exactOptional(),
  steps: z.array(step),
  times: z.strictObject({ total: ms, deciding: ms, retrieving: ms, fusing: ms, reranking: ms }),
  tokens,
  usd: usd.exactOptional(),
  outcome: z.strictObject({
    hits: z.array(hit),
    answer: z.string().exactOptional(),
    citations: z.array(z.string()).exactOptional(),
    strategy: z.string().exactOptional(),
    unanswered: z.boolean().exactOptional(),
    endedBy: endedBy.exactOptional(),
    nothingFound: nothingFound.exactOptional(),
  }),
})

/**
 * A trace that was read from a file, of version 2 or 1.
 *
 * @param where file and line, for the message
 * @throws QuerentError `bad-file` that names the place in the trace
 */
export function parseTrace(value: unknown, where: string): Trace {
  const parsed = traceSchema.safeParse(upgraded(value))
  if (parsed.success) return parsed.data
  throw new QuerentError('bad-file', `${where}: not a trace: ${issuesOf(parsed.error, 3)}`)
}
