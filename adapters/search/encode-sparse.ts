/** Weighs the words of texts, and checks what comes back. */
import { QuerentError } from '../../src/errors.ts'
import type { EmbedOptions, SparseEncoder, WordWeights } from '../../src/types.ts'

/**
 * The weights above 0 of each text.
 *
 * @throws QuerentError `embed-failed` if a weight is not a finite number, or the number of texts is wrong; errors of the encoder,
 *   unchanged
 */
export async function encodeSparse(
  encoder: SparseEncoder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly WordWeights[]> {
  const what = `The sparse encoder ${encoder.name}`
  const found = await encoder.encode(texts, options)
  if (found.length !== texts.length)
    throw new QuerentError(
      'embed-failed',
      `${what} gave weights for ${found.length} of ${texts.length} texts`,
    )
  return found.map((weights) => {
    const above = new Map<string, number>()
    for (const [word, weight] of weights) {
      if (!Number.isFinite(weight))
        throw new QuerentError('embed-failed', `${what} gave a weight that is not a finite number`)
      if (weight > 0) above.set(word, weight)
    }
    return above
  })
}
