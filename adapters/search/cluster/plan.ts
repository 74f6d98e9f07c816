/** Plans the searches of a retriever, once, from its options. */
import type { z } from 'zod'
import type { Relaxation, RetrieverKind, WordWeights } from '../../../src/types.ts'
import type { Cluster } from './cluster.ts'
import { sourceOf } from './document.ts'
import { clausesOf, maxCandidates, type retrieverSchema } from './options.ts'
import { relaxedQuery } from './relaxed-query.ts'
import { sparseQuery } from './sparse-query.ts'
import { bodyTemplate, fieldsTemplate, slotsIn, type Template } from './template.ts'
import { searchedText } from './words.ts'

export type RetrieverSettings = z.output<typeof retrieverSchema>

/** What all searches of a request share. */
export interface PlanRequest {
  readonly k: number
  readonly filters: readonly object[]
  /** Milliseconds. */
  readonly timeout?: number | undefined
  /** What the words need not be. */
  readonly relaxed?: Relaxation | undefined
}

/** The field of title and text together in indexes that `querent index` makes. */
export const defaultField = 'contents'

/** Engines limit the number of clauses in a query. Each word makes one clause in each field. */
const defaultMaxWords = 1000

/** The share of the remaining time for the engine. It then returns its partial result, which must still arrive in time. */
const engineShare = 0.9

export interface Plan {
  readonly name: string
  readonly legs: readonly { readonly name: string; readonly kind: RetrieverKind }[]
  /** The body of the lexical leg, if there is one. */
  readonly words?: (text: string, request: PlanRequest) => object
  /** The body of the sparse leg, if there is one. Without weights, the cluster computes them. */
  readonly sparse?: (text: string, weights: WordWeights | undefined, request: PlanRequest) => object
  /** Completes the body of a search. */
  readonly around: (search: object, request: PlanRequest) => object
  /** How many neighbors each shard finds. */
  readonly candidates: (k: number) => number
  /** The index that is searched, if it is exactly one. */
  readonly index: string | undefined
  /** The indexes as part of a path. */
  readonly path: string
}

export function planOf(engine: Cluster, settings: RetrieverSettings): Plan {
  const {
    name = engine.kind,
    fields = [defaultField],
    type,
    body,
    vector,
    sparse,
    tieBreak,
    maxWords,
  } = settings
  const template: Template | undefined =
    body !== undefined ? bodyTemplate(body) : fields === false ? undefined : fieldsTemplate(fields, type)
  const slots = body !== undefined ? slotsIn(body) : fields === false ? 1 : fields.length
  const words = maxWords ?? Math.max(1, Math.floor(defaultMaxWords / slots))
  const source = sourceOf(settings)
  const indexes = [settings.index].flat()

  const around = (search: object, { k, timeout }: PlanRequest): object => ({
    ...search,
    size: k,
    _source: source,
    track_total_hits: false,
    ...(timeout !== undefined && { timeout: `${Math.max(1, Math.floor(timeout * engineShare))}ms` }),
    ...(tieBreak !== undefined && {
      sort: [{ _score: 'desc' }, { [tieBreak]: { order: 'asc', unmapped_type: 'keyword' } }],
    }),
  })

  return {
    name,
    legs: [
      ...(template ? [{ name, kind: 'lexical' as const }] : []),
      ...(vector ? [{ name: `${name}-vector`, kind: 'dense' as const }] : []),
      ...(sparse ? [{ name: `${name}-sparse`, kind: 'sparse' as const }] : []),
    ],
    ...(template && {
      words(text, request) {
        const searched = searchedText(text, words)
        const { query, ...rest } = template(searched)
        const asked = request.relaxed ? relaxedQuery(query, searched, request.relaxed) : query
        return around({ ...rest, query: filtered(asked as object, request.filters) }, request)
      },
    }),
    ...(sparse && {
      sparse(text, weights, request) {
        const query = sparseQuery(engine, sparse, { text, weights, maxWords: maxWords ?? defaultMaxWords })
        return around({ query: filtered(query, request.filters) }, request)
      },
    }),
    around,
    candidates: (k) =>
      Math.min(maxCandidates, Math.max(k, vector?.numCandidates ?? Math.max(150, Math.ceil(1.5 * k)))),
    index: indexes.length === 1 ? indexes[0] : undefined,
    path: indexes.map(encodeURIComponent).join(','),
  }
}

/** Adds filters to a query, without effect on the scores. */
function filtered(query: object, filters: readonly object[]): object {
  return filters.length === 0 ? query : { bool: { must: [query], filter: filters } }
}

/** All filters of a request. */
export function filtersOf(
  ...filters: readonly (object | readonly object[] | undefined)[]
): readonly object[] {
  return filters.flatMap(clausesOf)
}
