import type { Entry } from './create-fusion.ts'
import type { Pool } from './pool.ts'
import { sum } from './sum.ts'

/** Σ w · points of a document over all lists, including those without it. See `borda`. */
export function bordaPoints(
  entries: readonly Entry[],
  { union, lists }: Pool,
  weights: readonly number[],
): number {
  const ranks = new Map(entries.map(({ list, rank }) => [list, rank]))
  return sum(
    lists.map(({ hits }, list) => {
      const rank = ranks.get(list)
      const points = rank === undefined ? (union.length - hits.length + 1) / 2 : union.length - rank + 1
      return weights[list]! * points
    }),
  )
}
