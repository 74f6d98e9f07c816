/** Encodes sub-queries, to vectors or to weights of words. If that fails, the words are still searched. */

import { QuerentError, toError } from '../../../src/errors.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { withDeadline } from '../../../src/runtime/deadline.ts'
import type { Embedder, EmbedOptions, SparseEncoder, WordWeights } from '../../../src/types.ts'
import { encodeSparse } from '../encode-sparse.ts'

export interface QueryVectorOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** The share of the time for encoding. All searches are sent together, so slow encoding delays the lexical leg too. */
const encodingShare = 0.5

/**
 * Embeds all texts in one call. Returns one vector per text, or the error of the embedder.
 *
 * @throws the signal's reason if it aborts
 */
export async function queryVectors(
  embedder: Embedder,
  texts: readonly string[],
  options: QueryVectorOptions,
): Promise<readonly (readonly number[])[] | Error> {
  const what = `The embedder ${embedder.name}`
  const found = await encodedInTime(what, texts, (given) => embedder.embed(texts, given), options)
  return found instanceof Error ? found : found.map((vector) => [...vector])
}

/**
 * Encodes all texts in one call. Returns the weights above 0 for each text, or the error of the encoder.
 *
 * @throws the signal's reason if it aborts
 */
export async function queryWeights(
  encoder: SparseEncoder,
  texts: readonly string[],
  options: QueryVectorOptions,
): Promise<readonly WordWeights[] | Error> {
  const what = `The sparse encoder ${encoder.name}`
  return encodedInTime(what, texts, (given) => encodeSparse(encoder, texts, given), options)
}

async function encodedInTime<T>(
  what: string,
  texts: readonly string[],
  encode: (options: EmbedOptions) => Promise<readonly T[]>,
  { clock, signal, timeout }: QueryVectorOptions,
): Promise<readonly T[] | Error> {
  const ms = timeout === undefined ? Number.POSITIVE_INFINITY : timeout * encodingShare
  try {
    // An async function, because an encoder may throw at once or return no promise.
    const found = await withDeadline(clock, { parent: signal, ms, what }, async (signal) =>
      encode({ kind: 'query', signal }),
    )
    if (found.length === texts.length) return found
    return new QuerentError('embed-failed', `${what} gave ${found.length} vectors for ${texts.length} texts`)
  } catch (thrown) {
    signal?.throwIfAborted()
    return toError(thrown)
  }
}
