import type { Trace } from '../types.ts'

/** The fields of a trace that summaries need. It omits the steps and the outcome, which hold every hit of every leg. */
export interface TraceDigest extends Omit<Trace, 'version' | 'steps' | 'outcome'> {
  /** Number of legs searched. */
  readonly legs: number
  /** Whether the decision contains a sub-query made from a document. */
  readonly secondStage: boolean
}

export function traceDigest({ version: _, steps, outcome: __, ...rest }: Trace): TraceDigest {
  const legs = steps.reduce((sum, step) => sum + (step.type === 'retrieve' ? step.legs.length : 0), 0)
  const secondStage = rest.subQueries.some(({ from }) => from !== undefined)
  return { ...rest, legs, secondStage }
}
