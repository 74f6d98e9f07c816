import type { Failure, Trace } from '../types.ts'

/** The fields of a trace that summaries need. It omits the steps and the outcome, which hold every hit of every leg. */
export interface TraceDigest extends Omit<Trace, 'version' | 'steps' | 'outcome'> {
  /** Number of legs searched. */
  readonly legs: number
  /** Number of prompts that a chat model was asked, those of re-ranking included. */
  readonly asks: number
  /** Number of requests to the retrievers after that of the original query. */
  readonly rounds: number
  /** Number of re-rankings. */
  readonly rerankings: number
  /** Number of those that failed or were late: the fused order was kept. */
  readonly failedRerankings: number
  /** Why the first of them failed. */
  readonly rerankFailure?: Failure
  /** The way that a policy with several ways took. */
  readonly strategy?: string
}

export function traceDigest({ version: _, steps, outcome: { strategy }, ...rest }: Trace): TraceDigest {
  const legs = steps.reduce((sum, step) => sum + (step.type === 'retrieve' ? step.legs.length : 0), 0)
  const asks = steps.filter(({ type }) => type === 'ask').length
  const rounds = steps.filter((step) => step.type === 'retrieve' && step.round > 0).length
  const reranked = steps.filter((step) => step.type === 'rerank')
  const failures = reranked.flatMap(({ error }) => error ?? [])
  return {
    ...rest,
    legs,
    asks,
    rounds,
    rerankings: reranked.length,
    failedRerankings: failures.length,
    ...(failures.length > 0 && { rerankFailure: failures[0]! }),
    ...(strategy !== undefined && { strategy }),
  }
}
