/** What the agents of MMOA-RAG write. As in the authors' code, except where a comment says otherwise. */
import { documentNumbers } from '../../src/completion/document-numbers.ts'

/**
 * Parses the Query Rewriter's output: one sub-question per line.
 *
 * @example parseSubQuestions('who wrote it?\nwhen?') // ['who wrote it?', 'when?']
 */
export const parseSubQuestions = (output: string): string[] =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * The sub-questions to search, as in the authors' code: the first four of up to eight. More than eight fall back to the question
 * itself. So does an empty list (Querent's rule).
 *
 * @example searchedSubQuestions(['a?', 'b?', 'c?', 'd?', 'e?'], 'a to e?') // ['a?', 'b?', 'c?', 'd?']
 */
export function searchedSubQuestions(subQuestions: readonly string[], question: string): readonly string[] {
  return subQuestions.length === 0 || subQuestions.length > 8 ? [question] : subQuestions.slice(0, 4)
}

/**
 * Whether the Selector's output is in its grammar: names such as `Document0,Document3` of documents from 0 to `count` − 1, each
 * once, or nothing at all. "none", which Querent's prompt offers, is nothing.
 */
export function isSelection(output: string, count: number): boolean {
  if (output === '' || output === 'none') return true
  const names = output.split(',')
  const allowed = new Set(Array.from({ length: count }, (_, id) => `Document${id}`))
  return names.every((name) => allowed.has(name)) && new Set(names).size === names.length
}

/**
 * The selected documents: the valid ones of the Selector's output, however malformed, each once, in its order. `undefined` if it does
 * not choose.
 *
 * @example parseSelection('Document3, Document0,Document99', 10) // [3, 0]
 */
export function parseSelection(output: string, count: number): number[] | undefined {
  if (output === '') return []
  const numbers = documentNumbers(output)
  const known = numbers?.filter((number) => number < count)
  return known?.length === 0 && numbers!.length > 0 ? undefined : known
}
