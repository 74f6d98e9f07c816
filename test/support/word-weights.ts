/** A sparse encoder without a model: each word of a text weighs more the more often it occurs. */
import type { SparseEncoder, WordWeights } from '../../src/types.ts'

export function wordWeights(): SparseEncoder {
  return {
    name: 'words',
    async encode(texts, { signal }) {
      signal?.throwIfAborted()
      return texts.map(weightsOf)
    },
  }
}

function weightsOf(text: string): WordWeights {
  const weights = new Map<string, number>()
  // Engines refuse longer words. Those of a real vocabulary are short.
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+|[.#]/gu) ?? [])
    weights.set(word.slice(0, 20), (weights.get(word.slice(0, 20)) ?? 0) + 1)
  return new Map(Array.from(weights, ([word, count]) => [word, Math.log1p(count)]))
}
