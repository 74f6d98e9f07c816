/** The options for searching a cluster, the same for both engines. */
import { z } from 'zod'
import { count, having } from '../../../src/config.ts'
import { isObject } from '../../../src/runtime/json.ts'
import type { Embedder, SparseEncoder } from '../../../src/types.ts'
import { type MultiMatchType, slotsIn } from './template.ts'

/** The URL of a node. */
export const clusterUrl = z.string().refine((text) => {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}, 'expected an http(s) URL')

export interface VectorOptions {
  /** The vector field. */
  readonly field: string
  /** Embeds sub-queries. Must be the embedder of the documents. */
  readonly embedder: Embedder
  /** How many neighbors each shard finds. More make the result more exact. Default: 1.5 times the hits, at least 150. */
  readonly numCandidates?: number | undefined
}

export interface SparseOptions {
  /**
   * The field with the weights: `sparse_vector` in Elasticsearch, `rank_features` in OpenSearch. Without `encoder` and
   * `inference`, a `semantic_text` field in Elasticsearch.
   */
  readonly field: string
  /** Weighs words for sub-queries. Must be the encoder of the documents, or the one that belongs to it for queries. */
  readonly encoder?: SparseEncoder | undefined
  /**
   * Instead of `encoder`, the id of what weighs words inside the cluster: an inference endpoint of Elasticsearch, or a model of
   * OpenSearch. Default: what belongs to the field; in OpenSearch, the analyzer `bert-uncased`.
   */
  readonly inference?: string | undefined
  /**
   * Whether to search a `rank_features` field with `rank_feature` queries, which also a server without the plugin neural-search
   * has. Needs `encoder`, and leaves out words with a dot. Default: false.
   */
  readonly rankFeatures?: boolean | undefined
}

/** The options of one caller. They apply to everything that is sent for it. */
export interface Caller {
  /** Sent with every request instead of the client's: `authorization`, `es-security-runas-user` … */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly routing?: string | undefined
  /** Selects the copies of a shard. The same string always selects the same copies. Scores differ slightly between copies. */
  readonly preference?: string | undefined
  /** One or more query clauses of the engine. All legs find only documents that match all of them. */
  readonly filter?: object | readonly object[] | undefined
}

export interface ClusterRetrieverOptions extends Caller {
  /** An index, an alias, a pattern, or several. */
  readonly index: string | readonly string[]
  /**
   * The name of the retriever and of its lexical leg. The vector leg has `-vector` after it, the sparse leg `-sparse`. Default: the
   * engine's.
   */
  readonly name?: string | undefined
  /**
   * The fields in which to search the words, with optional boosts: `['title^2', 'text']`. Default: `['contents']`, which
   * `querent index` makes. `false`: only `vector`, `sparse` or both.
   */
  readonly fields?: readonly string[] | false | undefined
  /** How to combine several fields, see `multi_match`. Default: the engine's, by which the best field counts. */
  readonly type?: MultiMatchType | undefined
  /** Instead of `fields`: your own search body, with `{{query}}` in place of the words. */
  readonly body?: object | undefined
  /** Adds a vector leg. */
  readonly vector?: VectorOptions | undefined
  /** Adds a leg of learned sparse weights. */
  readonly sparse?: SparseOptions | undefined
  /** The field with the title of a document. Default: `title`. */
  readonly title?: string | undefined
  /** The field with the text of a document. Default: `text`. */
  readonly text?: string | undefined
  /** Additional fields to include in `document.metadata`. `false`: hits without documents. Default: none. */
  readonly source?: readonly string[] | false | undefined
  /**
   * A keyword field from which the docid is made. It breaks ties inside the engine, even at the end of a list, where otherwise
   * chance decides which hits are cut off. Default: none. `querent index` makes one with the name `docid`.
   */
  readonly tieBreak?: string | undefined
  /**
   * `id`: the docid is the `_id` alone. Use it only if no `_id` is repeated. Default: the `_id`, but `index/id` if several
   * indexes are searched or the hit has a routing.
   */
  readonly docid?: 'id' | undefined
  /**
   * Maximum number of words of a sub-query; the first ones are searched, and of weighted words the heaviest. Default: 1000, for
   * lexical legs divided by the number of fields.
   */
  readonly maxWords?: number | undefined
}

/** Where to read documents, and from which of their fields: the same options as the retriever's. */
export type ClusterDocumentsOptions = Pick<
  ClusterRetrieverOptions,
  'index' | 'title' | 'text' | 'source' | 'docid' | 'filter' | 'headers'
>

const name = z.string().min(1)
const filter = z.custom<object | readonly object[]>(
  (value) => (Array.isArray(value) ? value : [value]).every(isObject),
  'must be a query clause, or a list of them',
)

/** Without `knn` and `retriever`: a filter would not apply to their hits. */
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

/** These options can also be in a configuration file. Only the embedder of the vectors and the sparse encoder cannot. */
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

/** The maximum that engines allow. */
export const maxCandidates = 10_000

export const vectorShape = { field: name, numCandidates: count.max(maxCandidates).optional() }

export const sparseShape = { field: name, inference: name.optional() }

const sparse = z
  .strictObject({
    ...sparseShape,
    encoder: having<SparseEncoder>('a sparse encoder', 'encode').optional(),
    rankFeatures: z.boolean().default(false),
  })
  .refine(
    ({ encoder, inference }) => encoder === undefined || inference === undefined,
    'give `encoder` or `inference`, not both',
  )
  .refine(
    ({ encoder, rankFeatures }) => !rankFeatures || encoder !== undefined,
    '`rankFeatures` needs an `encoder`',
  )

export const retrieverSchema = z
  .strictObject({
    ...searchShape,
    name: name.optional(),
    vector: z.strictObject({ ...vectorShape, embedder: having<Embedder>('an embedder', 'embed') }).optional(),
    sparse: sparse.optional(),
  })
  .refine(
    ({ fields, body }) => fields === undefined || body === undefined,
    'give `fields` or `body`, not both',
  )
  .refine(
    ({ fields, body, vector, sparse }) => fields !== false || Boolean(body ?? vector ?? sparse),
    'without `fields` there is nothing to search but `vector` and `sparse`',
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

/** Checks the filter of a query, which has the type `unknown`. */
export const filterSchema = filter.optional()
