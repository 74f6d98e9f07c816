/**
 * `querent/search`: retrievers in this process and on a cluster. Each loads its packages when it is made.
 *
 * @module querent/search
 */
export type { Connection } from './cluster/connection.ts'
export type { Caller, ClusterRetrieverOptions, SparseOptions, VectorOptions } from './cluster/options.ts'
export type { ClusterRetriever } from './cluster/retriever.ts'
export type { MultiMatchType } from './cluster/template.ts'
export { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
export { connectElasticsearch, type ElasticsearchOptions, elasticsearch } from './elasticsearch.ts'
export {
  buildFaiss,
  type Faiss,
  type FaissOptions,
  type LoadFaissOptions,
  loadFaiss,
  type OpenedFaiss,
  type OpenFaissOptions,
} from './faiss.ts'
export type { HnswOptions, IndexKind } from './faiss-index.ts'
export type { MetadataOf } from './filtering.ts'
export type { Language } from './language.ts'
export type { FieldCondition, MetadataFilter, Range } from './metadata-filter.ts'
export { connectOpensearch, type OpensearchOptions, opensearch } from './opensearch.ts'
export { checkRequest } from './request.ts'
export {
  buildSparse,
  loadSparse,
  type OpenSparseOptions,
  type SparseIndex,
  type SparseIndexOptions,
} from './sparse.ts'
export {
  buildWinkBm25,
  loadWinkBm25,
  type OpenBm25Options,
  type OpenedBm25,
  type WinkBm25,
  type WinkBm25Options,
} from './wink-bm25.ts'
