import { checkVector } from '../../adapters/search/check-vector.ts'
import { QuerentError } from '../errors.ts'
import type { Embedder } from '../types.ts'
import { ofGiver } from './disk.ts'
import { type EmbeddingJournal, type TextDigest, textDigest } from './embedding-journal.ts'

/** Texts embedded between two writes to the journal. A killed build loses the vectors of at most this many texts. */
const textsPerStep = 32

/** An embedder of documents that computes each vector only once. */
export interface JournaledEmbedder extends Embedder {
  /** Digests of all texts passed to `embed` so far. */
  readonly used: ReadonlySet<TextDigest>
  /** Number of texts whose vectors were computed instead of read from the journal. */
  readonly computed: number
}

/**
 * Wraps `embedder` with a journal. Vectors in the journal are reused; new ones are appended to it. Vectors that no index takes
 * are not: a broken embedder can be repaired. `onProgress` receives the number of texts that have vectors.
 */
export function journaledEmbedder(
  embedder: Embedder,
  journal: EmbeddingJournal,
  onProgress?: (done: number) => void,
): JournaledEmbedder {
  const used = new Set<TextDigest>()
  let computed = 0
  let done = 0

  /** Computes the vectors of texts that are not in the journal. */
  async function compute(
    texts: ReadonlyMap<TextDigest, string>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const missing = [...texts]
    for (let first = 0; first < missing.length; first += textsPerStep) {
      signal?.throwIfAborted()
      const batch = missing.slice(first, first + textsPerStep)
      const wanted = batch.map(([, text]) => text)
      const vectors = await embedder
        .embed(wanted, { kind: 'document', ...(signal && { signal }) })
        .catch(ofGiver)
      await journal.append(new Map(batch.map(([digest], index) => [digest, checked(vectors[index])])))
      computed += batch.length
      done += batch.length
      onProgress?.(done)
    }
  }

  /** Checks a vector before it is written. One of a wrong size would shift all later records in the journal. */
  function checked(vector: Float32Array | undefined): Float32Array {
    if (vector === undefined)
      throw new QuerentError(
        'embed-failed',
        `The embedder ${embedder.name} gave too few vectors, where one a text was expected`,
      )
    checkVector(vector, embedder.dimensions, embedder.name)
    return vector
  }

  return {
    name: embedder.name,
    dimensions: embedder.dimensions,
    used,
    get computed() {
      return computed
    },
    async embed(texts, { signal }) {
      const digests = texts.map(textDigest)
      const missing = new Map<TextDigest, string>()
      for (const [index, digest] of digests.entries()) {
        used.add(digest)
        if (!journal.has(digest)) missing.set(digest, texts[index]!)
      }
      done += texts.length - missing.size
      onProgress?.(done)
      await compute(missing, signal)
      return Promise.all(digests.map((digest) => journal.get(digest)))
    },
  }
}
