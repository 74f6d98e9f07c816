/** Queries of an engine that give up some of what they ask for. */
import { isObject } from '../../../src/runtime/json.ts'
import type { Relaxation } from '../../../src/types.ts'

type Clause = Readonly<Record<string, unknown>>

/** Clauses that search words one by one. Those with words in a key of their own name the fields beside it. */
const wordClauses = ['match', 'multi_match', 'query_string', 'simple_query_string', 'combined_fields']

/** Parts of a `bool` that are conditions, and no search for words. */
const conditions = ['filter', 'must_not']

/**
 * A query for a text that asks for fewer of the words, or for words that are spelled nearly alike. Conditions on the fields are left
 * out of its filters. Clauses with other texts are the caller's conditions, and stay.
 */
export function relaxedQuery(query: unknown, text: string, relaxation: Relaxation): unknown {
  const { without = [] } = relaxation
  const relaxed = (value: unknown, clause: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => relaxed(one, clause))
    if (value === text && clause === 'match') return loosened(clause, { query: value }, relaxation)
    if (!isPlain(value)) return value
    if (value.query === text && wordClauses.includes(clause)) return loosened(clause, value, relaxation)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        conditions.includes(key)
          ? withoutFields(inner, without)
          : relaxed(inner, wordClauses.includes(key) ? key : clause),
      ]),
    )
  }
  return relaxed(query, '')
}

/** Whether it is an object of JSON, and no number that a lossless parser made. */
const isPlain = (value: unknown): value is Clause =>
  isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Conditions, one or a list, without those on one of the fields. */
export const withoutFields = (given: unknown, fields: readonly string[]): readonly unknown[] =>
  (Array.isArray(given) ? given : [given])
    .filter((one) => !isOn(one, fields))
    .map((one) => inside(one, fields))

/** Whether it is `{ term: { field: … } }` or `{ exists: { field } }` with one of the fields. */
function isOn(clause: unknown, fields: readonly string[]): boolean {
  const [inner] = isObject(clause) ? Object.values(clause) : []
  return isObject(inner) && fields.some((field) => Object.hasOwn(inner, field) || inner.field === field)
}

/** Of alternatives none is left out: fewer documents would pass. */
function inside(clause: unknown, fields: readonly string[]): unknown {
  if (!isObject(clause) || !isObject(clause.bool)) return clause
  const parts = Object.entries(clause.bool).map(([key, inner]) =>
    key === 'must' || conditions.includes(key) ? [key, withoutFields(inner, fields)] : [key, inner],
  )
  return { ...clause, bool: Object.fromEntries(parts) }
}

/** A typo in the first letter is rare, and without it far fewer words have to be compared. */
const fuzzyTypes: readonly unknown[] = [undefined, 'best_fields', 'most_fields']
const fuzzy = { fuzziness: 'AUTO', prefix_length: 1 }

function loosened(name: string, clause: Clause, { words, near }: Relaxation): Clause {
  const { operator, default_operator: joined, minimum_should_match: least, ...rest } = clause
  const isStrict = String(operator ?? joined).toLowerCase() === 'and' || least !== undefined
  const isFuzzy = name === 'match' || (name === 'multi_match' && fuzzyTypes.includes(rest.type))
  return {
    ...(words !== undefined && isStrict ? rest : clause),
    ...(words === 'all but one' && isStrict && { minimum_should_match: -1 }),
    ...(near && isFuzzy && rest.fuzziness === undefined && fuzzy),
  }
}
