/** How much of what systems find was judged. Hits without a judgment count as irrelevant, whatever they are. */
import { mean } from '../learn/statistics.ts'
import type { Comparison } from './comparison.ts'
import type { Evaluation } from './evaluate.ts'
import { judged } from './metrics/measures.ts'
import { systemName } from './report/words.ts'

/** `judged@10`: the mean share of the first ten hits that have a judgment. */
export const judgedShare = ({ qids, run, qrels }: Pick<Evaluation, 'qids' | 'run' | 'qrels'>): number =>
  mean(qids.map((qid) => judged(run.get(qid) ?? [], qrels.get(qid) ?? new Map(), { k: 10 })))

/** A larger difference of `judged@10` may be all that a difference of scores shows. */
const tolerated = 0.05

/** Measures that look at judged hits only. */
const isFair = (metric: string): boolean => /^(bpref|judged)|-judged$/i.test(metric)

/** A sentence for each system of whose hits clearly more or fewer were judged than of the baseline's. */
export function judgedWarnings({ systems: [baseline, ...others], metrics }: Comparison): string[] {
  if (metrics.every(isFair)) return []
  const shares = (names: readonly (typeof baseline)[]): string =>
    names.map((system) => `${system!['judged@10'].toFixed(3)} (${systemName(system!.name)})`).join(' and ')
  return others.flatMap((system) =>
    Math.abs(system['judged@10'] - baseline!['judged@10']) <= tolerated
      ? []
      : [
          `judged@10 is ${shares([baseline, system])}: hits without a judgment count as irrelevant, so these scores are hard to compare. bpref and ndcg@10-judged leave such hits out.`,
        ],
  )
}
