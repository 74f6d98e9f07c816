/** Rollouts of ACQO (3.4): several completions of its only prompt, each with the reward of Stage I or II. */
import { acqo } from '../../../policies/acqo/acqo.ts'
import { parseStrict } from '../../../policies/acqo/parse.ts'
import type { Template } from '../../../policies/acqo/prompt.ts'
import { searchKey, withoutRepeats } from '../../dedupe.ts'
import type { RankedList, Trace } from '../../types.ts'
import { malformedReward, rewardOf, type ServedRewardOptions } from '../rewards/reward.ts'
import type { RolloutPlan } from './plan.ts'

export interface AcqoRollouts extends ServedRewardOptions {
  /** K. Default: 8, as in the paper. */
  readonly samples?: number | undefined
  /** The maximum number of sub-queries. Default: 3, as in the paper. */
  readonly maxSubQueries?: number | undefined
  /** Your own prompt. Default: the built-in one. */
  readonly template?: Template | undefined
}

export function acqoRollouts({
  samples = 8,
  maxSubQueries = 3,
  template,
  ...options
}: AcqoRollouts = {}): RolloutPlan {
  return {
    policy: acqo({ maxSubQueries, template, strict: true }),
    branch: () => ({ samples }),
    invalid: 'fails',
    failedReward: malformedReward([], options).score,
    needs: 'docids',
    leaf({ trace }, { docids }, { path }) {
      const texts = parseStrict(path[0]!.completion, maxSubQueries).map((text) => ({ text }))
      const searched = withoutRepeats(texts).map(({ text }) => listsOf(text, trace))
      return rewardOf(searched, docids, options).score
    },
  }
}

/** What a text found, in any round. */
function listsOf(text: string, { steps }: Trace): RankedList[] {
  const legs = steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  return legs.flatMap(({ retriever, kind, subQuery, hits }) => {
    if (hits === undefined || searchKey(subQuery.text) !== searchKey(text)) return []
    const ranked = hits.map((hit, place) => ({ ...hit, rank: place + 1 }))
    return [{ retriever, ...(kind && { kind }), subQuery, hits: ranked }]
  })
}
