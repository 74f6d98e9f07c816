/** A cluster with its official client: the operations for retrievers, documents and building an index. */

export type EngineKind = 'elasticsearch' | 'opensearch'

export interface ClusterRequest {
  /** The name of the request in the client's tracing, such as `msearch`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly querystring?: Readonly<Record<string, string>>
  readonly body?: object
  /** Instead of a body: one JSON object per line. */
  readonly lines?: readonly object[]
}

/** How a request is sent. */
export interface CallOptions {
  /** With lower-case names, so they replace those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. Default: the client's. */
  readonly timeout?: number | undefined
  /** How often the client repeats a failed request. Default: the client's. */
  readonly retries?: number
}

/** The answer of both clients with the option `meta`. */
export interface ClusterAnswer {
  readonly body: unknown
  readonly statusCode?: number | null
}

/** A search for the neighbors of a vector. */
interface Neighbors {
  readonly field: string
  readonly vector: readonly number[]
  /** How many neighbors each shard finds. */
  readonly candidates: number
  readonly filters: readonly object[]
}

/** A search by weights of words that the cluster computes. */
interface WeighedText {
  readonly field: string
  readonly text: string
  /** Default: what belongs to the field. */
  readonly inference?: string | undefined
}

/** The differences between the engines. */
export interface Dialect {
  /** The part of a search body that finds the neighbors of a vector. */
  nearest(neighbors: Neighbors): object
  /** A query by weights: the score of a document is the sum of products of its weights and these. */
  weighted(field: string, weights: Readonly<Record<string, number>>): object
  /** The same query, with weights that the cluster computes. */
  weighedByCluster(text: WeighedText): object
  /** The mapping of a vector field with cosine similarity, and the index settings that it needs. */
  vectors(dimensions: number): { readonly field: object; readonly settings: object }
}

export interface Cluster extends Dialect {
  readonly kind: EngineKind
  /** Sends a request. Rejects with the client's own error, or with the signal's reason as soon as it aborts. */
  send(request: ClusterRequest, call?: CallOptions): Promise<ClusterAnswer>
  /** The error of one part of an answer, such as one search of several. An error of the client's class if that is available. */
  errorOf(answer: ClusterAnswer, part: object): Error
  /**
   * Writes documents with the client's bulk helper. Each replaces the document with its id.
   *
   * @throws QuerentError `retriever-failed` if the cluster refused documents; the client's own error
   */
  write(index: string, documents: readonly Written[], signal?: AbortSignal): Promise<void>
  /** Closes the client if Querent opened it. */
  close(): Promise<void>
}

interface Written {
  readonly id: string
  readonly source: object
}
