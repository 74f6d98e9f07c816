/**
 * What the agents of C-3PO write, and the documents that they see. Completions are read as models write them; in training, prompts check
 * the grammar before.
 */
import { documentNumbers } from '../../src/completion/document-numbers.ts'
import { explains, isRemark, type Line, linesOf, plainText } from '../../src/completion/lines.ts'
import { asQuery, isNoQuery, withoutQuotes } from '../../src/completion/query-lines.ts'
import type { Document } from '../../src/types.ts'
import { unusable } from '../reading/agent-prompt.ts'

/** What the Reasoning Router decides. */
export type Route =
  | { readonly action: 'no-retrieval' | 'planning' }
  | { readonly action: 'retrieval'; readonly query: string }

/** What the Decision Maker decides. */
export type Decision =
  | { readonly action: 'answer'; readonly thought: string }
  | { readonly action: 'retrieval'; readonly thought: string; readonly query: string }

/** The beginning of a placeholder's docid. */
const nothingAbout = 'none relevant: '

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

/** The action of lines, its query on the same line or on the next. No kind if there is none, or more than one. */
function actionIn(lines: readonly Line[]): { readonly kind: string; readonly query: string } {
  const own = lines.filter((line) => !explains(line))
  const found = own.flatMap(({ text }, place) =>
    [...text.matchAll(actions)].map(([, inBrackets, alone, query]) => ({
      kind: (inBrackets ?? alone!).toLowerCase().replace(/[\s_-]/g, ''),
      query: query!,
      place,
    })),
  )
  const [first] = found
  const isClear = first !== undefined && !bracketed.test(first.query)
  if (!isClear || found.some(({ kind }) => kind !== first.kind)) return { kind: '', query: '' }
  const next = own.slice(first.place + 1).find(({ text }) => !isRemark(text))
  const query = first.query === '' && next !== undefined ? next.text : first.query
  return { kind: first.kind, query: prose.test(query) ? '' : withoutQuotes(asQuery(query)) }
}

function ownQuery(query: string): string {
  if (isNoQuery(query)) throw unusable('Its query is that of the example')
  return query
}

/**
 * Parses the Reasoning Router's `[No Retrieval]`, `[Retrieval] <query>` or `[Planning]`. A query is a line of at most 100 words.
 *
 * @example parseRouter('[Retrieval] "who wrote it"') // { action: 'retrieval', query: 'who wrote it' }
 * @throws QuerentError `bad-completion` with the reason that the authors' code gives
 */
export function parseRouter(answer: string): Route {
  const { kind, query } = actionIn(linesOf(answer))
  if (kind === 'noretrieval') return { action: 'no-retrieval' }
  if (kind === 'planning') return { action: 'planning' }
  if (kind === 'retrieval' && query !== '') return { action: 'retrieval', query: ownQuery(query) }
  throw unusable(answer.includes('[') ? 'Invalid Action' : 'Invalid Format')
}

/** A thought and the lines of an action, which may stand on one line, or the action first. Neither is empty. */
function partsOf(completion: string): { readonly thought: string; readonly action: readonly Line[] } {
  const lines = linesOf(plainText(completion).replace(/(?<=\S)[ \t]+(?=action\s?:)/gi, '\n'))
  const named = lines.findIndex(({ label }) => label === 'action')
  const at = named === -1 ? lines.findLastIndex(({ text }) => /^\[[^\]]*\]/.test(text)) : named
  const start = lines.findIndex(({ label }) => label === 'thought')
  const before =
    start > at
      ? lines.filter(({ label }) => label === 'thought')
      : lines.slice(Math.max(0, start), Math.max(0, at))
  const thought = before.flatMap(({ label, text }) => (label === 'query' ? [] : text)).join(' ')
  if (at === -1 || thought === '') throw unusable('Invalid Format')
  return { thought, action: lines.slice(at) }
}

/**
 * Parses the Decision Maker's `Thought: … Action: [Retrieval] <sub-query>` or `… [LLM]`. The thought must not be empty.
 *
 * @example parseDecision('Thought: enough. Action: [LLM]') // { action: 'answer', thought: 'enough.' }
 * @throws as `parseRouter` does
 */
export function parseDecision(answer: string): Decision {
  const { thought, action } = partsOf(answer)
  const { kind, query } = actionIn(action)
  if (kind === 'llm') return { action: 'answer', thought }
  if (kind !== 'retrieval' || query === '') throw unusable('Invalid Action')
  return { action: 'retrieval', thought, query: ownQuery(query) }
}

/**
 * Parses the Information Filter's `Thought: … Action: [1, 3]`: numbers of documents, from 1, each once, in the order of the
 * output. `[]` is valid and keeps no document. Its credit is not 0 but that of the answers it leads to (see `accumulate`).
 *
 * @param count the number of documents
 * @param strict whether the number of a missing document is an error, as in the authors' data collection; else it is left out, as in
 *   their tests
 * @example parseFilter('Thought: one says it. Action: [3, 1]', 10) // [3, 1]
 * @throws as `parseRouter` does
 */
export function parseFilter(answer: string, count: number, strict = false): readonly number[] {
  const { action } = partsOf(answer)
  const listed = action.map(({ text }) => text).join('\n')
  const numbers = documentNumbers(listed)
  if (numbers === undefined) throw unusable(listed.includes('[') ? 'Invalid Document Idx' : 'Invalid Action')
  const documents = numbers.filter((number) => number >= 1 && number <= count)
  if (strict && documents.length < numbers.length) throw unusable('Hallucinate Document Idx')
  return documents
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
