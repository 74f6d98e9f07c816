/** What a search ranks by. A re-ranker reads only words. So it has to know what else is in the order that it was given. */
import type { Clause, Way } from './clauses.ts'
import { isObject, type JsonObject, listOf, type Path, valueAt, without, withValue } from './json.ts'

/** A clause that ranks by something other than words. */
export interface Factor {
  /** The clause, `{ function_score: … }`. */
  readonly path: Path
  readonly way: Way
  /** The key of the part with words, for a clause around one. */
  readonly around?: string
}

export interface Ranking {
  /** Whether the engine also finds words that are spelled differently. */
  readonly isFuzzy: boolean
  /** What ranks beside the words. */
  readonly factors: readonly Factor[]
}

/** What a body ranks by, from all of its clauses that rank. @param isWords whether a text is that of the query */
export function rankingOf(
  { indices_boost: ofIndices }: JsonObject,
  clauses: readonly Clause[],
  isWords: (text: string) => boolean,
): Ranking {
  const ranked = clauses.filter(({ ranks }) => ranks)
  const words = ranked.filter(
    ({ text, around }) => around === undefined && text !== undefined && isWords(text),
  )
  const others = ranked.filter((one) => !words.includes(one))
  const hasBoosts = listOf(ofIndices ?? []).some(
    (boosts) => !isObject(boosts) || Object.keys(boosts).length > 0,
  )
  return {
    isFuzzy: words.some(({ isFuzzy }) => isFuzzy),
    factors: [
      ...others.map(({ path, way, around }) => ({ path, way, ...(around !== undefined && { around }) })),
      ...(hasBoosts ? [{ path: ['indices_boost'], way: 'multiplies' as const }] : []),
    ],
  }
}

/** The body that finds the same hits, and scores them by the words alone. */
export function wordsAlone(body: JsonObject, factors: readonly Factor[]): JsonObject {
  const inQuery = factors.filter(({ path }) => path[0] === 'query')
  // The innermost first: the paths of those around them stay as they are.
  const innermost = inQuery.toSorted((one, other) => other.path.length - one.path.length)
  return innermost.reduce<JsonObject>(
    (rest, { path, around }) => withValue(rest, path, unranked(valueAt(rest, path), around)) as JsonObject,
    without(body, 'indices_boost'),
  )
}

/** A clause that finds the same documents, and scores them only by the words in it. */
function unranked(clause: unknown, around: string | undefined): JsonObject {
  if (around === undefined || !isObject(clause)) return { bool: { filter: [clause] } }
  const [inner] = Object.values(clause)
  const { boost, [around]: words } = isObject(inner) ? inner : {}
  return { bool: { must: [words], ...(boost !== undefined && { boost }) } }
}
