/**
 * Why the hits of a search keep the fused order instead of being re-ranked. A re-ranker reads only words. It would undo a ranking
 * by popularity, by date or by boosts of fields and clauses, and it does not recognize misspelled words.
 */
import { isObject, type JsonObject, listOf, numberOf } from '../json.ts'

export interface KeptOrder {
  /** The reason, as a clause of a sentence. */
  readonly reason: string
  /**
   * Whether scores measure more than how well the words fit. Then fusion merges lists by score, which keeps these parts in full.
   */
  readonly isByScore: boolean
}

/** Reads one clause, whose score is multiplied by `boost`. */
type Read = (inner: unknown, boost: number, seen: Seen) => void

interface Seen {
  /** Whether a text is the query text. */
  readonly isWords: (text: string) => boolean
  /** The boosts of the places with the query text, each value once. */
  readonly boosts: Set<number>
}

/** Thrown at the first clause that a re-ranker would misjudge. The message is the reason. */
class KeepsOrder extends Error {
  readonly isByScore: boolean

  constructor(reason: string, isByScore = true) {
    super(reason)
    this.isByScore = isByScore
  }
}

/**
 * @param sections the body of a search with a known query text
 * @param isWords whether a text of the body is the query text
 * @returns the reason; undefined if the search ranks by the unchanged query text alone
 */
export function whyNotReranked(
  sections: JsonObject,
  isWords: (text: string) => boolean,
): KeptOrder | undefined {
  const seen: Seen = { isWords, boosts: new Set() }
  try {
    if (
      listOf(sections.indices_boost ?? []).some(
        (boosts) => !isObject(boosts) || Object.keys(boosts).length > 0,
      )
    )
      throw new KeepsOrder('its indices have boosts')
    if (sections.query !== undefined) readClause(sections.query, 1, seen)
    for (const knn of listOf(sections.knn ?? [])) readInner(knn, 1, seen)
    if (sections.retriever !== undefined) readRetriever(sections.retriever, 1, seen)
  } catch (error) {
    if (error instanceof KeepsOrder) return { reason: error.message, isByScore: error.isByScore }
    throw error
  }
  return seen.boosts.size > 1
    ? { reason: 'its fields or clauses have boosts of their own', isByScore: false }
    : undefined
}

/** The boost of a clause. */
const boostOf = (inner: unknown): number => (isObject(inner) ? numberOf(inner.boost) : undefined) ?? 1

/** Reads the boosts of the query text, in one field or in several. */
const readInner: Read = (inner, boost, { boosts }) => {
  const { fields, fuzziness } = isObject(inner) ? inner : {}
  if (fuzziness !== undefined && String(fuzziness) !== '0')
    throw new KeepsOrder('its words may be misspelled, as fuzziness says', false)
  const weight = boost * boostOf(inner)
  const named = listOf(fields ?? []).filter((name) => typeof name === 'string')
  if (named.length === 0) boosts.add(weight)
  for (const name of named) boosts.add(weight * (Number(/\^([^^]*)$/.exec(name)?.[1] ?? 1) || 1))
}

/** `{ field: … }`. */
const inField: Read = (inner, boost, seen) => {
  for (const one of Object.values(isObject(inner) ? inner : {})) readInner(one, boost, seen)
}

/**
 * `must` clauses without the query text add the same score to each hit, except for the few that measure something. `should`
 * clauses without it prefer the hits that they match.
 */
const readBool: Read = (inner, boost, seen) => {
  const { must, should } = isObject(inner) ? inner : {}
  const weight = boost * boostOf(inner)
  for (const clause of listOf(must ?? []))
    if (hasWords(clause, seen) || !isConstant(clause)) readClause(clause, weight, seen)
  for (const clause of listOf(should ?? [])) readClause(clause, weight, seen)
}

const readDisMax: Read = (inner, boost, seen) => {
  const { queries } = isObject(inner) ? inner : {}
  for (const clause of listOf(queries ?? [])) readClause(clause, boost * boostOf(inner), seen)
}

const readFunctionScore: Read = (inner, boost, seen) => {
  const {
    query,
    boost: _boost,
    boost_mode: _mode,
    score_mode: _score,
    max_boost: _max,
    min_score: _min,
    ...functions
  } = isObject(inner) ? inner : {}
  const isSet = Object.values(functions).some(
    (value) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  if (isSet) throw new KeepsOrder('its function_score ranks by more than words')
  if (query !== undefined) readClause(query, boost * boostOf(inner), seen)
}

const clauses: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...['match', 'match_phrase', 'term', 'prefix', 'neural', 'neural_sparse'].map(
    (name) => [name, inField] as const,
  ),
  ['bool', readBool],
  ['dis_max', readDisMax],
  ['hybrid', readDisMax],
  ['function_score', readFunctionScore],
])

/**
 * Reads one clause: `{ match: … }`, or a clause with the query text under another key. A clause without the query text ranks by
 * something else.
 */
function readClause(clause: unknown, boost: number, seen: Seen): void {
  const [[name, inner] = ['', undefined]] = Object.entries(isObject(clause) ? clause : {})
  if (name === 'match_all') return
  const read = clauses.get(name)
  // A query vector stands for the query text, whether the engine or the caller made it.
  if (name !== 'knn' && !hasWords(inner, seen))
    throw new KeepsOrder(`its clause ${name} ranks by more than words`)
  if (name === 'fuzzy') throw new KeepsOrder('its words may be misspelled, as fuzzy says', false)
  ;(read ?? readInner)(inner, boost, seen)
}

/** Clauses that give each hit the same score. */
const constant = new Set(
  'term terms range exists ids wildcard regexp prefix match_all match_none constant_score terms_set nested'.split(
    ' ',
  ),
)

const isConstant = (clause: unknown): boolean => {
  const [name = ''] = Object.keys(isObject(clause) ? clause : {})
  return constant.has(name) || name.startsWith('geo_') || name === 'shape' || name === 'script'
}

function hasWords(value: unknown, seen: Seen): boolean {
  if (typeof value === 'string') return seen.isWords(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => hasWords(inner, seen))
}

/** Retrievers merge lists by rank, or by weighted scores. */
function readRetriever(retriever: unknown, boost: number, seen: Seen): void {
  const [[name, inner] = ['', undefined]] = Object.entries(isObject(retriever) ? retriever : {})
  if (!isObject(inner)) return
  if (name === 'standard' && inner.query !== undefined) readClause(inner.query, boost, seen)
  if (name === 'knn' || (inner.query !== undefined && name !== 'standard')) readInner(inner, boost, seen)
  for (const one of listOf(inner.retrievers ?? [])) {
    const weighted = isObject(one) && isObject(one.retriever)
    readRetriever(
      weighted ? one.retriever : one,
      weighted ? boost * (numberOf(one.weight) ?? 1) : boost,
      seen,
    )
  }
}
