/**
 * Rewards of MMOA-RAG ("Improving retrieval-augmented generation through multi-agent reinforcement learning"). All roles share
 * one reward, the F1 of the answer. Each role also has its own penalty. A role's reward is the sum of both (eq. 3, 6 and 9), from
 * −1 to 1. `ppo.ts` does the PPO step (eq. 11 to 17).
 */

import { checkOption } from '../../src/learn/check-option.ts'
import { analyzer } from '../../src/text/analyze.ts'
import { type AnswerNormalization, answerF1 } from '../../src/text/answer.ts'

/**
 * How many of `total` documents (the paper's K, 10) each sub-question gets: equal shares, with the remainder going to the first
 * ones. A document that two sub-questions find occurs twice, as in the authors' code.
 *
 * @param subQuestions from 1
 * @example allocateDocuments(3) // [4, 3, 3]
 * @throws QuerentError `bad-config` for fewer
 */
export function allocateDocuments(subQuestions: number, total = 10): number[] {
  checkOption('The number of sub-questions', subQuestions, subQuestions >= 1, 'from 1')
  const each = Math.floor(total / subQuestions)
  const rest = total % subQuestions
  return Array.from({ length: subQuestions }, (_, index) => each + (index < rest ? 1 : 0))
}

/**
 * Parses the Query Rewriter's output: one sub-question per line.
 *
 * @example parseSubQuestions('who wrote it?\nwhen?') // ['who wrote it?', 'when?']
 */
export function parseSubQuestions(output: string): string[] {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/**
 * The sub-questions to search, as in the authors' code: the first four of up to eight. More than eight fall back to the question
 * itself. So does an empty list (Querent's rule).
 *
 * @example searchedSubQuestions(['a?', 'b?', 'c?', 'd?', 'e?'], 'a to e?') // ['a?', 'b?', 'c?', 'd?']
 */
export function searchedSubQuestions(subQuestions: readonly string[], question: string): readonly string[] {
  if (subQuestions.length === 0 || subQuestions.length > 8) return [question]
  return subQuestions.slice(0, 4)
}

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
  { maxCharacters = Number.POSITIVE_INFINITY }: { readonly maxCharacters?: number } = {},
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
export function selectorPenalty(output: string, count: number): number {
  if (output === '') return 0
  const names = output.split(',')
  const allowed = new Set(Array.from({ length: count }, (_, id) => `Document${id}`))
  return names.every((name) => allowed.has(name)) && new Set(names).size === names.length ? 0 : -1
}

/**
 * The selected documents: the valid ones of the Selector's output, however malformed, each once, in its order.
 *
 * @example parseSelection('Document3, Document0,Document99', 10) // [3, 0]
 */
export function parseSelection(output: string, count: number): number[] {
  const numbers = output.split(',').flatMap((name) => {
    const digits = /^(?:Document)?(\d+)$/.exec(name.trim())?.[1]
    return digits !== undefined && Number(digits) < count ? [Number(digits)] : []
  })
  return [...new Set(numbers)]
}

/**
 * The Selector's target before reinforcement learning (4.3.2, Figure 2): the documents that share a word with the question or its
 * answer, in the Selector's output format. Words are in lower case, without punctuation and English stop words, and have at least
 * two letters. Pass the documents in random order, or the Selector learns their places.
 *
 * Words are compared whole. The authors' code looks for a word anywhere in the text and so finds "man" in "Romanian". It also
 * takes only the words of the answer, or those of the question if the answer is yes or no.
 *
 * @param documents title and text of each
 * @param of the source of the words. Default: `question-and-answer`, as in the paper; `answer` as in the authors' code
 * @example selectorLabel(['Ada Lovelace, mathematician', 'Byron, poet'], { question: 'Who was Ada?', answers: [] }) //
 *   'Document0'
 */
export function selectorLabel(
  documents: readonly string[],
  { question, answers }: { readonly question: string; readonly answers: readonly string[] },
  { of = 'question-and-answer' }: { readonly of?: 'question-and-answer' | 'answer' } = {},
): string {
  const isYesOrNo = answers.every((answer) => /^\W*(?:yes|no)\W*$/i.test(answer))
  const fromAnswer = isYesOrNo ? [question] : answers
  const wanted = new Set((of === 'answer' ? fromAnswer : [question, ...answers]).flatMap(telling))
  const names = documents.map((_, id) => `Document${id}`)
  return names.filter((_, id) => telling(documents[id]!).some((word) => wanted.has(word))).join(',')
}

const words = analyzer({ stem: false })
const telling = (text: string): string[] => words(text).filter((word) => word.length > 1)

/**
 * P_G of eq. 9: −0.5 for an answer of more than 30 words, else 0. The paper only says "a certain length". The 30 words come from
 * the authors' code, whose penalty is −1.
 *
 * @param options `maxWords`, separated by white space, and `penalty`, at most 0
 * @example generatorPenalty('word '.repeat(31)) // -0.5
 * @throws QuerentError `bad-config` for a penalty above 0
 */
export function generatorPenalty(
  answer: string,
  { maxWords = 30, penalty = -0.5 }: { readonly maxWords?: number; readonly penalty?: number } = {},
): number {
  checkOption('penalty', penalty, penalty <= 0, 'at most 0')
  const words = answer.split(/\s+/).filter((word) => word !== '')
  return words.length > maxWords ? penalty : 0
}

/**
 * The answer to score: the last paragraph, after "Answer:" or "The answer is:", without asterisks.
 *
 * @example finalAnswer('She wrote it.\n\nAnswer: **Ada Lovelace**') // 'Ada Lovelace'
 */
export function finalAnswer(output: string): string {
  const last = output.replaceAll('*', '').trim().split('\n\n').at(-1)!
  return last.replace(/^.*?(?:the answer is|answer):\s*/is, '').trim()
}

/**
 * R_shared: the F1 of the final answer, from 0 to 1.
 *
 * @param normalization how to treat punctuation. Default: `space`, as in the authors' code; `squad` deletes it
 * @example sharedReward('The answer is: non-ferrous', ['non ferrous metal']) // 0.8, and 0 with `squad`
 */
export const sharedReward = (
  output: string,
  expected: readonly string[],
  { normalization = 'space' }: { readonly normalization?: AnswerNormalization } = {},
): number => answerF1(finalAnswer(output), expected, normalization)
