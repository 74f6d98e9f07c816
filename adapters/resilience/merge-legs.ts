/** Legs of a batch, some of which were asked for again. */
import type { Leg, SubQuery } from '../../src/types.ts'

/**
 * `before`, with what `again` has better, in the order of the sub-queries. A leg that was fine stays; one that failed
 * gives way to its successor, the leg of the same retriever name and text (the n-th to the n-th), or, where that
 * sub-query came back under other names, to those.
 */
export function mergeLegs(
  subQueries: readonly SubQuery[],
  before: readonly Leg[],
  again: readonly Leg[],
): Leg[] {
  const successors = new Map(numbered(again).map(({ key, leg }) => [key, leg]))
  const answered = new Set(again.map(({ subQuery }) => subQuery.text))
  const merged: Leg[] = []
  for (const { key, leg } of numbered(before)) {
    const successor = successors.get(key)
    successors.delete(key)
    if (leg.error === undefined) merged.push(leg)
    else if (successor !== undefined) merged.push(successor)
    else if (!answered.has(leg.subQuery.text)) merged.push(leg)
  }
  return inOrder(subQueries, [...merged, ...successors.values()])
}

/** Each leg with the key of its retriever name, its text, and how many of these came before. */
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
