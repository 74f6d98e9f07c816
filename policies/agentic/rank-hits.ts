/** The hits of a search of several rounds. */
import type { Tools } from '../../src/policy.ts'
import type { Hit } from '../../src/types.ts'
import type { Page } from './page.ts'

/**
 * The kept documents first, then those of all pages, which take turns, the latest round first. A page that stands alone stays as it is.
 *
 * @param kept docids
 * @param rounds the pages of each round
 * @throws the first leg's own error if no leg has an answer
 */
export function rankHits(
  kept: readonly string[],
  rounds: readonly (readonly Page[])[],
  tools: Pick<Tools, 'fuse'>,
): readonly Hit[] {
  const pages = rounds.toReversed().flat()
  if (kept.length === 0 && pages.length === 1) return pages[0]!.hits
  const docids = new Set(kept)
  const found = new Map<string, Hit>()
  const longest = Math.max(...pages.map(({ hits }) => hits.length))
  for (let place = 0; place < longest; place++)
    for (const { hits } of pages) {
      const hit = hits[place]
      if (hit === undefined) continue
      docids.add(hit.docid)
      const { confidence = -1 } = found.get(hit.docid) ?? {}
      if (confidence < (hit.confidence ?? 0)) found.set(hit.docid, hit)
    }
  const legs = [...new Set(rounds.flat().flatMap((page) => page.legs))]
  const all = legs.reduce((sum, { hits = [] }) => sum + hits.length, 0)
  const fused = new Map(tools.fuse(legs, { first: kept, k: all }).map((hit) => [hit.docid, hit]))
  return [...docids].flatMap((docid, place) => {
    const [hit, own] = [fused.get(docid) ?? found.get(docid), found.get(docid)]
    if (hit === undefined) return []
    const { confidence } = own ?? {}
    const { rank, score } = hit
    return {
      ...hit,
      ...(confidence !== undefined && { confidence }),
      rank: place + 1,
      score: 1 / (place + 1),
      fused: hit.fused ?? { rank, score },
    }
  })
}
