/**
 * What the agents of C-3PO write, and the documents that they see. Completions are read as models write them; in training, prompts check
 * the grammar before.
 */

import { documentNumbers } from '../../src/completion/document-numbers.ts'
import { explains, isRemark, type Line, linesOf, plainText } from '../../src/completion/lines.ts'
import { asQuery, withoutQuotes } from '../../src/completion/query-lines.ts'
import type { Document } from '../../src/types.ts'

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

const name = String.raw`no[\s_-]?retrieval|retrieval|planning|llm`
/** An action and what follows it: in brackets anywhere, or where a line begins. */
const actions = new RegExp(
  String.raw`(?:\[\s*(${name})\s*\]|^(${name})\b)(?:\s*[:–-]\s|:)?\s*(?:query:\s*)?(.*)`,
  'gi',
)
const bracketed = new RegExp(String.raw`\[\s*(?:${name})\s*\]`, 'i')
/** What follows an action that is only spoken of. */
const prose =
  /^(?:[^\p{L}\p{N}]*$|[.,;)]|(?:is|are|was|will|would|should|seems|of|because|since|as|and|or|with|for|the best)\b)/iu

/** The action of lines, its query on the same line or on the next; `undefined` if there is none, or more than one. */
function actionIn(lines: readonly Line[]): { readonly kind: string; readonly query: string } | undefined {
  const own = lines.filter((line) => !explains(line))
  const found = own.flatMap(({ text }, place) =>
    [...text.matchAll(actions)].map(([, inBrackets, alone, query]) => ({
      kind: (inBrackets ?? alone!).toLowerCase().replace(/[\s_-]/g, ''),
      query: query!,
      place,
    })),
  )
  const [first] = found
  if (first === undefined || bracketed.test(first.query)) return undefined
  if (found.some(({ kind }) => kind !== first.kind)) return undefined
  const next = own.slice(first.place + 1).find(({ text }) => !isRemark(text))
  const query = first.query === '' && next !== undefined ? next.text : first.query
  return { kind: first.kind, query: prose.test(query) ? '' : withoutQuotes(asQuery(query)) }
}

/**
 * Parses the Reasoning Router's `[No Retrieval]`, `[Retrieval] <query>` or `[Planning]`. A query is a line of at most 100 words.
 *
 * @example parseRouter('[Retrieval] "who wrote it"') // { action: 'retrieval', query: 'who wrote it' }
 */
export function parseRouter(answer: string): RouterAction {
  const { kind, query = '' } = actionIn(linesOf(answer)) ?? {}
  if (kind === 'noretrieval') return { action: 'no-retrieval' }
  if (kind === 'planning') return { action: 'planning' }
  if (kind === 'retrieval' && query !== '') return { action: 'retrieval', query }
  return invalid(answer.includes('[') ? 'Invalid Action' : 'Invalid Format')
}

/** A thought and the lines of an action, which may stand on one line, or the action first. `undefined` without a thought. */
function partsOf(
  completion: string,
): { readonly thought: string; readonly action: readonly Line[] } | undefined {
  const lines = linesOf(plainText(completion).replace(/(?<=\S)[ \t]+(?=action\s?:)/gi, '\n'))
  const named = lines.findIndex(({ label }) => label === 'action')
  const at = named === -1 ? lines.findLastIndex(({ text }) => /^\[[^\]]*\]/.test(text)) : named
  const start = lines.findIndex(({ label }) => label === 'thought')
  const before =
    start > at
      ? lines.filter(({ label }) => label === 'thought')
      : lines.slice(Math.max(0, start), Math.max(0, at))
  const thought = before.flatMap(({ label, text }) => (label === 'query' ? [] : text)).join(' ')
  return at === -1 || thought === '' ? undefined : { thought, action: lines.slice(at) }
}

/**
 * Parses the Decision Maker's `Thought: … Action: [Retrieval] <sub-query>` or `… [LLM]`. The thought must not be empty.
 *
 * @example parseDecision('Thought: enough. Action: [LLM]') // { action: 'answer', thought: 'enough.' }
 */
export function parseDecision(answer: string): DecisionAction {
  const parts = partsOf(answer)
  if (parts === undefined) return invalid('Invalid Format')
  const { thought } = parts
  const { kind, query = '' } = actionIn(parts.action) ?? {}
  if (kind === 'llm') return { action: 'answer', thought }
  if (kind !== 'retrieval' || query === '') return invalid('Invalid Action')
  return { action: 'retrieval', thought, query }
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
  const parts = partsOf(answer)
  if (parts === undefined) return invalid('Invalid Format')
  const listed = parts.action.map(({ text }) => text).join('\n')
  const numbers = documentNumbers(listed)
  if (numbers === undefined) return invalid(listed.includes('[') ? 'Invalid Document Idx' : 'Invalid Action')
  const documents = numbers.filter((number) => number >= 1 && number <= count)
  if (outOfRange === 'invalid' && documents.length < numbers.length)
    return invalid('Hallucinate Document Idx')
  return { action: 'keep', thought: parts.thought, documents }
}

/**
 * The documents for the Decision Maker and the LLM after a search: those from before, in their places, and behind them the new ones
 * that the Information Filter kept. If it kept none, a placeholder says that the search took place. The placeholder stays until a
 * later search of the same query yields a kept document, as in the authors' code.
 *
 * @example accumulate([], 'her mother', []) // one document: "No relevant information about her mother was found"
 */
export function accumulate(
  accumulated: readonly Document[],
  query: string,
  kept: readonly Document[],
): Document[] {
  const placeholder = {
    docid: `${nothingAbout}${query}`,
    title: query,
    text: `No relevant information about ${query} was found`,
  }
  const [added, stay] =
    kept.length > 0
      ? [kept, accumulated.filter(({ docid }) => docid !== placeholder.docid)]
      : [[placeholder], accumulated]
  const has = new Set(stay.map(({ docid }) => docid))
  return [...stay, ...added.filter(({ docid }) => !has.has(docid))]
}

/** Whether the document was found, and does not say that a search brought nothing. */
export const isFound = ({ docid }: Document): boolean => !docid.startsWith(nothingAbout)

/**
 * The numbered steps of a plan, as texts to search.
 *
 * @example stepsOf('Two dates.\n1. Find out when it opened.\n2. Compare them.') // ['when it opened.', 'Compare them.']
 */
export const stepsOf = (roadmap: string): string[] =>
  Array.from(plainText(roadmap).matchAll(numberedStep), ([, step]) => asQuery(step!))

const numberedStep =
  /^[^\p{L}\p{N}\n]*(?:step\s)?\d{1,2}[.:)][^\p{L}\p{N}\n]*(?:(?:find(?: out)?|determine|identify|establish|search for|look up)\s)?(\S.*)$/gimu
