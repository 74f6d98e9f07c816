/** What C-3PO's agents write freely, put into the grammar that `parse.ts` reads. Empty where it is not clear what they mean. */
import { explains, isRemark, type Line, linesOf, plainText } from '../reading/completion.ts'
import { documentNumbers } from '../reading/document-numbers.ts'

const name = String.raw`no[\s_-]?retrieval|retrieval|planning|llm`
/** An action and what follows it: in brackets anywhere, or where a line begins. */
const actions = new RegExp(
  String.raw`(?:\[\s*(${name})\s*\]|^(${name})\b)(?:\s*[:–-]\s|:)?\s*(?:query:\s*)?(.*)`,
  'gi',
)
const bracketed = new RegExp(String.raw`\[\s*(?:${name})\s*\]`, 'i')
/** What follows an action that is only spoken of. */
const prose =
  /^(?:\W*$|[.,;)]|(?:is|are|was|will|would|should|seems|of|because|since|as|and|or|with|for|the best)\b)/i
const canonical = new Map([
  ['noretrieval', '[No Retrieval]'],
  ['planning', '[Planning]'],
  ['llm', '[LLM]'],
])

/** The action of lines, a query on its own line or on the next; `undefined` if there is none, or more than one. */
function actionIn(lines: readonly Line[]): string | undefined {
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
  if (first.kind !== 'retrieval') return canonical.get(first.kind)
  const next = own.slice(first.place + 1).find(({ text }) => !isRemark(text))
  const query = first.query === '' && next !== undefined ? next.text : first.query
  return prose.test(query) ? undefined : `[Retrieval] ${query}`
}

/** The Router's completion. */
export const routeIn = (completion: string): string => actionIn(linesOf(completion)) ?? ''

/** A thought and an action, which may stand on one line, or the action first. */
function inGrammar(completion: string, read: (lines: readonly Line[]) => string | undefined): string {
  const lines = linesOf(plainText(completion).replace(/(?<=\S)[ \t]+(?=action\s?:)/gi, '\n'))
  const named = lines.findIndex(({ label }) => label === 'action')
  const at = named === -1 ? lines.findLastIndex(({ text }) => /^\[[^\]]*\]/.test(text)) : named
  const start = lines.findIndex(({ label }) => label === 'thought')
  const before =
    start > at
      ? lines.filter(({ label }) => label === 'thought')
      : lines.slice(Math.max(0, start), Math.max(0, at))
  const thought = before.flatMap(({ label, text }) => (label === 'query' ? [] : text)).join(' ')
  const action = at === -1 || thought === '' ? undefined : read(lines.slice(at))
  return action === undefined ? '' : `Thought: ${thought} Action: ${action}`
}

/** The Decision Maker's completion. */
export const decisionIn = (completion: string): string => inGrammar(completion, actionIn)

/** The Information Filter's completion. */
export const choiceIn = (completion: string): string =>
  inGrammar(completion, (lines) => {
    const numbers = documentNumbers(lines.map(({ text }) => text).join('\n'))
    return numbers && `[${numbers.join(', ')}]`
  })
