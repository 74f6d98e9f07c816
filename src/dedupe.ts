/** When two texts are the same search. */
import type { SubQuery } from './types.ts'

/** What two sub-queries share when searching both would be searching twice: their words, spaces and case aside. */
export function searchKey(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** The sub-queries without blank ones and those that repeat an earlier one. */
export function withoutRepeats(subQueries: readonly SubQuery[]): SubQuery[] {
  const seen = new Map<string, SubQuery>()
  for (const subQuery of subQueries) {
    const key = searchKey(subQuery.text)
    if (key !== '' && !seen.has(key)) seen.set(key, subQuery)
  }
  return [...seen.values()]
}
