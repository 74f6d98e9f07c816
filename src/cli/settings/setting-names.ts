/**
 * Names for the help texts. They are repeated here because the modules that define them load slowly. A test compares both
 * lists.
 */
export const policyNames = ['local', 'none', 'acqo', 'acqo-single', 'mmoa', 'c3po', 'mao', 'sparkle'] as const

/** Policies whose completions can be explored. */
export const rolloutNames = ['acqo', 'mmoa', 'c3po', 'mao', 'sparkle'] as const

export const defaultPolicy = 'local'

/** Re-rankers from outside, in `adapters/rerank`. */
export const outsideNames = ['http', 'onnx', 'llm'] as const

export type OutsideName = (typeof outsideNames)[number]

/** Fusion methods that need no training. */
export const fusionNames = [
  ...(['rank-score', 'rrf', 'isr', 'log-isr', 'logn-isr', 'rbc', 'borda', 'weighted-borda'] as const),
  ...(['condorcet', 'weighted-condorcet', 'comb-sum', 'comb-mnz', 'comb-gmnz', 'comb-anz'] as const),
  ...(['comb-max', 'comb-min', 'comb-med', 'weighted-sum', 'weighted-mnz', 'mixed'] as const),
  ...(['relative-score', 'elasticsearch-rrf', 'elasticsearch-linear', 'opensearch'] as const),
  ...(['opensearch-rrf', 'qdrant-rrf', 'qdrant-dbsf', 'weaviate-ranked'] as const),
] as const

export const defaultFusion = 'rank-score'

/** Fusion methods that need training on judged queries. Programs can use them, commands cannot. */
export const fittedFusionNames = [
  'mapfuse',
  'posfuse',
  'probfuse',
  'segfuse',
  'slidefuse',
  'bayesfuse',
] as const

export const normNames = [
  'none',
  'min-max',
  'min-max-inverted',
  'max',
  'sum',
  'zmuv',
  'rank',
  'borda',
] as const

/** Families of metrics. Those with `@k` may have a cutoff. */
export const metricNames = [
  ...(['ndcg@k', 'recall@k', 'precision@k', 'mrr@k', 'map@k', 'f1@k', 'success@k', 'hits@k'] as const),
  ...(['judged@k', 'dcg@k', 'r-precision', 'bpref', 'rbp.80'] as const),
] as const

/** What `querent export` can write. */
export const exportNames =
  "verl, trl, openrlhf, slime, sft; for OpenSearch's workbench: query-set, judgments; of rollouts: sft, preferences, steps"
