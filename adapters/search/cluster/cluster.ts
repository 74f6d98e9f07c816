/** One cluster behind its official client: all that the retriever, its documents and the making of an index need of it. */

export type EngineKind = 'elasticsearch' | 'opensearch'

export interface ClusterRequest {
  /** What the request is called in the client's own tracing, such as `msearch`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly querystring?: Readonly<Record<string, string>>
  readonly body?: object
  /** In place of a body: one JSON object a line. */
  readonly lines?: readonly object[]
}

/** How a request is sent. */
export interface CallOptions {
  /** Their names in lower case, so that they replace those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. Default: the client's own. */
  readonly timeout?: number | undefined
  /** How often the client sends a failed request again. Default: the client's own. */
  readonly retries?: number
}

/** What both clients answer, where they are asked for more than the body. */
export interface ClusterAnswer {
  readonly body: unknown
  readonly statusCode?: number | null
}

/** The neighbors of a vector. */
interface Neighbors {
  readonly field: string
  readonly vector: readonly number[]
  /** How many each shard looks for. */
  readonly candidates: number
  readonly filters: readonly object[]
}

/** What the engines write differently. */
export interface Dialect {
  /** The part of a search body that finds the neighbors of a vector. */
  nearest(neighbors: Neighbors): object
  /** The mapping of a field of vectors compared by their cosine, and the settings that an index with one needs. */
  vectors(dimensions: number): { readonly field: object; readonly settings: object }
}

export interface Cluster extends Dialect {
  readonly kind: EngineKind
  /** Sends a request. Rejects with the client's own error, and with the signal's reason as soon as it aborts. */
  send(request: ClusterRequest, call?: CallOptions): Promise<ClusterAnswer>
  /** The error of a part of an answer, such as one search of several: the client's own kind where it is at hand. */
  errorOf(answer: ClusterAnswer, part: object): Error
  /**
   * Writes documents, each in place of the one that has its id, by the client's bulk helper.
   *
   * @throws QuerentError `retriever-failed` where documents were refused; the client's own error
   */
  write(index: string, documents: readonly Written[], signal?: AbortSignal): Promise<void>
  /** Closes the client if it was opened here. */
  close(): Promise<void>
}

interface Written {
  readonly id: string
  readonly source: object
}
