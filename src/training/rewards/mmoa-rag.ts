/**
 * Rewards of MMOA-RAG ("Improving retrieval-augmented generation through multi-agent reinforcement learning"): one reward for
 * all, the F1 of the answer, and a penalty for each role's own bad habit. A role's reward is their sum (eq. 3, 6 and 9).
 */
import { answerF1 } from '../../evaluation/answer.ts'

/**
 * How many documents each sub-question may have, of `total` (the paper's K, 10): as equal as can be, the first ones having
 * the rest.
 *
 * @example allocateDocuments(3) // [4, 3, 3]
 */
export function allocateDocuments(subQuestions: number, total = 10): number[] {
  const each = Math.floor(total / subQuestions)
  const rest = total % subQuestions
  return Array.from({ length: subQuestions }, (_, index) => each + (index < rest ? 1 : 0))
}

/** The Query Rewriter's output: one sub-question a line. */
export function parseSubQuestions(output: string): string[] {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/**
 * The sub-questions that are searched, as in the authors' code: the first four of up to eight; for more than eight the
 * question itself, and for none (ours).
 */
export function searchedSubQuestions(subQuestions: readonly string[], question: string): readonly string[] {
  if (subQuestions.length === 0 || subQuestions.length > 8) return [question]
  return subQuestions.slice(0, 4)
}

/**
 * P_QR of eq. 3: −0.5 for more than four sub-questions, counted before any are cut; else 0. (In the authors' code they are cut
 * first, and the penalty never comes.)
 *
 * @param mostCharacters of all sub-questions together; more has the penalty too. Default: no limit, as in the paper; 300 in
 *   the authors' code.
 */
export function rewriterPenalty(
  subQuestions: readonly string[],
  { mostCharacters = Number.POSITIVE_INFINITY }: { readonly mostCharacters?: number } = {},
): number {
  const characters = subQuestions.reduce((sum, subQuestion) => sum + subQuestion.length, 0)
  return subQuestions.length > 4 || characters > mostCharacters ? -0.5 : 0
}

/**
 * P_S of eq. 6: −1 where the Selector's output is not `Document0,Document3`, names a document twice, or one of 0 to `count` − 1
 * that is not there; else 0. An empty output selects nothing and has 0.
 *
 * @example selectorPenalty('Document0, Document3', 10) // -1: the space
 */
export function selectorPenalty(output: string, count: number): number {
  if (output === '') return 0
  const names = output.split(',')
  const allowed = new Set(Array.from({ length: count }, (_, id) => `Document${id}`))
  return names.every((name) => allowed.has(name)) && new Set(names).size === names.length ? 0 : -1
}

/**
 * P_G of eq. 9: −0.5 for an answer of more than 30 words, else 0. The paper says "a certain length"; 30 words are the authors'
 * code's, whose penalty is −1.
 */
export function generatorPenalty(
  answer: string,
  { mostWords = 30, penalty = -0.5 }: { readonly mostWords?: number; readonly penalty?: number } = {},
): number {
  const words = answer.split(/\s+/).filter((word) => word !== '')
  return words.length > mostWords ? penalty : 0
}

/** The answer that is scored: the last paragraph, after "Answer:" or "The answer is:", without asterisks. */
export function finalAnswer(output: string): string {
  const last = output.replaceAll('*', '').trim().split('\n\n').at(-1)!
  return last.replace(/^.*?(?:the answer is|answer):\s*/is, '').trim()
}

/**
 * R_shared: the F1 of the final answer, from 0 to 1, with punctuation replaced by blanks as the authors do.
 *
 * @example sharedReward('The answer is: non-ferrous', ['non ferrous metal']) // 0.8
 */
export const sharedReward = (output: string, expected: readonly string[]): number =>
  answerF1(finalAnswer(output), expected, 'space')

/**
 * Eq. 16 at the last token (0 at the others): R − β log(π / π_SFT).
 *
 * @param logRatio log π(answer) − log π_SFT(answer)
 * @param beta from 0.06 to 0.2 in the paper, which does not say when it is which
 * @example terminalReward(0.8, { beta: 0.2, logRatio: 0.5 }) // 0.7
 */
export const terminalReward = (
  reward: number,
  { beta, logRatio }: { readonly beta: number; readonly logRatio: number },
): number => reward - beta * logRatio

/**
 * Generalised advantage estimates (eq. 14 and 15) of one answer, token by token, and the returns that the critic learns:
 * A_t = Σ (γλ)^l δ_t+l with δ_t = r_t + γ V_t+1 − V_t. V after the last token is 0. The paper's γ is 1, its λ 0.95.
 */
export function generalisedAdvantages(
  rewards: readonly number[],
  values: readonly number[],
  { gamma = 1, lambda = 0.95 }: { readonly gamma?: number; readonly lambda?: number } = {},
): { readonly advantages: readonly number[]; readonly returns: readonly number[] } {
  const advantages: number[] = new Array(rewards.length)
  let next = 0
  for (let token = rewards.length - 1; token >= 0; token--) {
    const delta = rewards[token]! + gamma * (values[token + 1] ?? 0) - values[token]!
    next = delta + gamma * lambda * next
    advantages[token] = next
  }
  return { advantages, returns: advantages.map((advantage, token) => advantage + values[token]!) }
}

/**
 * The critic's loss of one token (eq. 17): max[(V − T)², (clip(V, V_old ± ε) − T)²]. The paper's ε is 0.2.
 *
 * @param value V, of the critic that learns
 * @param old V_old, of the critic that made the rollout
 * @param target T, the return
 */
export function valueLoss(
  { value, old, target }: { readonly value: number; readonly old: number; readonly target: number },
  { epsilon = 0.2 }: { readonly epsilon?: number } = {},
): number {
  const clipped = Math.min(Math.max(value, old - epsilon), old + epsilon)
  return Math.max((value - target) ** 2, (clipped - target) ** 2)
}
