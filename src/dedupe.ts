/** When two texts are the same search. */
import type { DecisionKind, SubQuery } from './types.ts'

/** What two sub-queries share when searching both would be searching twice: their words, spaces and case aside. */
export function searchKey(text: string): string {
  // Blanks that stand alone stay: replacing each by itself takes four times as long as all the rest.
  return text
    .trim()
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .toLowerCase()
}

/** What tells the sub-queries of a request apart: their text and their conditions. */
export const subQueryKey = ({ text, where }: Pick<SubQuery, 'text' | 'where'>): string =>
  where === undefined ? text : `${text}\n${JSON.stringify(where)}`

/** The sub-queries by search key, without blank ones and those that repeat an earlier one. */
export function bySearchKey<T extends { readonly text: string }>(subQueries: readonly T[]): Map<string, T> {
  const seen = new Map<string, T>()
  for (const subQuery of subQueries) {
    const key = searchKey(subQuery.text)
    if (key !== '' && !seen.has(key)) seen.set(key, subQuery)
  }
  return seen
}

/** The sub-queries without blank ones and those that repeat an earlier one. */
export const withoutRepeats = <T extends { readonly text: string }>(subQueries: readonly T[]): T[] => [
  ...bySearchKey(subQueries).values(),
]

/**
 * The texts that a search can make if only `most` of them may be new: all that were searched before, and the first of the others.
 * Repeats count once.
 */
export function withFewNew(texts: readonly string[], searched: readonly string[], most: number): string[] {
  const known = new Set(searched.map(searchKey))
  const limit = known.size + most
  return texts.filter((text) => {
    const key = searchKey(text)
    if (known.size < limit) known.add(key)
    return known.has(key)
  })
}

/** The decision that searching these texts in place of the query amounts to. */
export function decisionOf(query: string, texts: readonly string[]): DecisionKind {
  const key = searchKey(query)
  if (texts.every((text) => searchKey(text) === key)) return 'as-is'
  return texts.length === 1 ? 'rewrite' : 'decompose'
}
