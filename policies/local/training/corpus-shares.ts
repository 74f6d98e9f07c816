/** Which corpora each of several networks learns from, so that a habit of a single corpus does not decide for all. */

/**
 * Deals the corpora out to the networks. Each network learns from all corpora but those dealt to it. With fewer corpora than
 * networks, each learns from all of them.
 *
 * @param corpora may repeat
 * @returns for each network, whether it learns from a corpus
 */
export function corpusShares(
  corpora: readonly string[],
  networks: number,
): readonly ((corpus: string) => boolean)[] {
  const distinct = [...new Set(corpora)]
  const placeOf = new Map(distinct.map((corpus, place) => [corpus, place]))
  const isFew = distinct.length < networks
  return Array.from(
    { length: networks },
    (_, network) => (corpus: string) => isFew || placeOf.get(corpus)! % networks !== network,
  )
}
