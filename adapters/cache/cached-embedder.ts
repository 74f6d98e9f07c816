/** An embedder whose vectors of queries are kept. */
import { parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import { gathering } from '../../src/runtime/gathering.ts'
import type { Embedder } from '../../src/types.ts'
import type { Cache } from './cache.ts'
import { scopeSchema } from './scope.ts'

export interface CachedEmbedderOptions {
  /**
   * Vectors are shared by those with an equal scope. The embedder's `name` and `identity` and the text are in the key anyway: `[]` is
   * right for an embedder of `querent/models` that everybody uses. The settings of one of your own without an `identity` belong here,
   * such as an instruction for queries. JSON; dates and long integers may be in it.
   */
  readonly scope: readonly unknown[]
}

/** Queries that are looked up at once. The time for the store counts from there, and this process also has to read its answers in it. */
const together = 256

/**
 * Keeps the vector of each query. Queries of one call whose vectors are missing are embedded together, up to 256 at once. Documents
 * are embedded each time: an index keeps their vectors.
 *
 * @returns an embedder of the same name and identity
 * @throws QuerentError `bad-config` for a scope with something that JSON leaves out
 */
export function cachedEmbedder(embedder: Embedder, cache: Cache, options: CachedEmbedderOptions): Embedder {
  const { scope } = parseConfig(scopeSchema, options, 'cachedEmbedder')
  const { name, identity, dimensions } = embedder
  return {
    name,
    ...(identity !== undefined && { identity }),
    dimensions,
    async embed(texts, request) {
      const { kind, signal } = request
      if (kind === 'document') return embedder.embed(texts, request)
      const embedOne = gathering(async (missing: readonly string[], until) => {
        const vectors = await embedder.embed(missing, { kind, signal: until })
        if (vectors.length === missing.length) return vectors
        throw new QuerentError(
          'embed-failed',
          `${name} gave ${vectors.length} vectors for ${missing.length} texts`,
        )
      })
      const vectorFor = async (text: string): Promise<Float32Array> => {
        const { value } = await cache.through<Float32Array>({
          key: ['embedding', scope, name, identity, dimensions, text],
          make: (until) => embedOne(text, until),
          write: toBase64,
          read: (written) => vectorOf(written, dimensions),
          signal,
        })
        return value
      }
      const vectors: Float32Array[] = []
      for (let first = 0; first < texts.length; first += together)
        vectors.push(...(await Promise.all(texts.slice(first, first + together).map(vectorFor))))
      return vectors
    },
    ...(embedder.close && { close: () => embedder.close!() }),
  }
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** In the processor's byte order: processes that share a store run on one kind of processor. */
function vectorOf(written: string, dimensions: number): Float32Array | undefined {
  const bytes = Uint8Array.from(Buffer.from(written, 'base64'))
  const vector = new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4))
  return vector.length === dimensions && vector.every(Number.isFinite) ? vector : undefined
}
