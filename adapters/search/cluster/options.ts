/** What can be said about searching in a cluster, the same for both engines. */
import { z } from 'zod'
import { count, having } from '../../../src/config.ts'
import type { Embedder } from '../../../src/types.ts'
import { isObject } from './object.ts'
import { type MultiMatchType, slotsIn } from './template.ts'

export interface VectorOptions {
  /** The field of the vectors. */
  readonly field: string
  /** Embeds sub-queries. It must be the one that the documents were embedded with. */
  readonly embedder: Embedder
  /** How many neighbors each shard looks for: more finds more of the nearest. Default: half as many again as hits, 150 at least. */
  readonly numCandidates?: number | undefined
}

/** What belongs to one caller, and is on everything that is sent for it. */
export interface Caller {
  /** Sent with every request, in place of those of the client: `authorization`, `es-security-runas-user` … */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly routing?: string | undefined
  /** Which copies of a shard answer. The same string asks the same copies, whose scores differ a little from others'. */
  readonly preference?: string | undefined
  /** A query clause of the engine, or several: only documents that match all of them are found, on every leg. */
  readonly filter?: object | readonly object[] | undefined
}

export interface ClusterRetrieverOptions extends Caller {
  /** An index, an alias, a pattern, or several. */
  readonly index: string | readonly string[]
  /** The name of the retriever and of its lexical leg; that of the vector leg ends with `-vector`. Default: the engine's. */
  readonly name?: string | undefined
  /**
   * The fields that the words are searched in, with boosts where wanted: `['title^2', 'text']`. Default: `['contents']`, which
   * `querent index` makes. `false`: vectors only.
   */
  readonly fields?: readonly string[] | false | undefined
  /** How several fields are searched together, see `multi_match`. Default: the engine's, the best field counts. */
  readonly type?: MultiMatchType | undefined
  /** In place of `fields`: a search body of one's own with `{{query}}` where the words go. */
  readonly body?: object | undefined
  /** Adds a leg of vectors. */
  readonly vector?: VectorOptions | undefined
  /** The field that hits take the title of their document from. Default: `title`. */
  readonly title?: string | undefined
  /** The field that hits take the text of their document from. Default: `text`. */
  readonly text?: string | undefined
  /** Other fields that hits bring along, in `document.metadata`; `false`: hits without documents. Default: none. */
  readonly source?: readonly string[] | false | undefined
  /**
   * A keyword field with what the docid is made of: it decides ties inside the engine, also which of those at the end of a list
   * are cut off, which is left to chance otherwise. Default: none; `querent index` makes one called `docid`.
   */
  readonly tieBreak?: string | undefined
  /**
   * `id`: the docid is the `_id` alone, for whoever knows that none comes twice. Default: `index/id` wherever the hit is not from
   * the one index that is searched, or has a routing.
   */
  readonly docid?: 'id' | undefined
  /** Words of a sub-query that are searched, the first ones. Default: 1000, divided by the number of fields. */
  readonly maxWords?: number | undefined
}

/** Where documents are read, and from which of their fields: as the retriever says it. */
export type ClusterDocumentsOptions = Pick<
  ClusterRetrieverOptions,
  'index' | 'title' | 'text' | 'source' | 'docid' | 'filter' | 'headers'
>

const name = z.string().min(1)
const filter = z.custom<object | readonly object[]>(
  (value) => (Array.isArray(value) ? value : [value]).every(isObject),
  'must be a query clause, or a list of them',
)

/** No `knn` or `retriever` beside the query: a filter would not reach what they find. */
const body = z
  .custom<Readonly<Record<string, unknown>>>(isObject, 'must be a search body')
  .refine(({ query }) => isObject(query), 'must have a `query`')
  .refine((all) => slotsIn(all) > 0, 'must have {{query}} in it')
  .refine(
    (all) => !['knn', 'retriever', 'rank', 'from'].some((key) => key in all),
    'must not have `knn`, `retriever`, `rank` or `from`',
  )

const callerShape = {
  headers: z.record(z.string(), z.string()).optional(),
  routing: name.optional(),
  preference: name.optional(),
  filter: filter.optional(),
}

/** All but the vectors' embedder can also stand in a configuration file. */
export const searchShape = {
  ...callerShape,
  index: z.union([name, z.array(name).min(1)]),
  fields: z.union([z.array(name).min(1), z.literal(false)]).optional(),
  type: z.enum(['best_fields', 'most_fields', 'cross_fields']).optional(),
  body: body.optional(),
  title: name.default('title'),
  text: name.default('text'),
  source: z.union([z.array(name), z.literal(false)]).default([]),
  tieBreak: name.optional(),
  docid: z.literal('id').optional(),
  maxWords: count.optional(),
}

/** Engines give no more candidates than this. */
export const maxCandidates = 10_000

export const vectorShape = { field: name, numCandidates: count.max(maxCandidates).optional() }

export const retrieverSchema = z
  .strictObject({
    ...searchShape,
    name: name.optional(),
    vector: z.strictObject({ ...vectorShape, embedder: having<Embedder>('an embedder', 'embed') }).optional(),
  })
  .refine(
    ({ fields, body }) => fields === undefined || body === undefined,
    'give `fields` or `body`, not both',
  )
  .refine(
    ({ fields, body, vector }) => fields !== false || body !== undefined || vector !== undefined,
    'without `fields` there is nothing to search but `vector`',
  )

const { headers, index, title, text, source, docid } = searchShape

export const documentsSchema = z.strictObject({
  index,
  title,
  text,
  source,
  docid,
  headers,
  filter: searchShape.filter,
})

export const callerSchema = z.strictObject(callerShape)

/** A filter as a list of clauses. */
export function clausesOf(filter: object | readonly object[] | undefined): readonly object[] {
  if (filter === undefined) return []
  return Array.isArray(filter) ? (filter as readonly object[]) : [filter]
}

/** The filter of a query, which can be anything. */
export const filterSchema = filter.optional()
