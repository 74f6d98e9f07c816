/** What the agents of C-3PO write, and the documents that they see. As in the authors' code, except where a comment says otherwise. */
import type { Document } from '../../src/types.ts'
import { asQuery, withoutQuotes } from '../reading/query-lines.ts'

/** An action that cannot be executed ends the rollout as a failed leaf. The reasons are those of the authors' code. */
export interface InvalidAction {
  readonly action: 'invalid'
  readonly reason: 'Invalid Format' | 'Invalid Action' | 'Invalid Document Idx' | 'Hallucinate Document Idx'
}

export type RouterAction =
  | { readonly action: 'no-retrieval' | 'planning' }
  | { readonly action: 'retrieval'; readonly query: string }
  | InvalidAction

export type DecisionAction =
  | { readonly action: 'answer'; readonly thought: string }
  | { readonly action: 'retrieval'; readonly thought: string; readonly query: string }
  | InvalidAction

export type FilterAction =
  | { readonly action: 'keep'; readonly thought: string; readonly documents: readonly number[] }
  | InvalidAction

/** The beginning of a placeholder's docid. */
const nothingAbout = 'none relevant: '

const invalid = (reason: InvalidAction['reason']): InvalidAction => ({ action: 'invalid', reason })

/**
 * Parses the Reasoning Router's `[No Retrieval]`, `[Retrieval] <query>` or `[Planning]`. The first bracket anywhere decides.
 * White space in a query is collapsed, and the query is cut to 100 words. Quotation marks around it are removed (Querent's rule).
 *
 * @example parseRouter('[Retrieval] "who wrote it"') // { action: 'retrieval', query: 'who wrote it' }
 */
export function parseRouter(answer: string): RouterAction {
  const bracket = firstBracket(answer)
  if (bracket === undefined) return invalid('Invalid Format')
  if (bracket.name === 'No Retrieval') return { action: 'no-retrieval' }
  if (bracket.name === 'Planning') return { action: 'planning' }
  if (bracket.name !== 'Retrieval' || bracket.query === '') return invalid('Invalid Action')
  return { action: 'retrieval', query: bracket.query }
}

/**
 * Parses the Decision Maker's `Thought: … Action: [Retrieval] <sub-query>` or `… [LLM]`. The thought must not be empty.
 *
 * @example parseDecision('Thought: enough. Action: [LLM]') // { action: 'answer', thought: 'enough.' }
 */
export function parseDecision(answer: string): DecisionAction {
  const parts = thoughtAndAction(answer)
  if (parts === undefined) return invalid('Invalid Format')
  const { thought, action } = parts
  const bracket = firstBracket(action)
  if (bracket?.name === 'LLM') return { action: 'answer', thought }
  if (bracket?.name !== 'Retrieval' || bracket.query === '') return invalid('Invalid Action')
  return { action: 'retrieval', thought, query: bracket.query }
}

/**
 * Parses the Information Filter's `Thought: … Action: [1, 3]`: numbers of documents, from 1, each once, in the order of the
 * output. `[]` is valid and keeps no document. Its credit is not 0 but that of the answers it leads to (see `accumulate`).
 *
 * @param count the number of documents
 * @param outOfRange how to treat the number of a missing document: `drop`, as in the authors' tests, or `invalid`, as in their
 *   data collection
 * @example parseFilter('Thought: one says it. Action: [3, 1]', 10) // { action: 'keep', thought: …, documents: [3, 1] }
 */
export function parseFilter(
  answer: string,
  count: number,
  { outOfRange = 'drop' }: { readonly outOfRange?: 'drop' | 'invalid' } = {},
): FilterAction {
  const parts = thoughtAndAction(answer)
  if (parts === undefined) return invalid('Invalid Format')
  const { thought, action } = parts
  const listed = bracketsIn(action)?.inside
  if (listed === undefined) return invalid('Invalid Action')
  const pieces = listed
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  if (pieces.some((piece) => !/^[+-]?\d+$/.test(piece))) return invalid('Invalid Document Idx')
  const numbers = pieces.map(Number)
  const known = numbers.filter((number) => number >= 1 && number <= count)
  if (outOfRange === 'invalid' && known.length < numbers.length) return invalid('Hallucinate Document Idx')
  return { action: 'keep', thought, documents: [...new Set(known)] }
}

/**
 * The documents for the Decision Maker and the LLM after a search: those from before, in their places, and behind them the new ones
 * that the Information Filter kept. If it kept none, a placeholder says that the search took place. The placeholder stays until a
 * later search of the same query yields a kept document, as in the authors' code.
 *
 * @example accumulate([], 'her mother', []) // one document: "None relevant information about her mother"
 */
export function accumulate(
  accumulated: readonly Document[],
  query: string,
  kept: readonly Document[],
): Document[] {
  const placeholder = {
    docid: `${nothingAbout}${query}`,
    title: query,
    text: `None relevant information about ${query}`,
  }
  const [added, stay] =
    kept.length > 0
      ? [kept, accumulated.filter(({ docid }) => docid !== placeholder.docid)]
      : [[placeholder], accumulated]
  const has = new Set(stay.map(({ docid }) => docid))
  return [...stay, ...added.filter(({ docid }) => !has.has(docid))]
}

/** Whether the document says that a search brought nothing. */
export const isPlaceholder = ({ docid }: Document): boolean => docid.startsWith(nothingAbout)

/** What stands in the first brackets of a text, and behind them. */
function bracketsIn(text: string): { readonly inside: string; readonly behind: string } | undefined {
  const start = text.indexOf('[')
  const end = text.indexOf(']', start)
  if (start === -1 || end === -1) return undefined
  return { inside: text.slice(start + 1, end), behind: text.slice(end + 1) }
}

function firstBracket(text: string): { name: string; query: string } | undefined {
  const found = bracketsIn(text)
  return found && { name: found.inside.trim(), query: withoutQuotes(asQuery(found.behind)) }
}

function thoughtAndAction(answer: string): { thought: string; action: string } | undefined {
  const rest = answer.trimStart().replace(/^Thought:\s*/, '')
  const at = rest.indexOf('Action:', 1)
  return at === -1
    ? undefined
    : { thought: rest.slice(0, at).trim(), action: rest.slice(at + 'Action:'.length) }
}
