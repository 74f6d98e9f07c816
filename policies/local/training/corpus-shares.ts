/** Which corpora each of several networks learns from, so that a habit of a single corpus does not decide for all. */

/**
 * Deals the corpora out to the networks. Each network learns from all corpora but those dealt to it. With fewer corpora than
 * networks there is less to deal: `alike` networks learn from all of them.
 *
 * @param corpora may repeat
 * @returns for each network, whether it learns from a corpus
 */
export function corpusShares(
  corpora: readonly string[],
  { networks, alike }: { readonly networks: number; readonly alike: number },
): readonly ((corpus: string) => boolean)[] {
  const distinct = [...new Set(corpora)]
  if (distinct.length < networks) return Array.from({ length: alike }, () => () => true)
  const placeOf = new Map(distinct.map((corpus, place) => [corpus, place]))
  return Array.from(
    { length: networks },
    (_, network) => (corpus: string) => placeOf.get(corpus)! % networks !== network,
  )
}
