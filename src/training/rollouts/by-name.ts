/** The rollouts of each policy, by its name. */
import type { TripleStore } from '../../../policies/sparkle/triples.ts'
import { QuerentError } from '../../errors.ts'
import type { ServedRewardOptions } from '../rewards/reward.ts'
import { acqoRollouts } from './acqo.ts'
import { agenticRollouts } from './agentic.ts'
import { c3poRollouts } from './c3po.ts'
import { maoRollouts } from './mao.ts'
import { mmoaRollouts } from './mmoa.ts'
import type { RolloutPlan } from './plan.ts'
import { sparkleRollouts } from './sparkle.ts'

/** Settings that several policies share; each takes those that it has. */
export interface RolloutSettings {
  /** How many completions of the first prompt, for policies whose rollouts are chains. */
  readonly samples?: number | undefined
  readonly maxRounds?: number | undefined
  /** `false`: one chain in place of a tree. */
  readonly tree?: boolean | undefined
  readonly maxSteps?: number | undefined
  readonly triples?: TripleStore | undefined
  /** Of SPARKLE and `agentic`, the weight of the documents; of MAO-ARAG, that of the costs. */
  readonly alpha?: number | undefined
  /** Whether an answer in the context counts as recall where no document is judged. */
  readonly answerRecall?: boolean | undefined
  /** What a search that finds nothing new costs. Absent: it is not trained. */
  readonly prunePenalty?: number | undefined
  /** Of ACQO. */
  readonly rewards?: ServedRewardOptions | undefined
  readonly maxSubQueries?: number | undefined
  /** The text of its prompt. */
  readonly template?: string | undefined
}

const plans = {
  agentic: ({ samples, maxRounds, alpha }) => agenticRollouts({ samples, maxRounds, alpha }),
  acqo: ({ samples, maxSubQueries, template, rewards }) =>
    acqoRollouts({ ...rewards, samples, maxSubQueries, template }),
  mmoa: ({ samples }) => mmoaRollouts({ samples }),
  c3po: ({ maxRounds, tree }) => c3poRollouts({ maxRounds, tree }),
  mao: ({ samples, alpha }) => maoRollouts({ samples, alpha }),
  sparkle: ({ maxRounds, maxSteps, triples, tree, alpha, answerRecall, prunePenalty: penalty }) =>
    sparkleRollouts({
      ...{ maxRounds, maxSteps, triples, alpha },
      steps: tree === false ? 0 : undefined,
      unjudged: answerRecall === true ? 'answer' : undefined,
      pruneCredit: penalty === undefined ? undefined : { penalty },
    }),
} as const satisfies Record<string, (settings: RolloutSettings) => RolloutPlan>

export const rolloutNames: readonly string[] = Object.keys(plans)

/** @throws QuerentError `bad-config` for a policy without rollouts */
export function rolloutsNamed(name: string, settings: RolloutSettings = {}): RolloutPlan {
  if (Object.hasOwn(plans, name)) return plans[name as keyof typeof plans](settings)
  throw new QuerentError('bad-config', `There are no rollouts of the policy ${JSON.stringify(name)}`, {
    remedy: `Those that can be rolled out are ${rolloutNames.join(', ')}.`,
  })
}
