/** An embedder without a model: texts that share groups of three letters are close, even if one is misspelled. */
import { setImmediate } from 'node:timers/promises'
import { type Embedder, QuerentError } from 'querent'

export interface TrigramOptions {
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

export function trigramEmbedder(prefixes: TrigramOptions = {}): Embedder {
  const dimensions = 4096

  function vectorOf(text: string): Float32Array {
    const letters = `  ${text.toLowerCase()}  `
    const vector = new Float32Array(dimensions)
    for (let at = 3; at <= letters.length; at++) vector[hash(letters.slice(at - 3, at)) % dimensions]! += 1
    const length = Math.hypot(...vector)
    return vector.map((count) => count / length)
  }

  return {
    name: 'trigrams',
    dimensions,
    async embed(texts, { kind, signal }) {
      const vectors: Float32Array[] = []
      for (const text of texts) {
        // Yields to the event loop, so that an abort is noticed.
        await setImmediate()
        if (signal?.aborted)
          throw new QuerentError('aborted', 'Not needed any more', { cause: signal.reason })
        vectors.push(vectorOf((prefixes[`${kind}Prefix`] ?? '') + text))
      }
      return vectors
    },
  }
}

const hash = (letters: string): number =>
  [...letters].reduce((sum, letter) => (31 * sum + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7)
