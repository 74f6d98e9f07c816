/**
 * The positions of the rows in batches. Rows of similar length share a batch, because padding costs as much as text.
 *
 * @param lengths tokens of each row
 * @param batchTokens maximum tokens of a batch, padding included; a longer row is a batch by itself
 */
export function* batchesByLength(
  lengths: readonly number[],
  batchTokens: number,
): Generator<readonly number[]> {
  const places = [...lengths.keys()].sort((a, b) => lengths[b]! - lengths[a]! || a - b)
  for (let first = 0; first < places.length; ) {
    const longest = lengths[places[first]!]!
    const count = Math.max(1, Math.floor(batchTokens / longest))
    yield places.slice(first, first + count)
    first += count
  }
}
