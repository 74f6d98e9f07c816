/** The prompts of a search that no model answered usefully, and that the search went on without. */
import type { FailedPrompt, Trace } from './types.ts'

/** Those of a trace. A language model that re-ranks is left out: its failure is the re-ranker's. */
export function failedPrompts({ steps }: Pick<Trace, 'steps'>): FailedPrompt[] {
  const told = steps.flatMap((step) => (step.type === 'rerank' ? (step.error?.message ?? []) : []))
  return steps.flatMap((step) =>
    step.type === 'ask' && step.error !== undefined && !told.includes(step.error.message)
      ? [{ prompt: step.prompt, error: step.error }]
      : [],
  )
}
