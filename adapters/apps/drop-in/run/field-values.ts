/** What the documents of the caller have in fields: for filters that are read out of the words of a query. */
import { QuerentError } from '../../../../src/errors.ts'
import type { FindValues } from '../../../../src/types.ts'
import {
  type KeptValues,
  valuesBody,
  valuesOf,
  valuesTimeout,
} from '../../../search/cluster/aggregated-values.ts'
import { type JsonObject, listOf, namesIn, only, type Path, withValue } from '../parse/json.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import type { CallerEngine } from './caller-engine.ts'
import { askOne } from './resilient-engine.ts'

/**
 * Asks the engine as the caller, under all that the caller's body demands besides words: nobody learns values of documents that they
 * cannot find.
 *
 * @param identity the caller, as one string
 */
export function callerValues(
  understood: RewritableSearch,
  {
    identity,
    index,
    engine,
    kept,
  }: {
    readonly identity: string
    /** As the caller names it. */
    readonly index: unknown
    readonly engine: CallerEngine
    readonly kept: KeptValues
  },
): FindValues {
  const { header, body } = understood
  // A point in time names the indices.
  const within = only(body, 'pit')
  return (wanted, { signal }) => {
    const filters = [withoutWords(understood), ...listOf(body.post_filter ?? [])] as readonly object[]
    return kept(
      [identity, index, header, within, filters, wanted],
      async () => {
        const asked = { ...valuesBody(wanted, filters), ...within } as JsonObject
        const asking = { signal: AbortSignal.timeout(valuesTimeout), timeout: valuesTimeout }
        const response = await askOne(engine, understood, asked, asking)
        const values = valuesOf(wanted, response)
        if (values !== undefined) return values
        throw new QuerentError('retriever-failed', 'The answer of the engine has no aggregations')
      },
      signal,
    )
  }
}

/** The caller's query with a clause that matches everything in place of each clause of words. */
const withoutWords = ({ body, slots }: RewritableSearch): unknown =>
  slots
    .filter(([place]) => place === 'query')
    .reduce<unknown>(
      (query, path) => withValue(query, clausePath(path).slice(1), { match_all: {} }),
      body.query,
    )

/** Clauses that name their words `query` beside the fields. In all others the words stand below a field. */
const besideFields = namesIn(
  'multi_match query_string simple_query_string combined_fields semantic sparse_vector',
)

/** The path of the clause that has its words at `path`: `{ match: { field: words } }` or `{ match: { field: { query: words } } }`. */
function clausePath(path: Path): Path {
  const isBeside = path.at(-1) === 'query' && besideFields.includes(String(path.at(-2)))
  if (isBeside) return path.slice(0, -2)
  return path.slice(0, ['query', 'value', 'query_text'].includes(String(path.at(-1))) ? -3 : -2)
}
