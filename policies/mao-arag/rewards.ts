/** The planner's rewards of MAO-ARAG: the F1 of the final answer, the cost of the workflow, and whether it is executable. */
import { checkOption } from '../../src/learn/check-option.ts'
import { type AnswerNormalization, answerF1, answerTokens } from '../../src/text/answer.ts'
import { type Executor, maxSubQuestions } from './parse.ts'

/** The token cost of each executor for a query, in millionths of a dollar (Table 3). */
const tokenCosts: Readonly<Record<Executor, number>> = {
  QDS: 91,
  QDP: 100,
  QR: 88,
  DS: 208,
  RA: 0,
  AG: 158,
  AS: 148,
}

/** That of "QR, DS, AG, AS", which the paper calls the most costly workflow. It is not executable: DS has no documents without RA. */
const highestCost = 602

/**
 * Token_cost (A, Table 3): the workflow's share of 6.02e-4 dollars. From 74/301 for AS alone to 227/301 for all of QR, RA, DS and
 * AG. Decomposition costs less: 13/86 if serial, 50/301 if parallel.
 *
 * @example tokenCost(['RA', 'AG']) // 79/301
 */
export const tokenCost = (workflow: readonly Executor[]): number =>
  workflow.reduce((sum, executor) => sum + tokenCosts[executor], 0) / highestCost

/**
 * Turn_cost, from 0 to 1: a quarter for each turn that the workflow adds. In Appendix A's text, parallel decomposition adds one
 * turn and serial decomposition one for each sub-question. Its Table 4 swaps the two.
 *
 * @param subQuestions how many the decomposition made, up to 4
 * @param source `text`, the default, or `table4`
 * @example turnCost(['QDS'], 3) // 3/4, and 1/4 by Table 4
 * @throws QuerentError `bad-config` for more than 4 sub-questions
 */
export function turnCost(
  workflow: readonly Executor[],
  subQuestions: number,
  source: 'text' | 'table4' = 'text',
): number {
  const fits = subQuestions >= 0 && subQuestions <= maxSubQuestions
  checkOption('The number of sub-questions', subQuestions, fits, `from 0 to ${maxSubQuestions}`)
  const [one, each] = source === 'text' ? (['QDP', 'QDS'] as const) : (['QDS', 'QDP'] as const)
  if (workflow.includes(one)) return 1 / maxSubQuestions
  return workflow.includes(each) ? subQuestions / maxSubQuestions : 0
}

/**
 * R_CP (eq. 4): Token_cost + Turn_cost, plus 1 if the workflow retrieves, however often. From 74/301 for AS to 528/301 for all of
 * QR, RA, DS and AG.
 *
 * @example workflowCost(['QDS'], { subQuestions: 3 }) // 13/86 + 3/4
 * @throws QuerentError `bad-config` for more than 4 sub-questions
 */
export function workflowCost(
  workflow: readonly Executor[],
  {
    subQuestions = 0,
    turnCost: source = 'text',
  }: { readonly subQuestions?: number; readonly turnCost?: 'text' | 'table4' } = {},
): number {
  return tokenCost(workflow) + turnCost(workflow, subQuestions, source) + (workflow.includes('RA') ? 1 : 0)
}

const isYesOrNo = (text: string, normalization: AnswerNormalization): boolean =>
  /^(?:yes|no)$/.test(answerTokens(text, normalization).join(' '))

/**
 * The F1 of the final answer (eq. 3), the highest against any expected answer. A yes or no, given or expected, counts only if both say
 * the same, as in the authors' evaluation.
 *
 * @param normalization `squad`, the default, as in the authors' code
 * @example finalAnswerF1('No, it was not', ['no']) // 0
 */
export function finalAnswerF1(
  answer: string,
  expected: readonly string[],
  normalization: AnswerNormalization = 'squad',
): number {
  const mustBeSame = isYesOrNo(answer, normalization)
  const scores = expected.map((text) => {
    const f1 = answerF1(answer, [text], normalization)
    return f1 < 1 && (mustBeSame || isYesOrNo(text, normalization)) ? 0 : f1
  })
  return Math.max(0, ...scores)
}

/**
 * R_planner of one turn (eq. 6): F1 − α R_CP − R_FP. F1 is that of the final answer, the same for all turns. Cost and format are
 * the turn's. An invalid workflow (`undefined`) has R_FP = 1 and costs nothing (Querent's rule). From −1 to 1 for α up to
 * 301/528. With a higher α, the most costly workflow is worse than an invalid one.
 *
 * @param turn `f1` is `finalAnswerF1`'s, from 0 to 1
 * @param alpha from 0. Default: 0.1, Querent's value; 0 in the paper's main results, which also reports "a rapid decline" beyond
 *   0.2
 * @example plannerReward({ f1: 1, workflow: ['RA', 'AG'] }) // 1 − 0.1 · (79/301 + 1)
 * @throws QuerentError `bad-config` for a negative α or more than 4 sub-questions
 */
export function plannerReward(
  {
    f1,
    workflow,
    subQuestions = 0,
  }: {
    readonly f1: number
    readonly workflow: readonly Executor[] | undefined
    readonly subQuestions?: number
  },
  {
    alpha = 0.1,
    turnCost: source = 'text',
  }: { readonly alpha?: number | undefined; readonly turnCost?: 'text' | 'table4' | undefined } = {},
): number {
  checkOption('alpha', alpha, alpha >= 0, 'from 0')
  if (workflow === undefined) return f1 - 1
  return f1 - alpha * workflowCost(workflow, { subQuestions, turnCost: source })
}
