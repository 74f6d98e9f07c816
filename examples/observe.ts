/** Logs the searches that were slow or fell back, and counts the legs that failed. */
import { createOptimizer, type Optimizer, type Retriever } from 'querent'

export function createObservedOptimizer(
  retrievers: readonly Retriever[],
  log: (line: string) => void,
): { readonly optimizer: Optimizer; readonly failures: ReadonlyMap<string, number> } {
  const failures = new Map<string, number>()
  const optimizer = createOptimizer({
    retrievers,
    observe: {
      onSearch({ trace, error }) {
        if (error !== undefined) log(`failed: ${error.message}`)
        if (trace?.fallback !== undefined) log(`fell back: ${trace.fallback.message}`)
        if (trace !== undefined && trace.times.total > 1000) log(`slow: ${trace.query.text}`)
      },
      onLeg({ leg }) {
        if (leg.status === 'ok') return
        failures.set(leg.retriever, (failures.get(leg.retriever) ?? 0) + 1)
      },
    },
  })
  return { optimizer, failures }
}
