/**
 * The reward of ConvSearch-R1, on which ACQO builds, as its authors' code has it (`rewrite_r1.py`): one rewrite, one rank.
 */

import { baseReward } from '../../../policies/acqo/rewards.ts'
import { checkOption } from '../../learn/check-option.ts'

/**
 * The rewrite of an answer `<think>…</think>`, a line break, `<rewrite>…</rewrite>`, or `undefined` where the answer does not
 * begin so. Lines after it are allowed, as in the code; text before it is not.
 *
 * @example parseRewrite('<think>who?</think>\n<rewrite>Ada Lovelace</rewrite>') // 'Ada Lovelace'
 */
export function parseRewrite(answer: string): string | undefined {
  return /^<think>.*?<\/think>\n<rewrite>(.*?)<\/rewrite>(?:\n|$)/s.exec(answer)?.[1]
}

/**
 * Φ of the best rank among the relevant documents, which are not summed; the penalty where the answer has no rewrite. From
 * −0.1 to 2. Ranks count from 1; `undefined` is not found.
 *
 * @param penalty below 0. Default: −0.1, the code's, which takes another one as an argument and does not use it
 * @example convSearchReward('<think>who?</think>\n<rewrite>Ada Lovelace</rewrite>', [4, undefined]) // 5/3
 * @throws QuerentError `bad-config` for a penalty that is not below 0
 */
export function convSearchReward(
  answer: string,
  ranks: readonly (number | undefined)[],
  { penalty = -0.1 }: { readonly penalty?: number } = {},
): number {
  checkOption('penalty', penalty, penalty < 0, 'below 0')
  return parseRewrite(answer) === undefined ? penalty : baseReward(bestOf(ranks))
}

/**
 * The curriculum that the code has and no run of the paper uses: 1 − (r − 1) / 99 for the first 100 ranks during the first
 * quarter of the steps, and for the first 10 after it, where 11 to 100 have 0; −0.2 for what is not among the first 100. From
 * −0.2 to 1.
 *
 * @param step of `steps` in all, from 1
 * @example convSearchCurriculumReward([12], { step: 1, steps: 100 }) // 1 − 11/99; from step 26 on 0
 */
export function convSearchCurriculumReward(
  ranks: readonly (number | undefined)[],
  { step, steps }: { readonly step: number; readonly steps: number },
): number {
  const rank = bestOf(ranks)
  if (rank === undefined || rank > 100) return -0.2
  const paid = step <= Math.floor(steps / 4) ? 100 : 10
  return rank <= paid ? 1 - (rank - 1) / 99 : 0
}

function bestOf(ranks: readonly (number | undefined)[]): number | undefined {
  const best = Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY))
  return best === Number.POSITIVE_INFINITY ? undefined : best
}
