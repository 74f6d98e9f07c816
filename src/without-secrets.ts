/**
 * A trace for others than who runs the search: without the filter, which may be the application's, and without the messages of
 * errors, in which backends write addresses, credentials and documents.
 */
import { redacted } from './errors.ts'
import type { LegTrace, Step, Trace } from './types.ts'

export interface SecretsOptions {
  /** Whether texts of documents are shown. Without, what may quote them is left out too. */
  readonly documents: boolean
  /** Whether the details of a decision are shown, which have words of documents. Default: as `documents`. */
  readonly details?: boolean
}

export function withoutSecrets(trace: Trace, options: SecretsOptions): Trace {
  const { query, fallback, steps, reason } = trace
  const { filter: _, ...rest } = query
  return {
    ...trace,
    query: rest,
    reason: fallback === undefined ? reason : `without Querent: ${fallback.code}`,
    ...(fallback && { fallback: redacted(fallback) }),
    steps: steps.map((step) => stepWithoutSecrets(step, options)),
  }
}

function stepWithoutSecrets(step: Step, options: SecretsOptions): Step {
  if (step.type === 'retrieve') return { ...step, legs: step.legs.map(legWithoutSecrets) }
  const shown = withoutQuotes(step, options)
  return 'error' in shown && shown.error !== undefined ? { ...shown, error: redacted(shown.error) } : shown
}

type OtherStep = Exclude<Step, { readonly type: 'retrieve' }>

/** Removes what a model wrote, and a policy's own account of its decision: the local policy's has words of documents. */
function withoutQuotes(step: OtherStep, { documents, details = documents }: SecretsOptions): OtherStep {
  if (step.type === 'ask' && !documents) {
    const { output: _, ...rest } = step
    return rest
  }
  if (step.type === 'decide' && !details) {
    const { details: _, ...rest } = step
    return rest
  }
  return step
}

function legWithoutSecrets({ error, incomplete, ...leg }: LegTrace): LegTrace {
  return {
    ...leg,
    ...(incomplete !== undefined && { incomplete: 'hits may be missing' }),
    ...(error && { error: redacted(error) }),
  }
}
