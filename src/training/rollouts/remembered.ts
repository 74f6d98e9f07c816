/** What was answered while one query is explored: its runs repeat the searches and the prompts of those before them. */
import type { Leg, Retriever } from '../../types.ts'
import type { Complete } from '../exploring/branching.ts'

/**
 * The retriever, which searches the same texts once. What failed is searched again.
 *
 * @param signal ends its requests. A run that is over does not: another one needs what it searched.
 */
export function rememberedRetriever(retriever: Retriever, signal: AbortSignal): Retriever {
  const batches = new Map<string, Promise<readonly Leg[]>>()
  return {
    ...retriever,
    async retrieve(subQueries, options) {
      const key = JSON.stringify([subQueries.map(({ text }) => text), options.k, options.filter])
      const batch = batches.get(key) ?? retriever.retrieve(subQueries, { ...options, signal })
      batches.set(key, batch)
      try {
        const legs = await batch
        if (legs.some(({ error }) => error !== undefined)) batches.delete(key)
        return legs.map((leg) => ({
          ...leg,
          subQuery: subQueries.find(({ text }) => text === leg.subQuery.text)!,
        }))
      } catch (error) {
        batches.delete(key)
        throw error
      }
    },
  }
}

/** The model, which completes the same messages once where nothing is left to chance: at temperature 0. */
export function rememberedCompletions(complete: Complete): Complete {
  const completions = new Map<string, ReturnType<Complete>>()
  return async (prompt, messages, signal) => {
    if (prompt.temperature !== 0) return complete(prompt, messages, signal)
    const key = JSON.stringify([prompt.name, messages])
    const known = completions.get(key) ?? complete(prompt, messages, signal)
    completions.set(key, known)
    return known.catch((error: unknown) => {
      completions.delete(key)
      throw error
    })
  }
}
