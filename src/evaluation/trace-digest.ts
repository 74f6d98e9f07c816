import type { Trace } from '../types.ts'

/** Of a trace what figures are made from. The steps and the outcome, with every hit of every leg, are most of a trace. */
export interface TraceDigest extends Omit<Trace, 'version' | 'steps' | 'outcome'> {
  /** How many legs were searched. */
  readonly legs: number
  /** Whether a sub-query of the decision was made from a document. */
  readonly secondStage: boolean
}

export function traceDigest({ version: _, steps, outcome: __, ...rest }: Trace): TraceDigest {
  const legs = steps.reduce((sum, step) => sum + (step.type === 'retrieve' ? step.legs.length : 0), 0)
  const secondStage = rest.subQueries.some(({ from }) => from !== undefined)
  return { ...rest, legs, secondStage }
}
