/** Merges the legs of a batch with those of its retry. */
import type { Leg, SubQuery } from '../../src/types.ts'

/**
 * Replaces the failed legs of `first` by those of `retried`, and returns all legs in the order of the sub-queries. A failed
 * leg is replaced by the leg with the same retriever and text (the n-th by the n-th), or by all legs of its sub-query if
 * they come back under other names.
 */
export function mergeLegs(
  subQueries: readonly SubQuery[],
  first: readonly Leg[],
  retried: readonly Leg[],
): Leg[] {
  const replacements = new Map(numbered(retried).map(({ key, leg }) => [key, leg]))
  const answered = new Set(retried.map(({ subQuery }) => subQuery.text))
  const merged: Leg[] = []
  for (const { key, leg } of numbered(first)) {
    const replacement = replacements.get(key)
    replacements.delete(key)
    if (leg.error === undefined) merged.push(leg)
    else if (replacement !== undefined) merged.push(replacement)
    else if (!answered.has(leg.subQuery.text)) merged.push(leg)
  }
  return inOrder(subQueries, [...merged, ...replacements.values()])
}

/** Each leg with its number among the legs of the same retriever and text, and a key of all three. */
function numbered(
  legs: readonly Leg[],
): { readonly key: string; readonly number: number; readonly leg: Leg }[] {
  const counts = new Map<string, number>()
  return legs.map((leg) => {
    const list = JSON.stringify([leg.retriever, leg.subQuery.text])
    const number = counts.get(list) ?? 0
    counts.set(list, number + 1)
    return { key: `${number} ${list}`, number, leg }
  })
}

function inOrder(subQueries: readonly SubQuery[], legs: readonly Leg[]): Leg[] {
  const places = new Map<string, number[]>()
  for (const [place, { text }] of subQueries.entries()) {
    const others = places.get(text)
    if (others === undefined) places.set(text, [place])
    else others.push(place)
  }
  return numbered(legs)
    .map(({ number, leg }) => ({ leg, place: places.get(leg.subQuery.text)?.[number] ?? subQueries.length }))
    .sort((a, b) => a.place - b.place)
    .map(({ leg }) => leg)
}
