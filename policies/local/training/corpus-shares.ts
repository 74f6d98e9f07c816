/** Leave-one-corpus-out bagging: which corpora each of several networks learns from, so that none of them decides alone. */

/**
 * Deals the corpora out to the networks. Each network learns from all corpora but those dealt to it. If there are fewer corpora
 * than networks, or one of the networks would learn from fewer than `least` examples, all learn from all of them.
 *
 * @param corpora of each example
 * @returns for each network, whether it learns from a corpus
 */
export function corpusShares(
  corpora: readonly string[],
  { networks, least }: { readonly networks: number; readonly least: number },
): readonly ((corpus: string) => boolean)[] {
  const distinct = [...new Set(corpora)]
  const placeOf = new Map(distinct.map((corpus, place) => [corpus, place]))
  const shares = Array.from(
    { length: networks },
    (_, network) => (corpus: string) => placeOf.get(corpus)! % networks !== network,
  )
  const isFew = distinct.length < networks || shares.some((share) => corpora.filter(share).length < least)
  return isFew ? shares.map(() => () => true) : shares
}
