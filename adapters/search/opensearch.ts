/**
 * A retriever on OpenSearch, with the official client of version 3. Searches words and, optionally, vectors (k-NN plugin) and
 * learned sparse weights.
 *
 *     await opensearch({ url: 'http://localhost:9200', index: 'articles', fields: ['title^2', 'text'] })
 */
import { optionalPackage } from '../../src/runtime/optional-package.ts'
import type { EngineClient } from './cluster/client.ts'
import type { Cluster, Dialect } from './cluster/cluster.ts'
import { type Connection, connectCluster } from './cluster/connection.ts'
import type { ClusterRetrieverOptions } from './cluster/options.ts'
import { type ClusterRetriever, clusterRetriever } from './cluster/retriever.ts'

export interface OpensearchOptions extends Connection, ClusterRetrieverOptions {}

/**
 * Makes a retriever on OpenSearch. Sends nothing to the cluster before the first search.
 *
 * @throws QuerentError `bad-config`; `missing-package` without @opensearch-project/opensearch, if `client` is not set
 */
export async function opensearch(options: OpensearchOptions): Promise<ClusterRetriever> {
  const { client, url, auth, ca, ...search } = options
  return clusterRetriever(await connectOpensearch({ client, url, auth, ca }), search)
}

/**
 * Connects to the cluster, for `buildEngineIndex` and `engineDocuments`.
 *
 * @throws as `opensearch` does
 */
export const connectOpensearch = (connection: Connection): Promise<Cluster> =>
  connectCluster({ kind: 'opensearch', dialect }, connection, async (nodes, { auth, ca }) => {
    const { Client, errors } = await optionalPackage(
      '@opensearch-project/opensearch',
      undefined,
      () => import('@opensearch-project/opensearch'),
    )
    const client: EngineClient = new Client({
      nodes,
      // The client has no option for API keys, but the server may accept them: by a plugin, or a proxy in front of it.
      ...(auth && ('apiKey' in auth ? { headers: { authorization: `ApiKey ${auth.apiKey}` } } : { auth })),
      ...(ca !== undefined && { ssl: { ca } }),
    })
    return { client, ResponseError: errors.ResponseError }
  })

const dialect: Dialect = {
  nearest: ({ field, vector, candidates, filters }) => ({
    query: {
      knn: {
        [field]: {
          vector,
          k: candidates,
          ...(filters.length > 0 && { filter: { bool: { filter: filters } } }),
        },
      },
    },
  }),
  weighted: (field, weights) => ({ neural_sparse: { [field]: { query_tokens: weights } } }),
  weighedByCluster: ({ field, text, inference }) => ({
    neural_sparse: { [field]: { query_text: text, ...(inference !== undefined && { model_id: inference }) } },
  }),
  vectors: (dimensions) => ({
    field: {
      type: 'knn_vector',
      dimension: dimensions,
      method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
    },
    settings: { knn: true },
  }),
}
