/** What a ranking is measured by: ACQO's Stage II reward and the usual metrics. */

import { rewardOfRanks } from '../../policies/acqo/rewards.ts'
import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import { parseMetric } from '../../src/evaluation/metrics.ts'

export const measureNames = ['reward', 'recall@2', 'recall@5', 'ndcg@10', 'mrr@3'] as const

export type MeasureName = (typeof measureNames)[number]

const metrics = measureNames.slice(1).map(parseMetric)

/**
 * One value a measure, in the order of `measureNames`. The reward is without what training takes off: what is found is one
 * thing, what it costs another.
 */
export function measure(
  docids: readonly string[],
  golds: ReadonlyMap<string, number>,
  reward: RewardOptions,
): number[] {
  const ranks = [...golds.keys()].map((docid) => docids.indexOf(docid) + 1).map((rank) => rank || undefined)
  const ranking = docids.slice(0, deepest).map((docid) => ({ docid }))
  return [rewardOfRanks(ranks, reward), ...metrics.map((metric) => metric.compute(ranking, golds))]
}

const deepest = Math.max(...metrics.map(({ k = Number.POSITIVE_INFINITY }) => k))
