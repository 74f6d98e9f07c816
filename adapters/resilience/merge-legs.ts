/** Merges the legs of a batch with those of its retry. */
import type { Leg, SubQuery } from '../../src/types.ts'

/** What tells the sub-queries of a batch apart. */
export const keyOf = ({ text, where, relaxed }: SubQuery): string =>
  JSON.stringify([text, where, ...(relaxed === undefined ? [] : [relaxed])])

/**
 * Replaces the failed legs of `first` by those of `retried`, and returns all legs in the order of the sub-queries. A failed
 * leg is replaced by the leg with the same retriever and sub-query (the n-th by the n-th), or by all legs of its sub-query if
 * they come back under other names.
 */
export function mergeLegs(
  subQueries: readonly SubQuery[],
  first: readonly Leg[],
  retried: readonly Leg[],
): Leg[] {
  const replacements = new Map(numbered(retried).map(({ key, leg }) => [key, leg]))
  const answered = new Set(retried.map(({ subQuery }) => keyOf(subQuery)))
  const merged: Leg[] = []
  for (const { key, leg } of numbered(first)) {
    const replacement = replacements.get(key)
    replacements.delete(key)
    if (leg.error === undefined) merged.push(leg)
    else if (replacement !== undefined) merged.push(replacement)
    else if (!answered.has(keyOf(leg.subQuery))) merged.push(leg)
  }
  return inOrder(subQueries, [...merged, ...replacements.values()])
}

/** Each leg with its number among the legs of the same retriever and sub-query, and a key of all three. */
function numbered(
  legs: readonly Leg[],
): { readonly key: string; readonly number: number; readonly leg: Leg }[] {
  const counts = new Map<string, number>()
  return legs.map((leg) => {
    const list = JSON.stringify([leg.retriever, keyOf(leg.subQuery)])
    const number = counts.get(list) ?? 0
    counts.set(list, number + 1)
    return { key: `${number} ${list}`, number, leg }
  })
}

function inOrder(subQueries: readonly SubQuery[], legs: readonly Leg[]): Leg[] {
  const places = new Map<string, number[]>()
  for (const [place, subQuery] of subQueries.entries()) {
    const key = keyOf(subQuery)
    const others = places.get(key)
    if (others === undefined) places.set(key, [place])
    else others.push(place)
  }
  return numbered(legs)
    .map(({ number, leg }) => ({
      leg,
      place: places.get(keyOf(leg.subQuery))?.[number] ?? subQueries.length,
    }))
    .sort((a, b) => a.place - b.place)
    .map(({ leg }) => leg)
}
