/**
 * A retriever on Elasticsearch, with the official client of version 8 or 9. Searches words and, optionally, vectors and learned
 * sparse weights.
 *
 *     await elasticsearch({ url: 'http://localhost:9200', index: 'articles', fields: ['title^2', 'text'] })
 *
 * Needs only the basic license, unless the cluster itself weighs the words.
 */
import { optionalPackage } from '../../src/runtime/optional-package.ts'
import type { EngineClient } from './cluster/client.ts'
import type { Cluster, Dialect } from './cluster/cluster.ts'
import { type Connection, connectCluster } from './cluster/connection.ts'
import type { ClusterRetrieverOptions } from './cluster/options.ts'
import { type ClusterRetriever, clusterRetriever } from './cluster/retriever.ts'

export interface ElasticsearchOptions extends Connection, ClusterRetrieverOptions {}

/**
 * Makes a retriever on Elasticsearch. Sends nothing to the cluster before the first search.
 *
 * @throws QuerentError `bad-config`; `missing-package` without @elastic/elasticsearch, if `client` is not set
 */
export async function elasticsearch(options: ElasticsearchOptions): Promise<ClusterRetriever> {
  const { client, url, auth, ca, ...search } = options
  return clusterRetriever(await connectElasticsearch({ client, url, auth, ca }), search)
}

/**
 * Connects to the cluster, for `buildEngineIndex` and `engineDocuments`.
 *
 * @throws as `elasticsearch` does
 */
export const connectElasticsearch = (connection: Connection): Promise<Cluster> =>
  connectCluster({ kind: 'elasticsearch', dialect }, connection, async (nodes, { auth, ca }) => {
    const { Client, errors } = await optionalPackage(
      '@elastic/elasticsearch',
      undefined,
      () => import('@elastic/elasticsearch'),
    )
    const client: EngineClient = new Client({
      nodes,
      ...(auth && { auth }),
      ...(ca !== undefined && { tls: { ca } }),
    })
    return { client, ResponseError: errors.ResponseError }
  })

const dialect: Dialect = {
  // Not the `knn` query: not all of version 8 accept its `k`, and without `k` it cuts the list before ties are decided.
  nearest: ({ field, vector, candidates, filters }) => ({
    knn: {
      field,
      query_vector: vector,
      k: candidates,
      num_candidates: candidates,
      ...(filters.length > 0 && { filter: filters }),
    },
  }),
  weighted: (field, weights) => ({ sparse_vector: { field, query_vector: weights } }),
  weighedByCluster: ({ field, text, inference }) =>
    inference === undefined
      ? { semantic: { field, query: text } }
      : { sparse_vector: { field, inference_id: inference, query: text } },
  // Unquantized vectors. By default, Elasticsearch keeps only a bit or a byte of each number.
  vectors: (dimensions) => ({
    field: {
      type: 'dense_vector',
      dims: dimensions,
      index: true,
      similarity: 'cosine',
      index_options: { type: 'hnsw' },
    },
    settings: {},
  }),
}
