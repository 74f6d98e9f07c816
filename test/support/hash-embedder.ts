/** An embedder without a model: the words of a text, each in a dimension of its own but for rare collisions. */
import type { Embedder } from '../../src/types.ts'

export interface HashEmbedder extends Embedder {
  /** The batches it was asked for. */
  readonly calls: { readonly texts: readonly string[]; readonly kind: 'query' | 'document' }[]
}

/** Texts that share words are near each other. Texts without words are near each other and far from all others. */
export function hashEmbedder({ dimensions = 512 }: { readonly dimensions?: number } = {}): HashEmbedder {
  const calls: HashEmbedder['calls'] = []

  function vectorOf(text: string): Float32Array {
    const vector = new Float32Array(dimensions)
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    for (const word of words) vector[1 + (hash(word) % (dimensions - 1))]! += 1
    if (words.length === 0) vector[0] = 1
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }

  return {
    name: 'hash',
    dimensions,
    calls,
    async embed(texts, { kind, signal }) {
      signal?.throwIfAborted()
      calls.push({ texts, kind })
      return texts.map(vectorOf)
    },
  }
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
