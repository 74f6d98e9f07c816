/** Embeds sub-queries. If that fails, the words are still searched. */

import { QuerentError, toError } from '../../../src/errors.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { openDeadline, untilAborted } from '../../../src/runtime/deadline.ts'
import type { Embedder } from '../../../src/types.ts'

export interface QueryVectorOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** The share of the time for embedding. All searches are sent together, so slow embedding delays the lexical leg too. */
const embeddingShare = 0.5

/**
 * Embeds all texts in one call. Returns one vector per text, or the error of the embedder.
 *
 * @throws the signal's reason if it aborts
 */
export async function queryVectors(
  embedder: Embedder,
  texts: readonly string[],
  { clock, signal, timeout }: QueryVectorOptions,
): Promise<readonly (readonly number[])[] | Error> {
  const what = `The embedder ${embedder.name}`
  const ms = timeout === undefined ? Number.POSITIVE_INFINITY : timeout * embeddingShare
  const deadline = openDeadline(clock, { parent: signal, ms, what })
  try {
    // An async function, because an embedder may throw at once instead of rejecting.
    const work = (async () => embedder.embed(texts, { kind: 'query', signal: deadline.signal }))()
    const vectors = await untilAborted(work, deadline.signal)
    if (vectors.length === texts.length) return vectors.map((vector) => [...vector])
    return new QuerentError(
      'embed-failed',
      `${what} gave ${vectors.length} vectors for ${texts.length} texts`,
    )
  } catch (thrown) {
    signal?.throwIfAborted()
    return toError(thrown)
  } finally {
    deadline.cancel()
  }
}
