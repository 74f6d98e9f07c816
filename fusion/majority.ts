import type { Entry } from './create-fusion.ts'
import type { Pool } from './pool.ts'

/** How many documents of the pool a document beats by majority, less by how many it is beaten. See `condorcet`. */
export function majority(
  entries: readonly Entry[],
  { docids, lists, ranks }: Pool,
  weights: readonly number[],
): number {
  const own = new Map(entries.map(({ list, rank }) => [list, rank]))
  const places = lists.map((_, list) => own.get(list) ?? Number.POSITIVE_INFINITY)
  let net = 0
  for (let other = 0; other < docids.length; other++) {
    let votes = 0
    for (let list = 0; list < lists.length; list++) {
      const place = ranks[other * lists.length + list]! || Number.POSITIVE_INFINITY
      if (places[list]! < place) votes += weights[list]!
      else if (places[list]! > place) votes -= weights[list]!
    }
    net += Math.sign(votes)
  }
  return net
}
