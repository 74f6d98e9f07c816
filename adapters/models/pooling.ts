/** Combines the vectors of the tokens into one vector per text. */

/** The `mean` of all tokens, the first token (`cls`), or the last one. */
export type Pooling = 'mean' | 'cls' | 'lasttoken'

/**
 * The vector of one text of a batch, in double precision and not scaled.
 *
 * @param states `[texts, longest, dimensions]`, flat. Everything after the text's own `tokens` is padding.
 */
export function pool(
  states: ArrayLike<number>,
  { text, tokens, longest, dimensions }: Record<'text' | 'tokens' | 'longest' | 'dimensions', number>,
  pooling: Pooling,
): Float64Array {
  const sum = new Float64Array(dimensions)
  const first = pooling === 'lasttoken' ? tokens - 1 : 0
  const last = pooling === 'cls' ? 0 : tokens - 1
  for (let token = first; token <= last; token++) {
    const start = (text * longest + token) * dimensions
    for (let at = 0; at < dimensions; at++) sum[at]! += states[start + at]!
  }
  return sum.map((value) => value / (last - first + 1))
}
