/**
 * Names for the help texts. All but those of fusion methods are repeated here because the modules that define them load slowly. A
 * test compares the lists.
 */
export {
  fittedNames as fittedFusionNames,
  unfittedNames as fusionNames,
} from '../../../fusion/common/names.ts'

export const policyNames = [
  'local',
  'none',
  'agentic',
  'acqo',
  'acqo-single',
  'mmoa',
  'c3po',
  'mao',
  'sparkle',
] as const

/** Policies whose completions can be explored. */
export const rolloutNames = ['agentic', 'acqo', 'mmoa', 'c3po', 'mao', 'sparkle'] as const

/** Settings of ACQO's rewards, by the collection of the paper. */
export const profileNames = ['hotpotqa', 'topiocqa'] as const

export const defaultPolicy = 'local'

/** Re-rankers from outside, in `adapters/rerank`. */
export const outsideNames = ['http', 'onnx', 'llm'] as const

export type OutsideName = (typeof outsideNames)[number]

export const defaultFusion = 'rank-score'

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
  ...(['all@k', 'last_hop@k', 'judged@k', 'dcg@k', 'r-precision', 'bpref', 'rbp.80'] as const),
] as const

/** What `querent export` can write. */
export const exportNames =
  "verl, trl, openrlhf, slime, nemo-gym, gepa, sft; for OpenSearch's workbench: query-set, judgments; of rollouts: sft, preferences, steps"
