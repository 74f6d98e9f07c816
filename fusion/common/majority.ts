import type { Entry } from './create-fusion.ts'
import type { Pool } from './pool.ts'

/** Relative to all votes cast. A smaller difference is a tie, because weights such as 0.1 do not add up exactly. */
const negligible = 1e-9

/** The number of documents that a document beats by majority, minus the number that beat it. See `condorcet`. */
export function majority(
  entries: readonly Entry[],
  { union, lists }: Pool,
  weights: readonly number[],
): number {
  const own = new Map(entries.map(({ list, rank }) => [list, rank]))
  const ranks = lists.map((_, list) => own.get(list) ?? Number.POSITIVE_INFINITY)
  let net = 0
  for (const others of union) {
    let at = 0
    let votes = 0
    let cast = 0
    for (let list = 0; list < lists.length; list++) {
      const rank = others[at]?.list === list ? others[at++]!.rank : Number.POSITIVE_INFINITY
      if (ranks[list] === rank) continue
      votes += ranks[list]! < rank ? weights[list]! : -weights[list]!
      cast += Math.abs(weights[list]!)
    }
    if (Math.abs(votes) > negligible * cast) net += Math.sign(votes)
  }
  return net
}
