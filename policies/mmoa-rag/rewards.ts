/**
 * Rewards of MMOA-RAG. All roles share one reward, the F1 of the answer. Each role also has its own penalty. A role's reward is the sum
 * of both (eq. 3, 6 and 9), from −1 to 1. The trainer does the PPO step (eq. 11 to 17).
 */
import { finalAnswer } from '../../src/completion/final-answer.ts'
import { type AnswerNormalization, answerF1 } from '../../src/text/answer.ts'
import { isSelection } from './parse.ts'

/**
 * P_QR of eq. 3: −0.5 for more than four sub-questions, counted before any are cut; else 0. (The authors' code cuts first and so
 * never applies the penalty.)
 *
 * @param maxCharacters the limit of all sub-questions together; longer ones get the penalty, too. Default: no limit, as in the
 *   paper; 300 in the authors' code.
 * @example rewriterPenalty(['a?', 'b?', 'c?', 'd?', 'e?']) // -0.5
 */
export function rewriterPenalty(
  subQuestions: readonly string[],
  { maxCharacters = Number.POSITIVE_INFINITY }: { readonly maxCharacters?: number | undefined } = {},
): number {
  const characters = subQuestions.reduce((sum, subQuestion) => sum + subQuestion.length, 0)
  return subQuestions.length > 4 || characters > maxCharacters ? -0.5 : 0
}

/**
 * P_S of eq. 6: −1 if the Selector's output does not have the format `Document0,Document3`, names a document twice, or names one
 * outside of 0 to `count` − 1; else 0. An empty output selects nothing and has no penalty.
 *
 * @example selectorPenalty('Document0, Document3', 10) // -1: the space
 */
export const selectorPenalty = (output: string, count: number): number =>
  isSelection(output, count) ? 0 : -1

/**
 * P_G of eq. 9: −0.5 for an answer of more than 30 words, else 0. The paper only says "a certain length". The 30 words come from
 * the authors' code, whose penalty is −1.
 *
 * @example generatorPenalty('word '.repeat(31)) // -0.5
 */
export const generatorPenalty = (answer: string): number =>
  answer.split(/\s+/).filter((word) => word !== '').length > 30 ? -0.5 : 0

/**
 * R_shared: the F1 of the final answer, from 0 to 1.
 *
 * @param normalization how to treat punctuation. Default: `space`, as in the authors' code; `squad` deletes it
 * @example sharedReward('The answer is: non-ferrous', ['non ferrous metal']) // 0.8, and 0 with `squad`
 */
export const sharedReward = (
  output: string,
  expected: readonly string[],
  { normalization = 'space' }: { readonly normalization?: AnswerNormalization | undefined } = {},
): number => answerF1(finalAnswer(output), expected, normalization)
