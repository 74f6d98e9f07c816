/** An embedder whose vectors of queries are kept. */
import type { Embedder } from '../../src/types.ts'
import type { Cache } from './cache.ts'
import { gathering } from './gathering.ts'

export interface CachedEmbedderOptions {
  /**
   * Vectors are shared by those with an equal scope. A vector depends on the model and the text only, and both are in the key anyway:
   * `[]` is right for an embedder that everybody uses.
   */
  readonly scope: readonly unknown[]
}

/**
 * Keeps the vector of each query. Queries of one call whose vectors are missing are embedded together. Documents are embedded each
 * time: an index keeps their vectors.
 *
 * @returns an embedder of the same name
 */
export function cachedEmbedder(embedder: Embedder, cache: Cache, { scope }: CachedEmbedderOptions): Embedder {
  const { name, dimensions } = embedder
  return {
    name,
    dimensions,
    async embed(texts, options) {
      const { kind, signal } = options
      if (kind === 'document') return embedder.embed(texts, options)
      const embedOne = gathering((missing: readonly string[], until) =>
        embedder.embed(missing, { kind, signal: until }),
      )
      const found = texts.map((text) =>
        cache.through<Float32Array>({
          key: ['embedding', scope, name, dimensions, text],
          make: (until) => embedOne(text, until),
          write: toBase64,
          read: (written) => vectorOf(written, dimensions),
          signal,
        }),
      )
      return (await Promise.all(found)).map(({ value }) => value)
    },
    ...(embedder.close && { close: () => embedder.close!() }),
  }
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** Little-endian, as all processors are that Node runs on here. */
function vectorOf(written: string, dimensions: number): Float32Array | undefined {
  const bytes = Uint8Array.from(Buffer.from(written, 'base64'))
  const vector = new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4))
  return vector.length === dimensions && vector.every(Number.isFinite) ? vector : undefined
}
