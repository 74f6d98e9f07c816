/** The vectors of sub-queries, or why there are none: words are searched all the same. */

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

/** Of the time that there is, what embedding may use: all searches leave together, and the words must not come too late. */
const embeddingShare = 0.5

/**
 * One vector a text, all in one call, or the error of the embedder.
 *
 * @throws the signal's reason once it is aborted
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
    // An async function, so that an embedder that throws at once is no different from one that rejects.
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
