/**
 * Rewards of SPARKLE. The process reward of each decision (eq. 2) is `treeCredit` over leaves of `sparkleReward`. A Yes branch that
 * selects a document which the context already has is a `pruned` one. The paper trains with PPO. `tree-advantages.ts` is for trainers
 * without a critic.
 */
import { checkOption } from '../../src/learn/check-option.ts'
import { answerTokens } from '../../src/text/answer.ts'

/** L: the first 4 steps follow both Yes and No. */
const explored = 4

/**
 * Whether this step follows both decisions (eq. 1). A tree has at most 2^4 leaves; in later steps, the policy decides.
 *
 * @param step from 1
 * @param steps L. Default: 4, as in the paper
 * @example exploresBoth(5) // false
 */
export const exploresBoth = (step: number, steps: number = explored): boolean => step <= steps

/**
 * Recall(c_T): the share of the relevant documents that the final context has, from 0 to 1. `undefined` if no relevant document
 * is known, as in Natural Questions.
 *
 * @example contextRecall(['d1', 'd7'], ['d1', 'd2']) // 1/2
 */
export function contextRecall(context: readonly string[], golds: readonly string[]): number | undefined {
  const wanted = new Set(golds)
  if (wanted.size === 0) return undefined
  const found = new Set(context.filter((docid) => wanted.has(docid)))
  return found.size / wanted.size
}

/**
 * Recall(c_T) for data with answers but without relevant documents (Querent's definition): 1 if a text of the final context
 * contains one of the expected answers, word for word after SQuAD's normalization, else 0. `undefined` if no answer is expected.
 *
 * @example answerRecall(['It was written by the Countess of Lovelace.'], ['countess of Lovelace']) // 1
 */
export function answerRecall(texts: readonly string[], expected: readonly string[]): number | undefined {
  const wanted = expected.map(spaced).filter((answer) => answer.trim() !== '')
  if (wanted.length === 0) return undefined
  return texts.map(spaced).some((text) => wanted.some((answer) => text.includes(answer))) ? 1 : 0
}

/** The words with a blank before and after each, so that only whole words match. */
const spaced = (text: string): string => ` ${answerTokens(text).join(' ')} `

/**
 * R = α · Recall(c_T) + (1 − α) · F1(y) (section 3.2), from 0 to 1.
 *
 * @param leaf `recall` is `contextRecall`'s or `answerRecall`'s. If it is undefined, the reward is F1 alone (Querent's rule).
 *   `f1` is `answerF1`'s, with SQuAD's normalization
 * @param alpha from 0 to 1. Default: 0.3, as in the paper
 * @example sparkleReward({ recall: 0.5, f1: 0.8 }) // 0.15 + 0.56 = 0.71
 * @throws QuerentError `bad-config` for an α outside of 0 to 1
 */
export function sparkleReward(
  { recall, f1 }: { readonly recall: number | undefined; readonly f1: number },
  { alpha = 0.3 }: { readonly alpha?: number | undefined } = {},
): number {
  checkOption('alpha', alpha, alpha >= 0 && alpha <= 1, 'from 0 to 1')
  return recall === undefined ? f1 : alpha * recall + (1 - alpha) * f1
}
