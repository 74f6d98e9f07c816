/** `querent/search`: retrievers in this process and on a cluster. Each loads its packages when it is made. */
export { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
export { connectElasticsearch, type ElasticsearchOptions, elasticsearch } from './elasticsearch.ts'
export {
  buildFaiss,
  type Faiss,
  type FaissOptions,
  type LoadFaissOptions,
  loadFaiss,
  type OpenFaissOptions,
} from './faiss.ts'
export type { HnswOptions, IndexKind } from './faiss-index.ts'
export type { MetadataOf } from './filtering.ts'
export type { FieldCondition, MetadataFilter } from './metadata-filter.ts'
export { connectOpensearch, type OpensearchOptions, opensearch } from './opensearch.ts'
export { checkRequest } from './request.ts'
export {
  buildWinkBm25,
  loadWinkBm25,
  type OpenBm25Options,
  type WinkBm25,
  type WinkBm25Options,
} from './wink-bm25.ts'
