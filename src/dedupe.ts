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

/** What tells the sub-queries of a request apart: their text, their conditions and what they give up. */
export const subQueryKey = (subQuery: Omit<SubQuery, 'round' | 'from'>): string =>
  isAsAsked(subQuery)
    ? subQuery.text
    : `${subQuery.text}\n${JSON.stringify([subQuery.where, subQuery.relaxed])}`

/** Whether a sub-query is searched under what was asked for: under no conditions that were read out of the query, and giving up none. */
export const isAsAsked = ({ where, relaxed }: Pick<SubQuery, 'where' | 'relaxed'>): boolean =>
  where === undefined && relaxed === undefined

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
